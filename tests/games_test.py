#!/usr/bin/env python3
"""civ export and civ import: games that go into a server's database and come out again are the same games.

usage: games_test.py path/to/civ
"""

import contextlib
import fcntl
import json
import os
import random
import re
import sqlite3
import sys
import tempfile

import fair
import live
from checks import check, finish
from program import CIV, load, run, small_page, store

CHANCE = random.Random(3)


def same(one, other):
    return all(one[field] == other[field] for field in ("players", "setup", "edition", "teams", "first", "deck", "actions", "result", "names"))


def schema(data):
    with contextlib.closing(sqlite3.connect(os.path.join(data, "civ.db"))) as database:
        return database.execute("PRAGMA user_version").fetchone()[0]


def older(data, out, record):
    """A database of the first layout, which an older server is using."""
    with contextlib.closing(sqlite3.connect(os.path.join(data, "civ.db"))) as database:
        newest = schema(data)
        database.executescript("""DROP INDEX open_tables; DROP INDEX tables_of; DROP INDEX sessions_of; ALTER TABLE tables DROP COLUMN aside;
                                  ALTER TABLE service DROP COLUMN groups; PRAGMA user_version = 1""")
    with open(os.path.join(data, "lock"), "w", encoding="utf-8") as server:
        fcntl.flock(server, fcntl.LOCK_EX)
        code, told, err = run("export", "--data", data, out)
        check("export from an older layout", code == 0 and told.startswith("7 finished games") and schema(data) == 1, (told, err))
        code, told, err = run("import", "--data", data, record)
        check("no import under an older server", code == 1 and "older version" in err and schema(data) == 1, (told, err))
    code, told, err = run("import", "--data", data, record)
    check("import into an older layout", code == 0 and "already" in told and schema(data) == newest, (told, err))


def main():
    with tempfile.TemporaryDirectory() as folder:
        data, out = os.path.join(folder, "data"), os.path.join(folder, "out")
        check("no database", run("export", "--data", data, out)[0] == 1)
        server = live.Server(CIV, data, "--page", small_page(folder)).start()
        code, told, _ = run("export", "--data", data, out)
        check("nothing yet", (code, told) == (0, f"No finished games written to “{out}”.\n"), told)

        games = [fair.make(CHANCE, 2, "basic"), fair.make(CHANCE, 3, "draft", missing={2}), fair.make(CHANCE, 4, "basic", teams=True),
                 fair.make(CHANCE, 2, "draft", most=8), fair.make(CHANCE, 3, "basic", most=5)]
        del games[-1]["comments"]  # dealt elsewhere
        files = [store(os.path.join(folder, f"{number}.json"), game) for number, game in enumerate(games)]
        code, told, err = run("import", "--data", data, *files)
        tables = re.findall(r"table (\w+)", told)
        if check("import while it runs", code == 0 and len(tables) == len(games), (told, err)):
            for table, game in zip(tables, games):
                status, record, _ = live.ask(server.port, "GET", f"/api/v1/tables/{table}/record")
                check("a record of the server", status == 200 and same(record, game), (status, record))
                status, summary, _ = live.ask(server.port, "GET", f"/api/v1/tables/{table}")
                check("a table of the server", (status, summary["status"]) == (200, "over"), summary)
        forged = [{**games[0], "comments": {"deal": {**games[0]["comments"]["deal"], field: value}}} for field, value in
                  (("hash", "0" * 64), ("secret", "1" * 64))]
        for number, game in enumerate(forged):
            code, told, err = run("import", "--data", data, store(os.path.join(folder, f"forged{number}.json"), game))
            check("a deal that does not verify is named", code == 0 and f"forged{number}.json: its cards were not dealt" in err, (told, err))
        check("others are not", "were not dealt" not in run("import", "--data", data, *files)[2])
        code, told, _ = run("import", "--data", data, files[0])
        check("once is enough", code == 0 and "already" in told and tables[0] in told, told)

        code, told, _ = run("export", "--data", data, out)
        check("export while it runs", code == 0 and told.startswith("7 finished games"), told)
        for table, game in zip(tables, games):
            record = load(os.path.join(out, table + ".json"))
            check("the same game", same(record, game), table)
            code, told, _ = run("verify", os.path.join(out, table + ".json"), "--json")
            if "comments" in game:
                check("the same deal", code == 0 and record["comments"] == game["comments"], told)
            else:
                check("dealt elsewhere", code == 1 and json.loads(told)["error"]["key"] == "verify.no-deal", told)

        check("stops", server.stop() == 0)
        unfinished = {**games[0], "actions": games[0]["actions"][:3], "result": None}
        for name, record in [("not over", unfinished), ("not a record", "{}"), ("not JSON", "x")]:
            code, told, err = run("import", "--data", data, store(os.path.join(folder, "wrong.json"), record))
            check(name, code == 1 and told == "" and "wrong.json" in err, (told, err))
        code, told, _ = run("import", "--data", data, files[0])
        check("import while it does not run", code == 0 and "already" in told, told)
        older(data, out, files[0])
    return finish()


sys.exit(main())
