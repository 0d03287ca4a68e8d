"""A server of one's own and clients for it, with nothing but the standard library: for tests that play over real sockets."""

import base64
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess


class Closed(Exception):
    """The connection has ended; `code` is the WebSocket's close code, None if it just broke."""

    def __init__(self, code=None):
        super().__init__(code)
        self.code = code


class Server:
    """`civ serve` on a free port. With a port of its own it can be started again where clients look for it."""

    def __init__(self, program, folder, *options, port=0, env=None):
        self.command = [program, "serve", "--data", str(folder), *options]
        self.port = port
        without_screen = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.env = {**without_screen, "LC_ALL": "C.UTF-8", **(env or {})}
        self.process = None
        self.log = None

    def start(self):
        self.log = open(os.path.join(self.command[3] + ".log"), "ab")
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdout=subprocess.PIPE, stderr=self.log, env=self.env, text=True)
        for line in self.process.stdout:
            found = re.search(r"http://(\S+):(\d+)/", line)
            if found:
                self.greeting, self.host, self.port = line, found[1].strip("[]"), int(found[2])
                return self
        raise AssertionError(f"civ serve did not start: exit code {self.process.wait()}, see {self.log.name}")

    def kill(self):
        self.process.kill()
        self._ended()

    def stop(self):
        """As a person or systemd would. The exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def _ended(self):
        code = self.process.wait(60)
        self.process.stdout.close()
        self.log.close()
        return code


def ask(port, method, path, body=None, token=None, headers=None):
    """One HTTP request: status, JSON or text, headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = dict(headers or {})
    if token:
        headers["Authorization"] = "Bearer " + token
    if body is not None:
        headers.setdefault("Content-Type", "application/json")
    try:
        connection.request(method, path, None if body is None else body if isinstance(body, (str, bytes)) else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        kind = response.headers.get("Content-Type", "")
        return response.status, json.loads(text) if kind.startswith("application/json") else text.decode(), response.headers
    finally:
        connection.close()


def guest(port, name, **more):
    """A new person who plays with a token: token and person."""
    status, answer, _ = ask(port, "POST", "/api/v1/session", {"name": name, "bot": True, **more})
    assert status == 201, answer
    return answer["token"], answer["person"]


class Live:
    """One WebSocket. Raises Closed when it ends, and TimeoutError when nothing comes."""

    def __init__(self, port, path, token=None, headers=None, timeout=30, host=None, wrap=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        if wrap:  # into TLS
            self.socket = wrap(self.socket)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines.append("Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode())
        if token:
            lines.append("Authorization: Bearer " + token)
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def send(self, message, opcode=1):
        data = message if isinstance(message, bytes) else (message if isinstance(message, str) else json.dumps(message)).encode()
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack("!H", size) if size < 65536 else b"\xff" + struct.pack("!Q", size)
        try:
            self.socket.sendall(bytes([0x80 | opcode]) + length + b"\0\0\0\0" + data)  # a mask of zeros is a mask
        except TimeoutError:
            raise
        except OSError:
            raise Closed() from None

    def receive(self):
        """The next message; pings are answered on the way."""
        while True:
            opcode, data = self._frame()
            if opcode == 9:
                self.send(data, 10)
            elif opcode == 8:
                self.close()
                raise Closed(struct.unpack("!H", data[:2])[0] if len(data) >= 2 else None)
            elif opcode == 1:
                return json.loads(data)

    def until(self, wanted):
        """Everything up to the first message that is wanted: by type, or by a function."""
        seen = []
        while True:
            seen.append(self.receive())
            if seen[-1]["type"] == wanted if isinstance(wanted, str) else wanted(seen[-1]):
                return seen

    def close(self):
        self.socket.close()

    def _frame(self):
        first, second = self._take(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        return first & 0x0F, self._take(size)

    def _take(self, count):
        while len(self.buffer) < count:
            self._more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def _more(self):
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            raise
        except OSError:
            data = b""
        if not data:
            raise Closed()
        self.buffer += data
