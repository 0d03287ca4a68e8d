#!/usr/bin/env python3
"""A real Prometheus reads a real server, with the rules and the dashboard of the package: what they ask for is there, and alerts come when they should.

usage: prometheus_test.py path/to/civ path/to/the/source
"""

import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

import live
from checks import check, finish
from program import CIV, small_page

SOURCE = pathlib.Path(sys.argv[2]).resolve()
RULES = SOURCE / "packaging/prometheus/civ.rules.yml"
DASHBOARD = SOURCE / "packaging/prometheus/civ.dashboard.json"
HOSTING = SOURCE / "docs/hosting.md"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def dashboard_queries():
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [target["expr"].replace("$__rate_interval", "1m") for panel in panels for target in panel["targets"]]


def rules_hold(folder):
    """promtool: the rules are well formed, quiet in a quiet hour, and loud in trouble."""
    for file in (RULES, SOURCE / "tests/prometheus/civ.rules.test.yml"):
        shutil.copy(file, folder)
    for command in (["check", "rules", RULES.name], ["test", "rules", "civ.rules.test.yml"]):
        done = subprocess.run(["promtool", *command], cwd=folder, capture_output=True, text=True)
        check(f"promtool {' '.join(command)}", done.returncode == 0, done.stdout + done.stderr)
    tried = set(re.findall(r"alertname: (\w+)", (folder / "civ.rules.test.yml").read_text()))
    check("every alert is tried", tried == set(re.findall(r"alert: (\w+)", RULES.read_text())), tried)


def names_are_exposed(port):
    """Whatever is asked for, or told to people, is among the server's figures."""
    live.ask(port, "GET", "/api/v1/server")  # the first request is counted once it is answered
    exposed = set(re.findall(r"^(?:# TYPE )?(civ_\w+)", live.ask(port, "GET", "/metrics")[1], re.MULTILINE))
    for file in (RULES, DASHBOARD, HOSTING):
        asked = set(re.findall(r"\bciv_[a-z_]+", file.read_text()))
        check(f"{file.name} asks for figures", asked)
        check(f"{file.name}: all are there", asked <= exposed, asked - exposed)


class Prometheus:
    def __init__(self, folder, target):
        self.port = free_port()
        (folder / "prometheus.yml").write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(RULES)],
            "scrape_configs": [{"job_name": "civ", "static_configs": [{"targets": [f"127.0.0.1:{target}"]}]}]}))
        self.log = (folder / "prometheus.log").open("w")
        self.process = subprocess.Popen(["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                                         f"--web.listen-address=127.0.0.1:{self.port}"], stdout=self.log, stderr=self.log)

    def ask(self, path, **fields):
        try:
            status, answer, _ = live.ask(self.port, "GET", f"/api/v1/{path}?{urllib.parse.urlencode(fields)}")
        except OSError:  # it does not listen yet
            return None
        return answer["data"] if status == 200 else None

    def until(self, what, **fields):
        """The answer that is wanted, however long it takes; ctest has the last word."""
        path, wanted = what
        while True:
            answer = self.ask(path, **fields)
            if answer is not None and wanted(answer):
                return answer
            if self.process.poll() is not None:
                raise SystemExit(f"FAILED Prometheus has ended, see {self.log.name}")
            time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def prometheus_reads(folder, server):
    prometheus = Prometheus(folder, server.port)
    try:
        scraped = lambda answer: answer["result"] and answer["result"][0]["value"][1] == "1"
        prometheus.until(("query", scraped), query="civ_ready")
        loaded = lambda answer: answer["groups"] and all(rule["health"] == "ok" for group in answer["groups"] for rule in group["rules"])
        rules = prometheus.until(("rules", loaded))["groups"][0]["rules"]
        check("all rules are evaluated", len(rules) == RULES.read_text().count("- alert:"), len(rules))
        check("none is loud", all(rule["state"] == "inactive" for rule in rules), rules)
        for query in dashboard_queries():
            check(f"the dashboard asks {query}", prometheus.ask("query", query=query) is not None)
        shown = prometheus.ask("query", query='civ_sockets_limit{job="civ"}')
        check("a figure comes through", shown["result"][0]["value"][1] == "12000", shown)
        server.stop()
        raised = lambda answer: any(alert["labels"]["alertname"] == "CivDown" for alert in answer["alerts"])
        check("a server that is gone is noticed", prometheus.until(("alerts", raised)))
    finally:
        prometheus.stop()


if not shutil.which("prometheus") or not shutil.which("promtool"):
    print("skipped: there is no Prometheus here")
    sys.exit(77)
with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    rules_hold(folder)
    server = live.Server(CIV, folder / "data-of-civ", "--page", small_page(folder)).start()
    names_are_exposed(server.port)
    prometheus_reads(folder, server)
sys.exit(finish())
