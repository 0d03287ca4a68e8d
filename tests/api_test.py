#!/usr/bin/env python3
"""The API of civ serve over real sockets: people, strangers, floods, the owner, and the end: api_test.py path/to/civ"""

import http.client
import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

from checks import check, finish
from live import Closed, Live, Server, ask, guest
from program import CIV, small_page

SECRETS = []  # what must not be in a log or among the figures
CHAT = "the-cat-sat-on-the-mat"
PASSWORD = "correct-horse-battery"


class Place:
    """A folder with a small page and the data of a server."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.page, self.data = small_page(self.folder.name), os.path.join(self.folder.name, "data")

    def server(self, *options, **more):
        return Server(CIV, self.data, "--page", self.page, "--log-level", "debug", "--bot-pause", "0", *options, **more)

    def log(self):
        with open(self.data + ".log", encoding="utf-8") as file:
            return file.read()

    def admin(self, *arguments):
        return subprocess.run([CIV, "admin", *arguments, "--data", self.data], capture_output=True, text=True, timeout=60, env={**os.environ, "LC_ALL": "C"})


def key(answer):
    return answer["error"]["key"] if isinstance(answer, dict) and "error" in answer else answer


def person(port, name):
    token, who = guest(port, name)
    SECRETS.append(token)
    return token, who


def live_path(table):
    return f"/api/v1/tables/{table}/live"


def new_table(port, token, **options):
    status, answer, _ = ask(port, "POST", "/api/v1/tables", options, token)
    assert status == 201, answer
    return answer["table"]


def end_of(live):
    """The close code, and the messages before it."""
    seen = []
    try:
        while True:
            seen.append(live.receive())
    except Closed as closed:
        return closed.code, seen


def raw(port, data, half=False):
    with socket.create_connection(("127.0.0.1", port), timeout=40) as connection:
        connection.sendall(data)
        if half:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while part := connection.recv(65536):
                answer += part
        except ConnectionResetError:
            pass
        return answer


def sessions(port):
    status, answer, headers = ask(port, "POST", "/api/v1/session", {"name": "  Ada \u202e Lovelace\u0007 "})
    cookie = headers["Set-Cookie"]
    check("a session", status == 201 and answer["person"]["name"] == "Ada Lovelace" and "token" not in answer, answer)
    check("its cookie", all(part in cookie for part in ("civ=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=31536000")) and "Secure" not in cookie, cookie)
    check("not kept by anybody", headers["Cache-Control"] == "no-store" and "default-src 'self'" in headers["Content-Security-Policy"], headers)
    token = cookie.split(";")[0].removeprefix("civ=")
    SECRETS.append(token)
    mine = {"Cookie": f"x=1; civ={token}", "Origin": f"http://127.0.0.1:{port}"}
    check("who am I", ask(port, "GET", "/api/v1/session", headers=mine)[1] == answer)
    check("nobody", ask(port, "GET", "/api/v1/session")[:2] == (401, {"error": {"key": "error.no-session", "args": {}}}))
    status, renamed, headers = ask(port, "POST", "/api/v1/session", {"name": "Countess"}, headers=mine)
    check("renamed", status == 200 and renamed["person"] == {"id": answer["person"]["id"], "name": "Countess"} and "Set-Cookie" not in headers, renamed)
    for name in ("", "   ", "\u200b", "x" * 25, "\u202e"):
        check(f"name {name!r}", key(ask(port, "POST", "/api/v1/session", {"name": name})[1]) == "error.name")
    check("24 letters", ask(port, "POST", "/api/v1/session", {"name": "ț" * 24})[0] == 201)

    table = new_table(port, token)
    live = Live(port, live_path(table), headers=mine)
    live.until("hello")
    status, _, headers = ask(port, "DELETE", "/api/v1/session", headers=mine)
    check("ended", status == 204 and "Max-Age=0" in headers["Set-Cookie"], headers)
    code, said = end_of(live)
    check("its sockets are closed", code == 1008 and said[-1] == {"type": "closing", "error": {"key": "closing.session", "args": {}}}, (code, said))
    check("the token is worth nothing", ask(port, "GET", "/api/v1/session", headers=mine)[0] == 401 and Live(port, live_path(table), token).status == 401)
    check("nor as a program's", ask(port, "POST", "/api/v1/tables", {}, token)[0] == 401)


def another_device(port):
    (ada, ada_person), (ben, _) = person(port, "Ada"), person(port, "Ben")
    table, other = new_table(port, ada), new_table(port, ben)
    desk, watching = Live(port, live_path(table), ada), Live(port, live_path(other), ada)
    desk.until("hello"), watching.until("hello")
    status, answer, _ = ask(port, "POST", "/api/v1/session/code", token=ada)
    code = answer["code"]
    SECRETS.append(code)
    check("a code", status == 201 and answer["seconds"] == 300 and len(code) >= 16, answer)
    mine = {"Cookie": f"civ={ben}", "Origin": f"http://127.0.0.1:{port}"}  # whoever was there before
    status, answer, headers = ask(port, "POST", "/api/v1/session", {"code": code}, headers=mine)
    check("the same person", (status, answer) == (201, {"person": ada_person}) and "HttpOnly" in headers["Set-Cookie"], answer)
    phone_token = headers["Set-Cookie"].split(";")[0].removeprefix("civ=")
    SECRETS.append(phone_token)
    check("once", ask(port, "POST", "/api/v1/session", {"code": code})[:2] == (401, {"error": {"key": "error.code", "args": {}}}))
    check("both are known", [ask(port, "GET", "/api/v1/session", token=token)[1]["person"] for token in (ada, phone_token)] == [ada_person] * 2)
    check("the same tables", [row["id"] for row in ask(port, "GET", "/api/v1/tables?mine", token=phone_token)[1]["tables"]] == [table])
    phone = Live(port, live_path(table), phone_token)
    check("goes on there", phone.until("hello")[-1]["you"]["seat"] == 0 and end_of(desk)[1][-1]["error"]["key"] == "closing.elsewhere")
    check("renamed everywhere", ask(port, "POST", "/api/v1/session", {"name": "Countess"}, phone_token)[0] == 200 and ask(port, "GET", "/api/v1/session", token=ada)[1]["person"]["name"] == "Countess")
    check("on the chair, too", phone.until("rename")[-1]["table"]["chairs"][0]["person"]["name"] == "Countess")
    check("one ends", ask(port, "DELETE", "/api/v1/session", token=ada)[0] == 204 and end_of(watching)[1][-1]["error"]["key"] == "closing.session")
    phone.send({"type": "ping"})
    check("the other stays", phone.until("pong") and ask(port, "GET", "/api/v1/session", token=ada)[0] == 401 and ask(port, "GET", "/api/v1/session", token=phone_token)[0] == 200)
    phone.close()


def strangers(port):
    (ada, _), (eve, _) = person(port, "Ada"), person(port, "Eve")
    table = new_table(port, ada)
    forged = ("A" if ada[5] != "A" else "B").join((ada[:5], ada[6:]))
    for name, token in [("forged", forged), ("short", ada[:-1]), ("long", ada + "A"), ("empty", " "), ("nonsense", "%00"), ("huge", "x" * 8000)]:
        check(f"{name} token", ask(port, "POST", "/api/v1/tables", {}, token)[0] == 401)
        check(f"{name} token, socket", Live(port, live_path(table), token).status == 401)
    check("no session, no socket", Live(port, live_path(table)).status == 401)
    check("no such table", Live(port, live_path("nowhere"), ada).status == 404 and key(ask(port, "GET", "/api/v1/tables/nowhere")[1]) == "error.table.unknown")

    cookie, here = {"Cookie": f"civ={ada}"}, f"http://127.0.0.1:{port}"
    for origin in ("http://evil.example", "null", here + "0", f"http://127.0.0.1.evil.example:{port}", "http://localhost"):
        check(f"POST from {origin}", ask(port, "POST", "/api/v1/tables", {}, headers={**cookie, "Origin": origin})[0] == 403)
        check(f"DELETE from {origin}", ask(port, "DELETE", "/api/v1/session", headers={**cookie, "Origin": origin})[0] == 403)
        check(f"socket from {origin}", Live(port, live_path(table), headers={**cookie, "Origin": origin}).status == 403)
    check("a cookie without Origin", ask(port, "POST", "/api/v1/tables", {}, headers=cookie)[0] == 403)
    check("from here", ask(port, "POST", "/api/v1/tables", {}, headers={**cookie, "Origin": here})[0] == 201)
    check("no leave for other pages", not any(name.lower().startswith("access-control") for name in ask(port, "GET", "/api/v1/tables", headers={"Origin": "http://evil.example"})[2]))
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        check(f"body of {kind}", ask(port, "POST", "/api/v1/tables", "{}", ada, {"Content-Type": kind})[0] == 415)

    # Eve does not sit there; every command of those who do, and of the host, is refused, and changes nothing.
    before = ask(port, "GET", f"/api/v1/tables/{table}")[1]
    live = Live(port, live_path(table), eve)
    live.until("hello")
    for index, command in enumerate([
        {"type": "start"}, {"type": "stand"}, {"type": "seat-bot", "seat": 1, "bot": "level1"}, {"type": "unseat", "seat": 0}, {"type": "sit", "seat": 0},
        {"type": "act", "builds": 1, "actions": ["end"]}, {"type": "pick", "round": 1, "card": "M1"}, {"type": "contribute", "random": "0" * 64},
        {"type": "take-back", "builds": 1, "to": 0}, {"type": "answer", "question": 1, "yes": True}, {"type": "resign"}, {"type": "return"}, {"type": "rematch"},
        {"type": "talk", "talk": {"say": "truce", "to": [0], "rounds": 1}}]):
        live.send({"id": f"e{index}", "seat": 0, **command})
        answer = live.until(lambda told: told["type"] in ("ack", "refused"))[-1]
        check(f"{command['type']} of a stranger", answer["type"] == "refused" and answer["id"] == f"e{index}", answer)
    check("nothing has changed", ask(port, "GET", f"/api/v1/tables/{table}")[1] == before)
    live.close()


def malformed(port):
    token, _ = person(port, "Mal")
    table = new_table(port, token)
    for body in ("", "{", "[]", "null", "\"x\"", "{}{}", "{\"name\":\"\\ud800\"}", b"\xff\xfe", "[" * 10000):
        check(f"body {body[:10]!r}", ask(port, "POST", "/api/v1/session", body)[0] == 400)
    for options in ({"players": 5}, {"players": "2"}, {"setup": "x"}, {"clock": 7}, {"takeover": "nobody"}):
        check(f"options {options}", ask(port, "POST", "/api/v1/tables", options, token)[0] == 400)
    check("unknown path", ask(port, "GET", "/api/v1/nothing")[:2] == (404, {"error": {"key": "error.path", "args": {}}}))
    check("no admin here", ask(port, "GET", "/admin/sessions")[0] == 404)
    status, answer, headers = ask(port, "PUT", "/api/v1/session")
    check("wrong method", (status, key(answer), headers["Allow"]) == (405, "error.method", "GET, HEAD, POST, DELETE"), headers)
    check("long body", ask(port, "POST", "/api/v1/session", json.dumps({"name": "x" * 20_000}))[0] == 413)
    head = f"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
    check("a body that would be huge", b" 413 " in raw(port, head + b"Content-Length: 99999999999\r\n\r\n{").split(b"\r\n")[0])
    pieces = b"".join(b"1000\r\n" + b"x" * 4096 + b"\r\n" for _ in range(8)) + b"0\r\n\r\n"
    check("a long body in pieces", b" 413 " in raw(port, head + b"Transfer-Encoding: chunked\r\n\r\n" + pieces).split(b"\r\n")[0])
    check("a short body in pieces", b" 201 " in raw(port, head + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nE\r\n{\"name\":\"Ada\"}\r\n0\r\n\r\n").split(b"\r\n")[0])
    check("nonsense in pieces", b" 400 " in raw(port, head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n").split(b"\r\n")[0])
    check("gone in the middle of a body", raw(port, head + b"Content-Length: 50\r\n\r\n{", half=True) == b"")
    upgrade = f"GET {live_path(table)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    check("no upgrade", b" 426 " in raw(port, (upgrade + "Connection: close\r\n\r\n").encode()).split(b"\r\n")[0])
    for number, wrong in enumerate(("", "Sec-WebSocket-Key: \r\n", "Sec-WebSocket-Key: x\r\n", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=A\r\n")):
        answer = raw(port, (upgrade + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" + wrong + "\r\n").encode())
        check(f"a handshake without a key, {number}", b" 400 " in answer.split(b"\r\n")[0], answer[:100])
    check("half a handshake", b" 400 " in raw(port, (upgrade + "Upgrade: websocket\r\nConnection: close\r\n\r\n").encode()).split(b"\r\n")[0])
    check("before the handshake is over", b" 400 " in raw(port, (upgrade + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\nearly").encode()).split(b"\r\n")[0])
    for seen in ("-1", "x", "1e9", "99999999999999999999"):
        check(f"seen={seen}", Live(port, live_path(table) + "?seen=" + seen, token).status == 400)

    live = Live(port, live_path(table), token)
    live.until("hello")
    for text in ("", "{", "[]", "7", "{\"type\":7}", "{\"type\":\"fly\",\"id\":\"a\"}", "{\"type\":\"sit\",\"id\":\"a\",\"seat\":-1}", "{\"type\":\"sit\",\"id\":\"a\",\"seat\":1e99}",
                 "[" * 5000, json.dumps({"type": "say", "id": "x" * 41, "text": "a"}), json.dumps({"type": "say", "id": "a", "text": "\u202e"})):
        live.send(text)
        check(f"message {text[:30]!r}", live.until(lambda told: told["type"] in ("ack", "refused"))[-1]["type"] == "refused")
    for more in ({}, {"id": "p", "at": 7}, {"padding": "x" * 500}):
        live.send({"type": "ping", **more})
        check(f"ping {more}"[:30], live.until(lambda told: told["type"] in ("pong", "refused"))[-1]["type"] == "pong")
    live.close()
    for name, code, send in [("too big", 1009, lambda live: live.send("x" * 9000)), ("binary", 1008, lambda live: live.send(b"{}", 2)),
                             ("no UTF-8", 1007, lambda live: live.send(b"\xff\xff")), ("an unknown kind of frame", 1002, lambda live: live.send(b"", 3))]:
        live = Live(port, live_path(table), token)
        live.until("hello")
        send(live)
        found, _ = end_of(live)
        check(f"{name} closes the socket", found == code, found)
    check("still there", ask(port, "GET", "/healthz")[1] == "ok")


def two_at_once(port):
    ada, ben, cid = (person(port, name)[0] for name in ("Ada", "Ben", "Cid"))
    table = new_table(port, ada)
    lines = [Live(port, live_path(table), token) for token in (ben, cid)]
    for live in lines:
        live.until("hello")
    for live in lines:
        live.send({"type": "sit", "id": "s", "seat": 1})
    answers = sorted(live.until(lambda told: told["type"] in ("ack", "refused"))[-1]["type"] for live in lines)
    check("one of two gets the seat", answers == ["ack", "refused"], answers)
    first = Live(port, live_path(table), ada)
    first.until("hello")
    once = {"type": "say", "id": "once", "text": CHAT}
    first.send(once), first.send(once)
    check("acknowledged again", [first.until("ack")[-1]["id"] for _ in range(2)] == ["once"] * 2)
    second = Live(port, live_path(table), ada)
    check("done once", [said["text"] for said in second.until("hello")[-1]["chat"]] == [CHAT])
    code, said = end_of(first)
    check("the newer one takes over", code == 1008 and said[-1] == {"type": "closing", "error": {"key": "closing.elsewhere", "args": {}}}, (code, said))
    second.send(once)
    check("also from another device", second.until("ack")[-1]["id"] == "once")
    lines[0].send({"type": "ping"})
    here = [told["seats"][0] for told in lines[0].until("pong") if told["type"] == "presence"]
    check("there all the time", True in here and all(here[here.index(True):]), here)
    for live in (*lines, second):
        live.close()


def restart(place, server):
    """The server stops, says so, and everything is there when it comes back."""
    port = server.port
    (ada, _), (ben, _) = person(port, "Ada"), person(port, "Ben")
    table = new_table(port, ada, absence=0)
    lives = [Live(port, live_path(table), token) for token in (ada, ben)]
    for live in lives:
        live.until("hello")
    lives[1].send({"type": "sit", "id": "s", "seat": 1})
    lives[1].until("ack")
    lives[0].send({"type": "start", "id": "go"})
    lives[0].until("ack")
    for seat, live in enumerate(lives):
        live.send({"type": "contribute", "id": "r", "random": "%064x" % (seat + 1)})
        live.until("ack")
    lives = [Live(port, live_path(table), token) for token in (ada, ben)]
    hellos = [live.until("hello")[-1] for live in lives]
    number = hellos[0]["n"]
    slow = socket.create_connection(("127.0.0.1", port))
    slow.sendall(b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
    begin = time.monotonic()
    code = server.stop()
    check("stops in time", code == 0 and time.monotonic() - begin < 10, (code, time.monotonic() - begin))
    slow.close()
    for live in lives:
        closed, said = end_of(live)
        told = {"type": "closing", "error": {"key": "closing.restart", "args": {}}, "spread": 1}  # half a millisecond for each
        check("told to come back", closed == 1012 and said[-1] == told, (closed, said[-1:]))
    check("the owner's socket does nothing now", place.admin("list").returncode == 1)

    server.start()
    check("ready", ask(port, "GET", "/readyz")[:2] == (200, "ready"))
    for token, before in zip((ada, ben), hellos):
        live = Live(port, live_path(table), token)
        hello = live.until("hello")[-1]
        check("the game is there", (hello["n"], hello["game"]["view"]) == (before["n"], before["game"]["view"]) if before["n"] == hello["n"] else False, (before["n"], hello["n"]))
        live.close()
    live = Live(port, live_path(table) + f"?seen={number}", ada)
    live.send({"type": "say", "id": "back", "text": CHAT})
    told = live.until("ack")
    check("goes on where it was", all(message["n"] >= number for message in told if "n" in message), told)
    check("and is not told all of it again", all(message["type"] != "hello" for message in told), told)
    live.close()


def floods(place):
    port = (server := place.server("--requests-of-address", "60", "--sessions-of-address", "5", "--tables-of-session", "3", "--messages-of-socket", "30",
                                   "--sockets-of-address", "4", "--connections-of-address", "20", "--longest-queue", "100000")).start().port
    tokens = [person(port, f"P{i}")[0] for i in range(5)]
    status, answer, headers = ask(port, "POST", "/api/v1/session", {"name": "One more"})
    check("sessions", (status, key(answer)) == (429, "error.too-many-requests") and int(headers["Retry-After"]) >= 1, (status, answer))
    tables = [ask(port, "POST", "/api/v1/tables", {}, tokens[0])[0] for _ in range(4)]
    check("tables", tables == [201, 201, 201, 429], tables)
    table = new_table(port, tokens[1])
    lives = [Live(port, live_path(table), token) for token in tokens]
    check("sockets", [live.status for live in lives] == [101] * 4 + [429], [live.status for live in lives])
    for live in lives:
        live.close()
    live = Live(port, live_path(table), tokens[0])
    try:
        for _ in range(200):
            live.send({"type": "ping"})
    except Closed:
        pass
    code, said = end_of(live)
    check("messages", code in (1008, None) and len(said) < 100, (code, len(said)))
    for name, first, frame in [("pings", b"", b"\x89"), ("pongs", b"", b"\x8a"), ("empty fragments", b"\x01\x80\0\0\0\0", b"\x00")]:
        live = Live(port, live_path(table), tokens[0])
        live.until("hello")
        live.socket.settimeout(5)
        try:
            live.socket.sendall(first)
            for _ in range(1000):
                live.socket.sendall((frame + b"\x80\0\0\0\0") * 100)
            live.socket.settimeout(30)
            told = end_of(live)
        except (OSError, Closed):
            told = (None, [])
        check(f"a flood of {name}", told[0] in (1008, None), told[0])
    statuses = [ask(port, "GET", "/api/v1/tables")[0] for _ in range(200)]
    check("requests", statuses.count(429) > 100 and 429 not in statuses[:5], statuses.count(429))
    check("files and health are not concerned", ask(port, "GET", "/healthz")[0] == 200 and ask(port, "GET", "/")[0] == 200)
    idle = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(30)]
    closed = 0
    for connection in idle:
        connection.settimeout(0.3)
        try:
            closed += connection.recv(1) == b""
        except TimeoutError:
            pass
        except ConnectionResetError:
            closed += 1
    check("connections that ask for nothing", 19 <= closed <= 21, closed)
    for connection in idle:
        connection.close()
    check("stops", server.stop() == 0)

    server = place.server("--longest-queue", "200").start()
    token, _ = person(server.port, "Slow")
    code, _ = end_of(Live(server.port, live_path(new_table(server.port, token)), token))
    check("behind by too much", code == 1013, code)
    figures = ask(server.port, "GET", "/metrics")[1]
    check("counted", "civ_sockets_closed_slow_total 1" in figures)
    check("nothing waits any more", "civ_queued_bytes 0\n" in figures)
    server.stop()


def does_not_read(place):
    """A client that sends and never reads gets no more than its queue, and is left."""
    # A sanitizer keeps what was freed; here that would be taken for what is queued.
    server = place.server("--no-limits", "--longest-queue", "50000", env={"ASAN_OPTIONS": "quarantine_size_mb=8"}).start()
    token, _ = person(server.port, "Deaf")
    live = Live(server.port, live_path(new_table(server.port, token)), token)
    live.socket.settimeout(20)
    gone = False
    try:
        end = time.monotonic() + 600
        while time.monotonic() < end:
            live.socket.sendall(b"\x81\x8f\0\0\0\0{\"type\":\"ping\"}" * 1000)
    except OSError:
        gone = True
    check("who does not read is closed", gone)
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
        memory = int(next(line for line in status if line.startswith("VmRSS")).split()[1])
    check("and costs no memory", memory < 400_000, memory)
    check("others are served", ask(server.port, "GET", "/readyz")[0] == 200)
    server.stop()


def ended_during_the_handshake(port):
    """A session that ends while its WebSocket opens is heard no more."""
    token, _ = person(port, "Host")
    table = new_table(port, token)
    heard = 0
    for _ in range(40):
        token, _ = person(port, "Brief")
        opened = []

        def enter():
            try:
                opened.append(Live(port, live_path(table), token))
            except Closed:
                pass

        entering = threading.Thread(target=enter)
        entering.start()
        ask(port, "DELETE", "/api/v1/session", token=token)
        entering.join()
        if not opened or opened[0].status != 101:
            continue
        try:
            opened[0].send({"type": "say", "id": "late", "text": "still here"})
        except Closed:
            pass
        heard += any(message["type"] == "ack" for message in end_of(opened[0])[1])
    check("a session that ended during the handshake", heard == 0, heard)


def figures(port):
    status, text, headers = ask(port, "GET", "/metrics")
    check("metrics", status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4"), headers)
    for name in ("civ_sockets", "civ_tables", "civ_sessions", "civ_bots_waiting", "civ_memory_bytes", 'civ_commands_total{outcome="stored"}', 'civ_commands_total{outcome="stale"}',
                 "civ_commits_total", "civ_acknowledge_seconds_count", 'civ_requests_total{status="201"}'):
        check(f"figure {name}", name in text)
    check("commands were counted", 'civ_commands_total{outcome="stored"} 0' not in text and "civ_acknowledge_seconds_count 0" not in text)
    check("nothing secret among the figures", not any(secret in text for secret in SECRETS) and CHAT not in text and "p_" not in text)
    check("figures are for this machine", ask(port, "GET", "/metrics", headers={"X-Forwarded-For": "192.0.2.7"})[0] == 404)


def nothing_secret(place, what):
    log = place.log()
    lines = [json.loads(line) for line in log.splitlines()]
    check(f"{what}: a log", len(lines) > 1 and all({"time", "level", "event"} <= line.keys() for line in lines))
    found = [secret for secret in (*SECRETS, CHAT, PASSWORD) if secret in log]
    check(f"{what}: nothing secret in it", not found and "civ=" not in log and "Bearer" not in log, found)
    check(f"{what}: no cards", not any(word in log for word in ('"deck"', '"hands"', '"actions"', '"secret"', '"card"')))


def password(place):
    file = os.path.join(place.folder.name, "password")
    with open(file, "w", encoding="utf-8") as out:
        out.write(PASSWORD + "\n")
    for server in (place.server("--password-file", file, "--passwords-of-address", "4"), place.server("--passwords-of-address", "4", env={"CIV_PASSWORD": PASSWORD})):
        port = server.start().port
        check("without a word", key(ask(port, "POST", "/api/v1/session", {"name": "Ada"})[1]) == "error.password")
        check("nothing is shown", ask(port, "GET", "/api/v1/tables")[0] == 401)
        check("but that there is one", ask(port, "GET", "/api/v1/server")[1]["password"] is True)
        status, answer, headers = ask(port, "POST", "/api/v1/session", {"name": "Ada", "password": PASSWORD})
        token = headers.get("Set-Cookie", "civ=none;").split(";")[0].removeprefix("civ=")
        SECRETS.append(token)
        check("with it", status == 201 and ask(port, "GET", "/api/v1/tables", token=token)[0] == 200, answer)
        check("renamed without it", ask(port, "POST", "/api/v1/session", {"name": "Eva"}, token)[0] == 200)
        code = ask(port, "POST", "/api/v1/session/code", token=token)[1]["code"]
        SECRETS.append(code)
        tries = [ask(port, "POST", "/api/v1/session", {"name": "Eve", "password": PASSWORD + "x" * i})[0] for i in range(1, 8)]
        check("guesses are limited", tries == [401] * 3 + [429] * 4, tries)
        check("of codes, too", ask(port, "POST", "/api/v1/session", {"code": code})[0] == 429)
        check("also the right one then", ask(port, "POST", "/api/v1/session", {"name": "Eve", "password": PASSWORD})[0] == 429)
        server.stop()
    empty = os.path.join(place.folder.name, "empty")
    open(empty, "w", encoding="utf-8").close()
    done = subprocess.run([CIV, "serve", "--data", place.data, "--page", place.page, "--port", "0", "--password-file", empty], capture_output=True, text=True, timeout=60)
    check("an empty password is none", done.returncode == 1 and empty in done.stderr, done)


def owner(place, server):
    port = server.port
    mode = os.stat(os.path.join(place.data, "admin.sock")).st_mode
    check("the owner's socket is the owner's", stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600, oct(mode))
    (ada, ada_person), (eve, eve_person) = person(port, "Ada"), person(port, "Eve \x1b[31m")
    table = new_table(port, ada, listed=False)
    listed = place.admin("list")
    check("list", listed.returncode == 0 and table in listed.stdout and ada_person["id"] in listed.stdout, listed)
    check("list --json", any(row["id"] == table for row in json.loads(place.admin("list", "--json").stdout)))
    found = {row["person"]: row for row in json.loads(place.admin("sessions", "--json").stdout)["sessions"]}
    check("sessions", found[eve_person["id"]]["address"] == "127.0.0.1" and not found[eve_person["id"]]["banned"], found[eve_person["id"]])
    plain = place.admin("sessions").stdout
    check("no tokens, no escapes", not any(secret in plain for secret in SECRETS) and "\x1b" not in plain)

    ada_live, eve_live = Live(port, live_path(table), ada), Live(port, live_path(table), eve)
    ada_live.until("hello"), eve_live.until("hello")
    check("mute", place.admin("mute", eve_person["id"]).returncode == 0)
    eve_live.send({"type": "say", "id": "1", "text": "hear me"})
    eve_live.until(lambda told: told["type"] in ("ack", "refused"))
    ada_live.send({"type": "say", "id": "2", "text": "quiet"})
    heard = [told.get("text") for told in ada_live.until("ack")]
    check("nobody hears a muted one", "hear me" not in heard and "quiet" in heard, heard)
    status, answer, _ = ask(port, "POST", "/api/v1/session", {"name": "Read me"}, eve)
    check("nor by another name", (status, key(answer)) == (403, "error.muted") and ask(port, "GET", "/api/v1/session", token=eve)[1]["person"] == eve_person, answer)

    check("ban", place.admin("ban", eve_person["id"]).returncode == 0)
    code, _ = end_of(eve_live)
    check("out at once", code == 1008, code)
    check("and kept out", ask(port, "GET", "/api/v1/session", token=eve)[:2] == (403, {"error": {"key": "error.banned", "args": {}}}) and Live(port, live_path(table), eve).status == 403)
    server.stop()
    server.start()
    check("also after a restart", ask(port, "GET", "/api/v1/session", token=eve)[0] == 403)
    check("unban", place.admin("unban", eve_person["id"]).returncode == 0 and ask(port, "GET", "/api/v1/session", token=eve)[0] == 200)
    check("unmute", place.admin("unmute", eve_person["id"]).returncode == 0)
    check("ban with the address", place.admin("ban", eve_person["id"], "--address").returncode == 0 and ask(port, "GET", "/api/v1/session", token=ada)[0] == 403)
    check("unban the address", place.admin("unban", "127.0.0.1").returncode == 0 and ask(port, "GET", "/api/v1/session", token=ada)[0] == 200)

    ada_live = Live(port, live_path(table), ada)
    ada_live.until("hello")
    check("close", place.admin("close", table).returncode == 0 and ada_live.until("close"))
    check("closed", ask(port, "GET", f"/api/v1/tables/{table}")[1]["status"] == "closed")
    status, answer, _ = ask(port, "GET", f"/api/v1/tables/{table}/record")
    check("no record of it", (status, key(answer)) == (409, "error.table.closed"), (status, answer))
    (dora, dora_person), (finn, _) = person(port, "Dora"), person(port, "Finn")
    line = Live(port, live_path(table), dora)
    line.until("hello")
    done = place.admin("drop", dora_person["id"])
    check("drop", done.returncode == 0 and "1 session " in done.stdout, done)
    code, said = end_of(line)
    check("whoever is dropped is out", code == 1008 and said[-1]["error"]["key"] == "closing.session" and ask(port, "GET", "/api/v1/session", token=dora)[0] == 401, (code, said[-1:]))
    done = place.admin("drop", "192.0.2.0/24", "--json")
    check("drop a network with nobody in it", json.loads(done.stdout) == {"sessions": 0} and ask(port, "GET", "/api/v1/session", token=finn)[0] == 200, done)
    for arguments in (["close", "nowhere"], ["mute", "p_nobody"], ["ban", "p_nobody"], ["drop", "p_nobody"]):
        done = place.admin(*arguments)
        check(f"{arguments}", done.returncode == 1 and done.stderr.startswith("civ: ") and "error." not in done.stderr, done)
    ada_live.close()
    done = place.admin("drop", "127.0.0.0/8", "--json")
    check("drop a network", json.loads(done.stdout)["sessions"] >= 2 and [ask(port, "GET", "/api/v1/session", token=token)[0] for token in (ada, finn)] == [401, 401], done)


def options(place):
    """Files, variables and folders."""
    config = os.path.join(place.folder.name, "civ.toml")
    with open(config, "w", encoding="utf-8") as file:
        file.write(f'[serve]\npage = "{place.page}"\ndata = "{place.data}"\nport = 0\nsessions-of-address = 1\nlog-level = "off"\n')
    process = subprocess.Popen([CIV, "serve", "--config", config], stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"})
    line = process.stdout.readline()
    port = int(line.split("127.0.0.1:")[1].split("/")[0])
    check("the folder is named", place.data in line, line)
    check("from a file", [ask(port, "POST", "/api/v1/session", {"name": "Ada"})[0] for _ in range(2)] == [201, 429])
    second = subprocess.run([CIV, "serve", "--page", place.page, "--port", "0", "--data", place.data], capture_output=True, text=True, timeout=60)
    check("one server for a folder", second.returncode == 1 and place.data in second.stderr, second)
    process.terminate()
    process.communicate(timeout=60)
    with open(config, "a", encoding="utf-8") as file:
        file.write("no-such-option = 1\n")
    done = subprocess.run([CIV, "serve", "--config", config], capture_output=True, text=True, timeout=60)
    check("a wrong option in a file", done.returncode == 2 and "no-such-option" in done.stderr, done)
    done = subprocess.run([CIV, "serve", "--page", place.page, "--data", "/proc/nowhere", "--port", "0"], capture_output=True, text=True, timeout=60)
    check("a folder that cannot be", done.returncode == 1 and "/proc/nowhere" in done.stderr, done)
    server = place.server("--trust-proxy", "--origin", "https://civ.example.org", env={"CIV_SESSIONS_OF_ADDRESS": ""}).start()
    behind = {"X-Forwarded-For": "6.6.6.6, 192.0.2.9", "X-Forwarded-Proto": "https", "Origin": "https://civ.example.org"}
    status, answer, headers = ask(server.port, "POST", "/api/v1/session", {"name": "Ada"}, headers=behind)
    check("behind a proxy", status == 201 and "; Secure" in headers["Set-Cookie"], (status, answer))
    SECRETS.append(headers["Set-Cookie"].split(";")[0].removeprefix("civ="))
    rows = json.loads(place.admin("sessions", "--json").stdout)["sessions"]
    check("the address that the proxy has seen", any(row["address"] == "192.0.2.9" for row in rows), rows[:1])
    server.stop()


def proxies(place):
    """Only proxies that are trusted may say for whom they ask, and they must say it so that it can be read."""

    def asked(port, source, forwarded, path="/api/v1/tables"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
        connection.putrequest("GET", path)
        for address in forwarded:
            connection.putheader("X-Forwarded-For", address)
        connection.endheaders()
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def told(port, name, source, headers):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
        connection.request("POST", "/api/v1/session", json.dumps({"name": name}), {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        SECRETS.append(answer.headers["Set-Cookie"].split(";")[0].removeprefix("civ="))
        return answer.headers["Set-Cookie"]

    def seen(name):
        return next(row["address"] for row in json.loads(place.admin("sessions", "--json").stdout)["sessions"] if row["name"] == name)

    server = place.server("--trust-proxy").start()
    for forwarded in (["192.0.2.9"], ["6.6.6.6, 192.0.2.9"], ["6.6.6.6", "192.0.2.9"], ["2001:db8::1"]):
        check(f"forwarded for {forwarded}", asked(server.port, "127.0.0.1", forwarded)[0] == 200)
    for forwarded in ([""], ["unknown"], ["192.0.2.9, unknown"], ["192.0.2.9", ""], ["192.0.2.9,"], ["_hidden"], ["192.0.2.9:80"], ["[2001:db8::1]"], ["1" * 5000]):
        status, text = asked(server.port, "127.0.0.1", forwarded)
        check(f"forwarded for {forwarded}"[:60], status == 400 and "error.forwarded" in text, (status, text))
        check(f"nor the figures for {forwarded}"[:60], asked(server.port, "127.0.0.1", forwarded, "/metrics")[0] == 400)
    check("figures for the machine itself", asked(server.port, "127.0.0.1", [], "/metrics")[0] == 200)
    check("not for others", asked(server.port, "127.0.0.1", ["192.0.2.9"], "/metrics")[0] == 404)
    server.stop()

    server = place.server("--trust-proxy", "127.0.0.2,10.0.0.0/8").start()
    secure = told(server.port, "Ada", "127.0.0.2", {"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "https"})
    check("the proxy that was named", "; Secure" in secure and seen("Ada") == "192.0.2.9", secure)
    plain = told(server.port, "Eve", "127.0.0.3", {"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "https"})
    check("nobody else", "; Secure" not in plain and seen("Eve") == "127.0.0.3", plain)
    check("nor do they see figures", asked(server.port, "127.0.0.3", ["127.0.0.1"], "/metrics")[0] == 404)
    check("it is noted once", place.log().count('"event":"proxy.not-trusted"') == 1, place.log()[-300:])
    server.stop()

    config = os.path.join(place.folder.name, "civ.toml")
    for line, trusted in (("true", True), ('"127.0.0.1"', True), ('"10.0.0.1,127.0.0.0/8"', True), ("false", False), ('"10.0.0.1"', False)):
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"[serve]\ntrust-proxy = {line}\n")
        server = place.server("--config", config).start()
        status = asked(server.port, "127.0.0.1", ["unknown"])[0]
        check(f"trust-proxy = {line}", status == (400 if trusted else 200), status)
        server.stop()
    for network, warned in (("0.0.0.0/0", True), ("203.0.113.0/24", True), ("10.0.0.0/8", False), ("127.0.0.1", False)):
        errors = os.path.getsize(place.data + ".log")
        server = place.server("--trust-proxy", network).start()
        server.stop()
        with open(place.data + ".log", encoding="utf-8") as log:
            log.seek(errors)
            check(f"a warning for {network}", (f"Warning: everybody in the network {network}" in log.read()) == warned)
    with open(place.data + ".log", encoding="utf-8") as log:
        lines = [line for line in log if not line.startswith("Warning: ")]
    with open(place.data + ".log", "w", encoding="utf-8") as log:
        log.writelines(lines)
    done = subprocess.run([CIV, "serve", "--trust-proxy", "everybody"], capture_output=True, text=True, timeout=60)
    check("what is no network", done.returncode == 2 and "everybody" in done.stderr, done)


def where_it_is(place):
    """Others on the network are told of only to who asks from here, and only if it listens to them."""
    server = place.server().start()
    alone = server.process.stdout.readline()
    check("for this machine only", "--host 0.0.0.0" in alone and ask(server.port, "GET", "/api/v1/server")[1]["address"] is None, alone)
    server.stop()
    server = place.server("--host", "0.0.0.0").start()
    address = ask(server.port, "GET", "/api/v1/server")[1]["address"]
    if address is None:
        print("this machine has no network: that an address is told was not tried")
    else:
        said = server.process.stdout.readline()
        host = address.removeprefix("http://").removesuffix(f":{server.port}")
        check("printed, too", address + "/" in said and not host.startswith("127."), (address, said))
        connection = http.client.HTTPConnection(host, server.port, timeout=30)
        connection.request("GET", "/api/v1/server")
        told = json.loads(connection.getresponse().read())
        check("it is there", told["version"] and told["address"] is None, told)
        connection.close()
        check("not to those behind a proxy", ask(server.port, "GET", "/api/v1/server", headers={"X-Forwarded-For": "192.0.2.7"})[1]["address"] is None)
    server.stop()


def slow_body(port, results):
    begin = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
        connection.settimeout(0.5)
        while time.monotonic() - begin < 50:
            try:
                connection.sendall(b" ")
                if connection.recv(100) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
    results.append(time.monotonic() - begin)


def main():
    place = Place()
    server = place.server("--sessions-of-address", "1000", "--requests-of-address", "5000", "--tables-of-session", "100", "--tables-of-address", "1000").start()
    results = []
    slow = threading.Thread(target=slow_body, args=(server.port, results))
    slow.start()
    sessions(server.port)
    another_device(server.port)
    strangers(server.port)
    malformed(server.port)
    two_at_once(server.port)
    ended_during_the_handshake(server.port)
    figures(server.port)
    slow.join()
    check("a body that does not come", 10 < results[0] < 30, results)
    restart(place, server)
    owner(place, server)
    check("stops", server.stop() == 0)
    nothing_secret(place, "people")
    for part in (floods, does_not_read, password, options, proxies, where_it_is):
        place = Place()
        part(place)
        nothing_secret(place, part.__name__)
    return finish()


sys.exit(main())
