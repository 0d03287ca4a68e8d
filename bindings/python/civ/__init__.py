"""CIV: Carta Impera Victoria, for programs that play, search and learn.

    import civ, random
    state = civ.Game(players=2).new_initial_state(seed=7)
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    print(state.returns())

The names are those of OpenSpiel where there is one for it; docs/python.md has them side by side.
An action is a number from 0 to 255 (`action_name` tells what it means), a player is a seat from 0.
"""

from __future__ import annotations

from ._bots import Bot, Judgement, Thought, analyze
from ._civ import (CARDS, CHANCE, EFFECTS, NUM_ACTIONS, TERMINAL, Game, State, View, __version__, action_code,
                   action_name, bot_names)
from ._errors import Error
from ._play import Batch, Observer, Plane, buffers, deserialize_state, load_game, planes
from ._play import _complete

_complete()

__all__ = [
    "Batch", "Bot", "CARDS", "CHANCE", "EFFECTS", "Error", "Game", "Judgement", "NUM_ACTIONS", "Observer", "Plane",
    "State", "TERMINAL", "Thought", "View", "__version__", "action_code", "action_name", "analyze", "bot_names",
    "buffers", "deserialize_state", "load_game", "planes",
]
