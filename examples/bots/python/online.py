#!/usr/bin/env python3
"""A bot that plays CIV on a server, as docs/api.md has it. Standard library only; what is legal it asks `civ referee`.

    online.py localhost:8104                             makes a table, says where it is, and waits for somebody
    online.py https://example.org/…/k7w2m9qx4hbtz3ne     sits down at the table of that link
    online.py localhost:8104 --against level2            plays against a bot of the server

`civ` is looked for in the PATH; --civ build/civ names another one. The bot survives lost connections and restarts of the server. With --token FILE it survives its own end as well: start it again with the same link.
"""

import argparse
import base64
import contextlib
import hashlib
import http.client
import json
import os
import random
import re
import secrets
import socket
import ssl
import struct
import subprocess
import sys
import time
import urllib.parse

# --- A WebSocket -------------------------------------------------------------------------------------------------


class Refused(Exception):
    """The server does not want us: HTTP status and error."""

    def __init__(self, status, error):
        super().__init__(f"{status} {error}")
        self.status = status


class Lost(Exception):
    """The connection is gone."""


class WebSocket:
    def __init__(self, server, path, token):
        self.buffer = b""
        try:
            self.socket = socket.create_connection((server.hostname, server.port or (443 if server.scheme == "https" else 80)), 10)
            if server.scheme == "https":
                self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=server.hostname)
            self.socket.settimeout(60)  # the server pings every 20 seconds
            self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {server.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                 f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
                                 f"Authorization: Bearer {token}\r\n\r\n").encode())
            while b"\r\n\r\n" not in self.buffer:
                self.more()
        except OSError as problem:
            raise Lost(str(problem)) from None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status = int(head.split()[1])
        if status != 101:
            self.socket.close()
            raise Refused(status, self.buffer.decode(errors="replace"))

    def more(self):
        data = self.socket.recv(65536)
        if not data:
            raise Lost("closed")
        self.buffer += data

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def frame(self):
        first, size = self.take(2)
        if size == 126:
            size = struct.unpack("!H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", self.take(8))[0]
        return first, self.take(size)

    def put(self, opcode, data):
        mask = os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
        self.socket.sendall(bytes([0x80 | opcode]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def send(self, message):
        try:
            self.put(1, json.dumps(message).encode())
        except OSError as problem:
            raise Lost(str(problem)) from None

    def receive(self):
        """The next message."""
        text = b""
        try:
            while True:
                first, data = self.frame()
                opcode = first & 0x0F
                if opcode == 8:
                    raise Lost(f"closed with {struct.unpack('!H', data[:2])[0] if data else 'no code'}")
                if opcode == 9:
                    self.put(10, data)
                if opcode in (0, 1):
                    text += data
                    if first & 0x80:
                        return json.loads(text)
        except OSError as problem:
            raise Lost(str(problem)) from None

    def close(self):
        self.socket.close()


# --- The server over HTTP ----------------------------------------------------------------------------------------


def ask(server, method, path, body=None, token=None):
    """One request: its answer, or Refused, or Lost."""
    kind = http.client.HTTPSConnection if server.scheme == "https" else http.client.HTTPConnection
    headers = {"Content-Type": "application/json", **({"Authorization": "Bearer " + token} if token else {})}
    try:
        with contextlib.closing(kind(server.netloc, timeout=30)) as connection:
            connection.request(method, "/api/v1/" + path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        if answer.status >= 300:
            raise Refused(answer.status, text)
        return json.loads(text)
    except (OSError, http.client.HTTPException, ValueError) as problem:
        raise Lost(str(problem)) from None


# --- The bot -----------------------------------------------------------------------------------------------------


class Referee:
    """Knows the rules, so that we need not."""

    def __init__(self, civ):
        try:
            self.process = subprocess.Popen([civ, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as problem:
            sys.exit(f"{civ} does not start ({problem.strerror}). Say with --civ where the program is.")

    def legal(self, view):
        self.process.stdin.write(json.dumps({"cmd": "legal", "view": view}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["legal"]


def choose(view, seat, legal):
    """Cards of the Domain of which we have most, and effects now and then."""
    own = view["tables"][seat]

    def worth(action):
        verb, *rest = action.split()
        if verb in ("play", "keep", "claim", "recover"):
            return 10 + sum(card[0] == rest[0][0] for card in own)
        return random.random()

    return max(legal, key=worth)


class Player:
    def __init__(self, person, referee, fill):
        self.person, self.referee, self.fill = person, referee, fill
        self.table, self.view, self.pacts = None, None, None
        self.seen = 0  # the last number
        self.unanswered = {}  # commands by id
        self.number = secrets.token_hex(32)  # for the deal
        self.given = False  # whether we have sent it
        self.hash = None
        self.refusals = 0

    def seat(self):
        """Where we sit and play; None if we do not."""
        for seat, chair in enumerate(self.table["chairs"]):
            if chair["person"] and chair["person"]["id"] == self.person and "left" not in chair:
                return seat
        return None

    def hear(self, message):
        """Takes in what has happened. Large parts replace what we know; that is all there is to it."""
        if message["type"] in ("ack", "refused"):
            command = self.unanswered.pop(message["id"], None)
            self.refusals = 0 if message["type"] == "ack" else self.refusals + 1
            if message["type"] == "refused" and command:
                self.refused(command, message["error"]["key"], message["error"]["args"])
        if message["type"] == "closing" and message["error"]["key"] == "closing.elsewhere":
            sys.exit("Another program with our token plays on at this table.")  # to come back would drive it out
        if message["type"] == "hello":
            self.view = self.pacts = None
        if message["type"] == "talk":
            print(f"seat {message['seat']}: {json.dumps(message['talk'])}", file=sys.stderr)
        if "n" in message and message["type"] not in ("ack", "refused"):
            self.seen = message["n"]
        if "table" in message:
            self.table = message["table"]
            self.hash = self.hash or self.table.get("deal", {}).get("hash")
        if "pacts" in message:
            self.pacts = message["pacts"]
        if "game" in message:
            self.view = message["game"]["view"]

    def refused(self, command, key, args):
        print(f"{command['type']}: {key}", file=sys.stderr)
        if key in ("error.store", "error.too-many-requests"):
            time.sleep(min(10, self.refusals))  # it will be better then
        if self.refusals > 20:
            sys.exit("The server refuses everything.")

    def wish(self):
        """What we want now, if anything: a command. Only one at a time."""
        if self.table is None or self.unanswered:
            return None
        status, seat = self.table["status"], self.seat()
        chairs = self.table["chairs"]
        free = [i for i, chair in enumerate(chairs) if not chair["person"] and not chair["bot"]]
        if status == "waiting" and seat is None:
            return {"type": "sit", "seat": free[0]} if free else None
        if status == "waiting" and self.table["host"] == self.person:
            if not free:
                return {"type": "start"}
            return {"type": "seat-bot", "seat": free[0], "bot": self.fill} if self.fill else None
        if seat is None:
            return None
        if status == "dealing" and self.table["deal"]["randoms"][seat] is None:
            self.given = True
            return {"type": "contribute", "random": self.number}
        if status != "running" or self.view is None:
            return None
        question = self.table.get("question")
        if question and question["seat"] != seat and seat not in question["yes"]:
            return {"type": "answer", "question": question["n"], "yes": True}
        for offer in self.pacts["offers"] if self.pacts else []:
            if seat in offer["to"]:  # whoever has broken faith with us gets no more of it
                faithless = any(broken["by"] == offer["by"] and seat in broken["pact"]["seats"] for broken in self.pacts["broken"])
                return {"type": "talk", "talk": {"say": "no" if faithless else "yes", "offer": offer["id"]}}
        draft = self.table.get("draft")
        if self.view["seat"] != seat or (draft and draft["picked"][seat]):
            return None
        action = choose(self.view, seat, self.referee.legal(self.view))
        if draft:
            return {"type": "pick", "round": draft["round"], "card": action.split()[1]}
        return {"type": "act", "builds": self.seen, "actions": [action]}

    def over(self):
        return self.table is not None and self.table["status"] in ("over", "closed")


def play(server, table, token, player):
    """Until the game is over, or the connection is lost."""
    line = WebSocket(server, f"/api/v1/tables/{table}/live?seen={player.seen}", token)
    try:
        for command in player.unanswered.values():  # with their old ids: what was done is not done again
            line.send(command)
        while not player.over():
            player.hear(line.receive())
            command = player.wish()
            if command:
                command["id"] = secrets.token_hex(8)
                player.unanswered[command["id"]] = command
                line.send(command)
    finally:
        line.close()


def verify(record, player):
    """Whether the deal is the one we have been promised, as far as it takes three lines; `civ verify` does the rest."""
    deal = record["comments"]["deal"]
    kept = hashlib.sha256(bytes.fromhex(deal["secret"])).hexdigest() == deal["hash"] == player.hash
    return kept and (not player.given or player.number in deal["randoms"])


def finish(server, table, token, player):
    if player.table["status"] == "closed":
        sys.exit("The table was closed.")
    record = ask(server, "GET", f"tables/{table}/record", token=token)
    print(json.dumps({"result": record["result"], "seat": player.seat(), "fair": verify(record, player)}))


def session(server, options):
    """Token and id: those in the file, or new ones."""
    if options.token and os.path.exists(options.token):
        with open(options.token, encoding="utf-8") as file:
            token = file.read().strip()
        return token, ask(server, "GET", "session", token=token)["person"]["id"]
    wanted = {"name": options.name, "bot": True, **({"password": options.password} if options.password else {})}
    answer = ask(server, "POST", "session", wanted)
    if options.token:
        with open(os.open(options.token, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.write(answer["token"])
    return answer["token"], answer["person"]["id"]


def main():
    parser = argparse.ArgumentParser(description="A bot that plays CIV on a server.")
    parser.add_argument("address", help="of the server, or the link of a table")
    parser.add_argument("--name", default="Online bot")
    parser.add_argument("--password", default=os.environ.get("CIV_PASSWORD"), help="of the server")
    parser.add_argument("--token", metavar="FILE", help="keeps who we are")
    parser.add_argument("--civ", default="civ", help="the program that knows the rules")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--setup", default="basic")
    parser.add_argument("--against", metavar="BOT", help="fill the table with this bot of the server")
    parser.add_argument("--patience", type=float, default=300, help="seconds without a connection after which we give up")
    options = parser.parse_args()

    referee = Referee(options.civ)
    server = urllib.parse.urlsplit(options.address if "://" in options.address else "http://" + options.address)
    try:
        token, person = session(server, options)
        link = re.search(r"[a-z2-9]{16}$", options.address.rstrip("/"))
        table = link.group() if link else ask(server, "POST", "tables", {"players": options.players, "setup": options.setup}, token)["table"]
    except Refused as problem:
        sys.exit(f"The server says {problem}")
    except Lost as problem:
        sys.exit(f"No server answers at {server.netloc} ({problem}). Is `civ serve` running there?")
    print(f"Table {table}", flush=True)

    player = Player(person, referee, options.against)
    last, waits = time.monotonic(), 0
    while True:
        heard = player.seen
        try:
            play(server, table, token, player)
            return finish(server, table, token, player)
        except Lost as problem:
            print(f"connection: {problem}", file=sys.stderr)
        except Refused as problem:
            if problem.status < 500 and problem.status != 429:
                sys.exit(f"The server says {problem}")
        if player.seen != heard:
            last, waits = time.monotonic(), 0
        if time.monotonic() - last > options.patience:
            sys.exit("The server does not come back.")
        time.sleep(min(10, 0.25 * 2**waits) * random.uniform(0.5, 1))
        waits += 1


main()
