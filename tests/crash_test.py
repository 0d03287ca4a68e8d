"""People play at many tables while the server is killed again and again: python3 tests/crash_test.py CIV FORGETFUL [KILLS]

FORGETFUL is the program with a file system that forgets at a kill what was written and not synced; every other start is its.
Everything that was acknowledged must be there after each start, once, and everybody must catch up without being helped.
Then the same with a disk that refuses: clear errors, service for reading, and recovery without a restart.
"""

import os
import random
import socket
import sys
import tempfile
import threading
import time

from live import Closed, Live, Server, ask, guest
from program import CIV, Referee

FORGETFUL = sys.argv[2]
LONG = os.environ.get("CIV_LONG") == "1"
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 200 if LONG else 20
PATIENCE = 120  # seconds after which something is stuck
RETRY = {"error.store", "closing.restart", "error.too-many-requests"}  # nothing has happened: try again
TABLES = [
    {"players": 2},
    {"players": 2, "setup": "draft"},
    {"players": 3},
    {"players": 4, "setup": "draft", "teams": True},
    {"players": 4},
    {"players": 2, "clock": {"turn": 600}},
    {"players": 3, "setup": "draft", "bots": ["level1"]},
    {"players": 2, "bots": ["level3"]},
]

failures = []
lock = threading.Lock()


def fail(what):
    with lock:
        failures.append(what)


class Player(threading.Thread):
    """Plays one seat of one table: reconnects, sends again what was not answered, and remembers what was acknowledged."""

    def __init__(self, port, table, token, seat, referee, chance, beside_bots):
        super().__init__(daemon=True)
        self.port, self.table, self.token, self.seat, self.referee, self.chance = port, table, token, seat, referee, chance
        self.beside_bots = beside_bots
        self.number = 0  # of the last event seen
        self.meta, self.game = {}, None
        self.pick_round = 0  # in which a card has been picked
        self.pending = None  # sent, not answered
        self.sent = 0
        self.acknowledged = []  # actions, in order
        self.refusals = 0  # by the disk
        self.live = None
        self.stopping = False

    def over(self):
        return self.meta.get("status") in ("over", "closed")

    def run(self):
        try:
            while not self.stopping and not self.over():
                try:
                    self.connect()
                except (Closed, OSError):
                    time.sleep(0.05)
        except Exception as wrong:  # a check of ours, or an answer that is not what was promised
            fail(f"{self.table} seat {self.seat}: {wrong!r}")

    def connect(self):
        self.live = live = Live(self.port, f"/api/v1/tables/{self.table}/live?seen={self.number}", self.token, timeout=PATIENCE)
        try:
            if live.status != 101:
                raise Closed()
            if self.pending:
                live.send(self.pending)
            else:
                self.decide(live)
            while not self.stopping and not self.over():
                self.hear(live, live.receive())
        finally:
            live.close()

    def stop(self):
        self.stopping = True
        try:
            self.live.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.join(PATIENCE)

    def hear(self, live, message):
        kind = message["type"]
        if kind in ("ack", "refused"):
            self.answered(live, message)
        elif "n" in message:
            assert kind != "hello" or message["n"] >= self.number, f"the server forgot: {message['n']} after {self.number}"
            assert kind == "hello" or message["n"] > self.number, f"told twice: {message['n']} after {self.number}"
            self.number = message["n"]
            self.meta = message.get("table", self.meta)
            self.game = message.get("game", self.game)
        self.decide(live)

    def answered(self, live, message):
        if not self.pending or message["id"] != self.pending["id"]:
            return
        if message["type"] == "ack":
            self.acknowledged += self.pending.get("actions", [])
            if self.pending["type"] == "pick":
                self.acknowledged.append("keep " + self.pending["card"])
            self.pending = None
            return
        key = message["error"]["key"]
        if self.pending["type"] == "contribute" and key in ("error.table.contributed", "error.table.not-now"):  # it was stored before the server died
            self.pending = None
            return
        assert key in RETRY, f"{self.pending} was refused: {message}"
        self.refusals += key == "error.store"
        time.sleep(0.05)
        live.send(self.pending)

    def decide(self, live):
        if self.pending or not self.meta or self.over():
            return
        status, draft = self.meta["status"], self.meta.get("draft")
        if status == "dealing":
            if self.meta["deal"]["randoms"][self.seat] is None:
                self.send(live, {"type": "contribute", "random": "%064x" % self.chance.getrandbits(256)})
        elif status == "running" and draft:
            if draft["round"] > self.pick_round:
                keeps = self.legal()
                self.pick_round = draft["round"]
                self.send(live, {"type": "pick", "round": draft["round"], "card": self.chance.choice(keeps).split()[1]})
        elif status == "running" and self.game["view"]["seat"] == self.seat:
            self.send(live, {"type": "act", "builds": self.number, "actions": [self.chance.choice(self.legal())]})

    def legal(self):
        return sorted(self.referee.ask(cmd="legal", view=self.game["view"])["legal"])

    def send(self, live, message):
        self.sent += 1
        self.pending = {"id": f"{self.seat}-{self.sent}", **message}
        live.send(self.pending)

    def check(self):
        """What the table says that this seat has done is what was acknowledged, and at most what was not answered yet."""
        live = Live(self.port, f"/api/v1/tables/{self.table}/live", self.token)
        hello = live.until("hello")[-1]
        live.close()
        status, game, _ = ask(self.port, "GET", f"/api/v1/tables/{self.table}/story", token=self.token)
        assert status == 200, game
        done = [game["log"][i] for told in game["story"] if told["seat"] == self.seat for i in range(told["begin"], told["end"])]
        picked = hello["you"].get("pick")
        done += ["keep " + picked] if picked else []
        open_end = [] if not self.pending else self.pending.get("actions", ["keep " + self.pending.get("card", "")])
        if done not in (self.acknowledged, self.acknowledged + open_end):
            fail(f"{self.table} seat {self.seat}: acknowledged {self.acknowledged}, there are {done}, not answered {self.pending}")
        return len(done)


