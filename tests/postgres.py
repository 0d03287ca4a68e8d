#!/usr/bin/env python3
"""A PostgreSQL server of a test's own: in a temporary folder, on loopback, gone afterwards.

As a program it starts one, prints its address, does what lines of its input say (kill, stop, start, each answered with ok), and ends it when
its input ends; the tests in C++ use it so.

usage: postgres.py [setting=value ...]
"""

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

# Debian keeps them out of PATH, in a folder for each version.
PROGRAMS = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]), default="")
TEMPORARY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def program(name):
    return os.path.join(PROGRAMS, name)


def person():
    """PostgreSQL does not run as root: who does it instead."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            pass
    raise SystemExit("no user to run PostgreSQL as")


def as_person(*command):
    who = person()
    if who is None:
        return list(command)
    return ["setpriv", f"--reuid={who.pw_uid}", f"--regid={who.pw_gid}", "--clear-groups", *command]


def run(*command):
    done = subprocess.run(as_person(*command), stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def is_running(process):
    """Whether a process is there and has not ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Server:
    """Without `folder` a new one. `source`: a server of which it is made as a standby, with that name."""

    def __init__(self, settings=(), source=None, name="standby"):
        self.home = tempfile.mkdtemp(prefix="civ-postgres-", dir=TEMPORARY)
        if person():
            os.chown(self.home, person().pw_uid, person().pw_gid)
        self.data = os.path.join(self.home, "data")
        self.port = free_port()
        self.settings = list(settings)
        self.process = None
        try:
            if source is None:
                run(program("initdb"), "-D", self.data, "-U", "civ", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "--data-checksums")
                with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as file:
                    file.write("include '../civ.conf'\n")
            else:
                run(program("pg_basebackup"), "-D", self.data, "-h", "127.0.0.1", "-p", str(source.port), "-U", "civ", "--no-sync",
                    "--checkpoint=fast", "--wal-method=stream")
                self.follow(source, name)
            self.start()
        except BaseException:
            self.close()
            raise

    def follow(self, source, name="standby"):
        """From the next start on it is a standby of that server."""
        self.settings = [setting for setting in self.settings if not setting.startswith("primary_conninfo")]
        self.settings.append(f"primary_conninfo=host=127.0.0.1 port={source.port} user=civ application_name={name}")
        run("touch", os.path.join(self.data, "standby.signal"))

    def start(self, wait=True):
        settings = ["listen_addresses=127.0.0.1", f"unix_socket_directories={self.home}", f"port={self.port}", "max_connections=100",
                    "shared_buffers=32MB", "log_min_messages=fatal", *self.settings]
        # In a file beside the data, so that pg_rewind, which starts the server by itself, knows them as well.
        with open(os.path.join(self.home, "civ.conf"), "w", encoding="utf-8") as file:
            file.writelines("{} = '{}'\n".format(*setting.split("=", 1)) for setting in settings)
        command = [program("postgres"), "-D", self.data]
        with open(os.path.join(self.home, "log"), "ab") as log:
            self.process = subprocess.Popen(as_person(*command), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                                            start_new_session=True)
        if wait:
            self.wait()

    def wait(self, seconds=60):
        """Until it lets people in."""
        end = time.monotonic() + seconds
        while subprocess.run([program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("PostgreSQL has not started: " + self.log())
            time.sleep(0.02)

    def log(self):
        with open(os.path.join(self.home, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def uri(self, database="postgres"):
        return f"postgresql://civ@127.0.0.1:{self.port}/{urllib.parse.quote(database)}"

    def sql(self, text, database="postgres"):
        """The rows that psql prints, fields with | between them."""
        return run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", "civ", "-d", database,
                   "-c", text).splitlines()

    def create(self, database):
        """A new database; its address."""
        self.sql(f'CREATE DATABASE "{database}"')
        return self.uri(database)

    def promote(self):
        run(program("pg_ctl"), "promote", "-D", self.data, "-w")

    def kill(self):
        """As a loss of power takes it: the server and all that it has started, at once, and gone when this returns."""
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGSTOP)  # so that it starts no other meanwhile
            children = self.children()
            for process in [*children, self.process.pid]:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            # A server that is started again does not begin while one of them holds its memory.
            while any(is_running(child) for child in children):
                time.sleep(0.005)
        self.process.wait()

    def children(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
            return [int(one) for one in file.read().split()]

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # a fast shutdown
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def close(self):
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def both(one, other, database="postgres"):
    """One connection string for both: whichever takes writes is meant."""
    return f"postgresql://civ@127.0.0.1:{one},127.0.0.1:{other}/{database}?target_session_attrs=read-write"


def wait_for_standby(primary, wanted=True, seconds=60):
    """From now on the primary waits for its standby, which is there. Not wanted: it goes on alone."""
    primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{'*' if wanted else ''}'")
    primary.sql("SELECT pg_reload_conf()")
    end = time.monotonic() + seconds
    while wanted and primary.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != ["1"]:
        if time.monotonic() > end:
            raise RuntimeError("there is no synchronous standby: " + primary.log())
        time.sleep(0.1)


def fail_over(primary, standby):
    """The primary dies, which fences it: nothing of it runs any more. The standby takes its place, and goes on alone."""
    primary.kill()
    standby.promote()
    standby.sql("CHECKPOINT")  # without it pg_rewind does not see that there is a new primary, and does nothing
    wait_for_standby(standby, wanted=False)


def bring_back(old, new):
    """The old primary as a standby of the new one: what only it had is taken back."""
    run(program("pg_rewind"), "-D", old.data, f"--source-server=host=127.0.0.1 port={new.port} user=civ dbname=postgres")
    old.follow(new)
    old.start()
    wait_for_standby(new)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with Server(sys.argv[1:]) as server:
        print(server.uri(), flush=True)
        for line in sys.stdin:
            {"kill": server.kill, "stop": server.stop, "start": server.start}[line.strip()]()
            print("ok", flush=True)
