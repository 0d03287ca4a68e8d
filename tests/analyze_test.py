#!/usr/bin/env python3
"""civ analyze and civ hint as people use them: through pipes, in every language.

usage: analyze_test.py path/to/civ
"""

import html.parser
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish
from program import CIV, LANGUAGES, Referee, load, run, store

QUICK = ["--iterations", "10"]
REVIEW = pathlib.Path(__file__).resolve().parent / "review"
VIEWS = pathlib.Path(__file__).resolve().parent / "views"


def referee(*requests):
    code, out, _ = run("referee", text="".join(json.dumps(request) + "\n" for request in requests))
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and all(answer["ok"] for answer in answers), answers
    return answers


def game(folder, name, *table):
    path = f"{folder}/{name}.json"
    code, _, err = run("play", "--humans", 0, *table, "--iterations", 4, "--save", path)
    assert code == 0, err
    return path


def is_whole(text):
    return not re.search(r"[{}]|\b(analyze|report|hint|bot|percent)\.?[a-z-]*\.[a-z]|[\x00-\x09\x0b-\x1f]", text)


# --- civ hint ---------------------------------------------------------------------------------------------------


def view_of(seat, *requests):
    return json.dumps(referee(*requests, {"cmd": "view", "seat": seat})[-1]["view"])


def hints(folder):
    begin = {"cmd": "new", "players": 3, "seed": 7}
    state = referee(begin)[0]["state"]
    seat = state["seat"]
    view = view_of(seat, begin)
    code, out, err = run("hint", "--json", "--iterations", 50, "--count", 2, text=view)
    answer = json.loads(out)
    legal = referee(begin)[0]["legal"]
    check("hint --json", code == 0 and err == "" and answer["seat"] == seat and len(answer["actions"]) == 2, out)
    check("hint tells legal actions, the best first", all(item["action"] in legal for item in answer["actions"]) and answer["actions"][0]["action"] == answer["best"], out)
    check("hint tells chances", all(0 <= item["chance"] <= 1 and len(item["chances"]) == 3 for item in answer["actions"]), out)
    check("hint is the same again", run("hint", "--json", "--iterations", 50, "--count", 2, text=view)[1] == out)
    check("hint within a time", run("hint", "--ms", 20, text=view)[0] == 0)
    for language, words in zip(LANGUAGES, ["Chance of winning:", "Chances de gagner\u00a0:", "Posibilidad de ganar:", "Chance de vencer:", "Șanse de câștig:"]):
        code, out, _ = run("hint", *QUICK, "--lang", language, text=view)
        check(f"hint {language}", code == 0 and out.count(words) == sum(line[0] != " " for line in out.splitlines()) > 0 and out.startswith("1. ") and is_whole(out), out)

    # All actions differ by Age alone; ending the turn draws the last card and wins before anybody else has a turn.
    for name, best, least, reasons in [("twins", "play R1", 0.0, ["reason.then", "reason.level", "reason.draws"]), ("last-card", "end", 1.0, ["reason.wins-majority"])]:
        code, out, err = run("hint", "--json", "--iterations", 500, text=(VIEWS / f"{name}.json").read_text())
        answer = json.loads(out) if code == 0 else {}
        check(f"reasons for {name}", [reason["key"] for reason in answer["actions"][0]["reasons"]] == reasons, out)
        check(f"hint for {name}", code == 0 and answer["best"] == answer["actions"][0]["action"] == best and answer["actions"][0]["chance"] >= least, (out, err))

    for name, text, words in [
        ("nothing", "", "not valid JSON"),
        ("noise", "{{", "not valid JSON"),
        ("a list", "[]", "JSON object"),
        ("no view", "{}", "is missing"),
        ("a view of nobody", json.dumps({**json.loads(view), "hands": [{"cards": ["M1"]}] * 3}), "one seat at most"),
        ("a spectator", view_of(None, begin), "spectator"),
        ("another seat", view_of((seat + 1) % 3, begin), "not the view of the seat that decides"),
        ("a game that is over", view_of(0, {"cmd": "load", "state": over(folder)}), "The game is over"),
    ]:
        code, out, err = run("hint", *QUICK, text=text)
        check(f"hint for {name}", code == 1 and out == "" and words in err and err.startswith("civ: ") and err.count("\n") == 1, (code, out, err))
    for bot in ("random", "greedy"):
        code, out, err = run("hint", "--bot", bot, text=view)
        check(f"hint of {bot}", code == 1 and out == "" and "without judging" in err, err)
    for arguments in [["--bot", "nobody"], ["--iterations", "0"], ["--ms", "-1"], ["--count", "0"], ["--lang", "xx"], ["--nonsense"]]:
        check(f"hint {arguments} is refused", run("hint", *arguments, text=view)[0] == 2)


