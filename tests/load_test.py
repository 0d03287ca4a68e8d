#!/usr/bin/env python3
"""The load of bench/server: everybody is told everything, and it fails when that is not so.

usage: load_test.py path/to/civ path/to/civ_load
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

import live
from checks import check, finish
from program import CIV, small_page

LOAD = os.path.abspath(sys.argv[2])
TABLES, WATCHERS = 4, 2
PEOPLE = TABLES * (2 + WATCHERS)


class Thief:
    """A proxy that takes acts out of what the server tells the first spectator: one, or all from the first on."""

    def __init__(self, upstream, all_of_them):
        self.upstream, self.all_of_them = upstream, all_of_them
        self.websockets = self.stolen = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client):
        server = socket.create_connection(("127.0.0.1", self.upstream))
        first = client.recv(65536)
        server.sendall(first)
        self.websockets += b"/live" in first
        steals = b"/live" in first and self.websockets == 2 * TABLES + 1  # players come first
        threading.Thread(target=self._pass, args=(client, server), daemon=True).start()
        (self._steal if steals else self._pass)(server, client)

    def _pass(self, source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def _steal(self, server, client):
        try:
            self._steal_from(server.makefile("rb"), client)
        except OSError:  # the load has had enough
            pass

    def _steal_from(self, file, client):
        while (line := file.readline()) != b"\r\n":
            client.sendall(line)
        client.sendall(line)
        while head := file.read(2):
            length = b"" if head[1] < 126 else file.read(2 if head[1] == 126 else 8)
            body = file.read(int.from_bytes(length, "big") if length else head[1])
            if body.startswith(b'{"type":"act"') and (self.all_of_them or not self.stolen):
                self.stolen += 1
                continue
            client.sendall(head + length + body)


def load(port, server, *options):
    command = [LOAD, str(port), str(server.process.pid), "--tables", str(TABLES), "--watchers", str(WATCHERS), "--every", "0.05", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end_of(process):
    """Exit code, report (None if there is none), errors."""
    out, errors = process.communicate(timeout=120)
    return process.returncode, json.loads(out) if out else None, errors


def start(folder, name):
    return live.Server(CIV, pathlib.Path(folder, name), "--page", str(pathlib.Path(folder, "page")), "--no-limits").start()


def metric(port, name):
    return float(re.search(rf"^{name} (\S+)$", live.ask(port, "GET", "/metrics")[1], re.MULTILINE)[1])


def everybody_is_told(folder):
    server = start(folder, "told")
    code, report, errors = end_of(load(server.port, server, "--seconds", "2"))
    check("no failure", code == 0, errors)
    check("so many sockets", report and report["sockets"] == PEOPLE, report)
    # Each move is told to everybody at its table.
    ratio = report["events told per second"] / report["moves per second"] if report else 0
    check("each move is told to all", 0.8 * (2 + WATCHERS) < ratio < 1.2 * (2 + WATCHERS), ratio)
    server.stop()


def a_missing_event_is_noticed(folder):
    for name, all_of_them in (("one", False), ("rest", True)):
        server = start(folder, name)
        thief = Thief(server.port, all_of_them)
        code, _, errors = end_of(load(thief.port, server, "--seconds", "2", "--patience", "2"))
        check(f"{name}: something was taken", thief.stolen > 0)
        check(f"{name}: it fails", code == 1 and "an event is missing" in errors and "a spectator" in errors, (code, errors))
        server.stop()


def a_lost_connection_is_noticed(folder):
    server = start(folder, "lost")
    process = load(server.port, server, "--seconds", "60")
    while metric(server.port, "civ_sockets") < PEOPLE:
        time.sleep(0.05)
    server.kill()
    code, _, errors = end_of(process)
    check("it fails", code == 1 and "a connection was lost" in errors, (code, errors))


def a_killed_server_loses_nothing(folder):
    server = start(folder, "killed")
    process = load(server.port, server, "--seconds", "6", "--kill")
    server.process.wait()
    server.start()
    code, report, errors = end_of(process)
    check("no failure after a kill", code == 0, errors)
    check("all are back", report and report["after the kill"]["seconds until all were back"] > 0, report)
    check("nobody is told all again", report and report["after the kill"]["sent a hello"] == 0, report)
    server.stop()


with tempfile.TemporaryDirectory() as work:
    small_page(work)
    everybody_is_told(work)
    a_missing_event_is_noticed(work)
    a_lost_connection_is_noticed(work)
    a_killed_server_loses_nothing(work)
sys.exit(finish())
