"""People play at many tables by several servers while everything is killed and cut: python3 tests/loss_test.py CIV [KILLS]

Servers, workers, Redis, PostgreSQL with its standby, and the ways between them. Everything that was acknowledged must be there, once, everybody
goes on without being helped, and every game comes to its end and verifies.
"""

import os
import random
import subprocess
import sys
import tempfile
import time

import postgres
import redis
from live import Server, ask
from network import Network
from players import LONG, fail, failures, keep_playing, stop, wait_for
from program import CIV, Referee, run, small_page, store

KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 200 if LONG else 14
CHANCE = random.Random(3)
kills = []


class Cluster:
    """Two servers and a worker, each with ways of its own to both databases and to Redis."""

    def __init__(self, folder):
        self.network = Network()
        self.primary = postgres.Server(["wal_keep_size=256MB"])
        self.primary.create("game")
        self.standby = postgres.Server(["wal_keep_size=256MB"], source=self.primary)
        postgres.wait_for_standby(self.primary)
        self.bus = redis.Server()
        self.to_database, self.to_bus = {}, {}
        page = small_page(folder)
        self.servers = [Server(CIV, os.path.join(folder, name), *self.shared(name), "--threads", "0", "--bot-pause", "0", "--page", page,
                               "--no-limits").start() for name in ("one", "two")]
        self.ports = [server.port for server in self.servers]
        self.worker_log = open(os.path.join(folder, "worker.log"), "ab")
        self.worker_command = [CIV, "worker", *self.shared("worker"), "--threads", "1"]
        self.start_worker()

    def shared(self, name):
        self.to_database[name] = [self.network.way(server.port) for server in (self.primary, self.standby)]
        self.to_bus[name] = self.network.way(self.bus.port)
        uri = postgres.both(*(way.port for way in self.to_database[name]), "game")
        return ["--store", uri, "--bus", f"redis://127.0.0.1:{self.to_bus[name].port}", "--name", name]

    def start_worker(self):
        self.worker = subprocess.Popen(self.worker_command, stdout=self.worker_log, stderr=self.worker_log)

    def close(self):
        self.worker.kill()
        for server in self.servers:
            if server.process.poll() is None:
                server.kill()
        for one in (self.bus, self.standby, self.primary):
            one.close()

    def ready(self):
        return all(ask(port, "GET", "/readyz")[0] == 200 for port in self.ports)

    # --- What happens to it

    def kill_server(self):
        server = CHANCE.choice(self.servers)
        server.kill()
        time.sleep(CHANCE.choice([0, 1]))
        server.start()

    def kill_worker(self):
        self.worker.kill()
        self.worker.wait()
        self.start_worker()

    def kill_redis(self):
        self.bus.kill()
        time.sleep(CHANCE.random())
        self.bus.start()

    def empty_redis(self):
        self.bus.empty()

    def kill_database(self):
        self.primary.kill()
        self.primary.start()

    def kill_standby(self):
        self.standby.kill()
        self.standby.start()

    def fail_over(self):
        postgres.wait_for_standby(self.primary)
        postgres.fail_over(self.primary, self.standby)
        self.primary, self.standby = self.standby, self.primary
        time.sleep(CHANCE.random())
        postgres.bring_back(self.standby, self.primary)

    def cut(self, ways, silently, seconds):
        for way in ways:
            way.cut(silently)
        time.sleep(seconds)
        for way in ways:
            way.mend()

    def cut_database(self):
        self.cut(self.to_database[CHANCE.choice(["one", "two", "worker"])], False, CHANCE.choice([0.1, 2]))

    def lose_database(self):
        """For so long that the server sends its people elsewhere."""
        self.cut(self.to_database[CHANCE.choice(["one", "two"])], True, 6)

    def cut_bus(self):
        self.cut([self.to_bus[CHANCE.choice(["one", "two", "worker"])]], CHANCE.choice([True, False]), 2)

    def lose_everything(self):
        """No server has a database: people wait, and go on."""
        self.cut(self.to_database["one"] + self.to_database["two"], False, 3)


def verify(table, port, folder, must_be_over):
    status, record, _ = ask(port, "GET", f"/api/v1/tables/{table}/record")
    if status != 200 and not must_be_over:
        return  # a bot had still to move there when everybody went
    code, out, err = run("verify", store(os.path.join(folder, "record.json"), record))
    if status != 200 or code != 0:
        fail(f"{table} does not verify: {status} {out} {err}")


def disturb(cluster, referee):
    """The players of the last tables, how many actions the others had, and all tables."""
    kinds = [cluster.kill_server, cluster.kill_database, cluster.empty_redis, cluster.cut_database, cluster.kill_worker, cluster.fail_over,
             cluster.cut_bus, cluster.kill_server, cluster.lose_database, cluster.kill_redis, cluster.kill_standby, cluster.lose_everything,
             cluster.fail_over, cluster.kill_server]
    players, actions, tables = [], 0, set()
    for number in range(KILLS):
        wait_for("readiness", cluster.ready)
        players, done = keep_playing(players, cluster.ports, referee)
        actions += done
        tables |= {player.table for player in players}
        if failures:
            break
        kind = kinds[number] if number < len(kinds) else CHANCE.choice(kinds)
        time.sleep(CHANCE.random() / 4)
        print(f"{number + 1} {kind.__name__}", flush=True)
        kind()
        kills.append(kind)
    return players, actions, tables


def main():
    referee = Referee()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder)
        try:
            players, actions, tables = disturb(cluster, referee)
            wait_for("the end of all games", lambda: all(player.over() for player in players))
            stop(players)
            if not failures:
                actions += sum(player.check() for player in players)
                for table in sorted(tables):
                    verify(table, CHANCE.choice(cluster.ports), folder, any(player.table == table for player in players))
            if failures:
                for name in ("one", "two", "worker"):
                    with open(os.path.join(folder, name + ".log"), errors="replace") as log:
                        print(f"--- {name}\n{log.read()[-3000:]}")
        finally:
            cluster.close()
    referee.close()
    for failure in failures[:10]:
        print("FAILED:", failure)
    print(f"{len(kills)} kills, {actions} actions, {len(failures)} failures")
    sys.exit(bool(failures))


main()