class Table:
    """A game by the program's own referee."""

    def __init__(self, folder, seed):
        path = f"{folder}/dealt.json"
        if os.path.exists(path):
            os.remove(path)
        run("play", "--humans", 2, "--seed", seed, "--save", path)
        self.record = {**load(path), "names": ["Ann", "Bob"]}
        self.referee = Referee()
        self.hear(self.referee.begin(self.record))

    def hear(self, answer):
        self.state, self.legal = answer["state"], answer["legal"]

    def do(self, action):
        self.hear(self.referee.ask(cmd="apply", action=action))
        self.record["actions"].append(action)
        self.record["result"] = self.state["result"]

    def columns(self, seat):
        cards = [card[0] for card in self.state["tables"][seat]]
        return {domain: cards.count(domain) for domain in "MRESCU"}

    def hoard(self):
        """Plays into the longest column, and uses no effect."""
        columns = self.columns(self.state["seat"])
        self.do("end" if "end" in self.legal else max(self.legal, key=lambda action: (columns.get(action[5:6], 0), action)))

    def close(self):
        self.referee.close()


def over(folder):
    """A state in which somebody has won."""
    table = Table(folder, 1)
    while table.state["step"] != "over":
        table.hoard()
    table.close()
    return table.state


# --- civ analyze ------------------------------------------------------------------------------------------------


def missed_win(folder):
    """A game in which a player lets a Hegemony go that is there by ending the turn, while the other is a card short of one."""
    for seed in range(100):
        table = Table(folder, seed)
        while table.state["step"] != "over":
            seat = table.state["seat"]
            won = [domain for domain, count in table.columns(seat).items() if count >= 8]
            near = [domain for domain, count in table.columns(1 - seat).items() if count >= 7 and domain not in won]
            if "end" not in table.legal or not won:
                table.hoard()
            elif near and f"attack {won[0]}" in table.legal:
                table.do(f"attack {won[0]}")  # a card leaves the column that would have won
                table.hoard()
                break
            else:
                break
        table.close()
        if table.record["actions"][-2].startswith("attack") and table.state["step"] != "over":
            return table.record, seat
    raise AssertionError("no such game found")


def names(folder):
    record, seat = missed_win(folder)
    path = store(f"{folder}/missed.json", record)
    code, out, _ = run("analyze", path, *QUICK, "--json")
    last = json.loads(out)["turns"][-1]
    check("a win that is missed is named", last["seat"] == seat and last["remark"] is not None and last["chance"] == 1, last)
    check("and it is said that it was one", [reason["key"] for reason in last["reasons"]] == ["reason.wins"], last)
    for language, words in [("en", "Wins at once: Hegemony"), ("fr", "Gagne tout de suite\u00a0: Hégémonie")]:
        out = run("analyze", path, *QUICK, "--lang", language)[1]
        check(f"it is said in {language}", words in out and is_whole(out), out[-800:])


