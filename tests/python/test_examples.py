"""The examples, as somebody would run them; and the types, by Debian's mypy."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/python"
CIV = os.environ["CIV"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_random_play():
    lines = run(sys.executable, EXAMPLES / "random_play.py").splitlines()
    assert lines[0].split(": ")[1].startswith("keep") and lines[-1].endswith("]") and int(lines[-1].split()[0]) >= 1000


def test_programs_of_the_document():
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(programs) >= 2
    printed = [run(sys.executable, "-c", program) for program in programs]
    assert '"format":"civ-game/1"' in printed[0]
    wrong, said = re.search(r"^>>> (state.*)\n(.*Error: .*)$", text, re.M).groups()
    done = subprocess.run([sys.executable, "-c", programs[0] + wrong], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == said


def test_the_bot_in_the_arena():
    source = (EXAMPLES / "bot.py").read_text()
    assert len([line for line in source.splitlines() if line.strip()]) <= 35
    printed = run(CIV, "arena", "--bot", f"mine={sys.executable} {EXAMPLES}/bot.py", "--bots", "mine,random", "--ms", "1000", "--grace", "30000", "--decks", "3", "--json")
    results = {key: value for line in printed.splitlines() for key, value in json.loads(line).items()}
    assert results["errors"] == [] and sum(bot["wins"] for bot in results["bots"]) == 6


@pytest.mark.skipif(not os.environ.get("CIV_FULL"), reason="learning takes a minute")
def test_the_agent_learns(tmp_path):
    # It ends with an error if it has not won 90 % by then.
    run(sys.executable, EXAMPLES / "learn.py", "--seconds", 280, "--curve", tmp_path / "curve.txt", "--save", tmp_path / "agent.npz")
    assert (tmp_path / "curve.txt").read_text().count("\n") >= 2 and (tmp_path / "agent.npz").stat().st_size > 1000


def test_the_agent_can_be_started(tmp_path):
    """A second of learning, so that the example never rots; whether it learns is for --full."""
    subprocess.run([sys.executable, EXAMPLES / "learn.py", "--seconds", "0.1", "--curve", tmp_path / "curve.txt"], check=False, capture_output=True)
    assert (tmp_path / "curve.txt").read_text().startswith("seconds")


def test_statistics(tmp_path):
    pytest.importorskip("matplotlib")
    run(CIV, "arena", "--bots", "level1", "--decks", "15", "--games", tmp_path / "games.jsonl")
    assert "15 games" in run(sys.executable, EXAMPLES / "statistics.py", tmp_path / "games.jsonl", tmp_path / "statistics.png")
    assert (tmp_path / "statistics.png").read_bytes().startswith(b"\x89PNG")


def test_types(tmp_path):
    """mypy over all of the package, and stubtest: the stubs say what the module has."""
    if not os.path.exists("/usr/bin/mypy"):
        pytest.skip("no mypy")
    package = pathlib.Path(os.environ["PYTHONPATH"].split(":")[0])
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nstrict = True\n" + "".join(f"[mypy-{name}.*]\nignore_missing_imports = True\n" for name in ("gymnasium", "pettingzoo", "pyspiel")))
    environment = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path / "cache"), "MYPYPATH": str(package)}
    sources = sorted((package / "civ").glob("*.py"))
    assert len(sources) == len(list((ROOT / "bindings/python/civ").glob("*.py")))
    run("/usr/bin/mypy", "--config-file", settings, *sources, env=environment, cwd=tmp_path)
    # Classes of pybind11 have a metaclass of their own, and those that cannot be made directly any arguments.
    allowed = tmp_path / "allowed"
    allowed.write_text("".join(f"civ._civ.{name}\n" for name in ("Game", "State", "View", "_Batch", "_Bot", "State.__init__", "View.__init__")))
    run("/usr/bin/stubtest", "--mypy-config-file", settings, "--allowlist", allowed, "--ignore-missing-stub", "civ._civ", env=environment, cwd=tmp_path)
