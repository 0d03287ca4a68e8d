#!/usr/bin/env python3
"""civ arena as people use it, and with programs that misbehave.

usage: arena_test.py path/to/civ
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from checks import check, finish
from program import CIV, run

ROOT = pathlib.Path(__file__).resolve().parent.parent
BAD_BOT = ROOT / "tests" / "arena_bad_bot.py"
MARK = f"arena-test-{os.getpid()}"


def arena(*arguments):
    return run("arena", *arguments)


def last(output):
    return json.loads(output.splitlines()[-1])


def times_in(output):
    return next(json.loads(line)["times"] for line in output.splitlines() if line.startswith('{"times"'))


def without_times(output):
    return [line for line in output.splitlines() if not line.startswith('{"times"')]


def running():
    """Command lines of processes with our mark."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if MARK.encode() in path.read_bytes():
                found.append(path.read_bytes())
        except OSError:
            pass  # it has just ended
    return found


def bad_bot(how):
    way, *shell = how.split(" ", 1)  # "crash && true" is run by a shell
    return f"--bot=bad={sys.executable} {BAD_BOT} {way} {MARK} {' '.join(shell)}"


def test_last_line():
    code, out, err = arena("--bots", "level1,random", "--decks", 5, "--iterations", 5, "--json")
    check("exit code", code == 0 and err == "", (code, err))
    bots = last(out)["bots"]
    check("last line", list(last(out)) == ["bots"] and [list(bot) for bot in bots] == [["name", "games", "wins", "share", "low", "high"]] * 2, out)
    check("numbers", bots[0]["games"] == 10 and bots[0]["wins"] + bots[1]["wins"] == 10 and bots[0]["share"] == bots[0]["wins"] / 10, bots)
    check("interval", all(bot["low"] <= bot["share"] <= bot["high"] for bot in bots), bots)
    check("every line is JSON", all(json.loads(line) for line in out.splitlines()), out)


def test_times(folder):
    page = folder / "times.html"
    settings = (bad_bot("slow"), "--bots", "level1,bad", "--decks", 1, "--ms", 10)
    code, out, err = arena(*settings, "--json")
    times = {of["name"]: of for of in times_in(out)} if code == 0 else {}
    check("times", set(times) == {"level1", "bad"} and all(of["decisions"] > 10 and 0 < of["mean"] <= of["longest"] for of in times.values()), (out, err))
    check("slow bots are seen", times["bad"]["longest"] > 50 > times["level1"]["mean"], times)
    code, out, err = arena(*settings, "--report", page)
    check("times in text", re.search(r"^time for a decision +mean +longest +limit +decisions\n.*\nbad +[0-9.]+ ms +[0-9.]+ ms +10 ms +\d+$", out, re.M | re.S), (out, err))
    check("times in the page", "How long a decision takes" in page.read_text())


def test_tables():
    for arguments, games in [(("--players", 3), 6), (("--players", 4, "--setup", "draft"), 8), (("--teams",), 4), (("--edition", "pt"), 4)]:
        code, out, _ = arena("--bots", "level1,random", "--decks", 2, "--iterations", 3, "--json", *arguments)
        check(f"games {arguments}", code == 0 and [bot["games"] for bot in last(out)["bots"]] == [games] * 2, out)
    code, out, _ = arena("--bots", "random,level1,plain:iterations=2,plain:iterations=4", "--players", 3, "--decks", 1)
    check("round robin", code == 0 and out.startswith("12 games") and "plain:iterations=4" in out, out)
    code, out, _ = arena("--bots", "random", "--players", 3, "--decks", 2)
    check("alone", code == 0 and out.startswith("2 games"), out)