def tables(folder):
    for name, table in [("two", ["--seed", 1]), ("three", ["--players", 3, "--setup", "draft", "--seed", 2]), ("four", ["--teams", "--seed", 3])]:
        path = game(folder, name, *table)
        record = load(path)
        code, out, err = run("analyze", path, *QUICK, "--json", "--threads", 2)
        analysis = json.loads(out)
        check(f"analyze {name}", code == 0 and err == "" and analysis["result"] == record["result"], err)
        check(f"quality {name}", all(quality is None or 0 <= quality <= 100 for quality in analysis["quality"]) and len(analysis["quality"]) == record["players"], analysis["quality"])
        for seat in range(record["players"]):
            parts = sum(analysis[part][seat] for part in ("deal", "luck", "skill", "others"))
            check(f"it adds up {name}", abs(parts - analysis["chances"][seat]) < 5e-4, (parts, analysis["chances"]))
        for turn in analysis["turns"]:
            check(f"turn {name}", turn["played"] == record["actions"][turn["at"]:turn["at"] + len(turn["played"])] and turn["begin"] <= turn["at"] < turn["end"]
                  and len(turn["before"]) == len(turn["luck"]) == record["players"], turn)

    record = load(f"{folder}/three.json")
    unfinished = store(f"{folder}/unfinished.json", {**record, "actions": record["actions"][:30], "result": None})
    out = run("analyze", unfinished, *QUICK, "--json")[1]
    analysis = json.loads(out)
    check("an unfinished game", analysis["result"] is None and analysis["turningPoint"] is None and analysis["turns"], analysis)
    check("the same with two threads", run("analyze", unfinished, *QUICK, "--json", "--threads", 2)[1] == out)
    everything = run("analyze", unfinished, *QUICK, "--all")[1]
    check("--all tells more", is_whole(everything) and len(everything) > len(run("analyze", unfinished, *QUICK)[1]))
    forfeit = {**record, "actions": record["actions"][:15], "result": {"winners": [2], "by": "forfeit"}}
    analysis = json.loads(run("analyze", "-", *QUICK, "--json", text=json.dumps(forfeit))[1])
    check("a forfeit, from standard input", analysis["result"] == forfeit["result"], analysis)
    code, out, _ = run("analyze", store(f"{folder}/empty.json", {**record, "actions": [], "result": None}))
    check("a game without a decision", code == 0 and "nothing to judge" in out, out)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.lines = [], set(), [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.ids.add(attributes.get("id"))
        self.links += [attributes[name] for name in ("href", "xlink:href", "src", "data", "action", "srcset") if attributes.get(name)]
        self.lines += "trace" in attributes.get("class", "")


def reports(folder):
    path = f"{folder}/three.json"
    record = load(path)
    record["names"][1] = "<b>&\"'"
    path = store(f"{folder}/begun.json", {**record, "actions": record["actions"][:60], "result": None})
    for language in LANGUAGES:
        file = f"{folder}/report-{language}.html"
        code, out, err = run("analyze", path, *QUICK, "--report", file, "--lang", language)
        check(f"report {language}", code == 0 and err == "" and file in out, err)
        with open(file, encoding="utf-8") as stored:
            text = stored.read()
        page = Page(text)
        check(f"report is self-contained {language}", not {"script", "link", "iframe", "img", "object"} & set(page.tags) and all(link[0] == "#" for link in page.links)
              and "@import" not in text and "url(" not in text, page.links)
        check(f"links of the report lead somewhere {language}", page.links and all(link[1:] in page.ids for link in page.links), page.links)
        check(f"report has a line for each seat {language}", page.lines == 3, page.lines)
        check(f"report is for phones and the dark {language}", "viewport" in text and "prefers-color-scheme: dark" in text)
        check(f"names are text in the report {language}", "<b>" not in text and "&lt;b&gt;&amp;" in text)
        check(f"report is in its language {language}", f'lang="{language}"' in text)
    code, _, err = run("analyze", path, *QUICK, "--report", f"{folder}/no/such/place.html")
    check("an impossible place for a report", code == 1 and "place.html" in err, err)


def golden():
    """The review of one game in every language, as it was read and found right: CIV_REGENERATE=1 writes it anew."""
    for language in LANGUAGES:
        stored = REVIEW / f"{language}.txt"
        code, out, err = run("analyze", REVIEW / "game.json", *QUICK, "--lang", language)
        if os.environ.get("CIV_REGENERATE"):
            stored.write_text(out, encoding="utf-8")
        check(f"review {language}", code == 0 and err == "" and out == stored.read_text(encoding="utf-8"), out)


def refusals(folder):
    path = f"{folder}/two.json"
    record = load(path)
    for name, broken in [("not JSON", "{"), ("an illegal action", {**record, "actions": ["play U3"]}), ("a wrong result", {**record, "result": None})]:
        wrong = store(f"{folder}/wrong.json", broken)
        code, out, err = run("analyze", wrong, *QUICK)
        check(f"analyze {name}", code == 1 and out == "" and err == run("replay", wrong)[2], err)
    check("a record that is not there", run("analyze", f"{folder}/none.json")[0] == 1)
    for arguments in [[], [path, "--nonsense"], [path, "--iterations", "0"], [path, "--threads", "0"]]:
        check(f"analyze {arguments} is refused", run("analyze", *arguments)[0] == 2)
    win = ("2w 4,0,41,2,28,3 M2E/M3E/ S2C2/S3C/U M3/MR/U C/C3/CU2 /M2/C 021 012=/S/U 122=C/RS/ "
           "M3R8E3S2/MR6E2S3/M2ESU c1S3 play M2, development, discard E, play M2, end")
    puzzles = f"{folder}/puzzles.txt"
    with open(puzzles, "w", encoding="utf-8") as file:
        print(win, win, sep="\n", file=file)
    code, out, err = run("puzzles", "--again", puzzles, "--iterations", 100)
    check("puzzles again", code == 0 and err == "" and [line[:3] for line in out.splitlines()] == ["2w ", "2w "], (out, err))
    check("a file of puzzles and games", run("puzzles", "--again", path, "--games", 3)[0] == 2)
    code, out, err = run("puzzles", "--again", path)
    check("a file of puzzles that are none", code == 1 and out == "" and "is not a puzzle" in err, err)


def interruption(folder):
    process = subprocess.Popen([CIV, "analyze", f"{folder}/two.json", "--iterations", "1000000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "LC_ALL": "C"})
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    check("Ctrl-C stops it", process.returncode == 130 and out == b"" and b"Stopped" in err, (process.returncode, out, err))


def main():
    with tempfile.TemporaryDirectory() as folder:
        hints(folder)
        names(folder)
        tables(folder)
        reports(folder)
        golden()
        refusals(folder)
        interruption(folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
