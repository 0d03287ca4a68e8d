#!/usr/bin/env python3
"""civ export and civ import: games that go into a server's database and come out again are the same games.

usage: games_test.py path/to/civ
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import fair
from checks import check, finish
import live

CIV = os.path.abspath(sys.argv[1])
CHANCE = random.Random(3)


def run(*arguments):
    done = subprocess.run([CIV, *map(str, arguments)], capture_output=True, text=True, timeout=120, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.returncode, done.stdout, done.stderr


def same(one, other):
    return all(one[field] == other[field] for field in ("players", "setup", "edition", "teams", "first", "deck", "actions", "result", "names"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        data, out = os.path.join(folder, "data"), os.path.join(folder, "out")
        page = pathlib.Path(folder, "page")
        page.mkdir()
        (page / "index.html").write_text("<!doctype html>")
        check("no database", run("export", "--data", data, out)[0] == 1)
        server = live.Server(CIV, data, "--page", str(page)).start()
        code, told, _ = run("export", "--data", data, out)
        check("nothing yet", (code, told) == (0, f"No finished games written to “{out}”.\n"), told)

        games = [fair.make(CIV, CHANCE, 2, "basic"), fair.make(CIV, CHANCE, 3, "draft", missing={2}), fair.make(CIV, CHANCE, 4, "basic", teams=True),
                 fair.make(CIV, CHANCE, 2, "draft", most=8), fair.make(CIV, CHANCE, 3, "basic", most=5)]
        del games[-1]["comments"]  # dealt elsewhere
        files = []
        for number, game in enumerate(games):
            files.append(os.path.join(folder, f"{number}.json"))
            pathlib.Path(files[-1]).write_text(json.dumps(game), encoding="utf-8")
        code, told, err = run("import", "--data", data, *files)
        tables = re.findall(r"table (\w+)", told)
        if check("import while it runs", code == 0 and len(tables) == len(games), (told, err)):
            for table, game in zip(tables, games):
                status, record, _ = live.ask(server.port, "GET", f"/api/v1/tables/{table}/record")
                check("a record of the server", status == 200 and same(record, game), (status, record))
                status, summary, _ = live.ask(server.port, "GET", f"/api/v1/tables/{table}")
                check("a table of the server", (status, summary["status"]) == (200, "over"), summary)
        code, told, _ = run("import", "--data", data, files[0])
        check("once is enough", code == 0 and "already" in told and tables[0] in told, told)

        code, told, _ = run("export", "--data", data, out)
        check("export while it runs", code == 0 and told.startswith("5 finished games"), told)
        for table, game in zip(tables, games):
            with open(os.path.join(out, table + ".json"), encoding="utf-8") as file:
                record = json.load(file)
            check("the same game", same(record, game), table)
            code, told, _ = run("verify", os.path.join(out, table + ".json"), "--json")
            if "comments" in game:
                check("the same deal", code == 0 and record["comments"] == game["comments"], told)
            else:
                check("dealt elsewhere", code == 1 and json.loads(told)["error"]["key"] == "verify.no-deal", told)

        check("stops", server.stop() == 0)
        unfinished = {**games[0], "actions": games[0]["actions"][:3], "result": None}
        for name, record in [("not over", json.dumps(unfinished)), ("not a record", "{}"), ("not JSON", "x")]:
            pathlib.Path(folder, "wrong.json").write_text(record, encoding="utf-8")
            code, told, err = run("import", "--data", data, os.path.join(folder, "wrong.json"))
            check(name, code == 1 and told == "" and "wrong.json" in err, (told, err))
        code, told, _ = run("import", "--data", data, files[0])
        check("import while it does not run", code == 0 and "already" in told, told)
    return finish()


sys.exit(main())
