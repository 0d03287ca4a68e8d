"""People who play at many tables until their games are over, whatever happens to the servers: for tests that kill them.

Each reconnects by itself, sends again what was not answered, under the same id, and remembers what was acknowledged.
"""

import itertools
import os
import random
import socket
import threading
import time

from live import Closed, Live, ask, guest

LONG = os.environ.get("CIV_LONG") == "1"
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

    def __init__(self, ports, table, token, seat, referee, chance, beside_bots):
        super().__init__(daemon=True)
        self.ports, self.table, self.token, self.seat, self.referee, self.chance = ports, table, token, seat, referee, chance
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
        self.live = live = Live(self.chance.choice(self.ports), f"/api/v1/tables/{self.table}/live?seen={self.number}", self.token, timeout=PATIENCE)
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

    def looks(self, port):
        """The table and its story as this server has them; None while it sends everybody away because it cannot reach its database."""
        try:
            live = Live(port, f"/api/v1/tables/{self.table}/live", self.token)
            hello = live.until("hello")[-1]
            live.close()
            status, game, _ = ask(port, "GET", f"/api/v1/tables/{self.table}/story", token=self.token)
        except (Closed, OSError):
            return None
        return (hello, game) if status == 200 else None

    def check(self):
        """What the table says that this seat has done is what was acknowledged, and at most what was not answered yet."""
        port = self.chance.choice(self.ports)
        for _ in range(PATIENCE):  # without Redis it takes seconds until the other server has what one of them has acknowledged
            seen = self.looks(port)
            if seen and seen[0]["n"] >= self.number:
                break
            time.sleep(1)
        assert seen, f"the server at {port} does not come back"
        hello, game = seen
        done = [game["log"][i] for told in game["story"] if told["seat"] == self.seat for i in range(told["begin"], told["end"])]
        picked = hello["you"].get("pick")
        done += ["keep " + picked] if picked else []
        open_end = [] if not self.pending else self.pending.get("actions", ["keep " + self.pending.get("card", "")])
        if done not in (self.acknowledged, self.acknowledged + open_end):
            fail(f"{self.table} seat {self.seat}: acknowledged {self.acknowledged}, there are {done}, not answered {self.pending}")
        return len(done)


def make_tables(ports, referee):
    """A player for each seat that is not a bot's. Everybody comes by another of the servers."""
    players = []
    ways = itertools.cycle(ports)
    for index, options in enumerate(TABLES * (3 if LONG else 1)):
        options = dict(options)
        bots = options.pop("bots", [])
        people = [guest(next(ways), f"Player {index} {seat}")[0] for seat in range(options["players"] - len(bots))]
        status, answer, _ = ask(next(ways), "POST", "/api/v1/tables", {"absence": 0, **options}, people[0])
        assert status == 201, answer
        table = answer["table"]
        host = Live(next(ways), f"/api/v1/tables/{table}/live", people[0])
        for seat, token in enumerate(people[1:], 1):
            live = Live(next(ways), f"/api/v1/tables/{table}/live", token)
            do(live, type="sit", seat=seat)
            live.close()
        for seat, bot in enumerate(bots, len(people)):
            do(host, type="seat-bot", seat=seat, bot=bot)
        do(host, type="start")
        host.close()
        players += [Player(ports, table, token, seat, referee, random.Random(1000 * index + seat), bool(bots)) for seat, token in enumerate(people)]
    return players


def do(live, **command):
    command["id"] = f"{command['type']} {command.get('seat')}"
    live.send(command)
    answer = live.until(lambda message: message.get("id") == command["id"])[-1]
    assert answer["type"] == "ack", answer


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


def keep_playing(players, ports, referee):
    """Waits for some moves, at new tables if the old ones have come to their end: the players, and how many actions the old tables had."""
    count = acknowledged(players)
    done = 0
    while not failures:
        if people_are_done(players):
            stop(players)
            done += sum(player.check() for player in players)
            players = make_tables(ports, referee)
            for player in players:
                player.start()
            count = 0
        if wait_for("moves", lambda: acknowledged(players) >= count + 5 or people_are_done(players)) and not people_are_done(players):
            break
    return players, done
