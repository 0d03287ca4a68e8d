"""A bot for tests that answers at random until it misbehaves: arena_bad_bot.py HOW [MARK]. The mark only helps to find the process."""

import json
import os
import random
import signal
import subprocess
import sys
import time

how = sys.argv[1]
decisions = 0


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave():
    """In the middle of a game."""
    if how == "crash":
        sys.exit(7)
    elif how == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "hang":
        time.sleep(60)
    elif how == "slow":
        time.sleep(0.1)
        return False
    elif how == "garbage":
        say("play M1 \x1b[31m")
    elif how == "no-action":
        say('{"move":"end"}')
    elif how == "wrong-type":
        say('{"action":["end"]}')
    elif how == "illegal":
        say('{"action":"play U3 please"}')
    elif how == "huge":
        say('{"action":"' + "x" * 1_000_000 + '"}')
    elif how == "endless":
        while True:
            sys.stdout.write("x" * 10_000)
    elif how == "closes":
        sys.stdout.flush()
        os.close(1)
        time.sleep(60)
    else:
        return False
    return True


if how == "crash-at-start":
    sys.exit(3)
if how == "hang-at-start":
    time.sleep(60)
if how == "children":  # that outlive it
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", sys.argv[2]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
if how == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        assert message["protocol"] == 1, message
        decisions, seat = 0, message["seat"]
        chance = random.Random(message["seed"])
        say('{"ok":"yes"}' if how == "refuses" else '{"ok":true}')
    elif message["cmd"] == "decide":
        decisions += 1
        if how == "floods":
            sys.stderr.write("z" * 200_000 + "\n")
        if decisions != 4 or not misbehave():
            assert message["view"]["seat"] == seat and len(message["legal"]) > 1, message
            talk = {"say": chance.choice([5, "é" * 200, {"say": "yes", "offer": 99}])} if how == "babbles" else {}
            say(json.dumps({"action": chance.choice(message["legal"]), "comment": "extra fields do no harm", **talk}))
    elif message["cmd"] == "end":
        assert message["result"]["winners"], message
        if how == "one-game":
            sys.exit(0)
if how == "stubborn":
    time.sleep(60)
