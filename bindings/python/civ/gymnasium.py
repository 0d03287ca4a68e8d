"""CIV as a Gymnasium environment: one seat decides, bots play the others. Needs the package gymnasium.

    from civ.gymnasium import CivEnv
    env = CivEnv(opponent="greedy")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(info["legal_actions"][0])
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import gymnasium
import numpy
from gymnasium.spaces import Box, Discrete

from ._bots import Bot
from ._civ import NUM_ACTIONS, Game, State


class CivEnv(gymnasium.Env):  # type: ignore[misc]
    """The seat is drawn anew in each game unless it is said. What is legal is in info: "action_mask", "legal_actions"."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, opponent: str = "random", iterations: int = 100, seat: Optional[int] = None,
                 render_mode: Optional[str] = None, **parameters: Any) -> None:
        self._game = Game(**parameters)
        if self._game.max_chance_outcomes():
            raise ValueError("an environment samples chance by itself")
        if seat is not None and not 0 <= seat < self._game.num_players():
            raise ValueError(f"there is no seat {seat}")
        self._opponent, self._iterations, self._fixed = opponent, iterations, seat
        self._bot = Bot(opponent, iterations)
        self.render_mode = render_mode
        self.observation_space = Box(0, 255, (self._game.observation_tensor_size(),), numpy.float32)
        self.action_space = Discrete(NUM_ACTIONS)
        self._seat = 0
        self._state: State

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        super().reset(seed=seed)
        self._state = self._game.new_initial_state(self._number(1 << 53))
        self._seat = self._number(self._game.num_players()) if self._fixed is None else self._fixed
        self._bot = Bot(self._opponent, self._iterations)
        self._others()
        return self._seen(), self._info()

    def step(self, action: int) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        self._state.apply_action(int(action))
        self._others()
        return self._seen(), self._state.returns()[self._seat], self._state.is_terminal(), False, self._info()

    def render(self) -> Optional[str]:
        return self._state.observation_string(self._seat) if self.render_mode == "ansi" else None

    def _number(self, most: int) -> int:
        return int(self.np_random.integers(most))

    def _others(self) -> None:
        while not self._state.is_terminal() and self._state.current_player() != self._seat:
            self._state.apply_action(self._bot.think(self._state, self._number(1 << 53)).best)

    def _seen(self) -> Any:
        seen = numpy.zeros(self._game.observation_tensor_size(), numpy.float32)
        self._state.observe(seen, self._seat)
        return seen

    def _info(self) -> Dict[str, Any]:
        legal = self._state.legal_actions(self._seat)
        mask = numpy.zeros(NUM_ACTIONS, numpy.int8)
        mask[legal] = 1
        return {"action_mask": mask, "legal_actions": legal, "seat": self._seat}
