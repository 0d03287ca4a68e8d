#!/usr/bin/env python3
"""A synchronous standby takes over from a primary that is killed, and nothing acknowledged is missing (docs/cluster.md).

The primary is killed while moves are stored, the standby is promoted, and those who store go on by themselves. The old primary comes back
through pg_rewind as the new standby, and takes over in its turn.

usage: failover_test.py path/to/civ_store_load
"""

import os
import subprocess
import sys
import time

import postgres
from checks import check, finish

LOAD = os.path.abspath(sys.argv[1])
SETTINGS = ["wal_keep_size=256MB"]


def both(one, other):
    """One connection string for both: whichever takes writes is meant."""
    return f"postgresql://civ@127.0.0.1:{one.port},127.0.0.1:{other.port}/game?target_session_attrs=read-write"


def wait_until(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def synchronous(primary):
    return wait_until(lambda: primary.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == ["1"])


def take_over(name, primary, standby):
    """The primary dies under load, the standby is promoted. The moves that were acknowledged."""
    check(f"{name}: the standby is synchronous", synchronous(primary))
    load = subprocess.Popen([LOAD, "--store", both(primary, standby), "--tables", "50", "--seconds", "8"], stdout=subprocess.PIPE, text=True)
    check(f"{name}: moves are stored", load.stdout.readline() == "playing\n")
    time.sleep(3)
    primary.kill()  # which fences it, too: nothing of it runs any more
    standby.promote()
    standby.sql("CHECKPOINT")  # without it pg_rewind does not see that there is a new primary, and does nothing
    # Until there is another standby it goes on alone.
    standby.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
    standby.sql("SELECT pg_reload_conf()")
    told = load.communicate(timeout=120)[0]
    print(told.strip())
    check(f"{name}: everything acknowledged is there, once and in order", load.returncode == 0, told)
    check(f"{name}: answers were lost and looked up, or it failed and was tried again", "failed 0, unknown 0" not in told, told)
    return int(told.split("acknowledged ")[1].split(",")[0])


def rewind(old, new):
    """The old primary as a standby of the new one: what only it had is taken back."""
    postgres.run(postgres.program("pg_rewind"), "-D", old.data, f"--source-server=host=127.0.0.1 port={new.port} user=civ dbname=postgres")
    old.follow(new)
    old.start()
    new.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
    new.sql("SELECT pg_reload_conf()")


with postgres.Server(SETTINGS) as first:
    first.create("game")
    with postgres.Server(SETTINGS, source=first) as second:
        # In the file, not on the command line: it changes while the server runs.
        first.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        first.sql("SELECT pg_reload_conf()")
        stored = take_over("the first time", first, second)
        count = second.sql("SELECT count(*) FROM civ.events", "game")
        check("as many events as acknowledged", count == [str(stored)], (count, stored))
        rewind(first, second)
        take_over("back again", second, first)
sys.exit(finish())
