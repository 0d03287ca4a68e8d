#!/usr/bin/env python3
"""What older versions have written (tests/fixtures/) is opened by this one: sessions hold, games go on, records verify.

usage: fixtures_test.py path/to/civ
"""

import os
import pathlib
import random
import shutil
import sys
import tempfile

import live
import seated
from checks import check, finish
from program import CIV, Referee, load, run

FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
CHANCE = random.Random(1)


def records(folder, known, out, data):
    """They verify, and come out of the database as they were written then."""
    names = sorted(file.stem for file in (folder / "records").iterdir())
    check("records of all finished games", names == ["draft", "forfeit", "teams", "two"], names)
    code, told, errors = run("export", "--data", data, out)
    check("export", code == 0 and len(os.listdir(out)) == len(names), (told, errors))
    for name in names:
        record = folder / "records" / f"{name}.json"
        code, told, errors = run("verify", record, "--json")
        check(f"{name} verifies", code == 0, (told, errors))
        exported = pathlib.Path(out, known["tables"][name] + ".json")
        check(f"{name} is exported the same", exported.read_bytes() == record.read_bytes(), name)
    code, told, errors = run("import", "--data", data, *(folder / "records").iterdir())
    check("records can be imported", code == 0 and told.count("\n") == len(names), (told, errors))


def sessions(port, data, known):
    check("a banned address", live.ask(port, "GET", "/api/v1/server")[0] == 403)
    check("is let in again", run("admin", "unban", "127.0.0.1", "--data", data)[0] == 0)
    for name, token in known["tokens"].items():
        status, answer, _ = live.ask(port, "GET", "/api/v1/session", token=token)
        if name == "Mallory":
            check("a banned person", (status, answer["error"]["key"]) == (403, "error.banned"), answer)
        else:
            check(f"the session of {name}", (status, answer) == (200, {"person": {"id": known["persons"][name], "name": name}}), answer)
    eve = seated.Seated(port, known["tables"]["two"], known["tokens"]["Eve"])
    check("a muted person", eve.do("say", text="hello") == "error.muted")
    eve.close()


def lists(port, known):
    names = {table: name for name, table in known["tables"].items()}
    _, lobby, _ = live.ask(port, "GET", "/api/v1/tables")
    check("the lobby", [names[row["id"]] for row in lobby["tables"]] == ["waiting", "running"], lobby)
    _, mine, _ = live.ask(port, "GET", "/api/v1/tables?mine", token=known["tokens"]["Ada"])
    check("one's own tables", {names.get(row["id"]): row["status"] for row in mine["tables"]} ==
          {"two": "over", "draft": "over", "teams": "over", "forfeit": "over", "running": "running", "private": "running"}, mine)
    _, closed, _ = live.ask(port, "GET", f"/api/v1/tables/{known['tables']['closed']}")
    check("a closed table", (closed["status"], closed["closed"]) == ("closed", "closing.admin"), closed)


def goes_on(port, known, referee):
    """Games that were under way."""
    tokens, tables = known["tokens"], known["tables"]
    people = [seated.Seated(port, tables["running"], tokens[name]) for name in ("Ada", "Ben")]
    check("what was said", [said.get("phrase") for said in people[0].chat] == ["thinking"], people[0].chat)
    before = people[0].game["actions"]
    for _ in range(6):
        _, summary, _ = live.ask(port, "GET", f"/api/v1/tables/{tables['running']}")
        wrong = people[summary["waits"][0]].play(referee, CHANCE)
        check("a move", wrong is None, wrong)
    people[0].catch_up()
    check("the game goes on", people[0].game["actions"] == before + 6, (before, people[0].game["actions"]))

    stranger = live.Live(port, f"/api/v1/tables/{tables['private']}/live", tokens["Cleo"])
    check("a private table stays private", stranger.until("closing")[-1]["error"]["key"] == "error.table.no-spectators")
    people = [seated.Seated(port, tables["private"], tokens[name]) for name in ("Ada", "Ben")]
    _, summary, _ = live.ask(port, "GET", f"/api/v1/tables/{tables['private']}")
    check("somebody has picked", len(summary["waits"]) == 1, summary)
    wrong = people[summary["waits"][0]].play(referee, CHANCE)
    people[0].catch_up()
    check("the draft goes on", wrong is None and people[0].table["draft"]["round"] == 2, (wrong, people[0].table))

    cleo, ada = (seated.Seated(port, tables["waiting"], tokens[name]) for name in ("Cleo", "Ada"))
    free = next(seat for seat, chair in enumerate(cleo.table["chairs"]) if not chair["person"] and not chair["bot"])
    check("a table that waited", ada.do("sit", seat=free) is None and cleo.do("start") is None, cleo.table)


def opens(folder):
    known = load(folder / "known.json")
    with tempfile.TemporaryDirectory() as here:
        data, out = os.path.join(here, "data"), os.path.join(here, "out")
        os.mkdir(data)
        shutil.copyfile(folder / "civ.db", os.path.join(data, "civ.db"))
        records(folder, known, out, data)
        server = live.Server(CIV, data, "--log-file", os.path.join(here, "log")).start()
        referee = Referee()
        sessions(server.port, data, known)
        lists(server.port, known)
        goes_on(server.port, known, referee)
        referee.close()
        check("stops", server.stop() == 0)
        log = pathlib.Path(here, "log").read_text(encoding="utf-8")
        check("nothing is put aside", '"put-aside":0' in log and '"error"' not in log, log)


def main():
    versions = sorted(folder for folder in FIXTURES.iterdir() if folder.is_dir())
    check("there are some", versions != [])
    for folder in versions:
        print(folder.name)
        opens(folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
