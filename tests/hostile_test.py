#!/usr/bin/env python3
"""Requests, frames and commands that mean no good, each with the answer that it gets: hostile_test.py path/to/civ

Everything is a row of a table: what is sent, and what must come back. Somebody plays on meanwhile.
"""

import base64
import json
import os
import pathlib
import random
import re
import resource
import socket
import struct
import subprocess
import sys
import tempfile

from checks import check, finish
from live import Closed, Live, Server, ask, guest
from program import CIV, Referee, small_page
from seated import Seated, open_table

KEY = base64.b64encode(bytes(range(16))).decode()
JSON = "Content-Type: application/json"


TOTAL = []  # how many cases each table has


def count(cases, what):
    check(f"{what}: none is there twice", len({case[0] for case in cases}) == len(cases))
    TOTAL.append(len(cases))


# --- Raw HTTP ----------------------------------------------------------------------------------------


def request(first="GET /api/v1/tables HTTP/1.1", *headers, host="Host: x", body=""):
    lines = [first, *([host] if host else []), *headers, "", ""]
    data = "\r\n".join(lines).encode("utf-8", "surrogateescape")
    return data + (body if isinstance(body, bytes) else body.encode())


def post(*headers, body='{"name":"Ada"}', path="/api/v1/session"):
    return request(f"POST {path} HTTP/1.1", JSON, *headers, body=body)


GET = request()
SMUGGLED = b"GET /api/v1/server HTTP/1.1\r\nHost: x\r\n\r\n"
NAME = '{"name":"Ada"}'

