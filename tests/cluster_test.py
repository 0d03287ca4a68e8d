"""Two servers and a worker on two PostgreSQL databases and one Redis, while all is well: python3 tests/cluster_test.py CIV

People play through different processes. tests/loss_test.py has the same while everything is killed.
"""

import json
import os
import pathlib
import random
import re
import shutil
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

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")
CHANCE = random.Random(5)
CARDS = re.compile(r"[^a-z0-9_-][MERSCU][123][^a-z0-9_-]", re.IGNORECASE)


def worker(stores, bus, log):
    return subprocess.Popen([CIV, "worker", *stores, "--bus", bus, "--name", "worker", "--threads", "1"], stdout=subprocess.PIPE, stderr=log, text=True)


def until(what, seconds=120):
    """Whether it comes to that, in a time in which it should have."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.1)
    return False


def play(people, referee):
    """Everybody plays until it is over; what was refused."""
    refused = []
    while people[0].table["status"] != "over":
        time.sleep(0.01)
        for person in people:
            person.catch_up()
            view, draft = person.game and person.game["view"], person.table.get("draft")
            if person.table["status"] == "running" and view["seat"] == person.seat and not (draft and draft["picked"][person.seat]):
                refused.append(person.play(referee, CHANCE))
    return [key for key in refused if key]


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
    check("banned by both", until(lambda: ask(two.port, "GET", "/api/v1/session", token=token)[0] == 403))
    code, _, err = run("admin", "--data", two.command[3], "unban", person["id"])
    check("unban", code == 0, err)
    check("back by both", until(lambda: ask(one.port, "GET", "/api/v1/session", token=token)[0] == 200))


def waiting_worker_test(database, stores, bus, folder):
    """A worker that is started while the database is down waits for it, and ends when it is told to."""
    path = os.path.join(folder, "waiting.log")

    def waiting():
        thinking = worker(stores, bus.uri(), log)
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


def game_test(servers, referee, folder, length, setup):
    """Two people and a bot play to the end, each by another process, and play again; the tables. The id is to have that length."""
    tokens = [guest(server.port, name)[0] for server, name in zip(servers, ("Ada", "Ben"))]
    table = ""
    while len(table) != length:  # chance says in which database a table is
        status, answer, _ = ask(servers[0].port, "POST", "/api/v1/tables", {"players": 3, "setup": setup}, tokens[0])
        assert status == 201, answer
        table = answer["table"]
    ada, ben = people = [Seated(server.port, table, token) for server, token in zip(servers, tokens)]
    check("sits by the other server", ben.do("sit", seat=1) is None)
    ben.seat = 1
    check("a bot", ada.do("seat-bot", seat=2, bot="level1") is None)
    check("start", ada.do("start") is None)
    for person in people:
        check("a number for the deal", person.do("contribute", random="%064x" % CHANCE.getrandbits(256)) is None)
    refused = play(people, referee)
    check("a game to its end", not refused, refused)
    for server in servers:
        path = f"/api/v1/tables/{table}/record"
        check("has the record, as soon as it knows that it is over", until(lambda port=server.port, path=path: ask(port, "GET", path)[0] != 409))
        status, record, _ = ask(server.port, "GET", path)
        code, out, err = run("verify", store(os.path.join(folder, "record.json"), record))
        check("verifies", status == 200 and code == 0, (status, out, err))
    check("a rematch", ben.do("rematch") is None)
    again = until(lambda: ada.catch_up() or ada.table.get("rematch")) and ada.table["rematch"]
    check("by the other server", Seated(servers[0].port, again, tokens[0]).table["status"] == "waiting", again)
    return table, again


def analysis_test(servers, referee, folder, database):
    """A worker judges a game that is over, once, for whoever asks by whatever server."""
    tokens = [guest(server.port, name)[0] for server, name in zip(servers, ("Ada", "Ben"))]
    table = ask(servers[0].port, "POST", "/api/v1/tables", {"players": 2}, tokens[0])[1]["table"]
    path = f"/api/v1/tables/{table}/analysis"
    ada, ben = (Seated(server.port, table, token) for server, token in zip(servers, tokens))
    check("not before it is over", ask(servers[0].port, "GET", path)[0] == 409)
    ben.do("sit", seat=1)
    ben.seat = 1
    ada.do("start")
    for person in (ada, ben):
        person.do("contribute", random="%064x" % CHANCE.getrandbits(256))
    check("begun", until(lambda: ada.catch_up() or ben.catch_up() or (ada.game and ben.game)))
    (ada if ada.game["view"]["seat"] == 0 else ben).play(referee, CHANCE)
    check("over", ada.do("resign") is None)
    check("is waited for, as soon as they know that it is over", all(until(lambda port=server.port: ask(port, "GET", path)[0] in (200, 202)) for server in servers))
    while (answer := ask(servers[1].port, "GET", path))[0] == 202:
        time.sleep(1)
    record = ask(servers[0].port, "GET", f"/api/v1/tables/{table}/record")[1]
    code, out, err = run("analyze", "--json", store(os.path.join(folder, "judged.json"), record))
    check("the same as the program's", code == 0 and answer[:2] == (200, json.loads(out)), (answer, err))
    check("by the other server", ask(servers[0].port, "GET", path)[1] == answer[1])
    rows = [row for name in ("postgres", "further") for row in database.sql("SELECT encode(question, 'escape') FROM civ.jobs WHERE kind = 'analysis'", name)]
    check("one job, without names", len(rows) == 1 and "Ada" not in rows[0] and "comments" not in rows[0], rows)


def shards_test(database, tables):
    """A table's id names its database, and a rematch is beside its table."""
    there = {}
    for place, name in enumerate(("postgres", "further")):
        for row in database.sql("SELECT id FROM civ.tables", name):
            there[row] = place
    check("both databases have tables", set(there.values()) == {0, 1}, there)
    check("ids name their database", all((len(table) == 17) == bool(place) for table, place in there.items()), there)
    check("a rematch is where its table is", all(there[table] == there[again] for table, again in tables), (there, tables))


