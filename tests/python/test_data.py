"""`civ games`: what it writes, that it can be repeated, and that it is what was played."""

import json
import os
import subprocess

import numpy as np
import pytest

import civ
import civ.data

CIV = os.environ["CIV"]


def run(*arguments, code=0):
    done = subprocess.run([CIV, "games", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("options", [("--bots", "plain:iterations=20,random"), ("--bots", "level1,random,plain", "--players", 3, "--setup", "draft", "--iterations", 5),
                                     ("--bots", "random", "--teams", "--edition", "pt")], ids=["two", "three", "teams"])
def test_both_formats_are_the_same_games(tmp_path, options):
    run(*options, "--games", 12, "--format", "npz", "--out", tmp_path / "games.npz", "--threads", 1)
    run(*options, "--games", 12, "--format", "npz", "--out", tmp_path / "again.npz", "--threads", 3)
    assert (tmp_path / "games.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    text = run(*options, "--games", 12, "--format", "jsonl", "--out", "-")
    run(*options, "--games", 12, "--format", "jsonl", "--out", tmp_path / "games.jsonl")
    assert (tmp_path / "games.jsonl").read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.npz", "games.jsonl", "games.npz"]

    arrays = civ.data.load(str(tmp_path / "games.npz"))
    with np.load(tmp_path / "games.npz") as plain:  # NumPy reads it too
        assert sorted(plain.files) == sorted(arrays) and all((plain[name] == arrays[name]).all() for name in arrays if name != "values")
    assert isinstance(arrays["observations"], np.memmap)
    row = 0
    for number, line in enumerate(civ.data.lines(str(tmp_path / "games.jsonl"))):
        row = compare(arrays, number, line, row)
    assert number == 11 and row == len(arrays["choices"])


def compare(arrays, number, line, row):
    """One game of both files, played again."""
    record = line["record"]
    state = civ.Game(record["players"], record["setup"], record["edition"], record["teams"]).new_initial_state(line["seed"])
    assert json.loads(state.record())["deck"] == record["deck"] and arrays["seeds"][number] == line["seed"]
    assert [civ.CARDS[kind] for kind in arrays["decks"][number]] == record["deck"] and arrays["firsts"][number] == record["first"]
    begin = arrays["action_ends"][number - 1] if number else 0
    played = arrays["actions"][begin:arrays["action_ends"][number]]
    assert [civ.action_name(action) for action in played.tolist()] == record["actions"]
    named = [bytes(name).rstrip(b"\0").decode() for name in arrays["names"][number]][:record["players"]]
    assert named == record["names"]
    decisions = {decision["action"]: decision for decision in line["decisions"]}
    for place, action in enumerate(record["actions"]):
        legal = state.legal_actions()
        assert (place in decisions) == (len(legal) > 1)
        if place in decisions:
            decision = decisions[place]
            assert arrays["games"][row] == number and arrays["places"][row] == place and arrays["seats"][row] == decision["seat"] == state.current_player()
            assert arrays["observations"][row].tolist() == state.observation_tensor()
            assert np.flatnonzero(civ.data.masks(arrays["legal"][row])).tolist() == legal
            assert sorted(decision["legal"]) == sorted(map(civ.action_name, legal)) and decision["view"] == json.loads(state.view().to_json())
            assert civ.action_name(int(arrays["choices"][row])) == decision["choice"] == action
            first = arrays["judged_ends"][row - 1] if row else 0
            judged = slice(first, arrays["judged_ends"][row])
            assert [civ.action_name(code) for code in arrays["judged"][judged].tolist()] == [each["action"] for each in decision["judged"]]
            assert np.allclose(arrays["weights"][judged], [each["weight"] for each in decision["judged"]])
            assert np.allclose(arrays["values"][judged], [each["value"] for each in decision["judged"]])
            if decision["judged"]:
                assert decision["judged"][0]["action"] == action
            row += 1
        state.apply(action)
    assert state.is_terminal() and state.returns() == line["returns"] == arrays["returns"][number].tolist()
    assert arrays["decision_ends"][number] == row
    assert json.loads(state.record())["result"] == record["result"]
    return row


def test_games_are_those_of_the_arena(tmp_path):
    subprocess.run([CIV, "arena", "--bots", "plain,random", "--iterations", "10", "--decks", "3", "--seed", "4", "--games", tmp_path / "arena"], check=True, capture_output=True)
    arena = [json.loads(line)["record"] for line in (tmp_path / "arena").read_text().splitlines()]
    games = [json.loads(line)["record"] for line in run("--bots", "plain,random", "--iterations", 10, "--games", 6, "--seed", 4, "--out", "-").splitlines()]
    assert games == arena


def test_what_is_wrong_is_said(tmp_path):
    (tmp_path / "there").write_text("mine")
    for options, message in [(["--bots", "deep", "--out", "-"], "there is no bot"), (["--bots", "random", "--out", tmp_path / "there"], "exists already"),
                             (["--bots", "random", "--out", tmp_path / "no/where"], "there is no folder"), (["--bots", "random:ms=10", "--out", "-"], "iterations"),
                             (["--bots", "random", "--format", "npz", "--out", "-"], "needs a file"), (["--bots", "random", "--games", 0, "--out", "-"], "--games"),
                             (["--bots", "random"], "--out"), (["--bots", "random", "--format", "parquet", "--out", "-"], "--format")]:
        assert message in run(*options, code=2)
    assert (tmp_path / "there").read_text() == "mine" and [path.name for path in tmp_path.iterdir()] == ["there"]
    (tmp_path / "bad.npz").write_bytes(b"x")
    with pytest.raises(Exception):
        civ.data.load(str(tmp_path / "bad.npz"))