# What is sent, and the statuses of all answers that come back on that connection.
RAW = [
    # Lengths that contradict each other: the rest of the connection is never taken for a request.
    ("two lengths", post("Content-Length: 14", "Content-Length: 3", body=NAME.encode() + SMUGGLED), [400]),
    ("two equal lengths", post("Content-Length: 14", "Content-Length: 14", body=NAME.encode()), [400]),
    ("two lengths in one", post("Content-Length: 14, 14", body=NAME.encode()), [400]),
    ("a list of lengths", post("Content-Length: 0, 14", body=NAME.encode() + SMUGGLED), [400]),
    ("a negative length", post("Content-Length: -14"), [400]),
    ("a length with a sign", post("Content-Length: +14"), [400]),
    ("a length in hexadecimal", post("Content-Length: 0xe"), [400]),
    ("a length with a space", post("Content-Length: 1 4"), [400]),
    ("a length with letters", post("Content-Length: 14a"), [400]),
    ("an empty length", post("Content-Length: "), [400]),
    ("a length beyond 64 bits", post("Content-Length: 99999999999999999999999"), [400]),
    ("a huge length", post("Content-Length: 9223372036854775807"), [413]),
    ("length and pieces", post("Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n" + SMUGGLED), [400]),
    ("pieces and length", post("Transfer-Encoding: chunked", "Content-Length: 5", body=b"0\r\n\r\n" + SMUGGLED), [400]),
    ("pieces twice", post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked", body=b"0\r\n\r\n" + SMUGGLED), [400]),
    ("pieces, but not last", post("Transfer-Encoding: chunked, identity", body=b"0\r\n\r\n" + SMUGGLED), [400]),
    ("packed pieces", post("Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n"), [400]),
    ("pieces of an unknown kind", post("Transfer-Encoding: xchunked", body=b"0\r\n\r\n" + SMUGGLED), [400]),
    ("identity", post("Transfer-Encoding: identity", body=NAME), [400]),
    ("pieces behind a tab", post("Transfer-Encoding:\tchunked", body=b"E\r\n" + NAME.encode() + b"\r\n0\r\n\r\n"), [201]),
    ("a piece of no number", post("Transfer-Encoding: chunked", body=b"xyz\r\n"), [400]),
    ("a negative piece", post("Transfer-Encoding: chunked", body=b"-1\r\n"), [400]),
    ("a piece beyond 64 bits", post("Transfer-Encoding: chunked", body=b"FFFFFFFFFFFFFFFFFF\r\n"), [400]),
    ("a huge piece", post("Transfer-Encoding: chunked", body=b"FFFFFFFFFFFFFFF\r\nx"), [413]),
    ("a piece that ends elsewhere", post("Transfer-Encoding: chunked", body=b"E\r\n" + NAME.encode() + b"xx0\r\n\r\n"), [400]),
    ("pieces that never end", post("Transfer-Encoding: chunked", body=b"1\r\n \r\n" * 20_000), [413]),
    ("a piece with a long note", post("Transfer-Encoding: chunked", body=b"1;" + b"a" * 40_000 + b"\r\n"), [413]),
    ("a trailer that would be a header", post("Transfer-Encoding: chunked", body=b"E\r\n" + NAME.encode() + b"\r\n0\r\nContent-Length: 99\r\n\r\n"), [400]),
    ("a body that a GET does not have", request(*["GET /api/v1/server HTTP/1.1", "Content-Length: 40"], body=SMUGGLED[:40]), [200]),
    ("a file with a body", request("GET / HTTP/1.1", "Content-Length: 5", body=b"hello" + SMUGGLED), [413]),
    ("a request inside a body", post(f"Content-Length: {len(SMUGGLED)}", body=SMUGGLED), [400]),
    # Headers that are no headers.
    ("a space before the colon", request("GET / HTTP/1.1", "Content-Length : 5"), [400]),
    ("a header without a name", request("GET / HTTP/1.1", ": x"), [400]),
    ("a header without a colon", request("GET / HTTP/1.1", "nothing"), [400]),
    ("a name with a space", request("GET / HTTP/1.1", "X Y: z"), [400]),
    ("a name with a bracket", request("GET / HTTP/1.1", "X(Y): z"), [400]),
    ("a name that is not ASCII", request("GET / HTTP/1.1", "Ünï: z"), [400]),
    ("a null in a header", request("GET / HTTP/1.1", "X: a\0b"), [400]),
    ("a control character in a header", request("GET / HTTP/1.1", "X: a\x01b"), [400]),
    ("DEL in a header", request("GET / HTTP/1.1", "X: a\x7fb"), [400]),
    ("a bare CR in a header", b"GET / HTTP/1.1\r\nHost: x\r\nX: a\rY: b\r\n\r\n", [400]),
    ("bare LF", b"GET / HTTP/1.1\nHost: x\n\n", [400]),
    ("bare LF after a header", b"GET / HTTP/1.1\r\nHost: x\nX: y\r\n\r\n", [400]),
    ("CR CR LF", b"GET / HTTP/1.1\r\r\nHost: x\r\n\r\n", [400]),
    ("a folded first header", b"GET / HTTP/1.1\r\n X: y\r\nHost: x\r\n\r\n", [400]),
    ("a folded length is one header", post("Content-Length:\r\n 14", body=NAME.encode()), [201]),
    ("a folded header hides none", b"GET /api/v1/session HTTP/1.1\r\nHost: x\r\nX: y\r\n Authorization: Bearer z\r\n\r\n", [401]),
    ("two hosts", request("GET / HTTP/1.1", "Host: y"), [400]),
    ("no host", request("GET / HTTP/1.1", host=""), [400]),
    ("16 KiB of headers", request("GET / HTTP/1.1", "X: " + "a" * 16_384), [431]),
    ("a header of 1 MB", request("GET / HTTP/1.1", "Cookie: " + "a" * 1_000_000), [431]),
    ("very many headers", request("GET / HTTP/1.1", *["A: b"] * 5000), [431]),
    ("a long name of a header", request("GET / HTTP/1.1", "A" * 20_000 + ": b"), [431]),
    # First lines.
    ("a long path", request("GET /" + "a" * 20_000 + " HTTP/1.1"), [431]),
    ("no path", request("GET  HTTP/1.1"), [400]),
    ("no version", request("GET /"), [400]),
    ("HTTP/0.9", b"GET /\r\n\r\n", [400]),
    ("HTTP/2.0", request("GET / HTTP/2.0"), [400]),
    ("HTTP/1.10", request("GET / HTTP/1.10"), [400]),
    ("a preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
    ("lower case", request("GET / http/1.1"), [400]),
    ("two spaces", request("GET  / HTTP/1.1"), [400]),
    ("a tab", request("GET\t/ HTTP/1.1"), [400]),
    ("a space in the path", request("GET /a b HTTP/1.1"), [400]),
    ("a space in front", b" " + GET, [400]),
    ("a null in the path", request("GET /\0 HTTP/1.1"), [400]),
    ("a method of nothing", request(" / HTTP/1.1"), [400]),
    ("a method with a bracket", request("G(T / HTTP/1.1"), [400]),
    ("an unknown method", request("BREW /api/v1/tables HTTP/1.1"), [405]),
    ("CONNECT", request("CONNECT example.org:443 HTTP/1.1"), [405]),
    ("TRACE", request("TRACE / HTTP/1.1"), [405]),
    ("TRACE of the API", request("TRACE /api/v1/session HTTP/1.1"), [405]),
    ("OPTIONS *", request("OPTIONS * HTTP/1.1"), [405]),
    ("get", request("get / HTTP/1.1"), [405]),
    ("zeros", b"\0" * 200, [400]),
    ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), [400]),
    ("SSH", b"SSH-2.0-OpenSSH_9.2\r\n", [400]),
    ("not UTF-8", b"\xff\xfe\xfd\r\n\r\n", [400]),
    # Where it leads: the target alone says it, and it leads nowhere outside.
    ("absolute form", request("GET http://x/api/v1/server HTTP/1.1"), [200]),
    ("absolute form of another host", request("GET http://evil.example/healthz HTTP/1.1"), [200]),
    ("absolute form without a host", request("GET http:///healthz HTTP/1.1"), [200]),
    ("another scheme", request("GET ftp://x/ HTTP/1.1"), [400]),
    ("a name instead of a path", request("GET example.org HTTP/1.1"), [400]),
    ("up and up", request("GET /../../../etc/passwd HTTP/1.1"), [404]),
    ("up in the middle", request("GET /assets/../../etc/passwd HTTP/1.1"), [404]),
    ("up, written in numbers", request("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1"), [404]),
    ("up with backslashes", request("GET /..\\..\\etc\\passwd HTTP/1.1"), [404]),
    ("a hidden file", request("GET /.secret HTTP/1.1"), [404]),
    ("a link that leads outside", request("GET /outside HTTP/1.1"), [404]),
    ("a null at the end", request("GET /index.html%00.png HTTP/1.1"), [404]),
    ("two slashes", request("GET //api/v1/tables HTTP/1.1"), [404]),
    ("the API in capitals", request("GET /API/v1/tables HTTP/1.1"), [404]),
    ("the API, written in numbers", request("GET /%61pi/v1/tables HTTP/1.1"), [404]),
    ("the API by way of a file", request("GET /x/../api/v1/tables HTTP/1.1"), [404]),
    ("up in the API", request("GET /api/v1/../../admin/sessions HTTP/1.1"), [404]),
    ("another version of the API", request("GET /api/v2/tables HTTP/1.1"), [404]),
    ("the owner's sessions", request("GET /admin/sessions HTTP/1.1"), [404]),
    ("the owner's tables", request("GET /admin/tables HTTP/1.1"), [404]),
    ("a ban by anybody", post("Content-Length: 39", path="/admin/ban", body='{"person":"p","on":true,"address":true}'), [405]),
    ("figures for somebody elsewhere", request("GET /metrics HTTP/1.1", "X-Forwarded-For: 192.0.2.1"), [404]),
    ("figures for somebody hidden", request("GET /metrics HTTP/1.1", "X-Forwarded-For: "), [404]),
    # Requests behind requests.
    ("two requests", SMUGGLED * 2, [200, 200]),
    ("a broken one behind a good one", SMUGGLED + b"nonsense\r\n\r\n", [200, 400]),
    ("a good one behind a broken one", b"nonsense\r\n\r\n" + SMUGGLED, [400]),
    ("one behind a refused body", post("Content-Length: 99999", body=SMUGGLED), [413]),
    ("one behind Connection: close", request("GET /api/v1/server HTTP/1.1", "Connection: close", body=SMUGGLED), [200]),
    ("half a request", GET[:-2], []),
    ("half a body", post("Content-Length: 14", body='{"na'), []),
    ("nothing", b"", []),
    ("Expect", post("Content-Length: 14", "Expect: 100-continue", body=NAME), [201]),
    ("a body that is no JSON", post("Content-Length: 4", body="name"), [400]),
    ("a body that is not UTF-8", post("Content-Length: 12", body=b'{"name":"\xff"}'), [400]),
    ("no body", post("Content-Length: 0", body=""), [400]),
    ("a deep body", post("Content-Length: 10000", body="[" * 10_000), [400]),
    ("a field twice", post("Content-Length: 27", body='{"name":"Ada","name":"Eve"} '[:27]), [201]),
    ("a form", request("POST /api/v1/session HTTP/1.1", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 8", body="name=Ada"), [415]),
    ("two kinds of a body", post("Content-Type: text/plain", "Content-Length: 14", body=NAME), [415]),
    # An upgrade to something else.
    ("an upgrade to HTTP/2", request("GET /api/v1/server HTTP/1.1", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"), [200]),
    ("a WebSocket to a file", request("GET / HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket", f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Version: 13"), [200]),
]


def answers(connection):
    """The statuses of all answers until the server closes the connection, and their bodies."""
    data = b""
    try:
        while part := connection.recv(65536):
            data += part
    except ConnectionResetError:
        pass
    statuses, bodies = [], []
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 "):
            return ["?", head[:40]], bodies
        statuses.append(int(head.split()[1]))
        length = re.search(rb"\r\nContent-Length: (\d+)", head)
        size = int(length[1]) if length else 0
        bodies.append(data[:size])
        data = data[size:]
    return statuses, bodies


def send(port, data):
    """As much as the server takes, then nothing more; what comes back."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        return answers(connection)


def raw(world):
    count(RAW, "raw")
    for name, data, expected in RAW:
        statuses, bodies = send(world.port, data)
        check(name, statuses == expected, (statuses, bodies[:1]))


# --- Other people's seats, tables and sessions -------------------------------------------------------

# Who asks, for what, and the status and key of the answer. T is a table that waits, G a game of Ada and Ben, P one of Ada
# without spectators.
ASKED = [
    ("nobody", "GET", "/session", None, 401, "error.no-session"),
    ("nobody", "DELETE", "/session", None, 401, "error.no-session"),
    ("nobody", "POST", "/tables", {}, 401, "error.no-session"),
    ("nobody", "GET", "/tables?mine", None, 401, "error.no-session"),
    ("nobody", "POST", "/session/code", None, 401, "error.no-session"),
    ("nobody", "GET", "/tables/G/view?at=0", None, 401, "error.no-session"),
    ("nobody", "GET", "/tables/G/story?to=0", None, 401, "error.no-session"),
    ("nobody", "GET", "/tables/G/live", None, 426, "error.upgrade"),
    ("forged", "GET", "/session", None, 401, "error.no-session"),
    ("forged", "POST", "/tables", {}, 401, "error.no-session"),
    ("forged", "DELETE", "/session", None, 401, "error.no-session"),
    ("ended", "GET", "/session", None, 401, "error.no-session"),
    ("ended", "POST", "/tables", {}, 401, "error.no-session"),
    ("ended", "GET", "/tables?mine", None, 401, "error.no-session"),
    ("banned", "GET", "/session", None, 403, "error.banned"),
    ("banned", "POST", "/tables", {}, 403, "error.banned"),
    ("banned", "POST", "/session", {"name": "New"}, 403, "error.banned"),
    ("banned", "GET", "/tables/G", None, 403, "error.banned"),
    ("muted", "POST", "/session", {"name": "Read this"}, 403, "error.muted"),
    ("eve", "GET", "/tables/G/record", None, 409, "error.table.running"),
    ("eve", "GET", "/tables/T/record", None, 409, "error.table.running"),
    ("eve", "GET", "/tables/G/view?at=100000", None, 400, "error.table.no-moment"),
    ("eve", "GET", "/tables/G/story?to=100000", None, 400, "error.table.no-moment"),
    ("eve", "GET", "/tables/G/view?at=-1", None, 400, "error.value"),
    ("eve", "GET", "/tables/G/story?to=-1", None, 400, "error.value"),
    ("eve", "GET", "/tables/G/view?at=0x0", None, 400, "error.value"),
    ("eve", "GET", "/tables/G/story?to=0x0", None, 400, "error.value"),
    ("eve", "GET", "/tables/G/view?at=", None, 400, "error.value"),
    ("eve", "GET", "/tables/G/story?to=", None, 400, "error.value"),
    ("eve", "GET", "/tables/G/view?at=99999999999999999999", None, 400, "error.value"),
    ("eve", "GET", "/tables/G/story?to=99999999999999999999", None, 400, "error.value"),
    ("eve", "GET", "/tables/P/view?at=0", None, 400, "error.table.no-spectators"),
    ("eve", "GET", "/tables/P/story?to=0", None, 400, "error.table.no-spectators"),
    ("eve", "GET", "/tables/T/view?at=0", None, 400, "error.table.no-moment"),
    ("eve", "GET", "/tables/T/story?to=0", None, 400, "error.table.no-moment"),
    ("eve", "DELETE", "/tables/T", None, 405, "error.method"),
    ("eve", "POST", "/tables/T", {}, 405, "error.method"),
    ("eve", "PUT", "/tables/T", {}, 405, "error.method"),
    ("eve", "DELETE", "/tables", None, 405, "error.method"),
    ("eve", "PUT", "/session", {"name": "Ada"}, 405, "error.method"),
    ("eve", "POST", "/tables/T/close", {}, 404, "error.path"),
    ("eve", "GET", "/tables/T/secret", None, 404, "error.path"),
    ("eve", "GET", "/tables/T/live/x", None, 404, "error.path"),
    ("eve", "GET", "/sessions", None, 404, "error.path"),
    ("eve", "GET", "/tables/nowhere", None, 404, "error.table.unknown"),
    ("eve", "GET", "/tables/..", None, 404, "error.table.unknown"),
    ("eve", "GET", "/tables/%2e%2e", None, 404, "error.table.unknown"),
    ("eve", "GET", "/tables/'%20OR%201=1--", None, 404, "error.table.unknown"),
    ("eve", "GET", "/tables/" + "a" * 65, None, 404, "error.table.unknown"),
    ("eve", "GET", "/tables/" + "a" * 16, None, 404, "error.table.unknown"),
    ("eve", "GET", "/tables/a%00b", None, 404, "error.table.unknown"),
    ("eve", "POST", "/session", {"code": "k7w2m9qx4hbtz3ne"}, 401, "error.code"),
    ("eve", "POST", "/session", {"code": ""}, 401, "error.code"),
    ("eve", "POST", "/session", {"code": 7}, 400, "error.type"),
    ("eve", "POST", "/session", {"code": "x" * 1000}, 400, "error.long-text"),
    ("eve", "POST", "/session", {"name": 7}, 400, "error.type"),
    ("eve", "POST", "/session", {"name": ["Ada"]}, 400, "error.type"),
    ("eve", "POST", "/session", {}, 400, "error.missing"),
    ("eve", "POST", "/session", {"name": "Ada", "bot": "yes"}, 400, "error.type"),
    ("eve", "POST", "/session", {"name": "x" * 5000}, 400, "error.long-text"),
    ("eve", "POST", "/tables", {"players": 1}, 400, "error.range"),
    ("eve", "POST", "/tables", {"players": 5}, 400, "error.range"),
    ("eve", "POST", "/tables", {"players": 2.5}, 400, "error.type"),
    ("eve", "POST", "/tables", {"players": 1e99}, 400, "error.type"),
    ("eve", "POST", "/tables", {"players": "2"}, 400, "error.type"),
    ("eve", "POST", "/tables", {"setup": "cheat"}, 400, "error.value"),
    ("eve", "POST", "/tables", {"takeover": "nobody"}, 400, "error.value"),
    ("eve", "POST", "/tables", {"clock": {"turn": -1, "bank": 0, "increment": 0}}, 400, "error.range"),
    ("eve", "POST", "/tables", {"clock": []}, 400, "error.type"),
    ("eve", "POST", "/tables", {"absence": -1}, 400, "error.range"),
    ("eve", "POST", "/tables", {"takebacks": "always"}, 400, "error.value"),
    ("eve", "POST", "/tables", [], 400, "error.not-object"),
    ("eve", "POST", "/tables", None, 415, "error.content-type"),
]

# With somebody's cookie: from which page, and the status.
PAGES = [
    ("POST", "/tables", "http://evil.example", 403),
    ("POST", "/tables", "https://evil.example", 403),
    ("POST", "/tables", "null", 403),
    ("POST", "/tables", None, 403),
    ("POST", "/tables", "http://127.0.0.1", 403),
    ("POST", "/tables", "http://127.0.0.1:PORT.evil.example", 403),
    ("POST", "/tables", "http://evil.example/http://127.0.0.1:PORT", 403),
    ("POST", "/tables", "file://", 403),
    ("POST", "/tables", "http://127.0.0.1:PORT", 201),
    ("POST", "/session", "http://evil.example", 403),
    ("POST", "/session/code", "http://evil.example", 403),
    ("DELETE", "/session", "http://evil.example", 403),
    ("DELETE", "/session", "null", 403),
    ("DELETE", "/session", None, 403),
]


def other_peoples(world):
    count([case[:4] and (str(case[:4]), *case[4:]) for case in ASKED], "asked")
    count([(str(case),) for case in PAGES], "pages")
    before = world.everything()
    for who, method, path, body, status, error in ASKED:
        for letter, table in world.tables.items():
            path = path.replace(f"/tables/{letter}", f"/tables/{table}") if re.match(rf"/tables/{letter}(/|$)", path) else path
        found, answer, _ = ask(world.port, method, "/api/v1" + path, body, world.tokens.get(who))
        key = answer["error"]["key"] if isinstance(answer, dict) and "error" in answer else None
        check(f"{who}: {method} {path} {body}"[:90], (found, key) == (status, error), (found, answer))
    for method, path, origin, status in PAGES:
        headers = {"Cookie": "civ=" + world.tokens["ada"]}
        if origin:
            headers["Origin"] = origin.replace("PORT", str(world.port))
        found = ask(world.port, method, "/api/v1" + path, {} if path == "/tables" else None, headers=headers)[0]
        check(f"{method} {path} from {origin}", found == status, found)
    check("nobody's table has changed", world.everything() == before)


# --- WebSockets: the handshake -----------------------------------------------------------------------

# What differs from a good handshake of Ada's, and the status.
SHAKEN = [
    ("a good one", {}, 101),
    ("no key", {"Sec-WebSocket-Key": None}, 400),
    ("an empty key", {"Sec-WebSocket-Key": ""}, 400),
    ("a short key", {"Sec-WebSocket-Key": "AAAA"}, 400),
    ("a long key", {"Sec-WebSocket-Key": KEY + KEY}, 400),
    ("a key that is no base64", {"Sec-WebSocket-Key": "!" * 22 + "=="}, 400),
    ("two keys", {"Sec-WebSocket-Key": f"{KEY}\r\nSec-WebSocket-Key: {KEY}"}, 400),
    ("no version", {"Sec-WebSocket-Version": None}, 400),
    ("version 12", {"Sec-WebSocket-Version": "12"}, 426),
    ("version 8", {"Sec-WebSocket-Version": "8"}, 426),
    ("no Connection", {"Connection": None}, 400),
    ("keep-alive", {"Connection": "keep-alive"}, 400),
    ("no Upgrade", {"Upgrade": None}, 426),
    ("an upgrade to h2c", {"Upgrade": "h2c"}, 426),
    ("without a session", {"Authorization": None}, 401),
    ("with a forged one", {"Authorization": "Bearer " + "A" * 43}, 401),
    ("with an ended one", {"Authorization": "Bearer ENDED"}, 401),
    ("of one who is banned", {"Authorization": "Bearer BANNED"}, 403),
    ("with a password instead", {"Authorization": "Basic QWRhOmE="}, 401),
    ("from another page with a cookie", {"Authorization": None, "Cookie": "civ=ADA", "Origin": "http://evil.example"}, 403),
    ("with a cookie from nowhere", {"Authorization": None, "Cookie": "civ=ADA"}, 403),
    ("by POST", {"method": "POST"}, 405),
    ("by HEAD", {"method": "HEAD"}, 405),
    ("in HTTP/1.0", {"version": "HTTP/1.0"}, 400),
    ("seen of nonsense", {"query": "?seen=x"}, 400),
    ("seen below zero", {"query": "?seen=-1"}, 400),
    ("seen beyond 64 bits", {"query": "?seen=9223372036854775808"}, 400),
    ("seen in the future", {"query": "?seen=9223372036854775807"}, 101),
    ("with a frame ahead", {"ahead": b"\x81\x80\0\0\0\0"}, 400),
    ("with compression", {"Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"}, 101),
    ("with a protocol", {"Sec-WebSocket-Protocol": "chat, superchat"}, 101),
]


def handshakes(world):
    count(SHAKEN, "handshakes")
    for name, other, status in SHAKEN:
        other = dict(other)
        fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": KEY, "Authorization": "Bearer ADA"}
        method, version, query, ahead = (other.pop(part, usual) for part, usual in (("method", "GET"), ("version", "HTTP/1.1"), ("query", ""), ("ahead", b"")))
        fields.update(other)
        lines = [f"{field}: {value}" for field, value in fields.items() if value is not None]
        text = request(f"{method} /api/v1/tables/{world.tables['T']}/live{query} {version}", *lines).decode()
        for who in ("ADA", "ENDED", "BANNED"):
            text = text.replace(who, world.tokens[who.lower()])
        with socket.create_connection(("127.0.0.1", world.port), timeout=30) as connection:
            connection.sendall(text.encode() + ahead)
            head = b""
            while b"\r\n\r\n" not in head and (part := connection.recv(65536)):
                head += part
            found = int(head.split()[1])
            check(f"handshake {name}", found == status and b"permessage-deflate" not in head, head[:60])


# --- WebSockets: frames ------------------------------------------------------------------------------


def frame(first, data=b"", mask=b"\0\0\0\0", size=None, masked=0x80):
    size = len(data) if size is None else size
    length = bytes([masked | size]) if size < 126 else bytes([masked | 126]) + struct.pack("!H", size) if size < 65536 else bytes([masked | 127]) + struct.pack("!Q", size)
    return bytes([first]) + length + (mask if masked else b"") + data


PING = b'{"type":"ping"}'
# What is sent, and with which code the socket is closed, or what is answered.
FRAMES = [
    ("a ping in words", frame(0x81, PING), "pong"),
    ("with a mask", frame(0x81, bytes(byte ^ mask for byte, mask in zip(PING, b"\1\2\3\4" * 9)), b"\1\2\3\4"), "pong"),
    ("in two pieces", frame(0x01, PING[:5]) + frame(0x80, PING[5:]), "pong"),
    ("in pieces of one byte", frame(0x01, PING[:1]) + b"".join(frame(0x00, PING[i:i + 1]) for i in range(1, 14)) + frame(0x80, PING[14:]), "pong"),
    ("with a control frame between", frame(0x01, PING[:5]) + frame(0x89, b"x") + frame(0x80, PING[5:]), "pong"),
    ("empty pieces between", frame(0x01, PING) + frame(0x00) * 10 + frame(0x80), "pong"),
    ("after an answer nobody asked for", frame(0x8A, b"pong") + frame(0x81, PING), "pong"),
    ("not masked", frame(0x81, PING, masked=0), 1002),
    ("a control frame that is not masked", frame(0x89, b"x", masked=0), 1002),
    *[(f"reserved opcode {opcode}", frame(0x80 | opcode, PING), 1002) for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)],
    *[(f"reserved bit {bit:#x}", frame(0x81 | bit, PING), 1002) for bit in (0x40, 0x20, 0x10, 0x70)],
    ("a continuation of nothing", frame(0x80, PING), 1002),
    ("a new message within one", frame(0x01, PING[:5]) + frame(0x81, PING), 1002),
    ("a control frame in pieces", frame(0x09, b"x"), 1002),
    ("a long control frame", frame(0x89, b"x" * 126), 1002),
    ("a long close", frame(0x88, b"\x03\xe8" + b"x" * 124), 1002),
    ("a close of one byte", frame(0x88, b"\x03"), 1002),
    *[(f"a close with {code}", frame(0x88, struct.pack("!H", code)), 1002) for code in (0, 999, 1004, 1005, 1006, 1016, 2999)],
    ("a close that is not UTF-8", frame(0x88, b"\x03\xe8\xff\xff"), 1002),
    ("a close", frame(0x88, struct.pack("!H", 1000)), 1000),
    ("a close without a word", frame(0x88), 1000),
    ("a close of their own", frame(0x88, struct.pack("!H", 4321) + b"bye"), 4321),
    ("a length in more bytes than it needs", b"\x81\xfe\0\x0f\0\0\0\0" + PING, 1002),
    ("a length in eight bytes", b"\x81\xff\0\0\0\0\0\0\0\x0f\0\0\0\0" + PING, 1002),
    ("a length beyond 63 bits", b"\x81\xff\x80\0\0\0\0\0\0\0\0\0\0\0", 1009),
    ("a length of 4 GB", frame(0x81, PING, size=1 << 32), 1009),
    ("a message that is too long", frame(0x81, b"x" * 8193), 1009),
    ("a message that gets too long", frame(0x01, b"x" * 5000) + frame(0x80, b"x" * 5000), 1009),
    ("bytes", frame(0x82, PING), 1008),
    ("not UTF-8", frame(0x81, b"\xff\xff"), 1007),
    ("half a character", frame(0x81, b'"\xc3"'), 1007),
    ("a surrogate", frame(0x81, b"\xed\xa0\x80"), 1007),
    ("too long a form of a slash", frame(0x81, b"\xc0\xaf"), 1007),
    ("beyond the last character", frame(0x81, b"\xf4\x90\x80\x80"), 1007),
    ("half a character in two pieces", frame(0x01, b'"\xc3') + frame(0x80, b'"'), 1007),
    ("an empty message", frame(0x81), "error.json"),
    ("no JSON", frame(0x81, b"hello"), "error.json"),
    ("half of it", frame(0x81, b'{"type":'), "error.json"),
    ("two at once", frame(0x81, PING + PING), "error.json"),
    ("a list", frame(0x81, b"[]"), "error.not-object"),
    ("a number", frame(0x81, b"7"), "error.not-object"),
    ("null", frame(0x81, b"null"), "error.not-object"),
    ("deep", frame(0x81, b"[" * 8000), "error.nesting"),
    ("no type", frame(0x81, b"{}"), "error.missing"),
    ("a type that is a number", frame(0x81, b'{"type":7}'), "error.type"),
    ("a type that is not known", frame(0x81, b'{"type":"fly"}'), "error.value"),
    ("an id that is a number", frame(0x81, b'{"type":"stand","id":7}'), "error.type"),
    ("a long id", frame(0x81, json.dumps({"type": "stand", "id": "x" * 41}).encode()), "error.too-long"),
    ("a ping with more to it", frame(0x81, json.dumps({"type": "ping", "id": "x", "padding": "x" * 200}).encode()), "pong"),
]


def heard(live):
    """The first answer, or the code with which the line is closed."""
    try:
        while True:
            told = live.receive()
            if told["type"] == "pong":
                return "pong"
            if told["type"] == "refused":
                return told["error"]["key"]
    except Closed as closed:
        return closed.code


def frames(world):
    count(FRAMES, "frames")
    for name, data, expected in FRAMES:
        live = world.line("eve", "T")
        live.socket.sendall(data)
        found = heard(live)
        check(f"frame: {name}", found == expected, found)
        live.close()


# --- Commands at a table -----------------------------------------------------------------------------

SEAT0 = {"seat": 0}
# Who says what at which table, and the key of the refusal.
COMMANDS = [
    *[("eve", "T", command, error) for command, error in [
        ({"type": "start"}, "error.table.not-host"),
        ({"type": "stand"}, "error.table.not-seated"),
        ({"type": "sit", "seat": 0}, "error.table.seat-taken"),
        ({"type": "sit", "seat": 4}, "error.range"),
        ({"type": "sit", "seat": -1}, "error.range"),
        ({"type": "sit", "seat": 1e99}, "error.type"),
        ({"type": "sit", "seat": "0"}, "error.type"),
        ({"type": "sit", "seat": None}, "error.type"),
        ({"type": "sit"}, "error.missing"),
        ({"type": "seat-bot", "seat": 1, "bot": "level1"}, "error.table.not-host"),
        ({"type": "seat-bot", "seat": 1, "bot": "../../bin/sh"}, "error.value"),
        ({"type": "unseat", "seat": 0}, "error.table.not-host"),
        ({"type": "contribute", "random": "0" * 64}, "error.table.not-seated"),
        ({"type": "contribute", "random": "0" * 63}, "error.table.not-seated"),
        ({"type": "contribute", "random": "G" * 64}, "error.table.not-seated"),
        ({"type": "act", "builds": 1, "actions": ["end"]}, "error.table.not-seated"),
        ({"type": "pick", "round": 1, "card": "M1"}, "error.table.not-seated"),
        ({"type": "resign"}, "error.table.not-seated"),
        ({"type": "abandon"}, "error.table.not-seated"),
        ({"type": "return"}, "error.table.not-now"),
        ({"type": "rematch"}, "error.table.not-seated"),
        ({"type": "talk", "talk": {"say": "truce", "to": [1], "rounds": 1}}, "error.table.not-seated"),
    ]],
    *[("eve", "G", {**command, **SEAT0}, error) for command, error in [
        ({"type": "sit"}, "error.table.started"),
        ({"type": "stand"}, "error.table.not-seated"),
        ({"type": "start"}, "error.table.not-host"),
        ({"type": "unseat"}, "error.table.not-host"),
        ({"type": "act", "builds": "BUILDS", "actions": ["end"]}, "error.table.not-seated"),
        ({"type": "take-back", "builds": "BUILDS", "to": 0}, "error.table.not-seated"),
        ({"type": "resign"}, "error.table.not-seated"),
        ({"type": "abandon"}, "error.table.not-seated"),
        ({"type": "return"}, "error.table.not-now"),
    ]],
    *[("waits", "G", command, error) for command, error in [
        ({"type": "act", "builds": "BUILDS", "actions": ["end"]}, "error.table.not-your-turn"),
        ({"type": "act", "builds": "BUILDS", "actions": ["end"], "seat": 0}, "error.table.not-your-turn"),
    ]],
    *[("moves", "G", command, error) for command, error in [
        ({"type": "act", "builds": 0, "actions": ["end"]}, "error.stale"),
        ({"type": "act", "builds": 10 ** 9, "actions": ["end"]}, "error.stale"),
        ({"type": "act", "builds": "BUILDS", "actions": []}, "error.range"),
        ({"type": "act", "builds": "BUILDS", "actions": ["play Z9"]}, "error.action"),
        ({"type": "act", "builds": "BUILDS", "actions": ["end"] * 65}, "error.range"),
        ({"type": "act", "builds": "BUILDS", "actions": "end"}, "error.type"),
        ({"type": "act", "builds": "BUILDS", "actions": [7]}, "error.action"),
        ({"type": "act", "builds": "BUILDS", "actions": ["x" * 7000]}, "error.action"),
        ({"type": "take-back", "builds": "BUILDS", "to": 1000}, "error.table.nothing-back"),
        ({"type": "take-back", "builds": "BUILDS", "to": -1}, "error.range"),
        ({"type": "say", "text": ""}, "error.missing"),
        ({"type": "say", "text": "\u202e\u200b"}, "error.say"),
        ({"type": "say", "text": "x" * 301}, "error.too-long"),
        ({"type": "say", "phrase": "rude"}, "error.value"),
        ({"type": "say", "text": 7}, "error.type"),
        ({"type": "say"}, "error.missing"),
        ({"type": "talk"}, "error.missing"),
        ({"type": "talk", "talk": 7}, "error.not-object"),
        ({"type": "talk", "talk": {"say": "peace"}}, "error.value"),
        ({"type": "talk", "talk": {"say": "truce", "to": [1], "rounds": 4}}, "error.range"),
        ({"type": "talk", "talk": {"say": "truce", "to": [-1], "rounds": 1}}, "error.value"),
        ({"type": "talk", "talk": {"say": "truce", "to": [1] * 1000, "rounds": 1}}, "error.table.talk"),
        ({"type": "talk", "talk": {"say": "yes", "offer": 10 ** 6}}, "error.range"),
        ({"type": "talk", "talk": {"say": "warn", "about": 9, "domain": "M"}}, "error.range"),
    ]],
    ("muted", "G", {"type": "say", "text": "hello"}, "error.muted"),
    ("muted", "G", {"type": "say", "phrase": "hello"}, "error.muted"),
]


def commands(world):
    count([(str(case),) for case in COMMANDS], "commands")
    before = world.everything()
    lines = {}
    for index, (who, table, command, expected) in enumerate(COMMANDS):
        if who in ("moves", "waits"):
            live = world.people[world.whose(who)].live
        else:
            if (who, table) not in lines:
                lines[who, table] = world.line(who, table)
            live = lines[who, table]
        command = {"id": f"h{index}", **{field: world.people["ada"].number if value == "BUILDS" else value for field, value in command.items()}}
        live.send(command)
        found = heard_about(live, command["id"])
        check(f"{who} at {table}: {command}"[:90], found == expected, found)
    for live in lines.values():
        live.close()
    check("no table has changed by it", world.everything() == before)


def heard_about(live, name):
    told = live.until(lambda message: message.get("id") == name)[-1]
    return told["type"] if told["type"] == "ack" else told["error"]["key"]


# --- Names -------------------------------------------------------------------------------------------

# What somebody wants to be called, and what comes of it; None: nothing.
NAMES = [
    ("", None), (" ", None), ("\t\r\n", None), ("\0", None), ("\u200b\u200c\u200d", None), ("\u202e", None), ("\u2066\u2069", None), ("\ufeff", None),
    ("\u00ad", None), ("\u2028\u2029", None), ("\u3164", None), ("x" * 25, None), ("ț" * 25, None),
    ("x" * 24, "x" * 24), ("ț" * 24, "ț" * 24), ("  Ada  ", "Ada"), ("Ada\nLovelace", "Ada Lovelace"), ("Ada\0Eve", "AdaEve"), ("\x1b[31mAda", "[31mAda"),
    ("Ada\u202eevE", "AdaevE"), ("\u2067Ada\u2069", "Ada"), ("A\u200bda", "Ada"), ("\ufeffAda", "Ada"), ("Ada\x7f", "Ada"), ("Ada\x85Eve", "Ada Eve"),
    ("<script>", "<script>"), ("\"'&\\", "\"'&\\"), ("{seat}", "{seat}"), ("עדה", "עדה"), ("آدا", "آدا"), ("愛達", "愛達"),
]


def names(world):
    count([(repr(case[0]),) for case in NAMES], "names")
    for name, expected in NAMES:
        status, answer, _ = ask(world.port, "POST", "/api/v1/session", {"name": name, "bot": True})
        found = answer["person"]["name"] if status == 201 else None
        check(f"name {name!r}", (status, found) == (400 if expected is None else 201, expected), (status, answer))


# --- Floods, replays and the slow, while somebody plays on -------------------------------------------


def replays(world):
    """What was done is done once, whoever sends it again and however."""
    table, (ada, ben) = open_table(world.port, [world.tokens["ada"], world.tokens["ben"]])
    said = {"type": "say", "id": "once", "text": "only once"}
    for person in (ada, ada, ada):
        person.live.send(said)
        check("the same again is acknowledged", heard_about(person.live, "once") == "ack")
    ben.live.send(said)
    check("of somebody else it is another command", heard_about(ben.live, "once") == "ack")
    eve = world.line_to("eve", table)
    chat = eve.fresh["chat"]
    check("each was said once", [line["text"] for line in chat] == ["only once"] * 2, chat)
    eve.send({"type": "sit", "id": "once", "seat": 0})
    check("an id of others takes no seat", heard_about(eve, "once") == "error.table.seat-taken")
    TOTAL.append(6)
    for live in (ada, ben, eve):
        live.close()


class Crowd:
    """Connections of many addresses that ask for nothing whole."""

    def __init__(self, port, number):
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, limit), limit))
        self.connections = []
        for index in range(number):
            connection = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(f"127.0.2.{index % 20 + 1}", 0))
            connection.sendall((b"GET / HTTP/1.1\r\nHost: x\r\n", b"", b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{")[index % 3])
            self.connections.append(connection)

    def still(self):
        """How many of them are open."""
        still = 0
        for connection in self.connections:
            connection.setblocking(False)
            try:
                still += connection.recv(1) != b""
            except BlockingIOError:
                still += 1
            except OSError:
                pass
        return still

    def close(self):
        for connection in self.connections:
            connection.close()


# Bytes that are sent for ever, as far as the server takes them.
FLOODS = [
    ("pings", frame(0x89)),
    ("pongs", frame(0x8A)),
    ("long pings", frame(0x89, b"x" * 125)),
    ("pings in words", frame(0x81, PING)),
    ("commands", frame(0x81, b'{"type":"stand"}')),
    ("nonsense", frame(0x81, b"x")),
    ("empty messages", frame(0x81)),
    ("empty fragments", frame(0x00)),
    ("fragments of a byte", frame(0x00, b"x")),
]


def floods(world):
    """A flood on a socket closes it, whatever it is made of."""
    count(FLOODS, "floods")
    for name, data in FLOODS:
        live = world.line("eve", "T")
        live.socket.settimeout(10)
        gone = False
        try:
            if data[0] == 0x00:
                live.socket.sendall(frame(0x01))
            for _ in range(64):
                live.socket.sendall(data * (65536 // len(data)))
            while True:
                live.receive()
        except Closed:
            gone = True
        except OSError as error:
            gone = not isinstance(error, TimeoutError)
        check(f"flood of {name}", gone)
        live.close()


def play_on(world, what):
    """Somebody's move is acknowledged, and a newcomer gets in."""
    check(f"{what}: a move", world.people[world.whose("moves")].play(world.referee, world.chance) is None)
    check(f"{what}: a newcomer", ask(world.port, "GET", "/healthz")[1] == "ok")


def slow(world):
    crowd = Crowd(world.port, 1200)
    for index in range(5):
        play_on(world, f"among slow ones, {index}")
    still = crowd.still()
    check("and did not wait until those were gone", 400 < still < 680, still)
    crowd.close()
    TOTAL.append(16)


# --- The world ---------------------------------------------------------------------------------------


class World:
    """A server with a game that is going on."""

    def __init__(self, folder):
        page = pathlib.Path(small_page(folder))
        (page / ".secret").write_text("secret")
        (page / "outside").symlink_to("/etc/passwd")
        self.data = os.path.join(folder, "data")
        self.server = Server(CIV, self.data, "--page", str(page), "--bot-pause", "0", "--sessions-of-address", "5000", "--requests-of-address", "50000", "--requests-of-session", "50000",
                             "--passwords-of-address", "500", "--first-request", "600", "--tables-of-session", "100", "--tables-of-address", "1000").start()
        self.port = self.server.port
        ids = {}
        self.tokens = {}
        for name in ("ada", "ben", "eve", "ended", "banned", "muted"):
            self.tokens[name], person = guest(self.port, name)
            ids[name] = person["id"]
        ada = self.tokens["ada"]
        self.tokens["forged"] = ("A" if ada[5] != "A" else "B").join((ada[:5], ada[6:]))
        assert ask(self.port, "DELETE", "/api/v1/session", token=self.tokens["ended"])[0] == 204
        for what in ("ban", "mute"):
            subprocess.run([CIV, "admin", what, ids[{"ban": "banned", "mute": "muted"}[what]], "--data", self.data], check=True, stdout=subprocess.DEVNULL)
        self.tables = {letter: ask(self.port, "POST", "/api/v1/tables", {"players": 3, "spectators": letter == "T"}, ada)[1]["table"] for letter in "TP"}
        self.tables["G"], pair = open_table(self.port, [ada, self.tokens["ben"]], absence=0)
        self.people = dict(zip(("ada", "ben"), pair))
        assert pair[0].do("start") is None
        for number, person in enumerate(pair):
            assert person.do("contribute", random=f"{number:064x}") is None
        for person in pair:
            person.catch_up()
        self.referee, self.chance = Referee(), random.Random(1)
        # A table without spectators lets nobody look once its game has begun.
        with_bots = Seated(self.port, self.tables["P"], ada)
        for seat in (1, 2):
            assert with_bots.do("seat-bot", seat=seat, bot="random") is None
        assert with_bots.do("start") is None
        assert with_bots.do("contribute", random="0" * 64) is None
        with_bots.close()

    def line(self, who, letter):
        return self.line_to(who, self.tables[letter])

    def line_to(self, who, table):
        live = Live(self.port, f"/api/v1/tables/{table}/live", self.tokens[who])
        live.fresh = live.until("hello")[-1]
        return live

    def whose(self, what):
        """Who moves in the game, or waits."""
        for person in self.people.values():
            person.catch_up()
        names = ["ada", "ben"]
        mover = names[self.people["ada"].game["view"]["seat"]]
        return mover if what == "moves" else names[1 - names.index(mover)]

    def everything(self):
        """What others see of all tables."""
        return [ask(self.port, "GET", f"/api/v1/tables/{self.tables[letter]}")[1] for letter in "TG"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        world = World(folder)
        for part in (raw, other_peoples, handshakes, frames, commands, names, replays, floods, slow):
            part(world)
            play_on(world, part.__name__)
        check("at least 200 of them", sum(TOTAL) >= 200, sum(TOTAL))
        world.referee.close()
        check("stops", world.server.stop() == 0)
        with open(world.data + ".log", encoding="utf-8") as log:
            check("no errors in the log", '"level":"error"' not in log.read())
    print(f"{sum(TOTAL)} cases")
    return finish()


sys.exit(main())