def proxy_test(servers, folder):
    """nginx with what docs/cluster.md says: all of a table come to one server, others to others, and to whichever is there."""
    if not NGINX:
        print("nginx is not installed (tools/setup test installs nginx-light): it is not tested")
        return
    block = re.search(r"```\n(map \$uri.*?)```", pathlib.Path(__file__).parents[1].joinpath("docs", "cluster.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    for name, server in zip(("app1", "app2"), servers):
        block = block.replace(f"{name}:8104", f"127.0.0.1:{server.port}")
    port, home = postgres.free_port(), os.path.join(folder, "nginx")
    os.mkdir(home)
    paths = "".join(f"{kind}_temp_path {home}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    headers = "".join(f"proxy_set_header {header};" for header in ("Host $http_host", "Upgrade $http_upgrade", "Connection $connection_upgrade"))
    store(os.path.join(home, "nginx.conf"), f"""daemon off; pid {home}/pid; error_log stderr; events {{}}
        http {{ access_log off; {paths} map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }} {block}
        server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://civ; proxy_http_version 1.1; {headers} }} }} }}""")
    nginx = subprocess.Popen([NGINX, "-p", home, "-c", os.path.join(home, "nginx.conf"), "-e", "stderr"])

    def sockets():
        return [int(re.search(r"^civ_lines (\d+)", ask(server.port, "GET", "/metrics")[1], re.MULTILINE)[1]) for server in servers]

    def answers():
        try:
            return ask(port, "GET", "/readyz")[0] == 200
        except OSError:
            return False

    check("nginx starts", until(lambda: answers() or nginx.poll() is not None) and nginx.poll() is None)
    tokens = [guest(port, name)[0] for name in ("Ada", "Ben", "Eve")]
    places = set()
    while places != {0, 1}:
        table = ask(port, "POST", "/api/v1/tables", {"players": 2}, tokens[0])[1]["table"]
        before = sockets()
        people = [Seated(port, table, token) for token in tokens]
        came = [now - then for now, then in zip(sockets(), before)]
        check("all of a table come to one server", sorted(came) == [0, 3], came)
        places.add(came.index(3))
        for person in people:
            person.close()
        check("they go", until(lambda before=before: sockets() == before))
    servers[came.index(3)].kill()
    check("by the other server, while one is gone", Seated(port, table, tokens[0]).seat == 0)
    servers[came.index(3)].start()
    nginx.terminate()
    nginx.wait(60)


def limits_test(store_of_all, bus, folder):
    """Limits are those of all servers together, and local while there is no Redis."""
    page = os.path.join(folder, "page")
    servers = [Server(CIV, os.path.join(folder, name), *store_of_all, "--bus", bus.uri(), "--name", name, "--threads", "0", "--page", page).start()
               for name in ("strict-one", "strict-two")]

    def made(name, most):
        """How many tables one person may make, by both in turns, and the time that took in which tokens grow again, one in six seconds."""
        token, _ = guest(servers[0].port, name)
        count, begun = 0, time.monotonic()
        for _ in range(most):
            status = [ask(server.port, "POST", "/api/v1/tables", {"players": 2}, token)[0] for server in servers]
            check("made or refused", set(status) <= {201, 429}, status)
            count += status.count(201)
        return count, time.monotonic() - begun

    # Redis answers while a table is made: the slower it is, the more slips through, but never what each would allow by itself.
    count, _ = made("Cleo", 10)
    check("ten in a minute, and what is under way meanwhile", 10 <= count < 20, count)
    bus.kill()
    check("noticed", until(lambda: all("bus: down" in ask(server.port, "GET", "/readyz")[1] for server in servers)))
    count, took = made("Dora", 12)
    check("without Redis each server counts by itself", 20 <= count <= 20 + took / 3, count)
    bus.start()
    for server in servers:
        server.stop()


def main():
    with tempfile.TemporaryDirectory() as folder, postgres.Server() as database, redis.Server() as bus:
        uris = ["--store", database.uri(), "--store", database.create("further")]
        page, referee = small_page(folder), Referee()
        log = open(os.path.join(folder, "worker.log"), "ab")
        heard = bus.listen()
        servers = [Server(CIV, os.path.join(folder, name), *uris, "--bus", bus.uri(), "--name", name, "--threads", "0", "--bot-pause", "0",
                          "--page", page, "--no-limits").start() for name in ("one", "two")]
        thinking = worker(uris, bus.uri(), log)
        people_test(servers)
        for server in servers:
            check("ready", until(lambda port=server.port: ask(port, "GET", "/readyz")[0] == 200))
            text = ask(server.port, "GET", "/readyz")[1]
            check("database and bus are told apart", "database: up" in text and "bus: up" in text, text)
        shards_test(database, [game_test(servers, referee, folder, 16, "basic"), game_test(servers, referee, folder, 17, "draft")])
        analysis_test(servers, referee, folder, database)
        proxy_test(servers, folder)
        said = heard()
        cards = [line for line in said if CARDS.search(line)]
        check("something was said on the bus", len(said) > 100, len(said))
        check("no card on the bus", not cards, cards[:3])
        thinking.terminate()
        check("the worker stops", thinking.wait(60) == 0)
        for server in servers:
            check("stops", server.stop() == 0)
        limits_test(uris, bus, folder)
        waiting_worker_test(database, uris, bus, folder)
        referee.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
