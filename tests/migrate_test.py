#!/usr/bin/env python3
"""civ migrate: the database of 0.2.0 in tests/fixtures goes to PostgreSQL, also in several attempts, is the same there, and is served.

usage: migrate_test.py path/to/civ
"""

import fcntl
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import fixtures_test
import live
import postgres
import redis
import seated
from checks import check, finish
from program import CIV, Referee, load, run

FIXTURE = pathlib.Path(__file__).resolve().parent / "fixtures" / "0.2.0"


def rows(database, sql):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(sql).fetchall()


def source(folder):
    """A data folder with the fixture."""
    data = pathlib.Path(folder, "data")
    data.mkdir(mode=0o700)
    shutil.copy(FIXTURE / "civ.db", data / "civ.db")
    return data


def same(server, name, database):
    """Row by row, by other means than the program's own."""
    here = [f"{table}|{n}|{body.encode().hex()}" for table, n, body in
            rows(database, "SELECT id, n, body FROM tables JOIN events ON table_key = key ORDER BY id, n")]
    there = server.sql("SELECT id, n, encode(body, 'hex') FROM civ.tables JOIN civ.events USING (key) ORDER BY id, n", name)
    check("every event", here == there, (len(here), len(there)))
    here = [f"{table}|{'t' if is_open else 'f'}|{summary.encode().hex()}" for table, is_open, summary in
            rows(database, "SELECT id, open, summary FROM tables ORDER BY key")]
    there = server.sql("SELECT id, open, encode(summary, 'hex') FROM civ.tables ORDER BY key", name)
    check("every table, in the order in which they were made", here == there, (here, there))
    here = [f"{table}|{place}|{person}" for table, place, person in
            rows(database, "SELECT id, place, person FROM persons JOIN tables ON table_key = key ORDER BY id, place")]
    check("who sits where", here == server.sql("SELECT id, place, person FROM civ.tables JOIN civ.seats USING (key) ORDER BY id, place", name))
    here = ["|".join(map(str, row)) for row in
            rows(database, "SELECT hash, person, hex(name), bot, muted, banned, created, seen FROM sessions WHERE person <> 'address' ORDER BY hash")]
    there = server.sql("SELECT hash, person, upper(encode(name, 'hex')), bot::int, muted::int, banned::int, created, seen "
                       "FROM civ.sessions JOIN civ.persons ON persons.id = person ORDER BY hash", name)
    check("every session", here == there, (here, there))
    here = [row[0] for row in rows(database, "SELECT name FROM sessions WHERE person = 'address' ORDER BY name")]
    check("banned addresses", here == server.sql("SELECT address FROM civ.addresses ORDER BY address", name), here)
    time_here = rows(database, "SELECT now FROM service")[0][0]
    time_there = int(server.sql("SELECT beat - lost FROM civ.service", name)[0])
    check("the time of service", time_here <= time_there + 1000 <= time_here + 120_000, (time_here, time_there))
    check("open tables are due", server.sql("SELECT count(*) FROM civ.tables t WHERE open AND NOT EXISTS (SELECT FROM civ.live l WHERE l.key = t.key AND due = 0)", name) == ["0"])


def broken_off(data, uri, server):
    """Killed again and again on its way; the last attempt goes on where the others stopped."""
    for attempt in range(6):
        process = subprocess.Popen([CIV, "migrate", f"sqlite:{data}", uri], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.05 * attempt)
        process.send_signal(signal.SIGKILL)
        process.wait()
    code, told, errors = run("migrate", f"sqlite:{data}", uri)
    check("after breaks", code == 0, (told, errors))


def serve(name, folder, uri, bus):
    return live.Server(CIV, pathlib.Path(folder, name), "--store", uri, "--bus", bus.uri(), "--name", name, "--threads", "0", "--bot-pause", "0").start()


def goes_on(folder, uri):
    """What 0.2.0 has written is served by many processes: sessions hold, lists are the same, games go on."""
    known = load(FIXTURE / "known.json")
    referee = Referee()
    with redis.Server() as bus:
        servers = [serve(name, folder, uri, bus) for name in ("one", "two")]
        fixtures_test.sessions(servers[0].port, servers[0].command[3], known)
        fixtures_test.lists(servers[1].port, known)
        fixtures_test.goes_on(servers[0].port, known, referee)
        for one in servers:
            check("stops", one.stop() == 0)
    referee.close()


def bot_goes_on(folder, uri):
    """A bot that had to move when the server was stopped is asked afterwards."""
    old = live.Server(CIV, pathlib.Path(folder, "with-bot"), "--bot-pause", "10000000").start()
    token, _ = live.guest(old.port, "Ada")
    table, (ada,) = seated.open_table(old.port, [token], bots=["level1"], players=2)
    check("start", ada.do("start") is None and ada.do("contribute", random="1" * 64) is None)
    referee, chance = Referee(), random.Random(2)
    while ada.game["view"]["seat"] == ada.seat:
        check("a move", ada.play(referee, chance) is None)
    before = ada.number
    check("stops", old.stop() == 0)
    code, told, errors = run("migrate", f"sqlite:{old.command[3]}", uri)
    check("migrate", code == 0, (told, errors))
    with redis.Server() as bus:
        server = serve("three", folder, uri, bus)
        worker = subprocess.Popen([CIV, "worker", "--store", uri, "--bus", bus.uri()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ada = seated.Seated(server.port, table, token)
        ada.live.until(lambda message: message.get("n", 0) > before)
        check("the bot has moved", True)
        worker.terminate()
        worker.wait()
        check("stops", server.stop() == 0)
    referee.close()


with postgres.Server() as server, tempfile.TemporaryDirectory() as folder:
    data = source(folder)
    before = (data / "civ.db").read_bytes()
    uri = server.create("whole")
    code, told, errors = run("migrate", f"sqlite:{data}", uri)
    check("migrate", code == 0, (code, told, errors))
    same(server, "whole", data / "civ.db")
    code, told, errors = run("migrate", f"sqlite:{data}", uri)
    check("again changes nothing", code == 0, (told, errors))
    same(server, "whole", data / "civ.db")
    check("the folder stays as it was", (data / "civ.db").read_bytes() == before)

    goes_on(folder, uri)

    bot_goes_on(folder, server.create("with-bot"))

    uri = server.create("broken")
    broken_off(data, uri, server)
    same(server, "broken", data / "civ.db")

    server.sql("UPDATE civ.events SET body = 'other' WHERE n = 1 AND key = (SELECT min(key) FROM civ.tables)", "broken")
    code, told, errors = run("migrate", f"sqlite:{data}", uri)
    check("another table of the same id", code == 1 and "other contents" in errors, (code, told, errors))
    with open(data / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, told, errors = run("migrate", f"sqlite:{data}", server.create("refused"))
        check("a folder that a server uses", code == 1 and "in use" in errors, (code, told, errors))
    code, told, errors = run("migrate", f"sqlite:{folder}/none", uri)
    check("a folder without a database", code == 1 and not os.path.exists(f"{folder}/none"), (code, told, errors))
    code, told, errors = run("migrate", f"sqlite:{data}", "postgresql://civ@127.0.0.1:1/none")
    check("no such server", code == 1 and errors, (code, told, errors))
    server.sql("UPDATE civ.layout SET version = 99", "whole")
    code, told, errors = run("migrate", f"sqlite:{data}", server.uri("whole"))
    check("a newer layout", code == 1 and "newer version" in errors, (code, told, errors))
sys.exit(finish())
