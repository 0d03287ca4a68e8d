"""Two servers and a worker on one PostgreSQL and one Redis: python3 tests/cluster_test.py CIV

People play through different processes; servers, worker, Redis and PostgreSQL are killed meanwhile, and everybody goes on.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time

import postgres
import redis
from checks import check, finish
from live import Closed, Server, ask, guest
from program import CIV, Referee, run, small_page, store
from seated import Seated

CHANCE = random.Random(5)
CARDS = re.compile(r"[^a-z0-9_-][MERSCU][123][^a-z0-9_-]", re.IGNORECASE)


def worker(uri, bus, log):
    return subprocess.Popen([CIV, "worker", "--store", uri, "--bus", bus, "--name", "worker", "--threads", "1"], stdout=subprocess.PIPE, stderr=log, text=True)


def until(what, seconds=60):
    """Whether it comes to that, in a time in which it should have."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if what():
                return True
        except (OSError, Closed):
            pass
        time.sleep(0.1)
    return False


class Somebody:
    """A person at a table, by whichever server is there."""

    def __init__(self, servers, table, token):
        self.servers, self.table, self.token, self.at = servers, table, token, None

    def enter(self):
        for server in CHANCE.sample(self.servers, len(self.servers)):
            try:
                self.at = Seated(server.port, self.table, self.token)
                return True
            except (OSError, Closed):
                pass
        return False

    def step(self, referee):
        """Plays if it is this person's turn. Reconnects as often as it takes."""
        try:
            if self.at is None and not self.enter():
                return None
            self.at.catch_up()
            if self.at.table["status"] == "dealing":
                self.at.do("contribute", random="%064x" % CHANCE.getrandbits(256))  # again is refused, and does not matter
                return None
            view = self.at.game and self.at.game["view"]
            draft = self.at.table.get("draft")
            if self.at.table["status"] == "running" and view and view["seat"] == self.at.seat and not (draft and draft["picked"][self.at.seat]):
                return self.at.play(referee, CHANCE)
        except (OSError, Closed):
            self.at = None
        return None

    def status(self):
        return self.at.table["status"] if self.at else None


def play(people, referee, stop, seconds=120):
    """Everybody plays until it is over or `stop` says so; what was refused."""
    refused = []
    end = time.monotonic() + seconds
    while time.monotonic() < end and not stop():
        for person in people:
            key = person.step(referee)
            if key and key not in ("error.store", "closing.restart"):
                refused.append(key)
    return refused


def people_test(servers):
    """A person of one server is one of the other, too, and what happens to them there happens here."""
    one, two = servers
    token, person = guest(one.port, "Ada")
    status, answer, _ = ask(two.port, "GET", "/api/v1/session", token=token)
    check("known by the other server", status == 200 and answer["person"] == person, answer)
    status, answer, _ = ask(one.port, "POST", "/api/v1/tables", {"players": 2}, token)
    at = Seated(two.port, answer["table"], token)
    check("at the table by the other server", at.seat == 0, at.seat)
    code, _, err = run("admin", "--data", one.command[3], "ban", person["id"])
    check("ban", code == 0, err)
    try:
        at.live.until("closing")
        check("closed by the other server", True)
    except (Closed, TimeoutError) as wrong:
        check("closed by the other server", isinstance(wrong, Closed), wrong)
    check("banned by both", until(lambda: ask(two.port, "GET", "/api/v1/session", token=token)[0] == 403, 40))
    code, _, err = run("admin", "--data", two.command[3], "unban", person["id"])
    check("unban", code == 0, err)
    check("back by both", until(lambda: ask(one.port, "GET", "/api/v1/session", token=token)[0] == 200, 40))