def test_nothing_hidden_is_told(folder):
    """What an outside program hears, with decks from different seeds: its own cards, and nothing from which the deck could be found."""
    seeds = []
    for seed in (1, 2):
        heard = folder / f"heard-{seed}"
        spy = f"--bot=spy=tee -a {heard} | {sys.executable} {ROOT / 'examples/bots/python/bot.py'}"
        code, _, err = arena(spy, "--bots", "spy,level1", "--players", 3, "--setup", "draft", "--decks", 1, "--ms", 200, "--threads", 1, "--seed", seed)
        messages = [json.loads(line) for line in heard.read_text().splitlines()]
        check(f"heard {seed}", code == 0 and len(messages) > 20, err)
        seeds.append([(message["seat"], message["seed"]) for message in messages if message["cmd"] == "start"])
        seat = target = None
        for message in messages:
            seat = message.get("seat", seat)
            for other, hand in enumerate(message["view"]["hands"] if message["cmd"] == "decide" else []):
                check("only backs of others", ("cards" in hand) == (other == seat), message)
            for told in message.get("since", []):
                word, *rest = told["action"].split()
                target = int(rest[0]) if word == "inquisition" else target
                hidden = told["seat"] != seat and (word == "keep" or (word == "give" and target != seat))
                check("what others keep or give to others is hidden", not hidden or rest[0][0] not in "MRESCU", told)
    check("seeds say nothing about the deck", len(seeds[0]) == 3 and seeds[0] == seeds[1], seeds)


