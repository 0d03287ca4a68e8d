#!/usr/bin/env python3
"""civ verify, against games whose deals were made by the program in docs/fair-deal.md: two that share no code must agree.

usage: verify_test.py path/to/civ
"""

import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import fair
from checks import check, finish
from program import run, store

CHANCE = random.Random(7)


def digits():
    return fair.digits(CHANCE)


def verify(game, *options, env=None):
    return run("verify", "-", *options, text=game if isinstance(game, str) else json.dumps(game), env=env)


def changed(game, change):
    game = copy.deepcopy(game)
    change(game)
    return game


def fair_games():
    games = [fair.make(CHANCE, players, setup, missing=missing)
             for players, setup, missing in [(2, "basic", {}), (3, "basic", {1}), (4, "draft", {0, 3}), (4, "basic", {0, 1, 2, 3}), (2, "draft", {1})]]
    for game in games:
        name = f"{game['players']} {game['setup']}"
        code, out, _ = verify(game, "--json")
        check(name, (code, json.loads(out)) == (0, {"right": True, "record": True, "hash": True, "first": True, "deck": True}), out)
        code, out, err = verify(game)
        deal = game["comments"]["deal"]
        told = [deal["hash"], *(number for number in deal["randoms"] if number)]
        check(f"{name} in words", code == 0 and err == "" and all(number in out for number in told) and "is verified" in out, out)
        with tempfile.TemporaryDirectory() as folder:
            file = store(os.path.join(folder, "game.json"), game)
            program = store(os.path.join(folder, "program.py"), fair.PROGRAM)
            out = subprocess.run([sys.executable, program, file], capture_output=True, text=True, timeout=60).stdout
            check(f"{name} by hand", out == "hash: True\ndeal: True\n", out)
            code, out, _ = run("verify", file)
            check(f"{name} from a file", code == 0 and f"{file}: the deal is verified." in out, (code, out))
    return games


def false_deals(game):
    def deal(**fields):
        return lambda game: game["comments"]["deal"].update(fields)

    right = game["comments"]["deal"]
    for name, change, hash_right, deck_right in [
        ("another hash", deal(hash=digits()), False, True),
        ("another secret", deal(secret=digits()), False, False),
        ("another number", deal(randoms=[digits(), *right["randoms"][1:]]), True, False),
        ("a number left out", deal(randoms=[None, *right["randoms"][1:]]), True, False),
        ("numbers exchanged", deal(randoms=right["randoms"][::-1]), True, False),
    ]:
        code, out, _ = verify(changed(game, change), "--json")
        found = json.loads(out)
        check(name, (code, found["right"], found["record"], found["hash"], found["deck"]) == (1, False, True, hash_right, deck_right), out)
        code, out, _ = verify(changed(game, change))
        check(f"{name} in words", code == 1 and "is not verified" in out and ("does not match" in out) != hash_right and ("The deck does not follow" in out) != deck_right, out)

    for name, change, key in [
        ("no comments", lambda game: game.pop("comments"), "verify.no-deal"),
        ("no deal", lambda game: game["comments"].pop("deal"), "verify.no-deal"),
        ("a game from elsewhere", deal(secret="0" * 64), "verify.no-deal"),
        ("comments of another kind", lambda game: game.update(comments="fair!"), "verify.no-deal"),
        ("a deal of another kind", lambda game: game["comments"].update(deal=7), "verify.form"),
        ("no secret", deal(secret=None), "verify.form"),
        ("a short secret", deal(secret=right["secret"][2:]), "verify.form"),
        ("capital letters", deal(hash=right["hash"].upper()), "verify.form"),
        ("too few numbers", deal(randoms=right["randoms"][1:]), "verify.form"),
        ("too many numbers", deal(randoms=[*right["randoms"], None]), "verify.form"),
        ("a number of another kind", deal(randoms=[1, *right["randoms"][1:]]), "verify.form"),
    ]:
        code, out, _ = verify(changed(game, change), "--json")
        check(name, (code, json.loads(out)) == (1, {"right": False, "record": True, "error": {"key": key, "args": {}}}), out)
        code, out, err = verify(changed(game, change))
        check(f"{name} in words", code == 1 and out == "" and err.startswith("civ: -: ") and "verify." not in err, err)

    wrong = changed(game, lambda game: game["actions"].insert(0, "play U3"))
    code, out, _ = verify(wrong, "--json")
    check("a wrong record", code == 1 and json.loads(out)["record"] is False and json.loads(out)["error"]["key"].startswith("why."), out)
    code, out, err = verify(wrong)
    check("a wrong record in words", code == 1 and out == "" and "action 1" in err, err)
    check("not JSON", verify("{")[0] == 1)
    check("no file", run("verify", "/nowhere/game.json")[0] == 1)


def languages(game):
    seen = set()
    for language in ["en", "fr", "es", "pt", "ro"]:
        for right in (True, False):
            told = game if right else changed(game, lambda game: game["comments"]["deal"].update(hash=digits()))
            code, out, _ = verify(told, env={"LC_ALL": f"{language}_XX.UTF-8"})
            check(f"{language} is whole", code == (0 if right else 1) and not re.search(r"[{}#]|verify\.", out) and "Ada" in out, out)
            seen.add(out.splitlines()[-1])
    check("ten different verdicts", len(seen) == 10, seen)


def main():
    games = fair_games()
    false_deals(games[0])
    languages(games[1])
    return finish()


sys.exit(main())
