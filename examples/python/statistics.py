#!/usr/bin/python3
"""Draws what games say about the game, from a file of `civ arena --games`. Needs Debian's python3-matplotlib.

    build/civ arena --bots greedy --decks 500 --games games.jsonl
    /usr/bin/python3 examples/python/statistics.py games.jsonl statistics.png

Each part between the lines of dashes stands for itself, as in a notebook.
"""
import collections
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import civ

source, target = sys.argv[1:3]

# --- All games, and their states turn by turn -----------------------------------------------------
games = [json.loads(line) for line in open(source, encoding="utf-8")]
columns = collections.defaultdict(list)  # turn: the longest column of whoever wins in the end
for game in games:
    record = game["record"]
    state = civ.Game(record["players"], record["setup"], record["edition"], record["teams"]).new_initial_state(
        first=record["first"], deck=record["deck"])
    planes = state.get_game().make_observer()
    turn, winner = 0, game["winners"][0]
    for action in record["actions"]:
        state.apply(action)
        if action == "end":
            turn += 1
            planes.set_from(state, winner)
            columns[turn].append(planes.dict["columns"][0].max())

# --- How long games are, and how they end ---------------------------------------------------------
figure, (length, endings, growth) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
length.hist([game["turns"] for game in games], bins=30, color="#4c6a92")
length.set(title="Turns of a game", xlabel="turns", ylabel="games")

ways = collections.Counter(game.get("domain", game["by"]) for game in games)
names = sorted(ways, key=ways.get)
endings.barh(names, [ways[name] for name in names], color="#b3593b")
endings.set(title="Won by Hegemony of a Domain, or Majority", xlabel="games")

# --- How winners grow -----------------------------------------------------------------------------
turns = sorted(turn for turn in columns if len(columns[turn]) >= len(games) / 10)
growth.plot(turns, [np.mean(columns[turn]) for turn in turns], color="#3d7a4f")
growth.set(title="Longest column of the later winner", xlabel="turn", ylabel="cards")

figure.savefig(target, dpi=100)
print(f"{len(games)} games, {np.mean([game['turns'] for game in games]):.1f} turns on average: {target}")
