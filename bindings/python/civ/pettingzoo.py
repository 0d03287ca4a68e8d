"""CIV as a PettingZoo AEC environment. Needs the package pettingzoo, and gymnasium with it.

    from civ.pettingzoo import env
    game = env(players=3)
    game.reset(seed=7)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        game.step(None if terminated else game.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy
from gymnasium.spaces import Box, Dict as DictSpace, Discrete
from pettingzoo import AECEnv

from ._civ import NUM_ACTIONS, Game, State


def env(**parameters: Any) -> "CivAEC":
    """The environment; parameters are those of `civ.Game`."""
    return CivAEC(**parameters)


class CivAEC(AECEnv):  # type: ignore[misc]
    """Agents are player_0 …, an observation is {"observation": planes, "action_mask": flags}."""

    metadata = {"name": "civ_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, render_mode: Optional[str] = None, **parameters: Any) -> None:
        super().__init__()
        self._game = Game(**parameters)
        if self._game.max_chance_outcomes():
            raise ValueError("an environment samples chance by itself")
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self._game.num_players())]
        size = self._game.observation_tensor_size()
        self.observation_spaces = {
            agent: DictSpace({"observation": Box(0, 255, (size,), numpy.float32),
                              "action_mask": Box(0, 1, (NUM_ACTIONS,), numpy.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self._seeds = numpy.random.default_rng()
        self._state: State

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        if seed is not None:
            self._seeds = numpy.random.default_rng(seed)
        self._state = self._game.new_initial_state(int(self._seeds.integers(1 << 53)))
        self.agents: List[str] = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._state.current_player()]

    def observe(self, agent: str) -> Dict[str, Any]:
        seat = self.possible_agents.index(agent)
        seen = numpy.zeros(self._game.observation_tensor_size(), numpy.float32)
        self._state.observe(seen, seat)
        mask = numpy.zeros(NUM_ACTIONS, numpy.int8)
        mask[self._state.legal_actions(seat)] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to decide: None is no action")
        self._state.apply_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        for each, reward in zip(self.possible_agents, self._state.rewards()):
            self.rewards[each] = reward
        if self._state.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._state.current_player()]
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        return self._state.to_json() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass
