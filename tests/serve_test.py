#!/usr/bin/env python3
"""civ serve over real sockets: a folder with a small page, and clients that are slow, rude, many or gone.

usage: serve_test.py path/to/civ           all of that
       serve_test.py path/to/civ page      only that the page is inside the program
       serve_test.py path/to/civ no-page   only that it is not
"""

import contextlib
import gzip
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

import live
from checks import check, finish
from program import CIV

PART = sys.argv[2] if len(sys.argv) > 2 else "sockets"
LARGE = os.urandom(1 << 20) * 8  # more than the buffers of a socket
FILES = {
    "index.html": b"<!doctype html><title>CIV</title>",
    "index.html.gz": gzip.compress(b"<!doctype html><title>CIV</title>"),
    "assets/app-12ab.js": b"export {};",
    "assets/civ.wasm": b"\0asm",
    "large.bin": LARGE,
}
SPOKEN = {  # what each language says when the server listens and when it has stopped
    "en": ("Open http", "The server has stopped."),
    "fr": ("Ouvrez http", "Le serveur est arrêté."),
    "es": ("Abre http", "El servidor se ha detenido."),
    "pt": ("Abra http", "O servidor parou."),
    "ro": ("Deschide http", "Serverul s-a oprit."),
}


class Server(live.Server):
    """A running civ serve with a folder of its own."""

    def __init__(self, *arguments, env=None):
        self.data = tempfile.TemporaryDirectory()
        super().__init__(CIV, os.path.join(self.data.name, "data"), *arguments, env={"CIV_LOG_LEVEL": "warn", **(env or {})})
        self.start()

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=30)

    def ask(self, request):
        """All that comes back for these bytes, until the server closes the connection."""
        with self.connect() as connection:
            connection.sendall(request)
            return rest_of(connection)

    def get(self, target, *headers, method="GET"):
        lines = [f"{method} {target} HTTP/1.1", "Host: x", "Connection: close", *headers, "", ""]
        return Answer(self.ask("\r\n".join(lines).encode()))

    def alive(self):
        return self.process.poll() is None and self.get("/healthz").body == b"ok"

    def stop(self, how=signal.SIGTERM):
        """As `end`, and how long it took."""
        begin = time.monotonic()
        self.process.send_signal(how)
        code, said = self.end()
        return code, said, time.monotonic() - begin

    def end(self):
        """Waits for it: exit code, and the last line that it printed, with all errors."""
        code = self.process.wait(30)
        self.log.close()
        with self.process.stdout as out, open(self.log.name, encoding="utf-8") as errors:
            return code, out.readlines()[-1] + errors.read()


class Answer:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1]) if first.startswith("HTTP/1.1 ") else 0
        self.headers = dict((line.split(": ", 1) for line in lines))


def rest_of(connection):
    data = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(1 << 16):
            data += part
    return bytes(data)


def one_answer(connection):
    """One answer of a connection that stays open."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(4096)
        if not part:
            return Answer(data)
        data += part
    length = int(Answer(data).headers["Content-Length"])
    while len(Answer(data).body) < length:
        data += connection.recv(1 << 16)
    return Answer(data)


def answers(server):
    index = server.get("/")
    check("index", (index.status, index.body) == (200, FILES["index.html"]), index.headers)
    check("date", re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", index.headers.get("Date", "")), index.headers)
    check("security", "default-src 'self'" in index.headers.get("Content-Security-Policy", ""), index.headers)
    check("closes when asked to", index.headers.get("Connection") == "close", index.headers)
    for path, kind in [("/", "text/html; charset=utf-8"), ("/assets/app-12ab.js", "text/javascript; charset=utf-8"), ("/assets/civ.wasm", "application/wasm")]:
        check(f"type of {path}", server.get(path).headers.get("Content-Type") == kind, path)
    check("hashed files are kept", "immutable" in server.get("/assets/app-12ab.js").headers["Cache-Control"])

    packed = server.get("/", "Accept-Encoding: br, gzip")
    check("compressed", packed.headers.get("Content-Encoding") == "gzip" and gzip.decompress(packed.body) == FILES["index.html"], packed.headers)
    check("two headers are one", server.get("/", "Accept-Encoding: br", "Accept-Encoding: gzip").headers.get("Content-Encoding") == "gzip")
    check("q=0", "Content-Encoding" not in server.get("/", "Accept-Encoding: gzip;q=0").headers)
    same = server.get("/", f"If-None-Match: {index.headers['ETag']}")
    check("304", (same.status, same.body, "Content-Length" in same.headers) == (304, b"", False), same.headers)

    head = server.get("/large.bin", method="HEAD")
    check("HEAD", (head.status, head.body, head.headers.get("Content-Length")) == (200, b"", str(len(LARGE))), head.headers)
    check("large", server.get("/large.bin").body == LARGE)
    check("404", server.get("/nothing").status == 404)
    check("a link within the folder", server.get("/linked.js").body == FILES["assets/app-12ab.js"])
    for path in ("/.env", "/.git/config", "/assets/.htpasswd", "/passwd", "/outside/secret", "/hidden.txt"):
        check(f"{path} is not served", server.get(path).status == 404)
    check("outside", server.get("/../../etc/passwd").status == 404)
    post = server.get("/", "Content-Length: 5", method="POST")
    check("405", (post.status, post.headers.get("Allow")) == (405, "GET, HEAD"), post.headers)
    check("healthz", server.get("/healthz").body == b"ok")

    with server.connect() as connection:
        for target, status in [("/", 200), ("/nothing", 404), ("/assets/civ.wasm", 200)]:
            connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            check(f"one connection, {target}", one_answer(connection).status == status)
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 2 + b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        check("requests ahead of answers", rest_of(connection).count(b"HTTP/1.1 200 OK") == 3)
    check("HTTP/1.0", Answer(server.ask(b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")).body == b"ok")


def rude_clients(server):
    for name, request, status in [
        ("no HTTP", b"hello\r\n\r\n", 400),
        ("bad version", b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400),
        ("zero bytes", b"\0" * 100, 400),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), 400),
        ("bad header", b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
        ("no host", b"GET / HTTP/1.1\r\n\r\n", 400),
        ("two hosts", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("bad length", b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        ("two lengths", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("long line", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        ("long header", b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 100_000 + b"\r\n\r\n", 431),
        ("many headers", b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 20_000 + b"\r\n", 431),
        ("body of a GET", b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 413),
        ("body in pieces", b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 413),
        ("huge body", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n" + b"a" * 50_000, 405),
    ]:
        answer = Answer(server.ask(request))
        check(name, answer.status == status and answer.headers.get("Connection") == "close", f"{answer.status} {answer.headers}")

    for begin in [b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\n"]:
        with server.connect() as connection:
            connection.sendall(begin)
            connection.shutdown(socket.SHUT_WR)
            check(f"gone after {begin!r}", rest_of(connection) == b"")
    for _ in range(20):  # goes away in the middle of the answer
        with server.connect() as connection:
            connection.sendall(b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n")
            connection.recv(10)
    check("still there", server.alive())


def slow_clients(server):
    begin = time.monotonic()
    silent, slow = server.connect(), server.connect()
    silent.settimeout(0.2)
    slow.settimeout(0.2)
    closed = {}
    while len(closed) < 2 and time.monotonic() - begin < 120:
        for name, connection in [("silent", silent), ("slow", slow)]:
            if name in closed:
                continue
            try:
                if name == "slow":
                    connection.sendall(b"G")
                if connection.recv(100) == b"":
                    closed[name] = time.monotonic() - begin
            except TimeoutError:
                pass
            except OSError:
                closed[name] = time.monotonic() - begin
    silent.close()
    slow.close()
    check("slow clients are left", len(closed) == 2 and all(3 < seconds for seconds in closed.values()), closed)
    check("there for others", server.alive())


def slow_crowd(folder):
    """Very many slow connections from many addresses do not keep anybody waiting."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    server = Server("--page", folder, "--first-request", "600")
    slow = []
    for number in range(1200):
        connection = socket.create_connection((server.host, server.port), timeout=30, source_address=(f"127.0.1.{number % 20 + 1}", 0))
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        slow.append(connection)
    for _ in range(3):
        check("a newcomer among slow ones", server.get("/healthz").body == b"ok")
    still = 0
    for connection in slow:
        connection.setblocking(False)
        try:
            connection.recv(1)
        except BlockingIOError:
            still += 1
        except OSError:
            pass
        connection.close()
    check("and did not wait until they were gone", 400 < still < 680, still)
    check("stops", server.stop()[0] == 0)


