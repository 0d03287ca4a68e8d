"""Registers CIV with OpenSpiel, where that is installed: then `pyspiel.load_game("python_civ")` plays it.

    import civ.openspiel, pyspiel
    civ.openspiel.register()
    game = pyspiel.load_game("python_civ", {"players": 3})

Chance is explicit, as OpenSpiel wants it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy
import pyspiel

from ._civ import CHANCE, NUM_ACTIONS, TERMINAL, Game, State
from ._play import planes

_DEFAULTS: Dict[str, Any] = {"players": 2, "setup": "basic", "edition": "en", "teams": False}
#: No game is longer: every player has at most so many turns without a card drawn (ruling 11).
MAX_GAME_LENGTH = 1_000_000

_TYPE = pyspiel.GameType(
    short_name="python_civ",
    long_name="CIV: Carta Impera Victoria",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=_DEFAULTS,
)


def register() -> None:
    """Makes the game known to `pyspiel.load_game`."""
    pyspiel.register_game(_TYPE, CivGame)


class CivGame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
        self.civ = Game(**{**_DEFAULTS, **(params or {})}, chance="explicit")
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=self.civ.max_chance_outcomes(),
            num_players=self.civ.num_players(),
            min_utility=self.civ.min_utility(),
            max_utility=self.civ.max_utility(),
            utility_sum=0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> "CivState":
        return CivState(self, self.civ.new_initial_state())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "CivObserver":
        return CivObserver(self.civ, iig_obs_type is not None and iig_obs_type.perfect_recall)


class CivState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: CivGame, state: State) -> None:
        super().__init__(game)
        self.civ = state

    def current_player(self) -> int:
        if self.civ.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.civ.is_chance_node() else self.civ.current_player()

    def _legal_actions(self, player: int) -> List[int]:
        return self.civ.legal_actions(player)

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        return self.civ.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.civ.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.civ.action_to_string(CHANCE if player == int(pyspiel.PlayerId.CHANCE) else player, action)

    def is_terminal(self) -> bool:
        return self.civ.is_terminal()

    def returns(self) -> List[float]:
        return self.civ.returns()

    def __str__(self) -> str:
        return str(self.civ)


class CivObserver:
    """An observer of OpenSpiel's kind, for states of the adapter: its text is what a player sees, or all that it has seen."""

    def __init__(self, game: Game, perfect_recall: bool = False) -> None:
        self._perfect_recall = perfect_recall
        self.tensor = numpy.zeros(game.observation_tensor_size(), numpy.float32)
        self.dict = {
            plane.name: self.tensor[plane.begin:plane.begin + plane.rows * plane.width].reshape(plane.rows, plane.width)
            for plane in planes(game.num_players())
        }

    def set_from(self, state: CivState, player: int) -> None:
        self.tensor.fill(0)
        if not state.civ.is_chance_node() or state.civ.history():
            try:
                state.civ.observe(self.tensor, player)
            except ValueError:  # nothing has been dealt yet, and nothing is seen
                pass

    def string_from(self, state: CivState, player: int) -> str:
        return state.civ.information_state_string(player) if self._perfect_recall else state.civ.observation_string(player)


assert CHANCE == -1 and TERMINAL == -4
