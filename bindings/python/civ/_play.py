"""States that can be stored, observers, and batches of games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional

from . import _civ

if TYPE_CHECKING:
    import numpy


class Plane(NamedTuple):
    """A part of an observation: `rows` rows of `width` numbers from `begin` on."""

    name: str
    begin: int
    rows: int
    width: int
    meaning: str


def planes(players: int = 2) -> List[Plane]:
    """What the numbers of an observation mean, in order. Rows of seats begin with the viewer and go clockwise."""
    return [Plane(*plane) for plane in _civ._planes(players)]


def load_game(name: str = "civ", params: Optional[Dict[str, Any]] = None) -> _civ.Game:
    """The game with those parameters, as `pyspiel.load_game` has it."""
    if name != "civ":
        raise ValueError(f"there is no game {name!r} here, only 'civ'")
    return _civ.Game(**(params or {}))


# --- What is stored ---


def _serialize(self: _civ.State) -> str:
    """A text from which `deserialize_state` makes the same state again."""
    if not self.has_deal:
        return json.dumps({"format": "civ-state/1", "state": json.loads(self.to_json())})
    game = self.get_game().get_parameters()
    if game["chance"] == "explicit":
        return json.dumps({"format": "civ-state/1", "game": game, "history": self.history()})
    return self.record()


def deserialize_state(text: str) -> _civ.State:
    """A state from what `State.serialize` gave, or from a game record (civ-game/1)."""
    try:
        saved = json.loads(text)
    except ValueError:
        saved = None
    if not isinstance(saved, dict) or saved.get("format") != "civ-state/1":
        return _civ.State.from_record(text)
    if "state" in saved:
        return _civ.State.from_json(json.dumps(saved["state"]))
    return _civ.Game(**saved["game"]).from_history(saved["history"])


def _history_str(self: _civ.State) -> str:
    """The actions so far as a text."""
    return ", ".join(str(action) for action in self.history())


def _deserialize(self: _civ.Game, text: str) -> _civ.State:
    """A state of this game from what `State.serialize` gave."""
    state = deserialize_state(text)
    if state.get_game() != self:
        raise ValueError(f"this is a state of another game: {state.get_game()}")
    return state


def _make_observer(self: _civ.Game, *_: Any, **__: Any) -> "Observer":
    """What sees states of this game as arrays."""
    return Observer(self)


def _complete() -> None:
    """Gives states and games what is easier said in Python."""
    state: Any = _civ.State
    state.serialize = _serialize
    state.history_str = _history_str
    state.__str__ = lambda self: self.to_json() if self.current_player() != _civ.CHANCE else f"chance after [{_history_str(self)}]"
    state.__reduce__ = lambda self: (deserialize_state, (_serialize(self),))
    game: Any = _civ.Game
    game.deserialize_state = _deserialize
    game.make_observer = _make_observer


# --- Observers ---


class Observer:
    """Observations of one state after the other, in one array: as OpenSpiel's `make_observation` has it."""

    def __init__(self, game: _civ.Game) -> None:
        import numpy

        players = game.num_players()
        self.tensor = numpy.zeros(game.observation_tensor_size(), numpy.float32)
        #: The planes by name, as views of `tensor`.
        self.dict = {
            plane.name: self.tensor[plane.begin:plane.begin + plane.rows * plane.width].reshape(plane.rows, plane.width)
            for plane in planes(players)
        }

    def set_from(self, state: _civ.State, player: int) -> None:
        state.observe(self.tensor, player)

    def string_from(self, state: _civ.State, player: int) -> str:
        return state.observation_string(player)


# --- Batches ---


def buffers(n: int, players: int = 2, observations: Optional[str] = "float32") -> Dict[str, "numpy.ndarray[Any, Any]"]:
    """Arrays for a batch. `observations` is "float32", "uint8" (a quarter of the memory) or None."""
    import numpy

    arrays: Dict[str, Any] = {
        "actions": numpy.zeros(n, numpy.uint8),
        "masks": numpy.zeros((n, _civ.NUM_ACTIONS), numpy.bool_),
        "rewards": numpy.zeros((n, players), numpy.float32),
        "seats": numpy.zeros(n, numpy.uint8),
        "dones": numpy.zeros(n, numpy.bool_),
    }
    if observations is not None:
        arrays["observations"] = numpy.zeros((n, sum(p.rows * p.width for p in planes(players))), observations)
    return arrays


class Batch(_civ._Batch):
    """n games side by side, on all cores.

    Everything goes through arrays that belong to the caller (`buffers`, or any others of the same
    shapes; what is left out is not written): `step` reads `actions` and writes

    - `masks` (n, 256): what is legal,
    - `seats` (n): who decides,
    - `observations` (n, size): what that seat sees,
    - `rewards` (n, players) and `dones` (n): of the game that this step has ended. Another one has
      begun in its place by then, and is what the other arrays show.

    The same seed and actions give the same games, whatever the number of threads (0: all cores).
    An action that is not legal raises `Error`, whose `place` says where, and nothing is done.
    """

    def __init__(self, n: int, players: int = 2, setup: str = "basic", edition: str = "en", teams: bool = False, *,
                 seed: int = 1, threads: int = 0, observations: Optional[str] = "float32",
                 buffers: Optional[Dict[str, Any]] = None) -> None:
        game = _civ.Game(players, setup, edition, teams)
        if buffers is None:
            if n < 1:
                raise ValueError("a batch has at least one game")
            buffers = _buffers(n, players, observations)
        super().__init__(n, game, seed, threads, buffers)
        self.game = game
        self.arrays = buffers

    def __getattr__(self, name: str) -> Any:
        arrays = self.__dict__.get("arrays", {})
        if name in arrays:
            return arrays[name]
        raise AttributeError(f"a batch has no {name!r}" + (" without that buffer" if name in _NAMES else ""))


_buffers = buffers
_NAMES = ("actions", "masks", "rewards", "seats", "dones", "observations")