def many_clients(server):
    """More than are served at once: those who ask for nothing make room."""
    connections = []
    for _ in range(400):
        connections.append(server.connect())
        connections[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    check("400 connections", all(rest_of(connection).endswith(b"ok") for connection in connections))
    for connection in connections:
        connection.close()

    idle = [server.connect() for _ in range(256)]
    for connection in idle:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    check("256 stay", all(one_answer(connection).body == b"ok" for connection in idle))
    check("one more comes in", server.get("/healthz").body == b"ok")
    check("in place of the one that was silent longest", rest_of(idle[0]) == b"")
    # Not the second: some of the 400 may not be forgotten yet, and others made room for them.
    idle[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    check("the others stay", one_answer(idle[-1]).body == b"ok")
    for connection in idle:
        connection.close()
    check("still there", server.alive())


def stopping(folder):
    for how in (signal.SIGTERM, signal.SIGINT):
        server = Server("--page", folder)
        with server.connect() as idle, server.connect() as half, server.connect() as reading:
            half.sendall(b"GET / HT")
            idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            one_answer(idle)
            reading.sendall(b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n")
            data = reading.recv(1000)
            server.process.send_signal(how)
            data += rest_of(reading)
            check(f"{how.name}: the answer under way is finished", Answer(data).body == LARGE, len(data))
            check(f"{how.name}: others are closed", rest_of(idle) == b"" and rest_of(half) == b"")
            ended = server.end()
            check(f"{how.name}: exit code", ended == (0, "The server has stopped.\n"), ended)

    server = Server("--page", folder)
    with server.connect() as stuck:
        stuck.sendall(b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        stuck.recv(1000)
        code, _, seconds = server.stop()
        check("a client that stops reading does not hold it up", code == 0 and seconds < 8, (code, seconds))


def starting(folder):
    first = Server("--page", folder, "--open")  # without a screen that does nothing
    second = subprocess.run([CIV, "serve", "--page", folder, "--port", str(first.port)], capture_output=True, text=True, timeout=30, env={**os.environ, "LC_ALL": "C"})
    check("port taken", second.returncode == 1 and str(first.port) in second.stderr and "--port" in second.stderr and second.stdout == "", second)
    check("the first goes on", first.alive())
    first.stop()
    again = subprocess.Popen([CIV, "serve", "--page", folder, "--port", str(first.port)], stdout=subprocess.PIPE, text=True, env={**os.environ, "CIV_DATA": first.command[3]})
    check("the port is free again at once", str(first.port) in again.stdout.readline())
    again.terminate()
    again.communicate(timeout=30)

    for arguments in (["--host", "192.0.2.1"], ["--host", "no.such.host.invalid"]):
        done = subprocess.run([CIV, "serve", "--page", folder, "--port", "0", *arguments], capture_output=True, text=True, timeout=60)
        check(f"{arguments}", done.returncode == 1 and arguments[1] in done.stderr, done)
    for arguments in (["--port", "65536"], ["--port", "-1"], ["--port", "http"], ["--page", "/nowhere"], ["--lang", "xx"]):
        done = subprocess.run([CIV, "serve", *arguments], capture_output=True, text=True, timeout=30)
        check(f"{arguments}", done.returncode == 2, done)
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run([CIV, "serve", "--page", empty], capture_output=True, text=True, timeout=30)
        check("empty folder", done.returncode == 1 and empty in done.stderr, done)

    for language, (begin, end) in SPOKEN.items():
        server = Server("--page", folder, env={"LC_ALL": f"{language}_XX.UTF-8"})
        check(f"{language}: greeting", server.greeting.startswith(begin), server.greeting)
        code, out, _ = server.stop()
        check(f"{language}: farewell", (code, out.strip()) == (0, end), out)
    everywhere = Server("--page", folder, "--host", "0.0.0.0")
    check("everywhere", everywhere.host == "localhost" and everywhere.alive(), everywhere.greeting)
    everywhere.stop()

    with tempfile.TemporaryDirectory() as bin_folder:  # a browser that notes where it was sent
        note = os.path.join(bin_folder, "note")
        browser = os.path.join(bin_folder, "xdg-open")
        with open(browser, "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\necho "$@" >"{note}.new" && mv "{note}.new" "{note}"\n')
        os.chmod(browser, 0o755)
        server = Server("--page", folder, "--open", env={"DISPLAY": ":0", "PATH": bin_folder + ":" + os.environ["PATH"]})
        for _ in range(100):
            if os.path.exists(note):
                break
            time.sleep(0.05)
        with open(note, encoding="utf-8") as file:
            check("--open", file.read().strip() == f"http://127.0.0.1:{server.port}/")
        server.stop()
        os.remove(browser)
        server = Server("--page", folder, "--open", env={"DISPLAY": ":0"})
        check("--open without a browser", server.alive())
        server.stop()


def page_inside():
    if PART == "no-page":
        server = Server()
        check("no page inside", server.get("/").status == 404)
        check("tables without a page", server.get("/healthz").status == 200)
        server.stop()
        return
    server = Server()
    index = server.get("/")
    check("page inside", index.status == 200 and b"<html" in index.body, index.headers)
    for path in re.findall(r'(?:src|href)="\.?/?([^":#]+)"', index.body.decode()):
        check(f"{path} of the page", server.get("/" + path).status == 200)
    check("compressed inside", server.get("/", "Accept-Encoding: br").headers.get("Content-Encoding") == "br")
    server.stop()


def sockets():
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(above, "page")
        for name, content in FILES.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        for name in (".env", ".git/config", "assets/.htpasswd", "../outside/secret"):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(b"secret")
        for name, target in [("passwd", "/etc/passwd"), ("outside", "../outside"), ("hidden.txt", ".env"), ("linked.js", "assets/app-12ab.js"), ("lost", "nowhere")]:
            os.symlink(target, os.path.join(folder, name))
        server = Server("--page", folder, "--connections", "256", "--connections-of-address", "1000")
        answers(server)
        rude_clients(server)
        many_clients(server)
        slow_clients(server)
        slow_crowd(folder)
        check("stops at the end", server.stop()[0] == 0)
        stopping(folder)
        starting(folder)


def main():
    if PART == "sockets":
        sockets()
    else:
        page_inside()
    return finish()


sys.exit(main())
