#!/usr/bin/env python3
"""A real nginx with packaging/nginx.conf in front of a real server: TLS, the page, the API, a WebSocket.

usage: nginx_test.py path/to/civ path/to/nginx.conf
"""

import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import live
from checks import check, finish
from program import CIV, small_page

SITE = os.path.abspath(sys.argv[2])
NAME = "civ.example.org"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Nginx:
    """nginx with the site, which differs from the file in ports and in where the certificate is."""

    def __init__(self, folder, upstream):
        self.folder, self.upstream = folder, upstream
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
                        "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        self.context = ssl.create_default_context(cafile=certificate)
        while not self._start(key, certificate):
            pass

    def _start(self, key, certificate):
        """Whether it runs; not if somebody else has taken one of the ports meanwhile."""
        self.plain, self.tls = free_ports(2)
        site = pathlib.Path(SITE).read_text()
        for old, new in [(r"listen \[::\]:\d+.*;", ""), (r"listen 80\b", f"listen 127.0.0.1:{self.plain}"), (r"listen 443\b", f"listen 127.0.0.1:{self.tls}"),
                         (r"127\.0\.0\.1:8104;", f"127.0.0.1:{self.upstream};"), (r"/etc/letsencrypt/\S*/fullchain\.pem", str(certificate)),
                         (r"/etc/letsencrypt/\S*/privkey\.pem", str(key))]:
            site, times = re.subn(old, new, site)
            assert times > 0, old
        (self.folder / "site.conf").write_text(site)
        paths = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid {self.folder}/pid; error_log stderr; events {{}} http {{ access_log off; {paths} include {self.folder}/site.conf; }}")
        errors = self.folder / "nginx.log"
        with errors.open("w") as log:
            self.process = subprocess.Popen([NGINX, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", "stderr"], stderr=log)
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.tls), timeout=30).close()
                return True
            except ConnectionRefusedError:
                time.sleep(0.02)
        if "Address already in use" in errors.read_text():
            return False
        raise SystemExit(f"FAILED nginx does not start:\n{errors.read_text()}")

    def wrap(self, plain):
        return self.context.wrap_socket(plain, server_hostname=NAME)

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and body of an answer that came over TLS."""
        connection = http.client.HTTPConnection(NAME, self.tls, timeout=30)
        connection.sock = self.wrap(socket.create_connection(("127.0.0.1", self.tls), timeout=30))
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def page(nginx):
    status, headers, body = nginx.ask("GET", "/")
    check("the page", status == 200 and b"<title>CIV</title>" in body, (status, body))
    check("its policy is there once", len(headers.get_all("Content-Security-Policy", [])) == 1, headers)
    check("TLS is here to stay", "max-age" in headers.get("Strict-Transport-Security", ""), headers)
    status, _, body = nginx.ask("GET", "/healthz")
    check("/healthz", (status, body) == (200, b"ok"), (status, body))
    check("/metrics is nobody's business", nginx.ask("GET", "/metrics")[0] == 404)
    check("a body that is too long", nginx.ask("POST", "/api/v1/session", b"x" * 70_000)[0] == 413)

    plain = http.client.HTTPConnection("127.0.0.1", nginx.plain, timeout=30)
    plain.request("GET", "/table/1?a=b", headers={"Host": NAME})
    answer = plain.getresponse()
    check("without TLS one is sent to it", (answer.status, answer.headers["Location"]) == (301, f"https://{NAME}/table/1?a=b"), answer.headers)

    context = ssl.create_default_context(cafile=nginx.folder / "certificate.pem")
    context.set_alpn_protocols(["h2", "http/1.1"])
    with context.wrap_socket(socket.create_connection(("127.0.0.1", nginx.tls), timeout=30), server_hostname=NAME) as connection:
        check("HTTP/2 for those who want it", connection.selected_alpn_protocol() == "h2")


def play(nginx, server):
    """A person with a cookie, as a browser would be, at a table of their own. The line that is open at the end."""
    origin = f"https://{NAME}:{nginx.tls}"
    asking = {"Content-Type": "application/json", "Origin": origin, "X-Forwarded-Proto": "http", "X-Forwarded-For": "192.0.2.1"}
    status, headers, body = nginx.ask("POST", "/api/v1/session", json.dumps({"name": "Ada"}), asking)
    cookie = headers.get("Set-Cookie", "")
    check("a session", status == 201, (status, body))
    check("its cookie is for TLS only", {"Secure", "HttpOnly"} <= set(cookie.split("; ")), cookie)
    asking["Cookie"] = cookie.split(";")[0]
    status, _, body = nginx.ask("POST", "/api/v1/tables", "{}", asking)
    check("a table", status == 201, (status, body))
    path = f"/api/v1/tables/{json.loads(body)['table']}/live"

    def line(origin):
        return live.Live(nginx.tls, path, headers={"Cookie": asking["Cookie"], "Origin": origin}, host=f"{NAME}:{nginx.tls}", wrap=nginx.wrap)

    check("no line for another site", line("https://elsewhere.example").status == 403)
    ours = line(origin)
    check("a line", ours.status == 101, ours.status)
    check("the table comes through it", ours.receive()["type"] == "hello")
    ours.send({"type": "say", "id": "1", "text": "hello"})
    while (answer := ours.receive())["type"] != "ack":
        pass
    check("what is said is acknowledged", answer["id"] == "1", answer)
    return ours


def farewell(nginx, server, ours):
    check("the server stops", server.stop() == 0)
    code = None
    try:
        while True:
            ours.receive()
    except live.Closed as closed:
        code = closed.code
    check("the line says that it is a restart", code == 1012, code)


def headers_sent(nginx):
    """What nginx tells the server about a client that lies. Somebody who listens takes the server's place."""
    check("without a server", nginx.ask("GET", "/")[0] == 502)
    with socket.create_server(("127.0.0.1", nginx.upstream)) as listener:
        listener.settimeout(30)
        with nginx.wrap(socket.create_connection(("127.0.0.1", nginx.tls), timeout=30)) as client:
            client.sendall(f"GET /api/v1/tables HTTP/1.1\r\nHost: {NAME}:{nginx.tls}\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: http\r\n\r\n".encode())
            taken, _ = listener.accept()
            with taken:
                taken.settimeout(30)
                head = b""
                while b"\r\n\r\n" not in head:
                    head += taken.recv(4096)
    lines = head.decode().split("\r\n")
    told = [line for line in lines if line.lower().startswith(("host:", "x-forwarded", "connection:", "upgrade:"))]
    check("who asks, and how", sorted(told) == [f"Host: {NAME}:{nginx.tls}", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https"], told)


def main():
    if not NGINX:
        print("nginx is not installed (tools/setup test installs nginx-light): nothing is tested")
        return 77
    with tempfile.TemporaryDirectory(prefix="civ-nginx-") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        server = live.Server(CIV, folder / "data", "--page", small_page(folder), "--trust-proxy").start()
        try:
            nginx = Nginx(folder, server.port)
            try:
                page(nginx)
                farewell(nginx, server, play(nginx, server))
                headers_sent(nginx)
            finally:
                nginx.stop()
        finally:
            if server.process.poll() is None:
                server.kill()
    return finish()


sys.exit(main())
