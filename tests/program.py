"""The program as tests run it: once with some input, or as a referee that is asked again and again.

Its path is the first argument of every test that uses this.
"""

import json
import os
import pathlib
import subprocess
import sys
import threading

CIV = os.path.abspath(sys.argv[1])
LANGUAGES = ["en", "fr", "es", "pt", "ro"]


def run(*arguments, text="", env=None):
    """Runs the program to its end: exit code, output and errors."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}
    done = subprocess.run([CIV, *map(str, arguments)], input=text.encode("utf-8", "surrogateescape"), capture_output=True, env=environment, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def load(path):
    """The JSON of a file."""
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def store(path, content):
    """Writes a text, or a value as JSON; the path."""
    pathlib.Path(path).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def small_page(folder):
    """A folder with the smallest page that civ serve takes, for tests that do not look at it; its path."""
    page = pathlib.Path(folder, "page")
    page.mkdir()
    (page / "index.html").write_text("<!doctype html><title>CIV</title>")
    return str(page)


class Referee:
    """civ referee, for the threads of a test. Every request must be right."""

    def __init__(self):
        self.process = subprocess.Popen([CIV, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.lock = threading.Lock()

    def ask(self, **request):
        with self.lock:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            answer = json.loads(self.process.stdout.readline())
        assert answer["ok"], (request, answer)
        return answer

    def begin(self, record):
        """The answer to a new game with the set-up of a record."""
        fields = ("players", "setup", "edition", "teams", "first", "deck")
        return self.ask(cmd="new", **{field: record[field] for field in fields})

    def replay(self, record):
        """The state at the end of a record."""
        state = self.begin(record)["state"]
        for action in record["actions"]:
            state = self.ask(cmd="apply", action=action)["state"]
        return state

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
