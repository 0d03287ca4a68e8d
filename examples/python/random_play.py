#!/usr/bin/python3
"""Random play: one game action by action, then a thousand at once.

    /usr/bin/python3 examples/python/random_play.py
"""

import random

import civ

state = civ.Game(players=3, setup="draft").new_initial_state(seed=7)
while not state.is_terminal():
    action = random.choice(state.legal_actions())
    print(f"{state.current_player()}: {civ.action_name(action)}")
    state.apply_action(action)
print("returns", state.returns())

batch = civ.Batch(1000, players=3, setup="draft", observations=None)
games, wins = 0, [0, 0, 0]
while games < 1000:
    batch.random_actions()
    batch.step()
    games += int(batch.dones.sum())
    wins = [won + int((batch.rewards[:, seat] > 0).sum()) for seat, won in enumerate(wins)]
print(f"{games} games, won by seat: {wins}")
