"""People play at many tables while the server is killed again and again: python3 tests/crash_test.py CIV FORGETFUL [KILLS]

FORGETFUL is the program with a file system that forgets at a kill what was written and not synced; every other start is its.
Everything that was acknowledged must be there after each start, once, and everybody must catch up without being helped.
Then the same with a disk that refuses: clear errors, service for reading, and recovery without a restart.
"""

import os
import random
import sys
import tempfile
import time

from live import Server, ask
from players import LONG, acknowledged, fail, failures, keep_playing, people_are_done, stop, wait_for
from program import CIV, Referee

FORGETFUL = sys.argv[2]
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 200 if LONG else 20


def refuse(fault, how, players, port):
    """The disk refuses for a while."""
    with open(fault, "w") as file:
        file.write(how)
    before = {player: player.refusals for player in players}
    wait_for(f"a refusal ({how})", lambda: any(player.refusals > before[player] for player in players) or people_are_done(players))
    status, answer, _ = ask(port, "GET", "/api/v1/tables")
    if status != 200:
        fail(f"{how}: no reading while the disk refuses: {status} {answer}")
    status, answer, _ = ask(port, "POST", "/api/v1/session", {"name": "Late"})
    if status != 503 or answer["error"]["key"] != "error.store":
        fail(f"{how}: a session that cannot be stored: {status} {answer}")
    if ask(port, "GET", "/readyz")[0] != 503:
        fail(f"{how}: ready although the disk refuses")
    os.remove(fault)
    count = acknowledged(players)
    wait_for(f"moves after the disk has recovered ({how})", lambda: acknowledged(players) > count or people_are_done(players))
    wait_for("readiness after the disk has recovered", lambda: ask(port, "GET", "/readyz")[0] == 200)


def main():
    chance = random.Random(7)
    referee = Referee()
    with tempfile.TemporaryDirectory() as folder:
        fault = os.path.join(folder, "fault")
        options = ("--no-limits", "--bot-pause", "0")
        servers = [Server(program, os.path.join(folder, "data"), *options, env={"CIV_TEST_DISK": fault}) for program in (CIV, FORGETFUL)]
        server = servers[1].start()
        for other in servers:
            other.port = server.port
        players = []
        kills = actions = 0
        while kills < KILLS and not failures:
            players, done = keep_playing(players, [server.port], referee)
            actions += done
            time.sleep(chance.random() / 4)
            server.kill()
            kills += 1
            server = servers[kills % 2].start()
        if server is not servers[1] and not failures:
            if server.stop() != 0:
                fail("the server did not stop with exit code 0")
            server = servers[1].start()
        for how in ("full", "readonly", "broken"):
            if failures:
                break
            players, done = keep_playing(players, [server.port], referee)
            actions += done
            refuse(fault, how, players, server.port)
        stop(players)
        actions += sum(player.check() for player in players) if not failures else 0
        server.kill() if failures else server.stop()
        if failures:
            with open(os.path.join(folder, "data.log"), errors="replace") as log:
                print(log.read()[-4000:])
    referee.close()
    for failure in failures[:10]:
        print("FAILED:", failure)
    print(f"{kills} kills, {actions} actions, {len(failures)} failures")
    sys.exit(bool(failures))


main()
