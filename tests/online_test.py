#!/usr/bin/env python3
"""The bot of examples/bots/python/online.py plays whole games on a real server, also on one that dies in between.

usage: online_test.py path/to/civ
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import live
from checks import check, finish
from program import CIV, Referee, run, small_page
from seated import Seated, open_table

BOT = str(pathlib.Path(__file__).resolve().parent.parent / "examples" / "bots" / "python" / "online.py")

started = []


def start(*arguments):
    started.append(subprocess.Popen([sys.executable, BOT, *arguments, "--civ", CIV], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    return started[-1]


def summary(port, table):
    return live.ask(port, "GET", f"/api/v1/tables/{table}")[1]


def verified(port, table):
    _, record, _ = live.ask(port, "GET", f"/api/v1/tables/{table}/record")
    code, out, _ = run("verify", "-", "--json", text=json.dumps(record))
    return code == 0, out


def game(server, name, players, setup, deaths):
    """Programs that play each other; the server is killed up to so many times while they do."""
    address = f"http://127.0.0.1:{server.port}"
    bots = [start(address, "--players", str(players), "--setup", setup, "--name", "Host")]
    table = bots[0].stdout.readline().split()[-1]
    link = f"{address}/somewhere/{table}"
    bots += [start(link, "--name", f"Guest {i}") for i in range(1, players)]
    killed = 0
    while killed < deaths:
        time.sleep(0.05)
        status = summary(server.port, table)["status"]
        if status == "over":
            break
        if status == "running":
            server.kill()
            server.start()
            killed += 1
    results = []
    for bot in bots:
        try:
            out, err = bot.communicate(timeout=240)
        except subprocess.TimeoutExpired:
            bot.kill()
            out, err = bot.communicate()
        if check(f"{name}: played to the end", bot.returncode == 0, (bot.returncode, out[-500:], err[-1000:])):
            results.append(json.loads(out.splitlines()[-1]))
    check(f"{name}: the server died", killed > 0 or deaths == 0)
    check(f"{name}: all seats", sorted(result["seat"] for result in results) == list(range(players)), results)
    check(f"{name}: one result", len({json.dumps(result["result"]) for result in results}) == 1 and results[0]["result"]["by"] != "forfeit", results)
    check(f"{name}: fair", all(result["fair"] for result in results), results)
    right, detail = verified(server.port, table)
    check(f"{name}: verified", right, detail)


def comes_back(server, folder):
    """A program is started once more, or ends in the middle of a game; another one goes on with its token."""
    token = os.path.join(folder, "token")
    address = f"http://127.0.0.1:{server.port}"
    older = start(address, "--token", token)
    table = older.stdout.readline().split()[-1]
    watcher = live.Live(server.port, f"/api/v1/tables/{table}/live", live.guest(server.port, "Watcher")[0])
    watcher.until(lambda told: told["type"] == "presence" and told["seats"][0])
    watcher.close()
    first = start(f"{address}/{table}", "--token", token)
    check("the older one makes room", older.wait(60) == 1 and "token" in older.stderr.read(), older.returncode)
    other = start(f"{address}/{table}")
    while summary(server.port, table)["status"] in ("waiting", "dealing"):
        time.sleep(0.1)
    first.kill()
    first.communicate()
    check("still under way", summary(server.port, table)["status"] == "running")
    check("the token is for its owner only", os.stat(token).st_mode & 0o777 == 0o600)
    for seat, bot in enumerate((start(f"{address}/{table}", "--token", token), other)):
        out, err = bot.communicate(timeout=240)
        check(f"seat {seat} comes to the end", bot.returncode == 0 and json.loads(out.splitlines()[-1])["seat"] == seat, (out[-500:], err[-1000:]))


def talks(server):
    """An offer to a program of ours and to a bot of the server: both answer, and everybody hears it."""
    table, (ada,) = open_table(server.port, [live.guest(server.port, "Ada")[0]], players=3)
    watcher = Seated(server.port, table, live.guest(server.port, "Watcher")[0])
    check("a bot", ada.do("seat-bot", seat=2, bot="level3") is None)
    program = start(f"http://127.0.0.1:{server.port}/{table}")
    ada.live.until("sit")
    check("it begins", ada.do("start") is None and ada.do("contribute", random="ab" * 32) is None)
    while summary(server.port, table)["status"] != "running":
        time.sleep(0.05)
    referee, chance = Referee(), random.Random(1)

    def until(happened):
        while not happened():
            if ada.game["view"]["seat"] == 0:
                check("a move", ada.play(referee, chance) is None)
            time.sleep(0.1)
            ada.catch_up()

    ada.catch_up()
    until(lambda: ada.game["view"]["seat"] == 0)
    check("an offer", ada.do("talk", talk={"say": "truce", "to": [1, 2], "rounds": 3}) is None)
    check("only once", ada.do("talk", talk={"say": "truce", "to": [1, 2], "rounds": 3}) == "error.table.talk")
    check("not by those who watch", watcher.do("talk", talk={"say": "truce", "to": [1], "rounds": 1}) == "error.table.not-seated")
    until(lambda: len(ada.talk) >= 3)
    referee.close()
    answers = {told["seat"]: told["talk"]["say"] for told in ada.talk[1:]}
    check("a program answers", answers.get(1) == "yes", answers)
    check("a bot answers", answers.get(2) in ("yes", "no"), answers)
    watcher.catch_up()
    check("all hear the same", watcher.talk[:3] == ada.talk[:3], (watcher.talk, ada.talk))
    program.kill()
    check("it prints what is said", '"truce"' in program.communicate()[1])
    for person in (ada, watcher):
        person.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = live.Server(CIV, os.path.join(folder, "data"), "--page", small_page(folder)).start()
        try:
            game(server, "two", 2, "basic", 0)
            game(server, "three in the draft", 3, "draft", 0)
            game(server, "a server that dies", 2, "basic", 3)
            comes_back(server, folder)
            talks(server)
        finally:
            for bot in started:
                bot.kill()
                bot.communicate()
            server.stop()
    return finish()


sys.exit(main())
