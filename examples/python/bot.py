#!/usr/bin/python3
"""A bot of thirty lines for the arena (docs/bot-protocol.md): it guesses what it cannot see, and plays each action out.

    build/civ arena --bot mine="/usr/bin/python3 examples/python/bot.py" --bots mine,random --ms 100
"""
import json
import random
import sys

import civ


def worth(view, action, guesses=8):
    """How often random play wins after it."""
    seat, won = view.player, 0.0
    for _ in range(guesses):
        state = view.sample(random.getrandbits(50))
        state.apply_action(action)
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        won += state.returns()[seat]
    return won


for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        random.seed(message["seed"])
        print('{"ok":true}', flush=True)
    if message["cmd"] == "decide":
        view = civ.View.from_json(json.dumps(message["view"]))
        best = max(view.legal_actions(), key=lambda action: worth(view, action))
        print(json.dumps({"action": civ.action_name(best)}), flush=True)