def test_train(folder):
    small = ("--first-games", 20, "--generations", 2, "--games", 20, "--iterations", 5, "--gate-decks", 2)

    def train(*arguments):
        done = subprocess.run([CIV, "train", *map(str, arguments)], capture_output=True, text=True, timeout=120)
        return done.returncode, done.stderr

    one, two, wrong = folder / "one.net", folder / "two.net", folder / "wrong.net"
    check("train", train(*small, "--threads", 1, "--out", one) == (0, ""))
    check("train on two threads", train(*small, "--threads", 2, "--out", two) == (0, "") and one.read_bytes() == two.read_bytes())
    check("train on from a net", train(*small, "--players", 3, "--start", one, "--out", two) == (0, "") and len(two.read_bytes()) > 30000)
    # The third generation plays against nets that were the best before, too.
    three = ("--first-games", 20, "--generations", 4, "--games", 20, "--iterations", 5, "--gate-decks", 1, "--players", 3)
    check("train against nets before", train(*three, "--threads", 1, "--out", two) == (0, ""))
    net = two.read_bytes()
    check("train against nets before on two threads", train(*three, "--threads", 2, "--out", two) == (0, "") and two.read_bytes() == net)
    page = folder / "train.html"
    check("train with a report", train(*small, "--start", one, "--out", two, "--report", page) == (0, ""))
    told = page.read_text()
    check("the report", all(word in told for word in ("Strength", "Loss", "generation 1", "5 iterations", "</html>")), told)
    # Stopped in the middle of a game, it goes on with those that are whole; what else is in the file does not count.
    kept, once = folder / "kept", ("--generations", 1, "--games", 30, "--iterations", 5, "--gate-decks", 2, "--start", one, "--threads", 1)
    check("train without keeping", train(*once, "--out", two) == (0, ""))
    net = two.read_bytes()
    check("train and keep", train(*once, "--keep", kept, "--out", two) == (0, "") and two.read_bytes() == net)
    games = kept.read_bytes()
    for name, before in [("half of the games", games[:len(games) // 2]), ("nothing", b""), ("another training", games[:8] + bytes(8) + games[16:])]:
        kept.write_bytes(before)
        check(f"train on from {name}", train(*once, "--keep", kept, "--out", two) == (0, "") and two.read_bytes() == net)
        check(f"all games are kept after {name}", len(kept.read_bytes()) == len(games))
    for name, file in [("a net", one), ("a folder", folder)]:
        before = one.read_bytes()
        code, err = train(*once, "--keep", file, "--out", two)
        check(f"games are not kept in {name}", code == 1 and "is not a file of kept games" in err and one.read_bytes() == before, err)
    wrong.write_bytes(one.read_bytes()[:-1])
    code, err = train(*small, "--start", wrong, "--out", two)
    check("not a net", code == 1 and "is not a net" in err, err)
    code, err = train(*small, "--out", folder / "nowhere" / "x.net")
    check("no folder", code == 1 and "is not a folder" in err, err)
    code, err = train(*small, "--teams", "--out", two)
    check("teams of two", code == 2 and "--teams" in err, err)


def test_reproducible(folder):
    settings = ("--bots", "level1,plain", "--iterations", 8, "--decks", 4, "--json")
    whole = folder / "whole.jsonl"
    code, out, _ = arena(*settings, "--threads", 1, "--games", whole)
    check("one thread", code == 0)
    again = folder / "again.jsonl"
    check("four threads", without_times(arena(*settings, "--threads", 4, "--games", again)[1]) == without_times(out))
    check("same games", whole.read_bytes() == again.read_bytes())
    lines = whole.read_text().splitlines(keepends=True)
    check("a line a game", len(lines) == 8)
    game = json.loads(lines[0])
    check("fields", list(game)[:7] == ["game", "deck", "seed", "seats", "winners", "by", "domain" if game["by"] == "hegemony" else "turns"], list(game))
    record = folder / "record.json"
    record.write_text(json.dumps(game["record"]))
    replay = subprocess.run([CIV, "replay", "--check", record], capture_output=True)
    check("record", replay.returncode == 0, replay.stderr)

    part = folder / "part.jsonl"
    part.write_text("".join(lines[:3]) + lines[5] + lines[6][:100])  # a hole, and a line that is not whole
    code, resumed, err = arena(*settings, "--resume", "--games", part)
    check("resumed", code == 0 and without_times(resumed) == without_times(out), (resumed, err))
    check("resumed games", sorted(part.read_text().splitlines()) == sorted(whole.read_text().splitlines()))
    code, resumed, _ = arena(*settings, "--resume", "--games", part)
    check("nothing left to do", without_times(resumed) == without_times(out) and times_in(resumed) == [], resumed)
    code, _, err = arena(*settings, "--games", whole)
    check("existing file", code == 2 and "exists" in err, err)
    code, out, err = arena(*settings, "--resume", "--games", part, "--seed", 9)
    check("other settings", code == 2 and out == "" and "other settings: seed was 1 and is now 9" in err, err)
    code, _, err = arena("--bots", "level1,plain", "--iterations", 9, "--resume", "--games", part)
    check("other limits", code == 2 and "other settings: bots" in err, err)
    part.write_text("nonsense\n")
    code, _, err = arena(*settings, "--resume", "--games", part)
    check("no games", code == 2 and "line 1 is not JSON" in err and part.read_text() == "nonsense\n", err)


def test_sequential_test():
    code, out, _ = arena("--bots", "level1,random", "--sprt", "0,100", "--json", "--iterations", 5)
    test = json.loads(next(line for line in out.splitlines() if line.startswith('{"sprt"')))["sprt"]
    check("decided", code == 0 and test["verdict"] == "elo1" and test["llr"] >= test["bound"] and last(out)["bots"][0]["games"] < 200, out)
    out = arena("--bots", "level1,random", "--sprt", "0,400", "--iterations", 5)[1]
    check("says so", "level1 is stronger than random: 400 Elo accepted over 0" in out, out)


def test_anchor():
    for anchor, lines in [("level1=1000", ['"level1","elo":1000.0,"low":1000.0,"high":1000.0']), ("2000", [])]:
        out = arena("--bots", "level1,random", "--decks", 2, "--iterations", 2, "--json", "--anchor", anchor)[1]
        ratings = json.loads(next(line for line in out.splitlines() if line.startswith('{"ratings"')))["ratings"]
        check(f"anchor {anchor}", all(line in out for line in lines) and (lines or abs(sum(bot["elo"] for bot in ratings) - 4000) < 1e-3), out)


def test_wrong_arguments(folder):
    both = ("--bots", "level1,random")
    for arguments, words in [((), "which bots"), (("--bots", "nobody,level1"), 'no bot "nobody"'), (("--bots", "level1,"), 'no bot ""'),
                             (("--bots", "level1,level1"), "named twice"), (("--bots", "level1:ms=0,random"), "ms="),
                             (("--bots", "level1:ms,random"), "ms="), (("--bots", "level1:,random"), "ms="), (("--bots", "level1:depth=3,random"), "ms="),
                             ((*both, "--players", 5), "players"), ((*both, "--players", 3, "--teams"), "four players"),
                             ((*both, "--decks", 0), "decks"), ((*both, "--ms", "-1"), "ms"), ((*both, "--sprt", "10,0"), "--sprt"),
                             ((*both, "--sprt", "0"), "--sprt"), ((*both, "--sprt", "0,nan"), "--sprt"), ((*both, "--sprt", "0,5", "--players", 3), "two players"),
                             ((*both, "--anchor", "me=1"), "does not play"), ((*both, "--anchor", "high"), "rating"), ((*both, "--resume"), "--games"),
                             ((*both, "--pacts"), "three or four"), (("--bots", "level6:character=fair", "--players", 3), "ms="),
                             (("--bots", "level6:character=nice", "--players", 3, "--pacts"), "character=fair"), ((*both, "--setup", "chess"), "setup"), ((*both, "--report", folder / "no" / "page.html"), "no folder"),
                             ((*both, "--bot", "x"), "name=command"), ((*both, "--bot", "level1=true"), "already"), ((*both, "--bot", "a b=true"), "name=command"),
                             ((*both, "--bot", "x=true", "--bot", "x=true"), "twice"), (("--bots", ",".join(f"plain:iterations={n}" for n in range(1, 18))), "at most")]:
        code, out, err = arena(*arguments)
        check(f"wrong {arguments}", code == 2 and out == "" and words in err, (code, out, err))
    code, out, err = arena(*both, "--games", folder / "no" / "games.jsonl")
    check("games cannot be written", code == 1 and out == "" and "cannot be written" in err, (code, err))


def test_report(folder):
    page = folder / "page.html"
    code, _, err = arena(bad_bot("crash"), "--bots", "level1,bad,random", "--decks", 3, "--iterations", 3, "--report", page)
    if not check("report", code == 0, err):
        return
    text = page.read_text()
    tree = xml.etree.ElementTree.fromstring(text.replace("<!DOCTYPE html>", ""))  # well-formed, or an exception
    headings = [heading.text for heading in tree.iter("h2")]
    check("sections", headings[:3] == ["Who is stronger", "Who beat whom", "Games lost by forfeit"] and "How long a decision takes" in headings and len(headings) == 10, headings)
    check("nothing from outside", not any(word in text for word in ("http", "src=", "url(", "@import", "<script", "<link")))
    check("reason in the page", "the program ended with exit code 7" in text)
    check("no numbers that are none", "nan" not in text.replace("nance", "") and ">inf" not in text)


def test_examples():
    for name, command in [("python", f"{sys.executable} {ROOT}/examples/bots/python/bot.py"), ("javascript", f"node {ROOT}/examples/bots/javascript/bot.mjs")]:
        for arguments in [("--players", 2), ("--players", 3, "--setup", "draft")]:
            code, out, err = arena(f"--bot={name}={command}", "--bots", f"{name},random", "--ms", 100, "--grace", 20000, "--startup", 60000, "--decks", 3, "--json", *arguments)
            bots = last(out)["bots"]
            check(f"{name} beats random {arguments}", code == 0 and '{"errors":[]}' in out and bots[0]["share"] > 0.6, (out, err))
    code, out, _ = arena(f"--bot=py={sys.executable} {ROOT}/examples/bots/python/bot.py", "--decks", 1, "--ms", 50, "--grace", 20000, "--json")
    check("against greedy by default", code == 0 and [bot["name"] for bot in last(out)["bots"]] == ["py", "greedy"], out)
    for example in ROOT.glob("examples/bots/*/bot.*"):
        check(f"{example.name} is short", len(example.read_text().splitlines()) < 100)


def test_pacts(folder):
    page = folder / "pacts.html"

    def talk_of(*arguments):
        code, out, err = arena("--pacts", "--players", 3, "--iterations", 20, "--grace", 20000, "--startup", 60000, "--json", "--report", page, *arguments)
        check(f"pacts {arguments}", code == 0 and '{"errors":[]}' in out, (out, err))
        return next(json.loads(line)["talk"] for line in out.splitlines() if line.startswith('{"talk"'))

    for name, command in [("python", f"{sys.executable} {ROOT}/examples/bots/python/bot.py"), ("javascript", f"node {ROOT}/examples/bots/javascript/bot.mjs")]:
        talk = talk_of(f"--bot={name}={command}", "--bots", f"{name},level6", "--decks", 3)
        mine = [bot for bot in talk["bots"] if bot["name"] == name]
        check(f"{name} answers offers", mine[0]["character"] == "" and mine[0]["pacts"] > 0 and talk["ignored"] == [], talk)
    check("pacts in the page", "What became of pacts" in page.read_text())
    for how, lines in [("fine", False), ("babbles", True)]:
        talk = talk_of(bad_bot(how), "--bots", "bad,level6", "--decks", 1)
        mine = [bot for bot in talk["bots"] if bot["name"] == "bad"]
        check(f"one that does not talk is silent: {how}", mine[0]["pacts"] == 0 and mine[0]["seats"] == 3, talk)
        check(f"what cannot be said is noted: {how}", [of["name"] for of in talk["ignored"]] == ["bad"] * lines, talk)
    talk = talk_of(f"--bot=outside={CIV} bot level6", "--bots", "outside,level6:character=fair", "--decks", 3)
    mine = next(bot for bot in talk["bots"] if bot["name"] == "outside")
    check("our bots talk as programs", mine["proposed"] > 0 and mine["pacts"] > 0 and talk["ignored"] == [], talk)
    code, out, _ = arena("--pacts", "--players", 3, "--bots", "level6:character=silent", "--iterations", 20, "--decks", 2)
    _, silent, _ = arena("--players", 3, "--bots", "level6", "--iterations", 20, "--decks", 2, "--json")
    check("nobody talks", code == 0 and re.search(r"silent +6 +33.3 % +0 +0 +0 +0 +0 +0 +0$", out, re.M) and '"talk"' not in silent, out)


def test_our_bots_as_programs(folder):
    for name in ["random", "level1", "level4", "master"]:
        games = folder / f"{name}.jsonl"
        code, out, err = arena(f"--bot=outside={CIV} bot {name}", "--bots", f"outside,{name}", "--players", 3, "--decks", 1, "--iterations", 20, "--json", "--games", games)
        played = [json.loads(line) for line in games.read_text().splitlines()]
        check(f"civ bot {name} plays", code == 0 and err == "" and len(played) == 3 and not any(game["errors"] for game in played), (code, out, err))

    view = json.loads((ROOT / "tests/views/twins.json").read_text())
    start, end = '{"cmd":"start","protocol":1,"seed":7}', '{"cmd":"end"}'
    decide = json.dumps({"cmd": "decide", "view": view, "ms": 60000, "iterations": 50})
    code, out, err = run("bot", "master", text="\n".join([start, decide, decide, end, start, decide]) + "\n")
    lines = out.splitlines()
    check("the same game, the same answers", code == 0 and err == "" and len(lines) == 5 and lines[0] == lines[3] == '{"ok":true}' and lines[1] == lines[4], (code, out, err))
    for text, word in [("{", "JSON"), ("[]", "object"), ('{"cmd":"sing"}', "sing"), (decide, "start"), ('{"cmd":"start","protocol":2,"seed":7}', "protocol"),
                       (start + '\n{"cmd":"decide","ms":5}', "view"), (start + "\n" + json.dumps({"cmd": "decide", "view": {**view, "seat": 1 - view["seat"]}, "ms": 5}), "")]:
        code, out, err = run("bot", "random", "--lang", "en", text=text + "\n")
        check(f"civ bot on {text[:50]}", code == 1 and out in ("", '{"ok":true}\n') and err.startswith("civ: ") and word in err, (code, out, err))
    check("civ bot of no such name", run("bot", "nobody")[0] == 2)


def test_misbehaviour():
    patient = ("--ms", 100, "--grace", 20000, "--startup", 60000)
    short = ("--ms", 100, "--grace", 200, "--startup", 60000)
    for how, deadlines, reason in [("crash-at-start", patient, "at the start the program ended with exit code 3"),
                                   ("hang-at-start", ("--ms", 100, "--startup", 300), "at the start no answer within 300 ms"),
                                   ("refuses", patient, 'at the start the answer is not {"ok":true} but "{"ok":"yes"}"'),
                                   ("crash", patient, "the program ended with exit code 7"),
                                   ("signal", patient, "the program was ended by signal 11"),
                                   ("hang", ("--ms", 100, "--grace", 900, "--startup", 60000), "no answer within 1000 ms"),
                                   ("garbage", patient, 'the answer is not JSON: "play M1 ?[31m"'),
                                   ("no-action", patient, 'the answer has no action: "{"move":"end"}"'),
                                   ("wrong-type", patient, 'the answer has no action: "{"action":["end"]}"'),
                                   ("illegal", patient, 'the action is not legal: "play U3 please"'),
                                   ("huge", patient, "the answer is longer than 65536 bytes"),
                                   ("endless", patient, "the answer is longer than 65536 bytes"),
                                   ("closes", patient, "the program closed its input or output"),
                                   ("signal && true", patient, "the program was ended by signal 11"),
                                   ("floods", patient, None), ("one-game", patient, None), ("children", patient, None), ("stubborn", patient, None)]:
        code, out, err = arena(bad_bot(how), "--bots", "bad,random", "--decks", 1, "--json", *deadlines)
        errors = json.loads(next(line for line in out.splitlines() if line.startswith('{"errors"')))["errors"] if code == 0 else None
        if reason is None:
            check(how, code == 0 and errors == [], (code, out, err[:2000]))
        else:
            check(how, errors == [{"game": game, "name": "bad", "reason": reason} for game in (0, 1)], (code, errors, err[:2000]))
            check(f"{how} loses", last(out)["bots"][0]["wins"] == 0, out)
        check(f"{how} leaves nothing behind", running() == [], running())
    code, out, err = arena("--bot=gone=/no/such/program", "--bots", "gone,random", "--decks", 1)
    check("no such program", code == 0 and "gone forfeited 2 games, first game 0: at the start the program ended with exit code 127 (command not found)" in out, (out, err))
    code, out, err = arena("--bot=deaf=sleep 60", "--bots", "deaf,random", "--decks", 1, "--startup", 200)
    check("deaf", code == 0 and "deaf forfeited 2 games, first game 0: at the start no answer within 200 ms" in out, out)
    # The others share the victory, and in a team the partner of the one who fails loses with him.
    code, out, _ = arena(bad_bot("crash"), "--bots", "bad,random,level1", "--players", 3, "--decks", 1, "--iterations", 2, "--json", *short[4:])
    check("three players", [bot["wins"] for bot in last(out)["bots"]] == [0, 1.5, 1.5], out)
    code, out, _ = arena(bad_bot("crash"), "--bots", "bad,random", "--teams", "--decks", 1, "--json", *short[4:])
    check("teams", [bot["wins"] for bot in last(out)["bots"]] == [0, 2], out)


def test_interrupt(folder):
    games = folder / "interrupted.jsonl"
    settings = ["--bots", "level1,random", "--iterations", "5", "--json", "--games", str(games)]
    process = subprocess.Popen([CIV, "arena", *settings, "--decks", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while (not games.exists() or games.stat().st_size < 50_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check("interrupted", process.returncode == 130 and b"stopped" in err, (process.returncode, err))
    played = last(out.decode())["bots"][0]["games"]
    check("results so far", 2 <= played <= len(games.read_text().splitlines()), played)
    code, resumed, err = arena(*settings, "--decks", played // 2, "--resume")
    check("resumed after interrupt", code == 0 and last(resumed) == last(out.decode()), (resumed, out, err))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for test in [test_last_line, test_tables, test_sequential_test, test_anchor, test_examples, test_misbehaviour]:
            test()
        for test in [test_nothing_hidden_is_told, test_train, test_times, test_pacts, test_our_bots_as_programs, test_reproducible, test_wrong_arguments, test_report, test_interrupt]:
            test(folder)
    return finish()


sys.exit(main())