def make_tables(port, referee):
    players = []
    for index, options in enumerate(TABLES * (3 if LONG else 1)):
        options = dict(options)
        bots = options.pop("bots", [])
        people = [guest(port, f"Player {index} {seat}")[0] for seat in range(options["players"] - len(bots))]
        status, answer, _ = ask(port, "POST", "/api/v1/tables", {"absence": 0, **options}, people[0])
        assert status == 201, answer
        table = answer["table"]
        host = Live(port, f"/api/v1/tables/{table}/live", people[0])
        for seat, token in enumerate(people[1:], 1):
            live = Live(port, f"/api/v1/tables/{table}/live", token)
            live.send({"type": "sit", "id": "sit", "seat": seat})
            live.until("ack")
            live.close()
        for seat, bot in enumerate(bots, len(people)):
            host.send({"type": "seat-bot", "id": f"bot{seat}", "seat": seat, "bot": bot})
            host.until("ack")
        host.send({"type": "start", "id": "start"})
        host.until("ack")
        host.close()
        players += [Player(port, table, token, seat, referee, random.Random(1000 * index + seat), bool(bots)) for seat, token in enumerate(people)]
    return players


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if failures:
            return False
        if time.monotonic() > end:
            fail(f"waited in vain for {what}")
            return False
        time.sleep(0.01)
    return True


def acknowledged(players):
    return sum(len(player.acknowledged) for player in players)


def people_are_done(players):
    """Nobody is left to move but at tables that may be waiting for a bot."""
    return all(player.over() for player in players if not player.beside_bots)


def stop(players):
    for player in players:
        player.stop()


def keep_playing(players, port, referee):
    """Waits for some moves, at new tables if the old ones have come to their end: the players, and how many actions the old tables had."""
    count = acknowledged(players)
    done = 0
    while not failures:
        if people_are_done(players):
            stop(players)
            done += sum(player.check() for player in players)
            players = make_tables(port, referee)
            for player in players:
                player.start()
            count = 0
        if wait_for("moves", lambda: acknowledged(players) >= count + 5 or people_are_done(players)) and not people_are_done(players):
            break
    return players, done


def refuse(fault, how, players, port):
    """The disk refuses for a while."""
    with open(fault, "w") as file:
        file.write(how)
    before = {player: player.refusals for player in players}
    wait_for(f"a refusal ({how})", lambda: any(player.refusals > before[player] for player in players) or people_are_done(players))
    status, answer, _ = ask(port, "GET", "/api/v1/tables")
    if status != 200:
        fail(f"{how}: no reading while the disk refuses: {status} {answer}")
    status, answer, _ = ask(port, "POST", "/api/v1/session", {"name": "Late"})
    if status != 503 or answer["error"]["key"] != "error.store":
        fail(f"{how}: a session that cannot be stored: {status} {answer}")
    if ask(port, "GET", "/readyz")[0] != 503:
        fail(f"{how}: ready although the disk refuses")
    os.remove(fault)
    count = acknowledged(players)
    wait_for(f"moves after the disk has recovered ({how})", lambda: acknowledged(players) > count or people_are_done(players))
    wait_for("readiness after the disk has recovered", lambda: ask(port, "GET", "/readyz")[0] == 200)


def main():
    chance = random.Random(7)
    referee = Referee()
    with tempfile.TemporaryDirectory() as folder:
        fault = os.path.join(folder, "fault")
        options = ("--no-limits", "--bot-pause", "0")
        servers = [Server(program, os.path.join(folder, "data"), *options, env={"CIV_TEST_DISK": fault}) for program in (CIV, FORGETFUL)]
        server = servers[1].start()
        for other in servers:
            other.port = server.port
        players = []
        kills = actions = 0
        while kills < KILLS and not failures:
            players, done = keep_playing(players, server.port, referee)
            actions += done
            time.sleep(chance.random() / 4)
            server.kill()
            kills += 1
            server = servers[kills % 2].start()
        if server is not servers[1] and not failures:
            if server.stop() != 0:
                fail("the server did not stop with exit code 0")
            server = servers[1].start()
        for how in ("full", "readonly", "broken"):
            if failures:
                break
            players, done = keep_playing(players, server.port, referee)
            actions += done
            refuse(fault, how, players, server.port)
        stop(players)
        actions += sum(player.check() for player in players) if not failures else 0
        server.kill() if failures else server.stop()
        if failures:
            with open(os.path.join(folder, "data.log"), errors="replace") as log:
                print(log.read()[-4000:])
    referee.close()
    for failure in failures[:10]:
        print("FAILED:", failure)
    print(f"{kills} kills, {actions} actions, {len(failures)} failures")
    sys.exit(bool(failures))


main()