def waiting_worker_test(database, bus, folder):
    """A worker that is started while the database is down waits for it, and ends when it is told to."""
    path = os.path.join(folder, "waiting.log")

    def waiting():
        thinking = worker(database.uri(), bus.uri(), log)
        check("says that it waits", until(lambda: "store.lost" in open(path, encoding="utf-8").read(), 30), thinking.poll())
        return thinking

    database.stop()
    with open(path, "ab") as log:
        thinking = waiting()
        thinking.terminate()
        check("stops while it waits", thinking.wait(30) == 0)
        log.truncate(0)
        thinking = waiting()
        database.start()
        check("begins when the database is there", thinking.stdout.readline() != "")
        thinking.terminate()
        check("stops after it has waited", thinking.wait(30) == 0)


def main():
    with tempfile.TemporaryDirectory() as folder, postgres.Server() as database:
        bus = redis.Server()
        uri, page, referee = database.uri(), small_page(folder), Referee()
        log = open(os.path.join(folder, "worker.log"), "ab")
        servers = [Server(CIV, os.path.join(folder, name), "--store", uri, "--bus", bus.uri(), "--name", name, "--threads", "0", "--bot-pause", "0",
                          "--page", page, "--no-limits").start() for name in ("one", "two")]
        thinking = worker(uri, bus.uri(), log)
        people_test(servers)
        for server in servers:
            status, text, _ = ask(server.port, "GET", "/readyz")
            check("ready", status == 200 and "database: up" in text and "bus: up" in text, text)

        def game(**options):
            tokens = [guest(server.port, name)[0] for server, name in zip(servers, ("Ada", "Ben"))]
            status, answer, _ = ask(servers[0].port, "POST", "/api/v1/tables", {"players": 3, **options}, tokens[0])
            check("a table", status == 201, answer)
            people = [Somebody(servers, answer["table"], token) for token in tokens]
            ada, ben = (Seated(server.port, answer["table"], token) for server, token in zip(servers, tokens))
            check("sits by the other server", ben.do("sit", seat=1) is None)
            ada.seat, ben.seat = 0, 1
            check("a bot", ada.do("seat-bot", seat=2, bot="level1") is None)
            check("start", ada.do("start") is None)
            people[0].at, people[1].at = ada, ben
            return answer["table"], people

        def verify(name, table):
            status, record, _ = ask(servers[0].port, "GET", f"/api/v1/tables/{table}/record")
            code, out, err = run("verify", store(os.path.join(folder, "record.json"), record))
            check(name, status == 200 and code == 0, (status, out, err))

        table, people = game()
        refused = play(people, referee, lambda: people[0].status() == "over")
        check("a game to its end", people[0].status() == "over" and not refused, (people[0].status(), refused))
        verify("verifies", table)

        def kill_server():
            servers[0].kill()
            servers[0].start()

        def kill_worker():
            nonlocal thinking
            thinking.kill()
            thinking.wait()
            thinking = worker(uri, bus.uri(), log)

        def empty_redis():
            bus.empty()

        def kill_redis():
            bus.kill()
            bus.start()

        def kill_database():
            database.kill()
            database.start()

        table, people = game(setup="draft")
        refused = []
        for kill in (kill_server, kill_worker, empty_redis, kill_redis, kill_database, kill_server):
            steps = iter(range(6))
            refused += play(people, referee, lambda steps=steps: next(steps, None) is None or people[0].status() == "over")
            kill()
        keys = subprocess.run(["redis-cli", "-p", str(bus.port), "keys", "*"], capture_output=True, text=True, check=False).stdout
        check("no card in Redis", not CARDS.search(keys), keys)
        refused += play(people, referee, lambda: people[0].status() == "over")
        check("goes on after everything was killed", people[0].status() == "over" and not refused, (people[0].status(), refused))
        check("ready again", until(lambda: ask(servers[0].port, "GET", "/readyz")[0] == 200))
        verify("verifies after that", table)
        thinking.terminate()
        check("the worker stops", thinking.wait(30) == 0)
        for server in servers:
            check("stops", server.stop() == 0)
        waiting_worker_test(database, bus, folder)
        bus.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
