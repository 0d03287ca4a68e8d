"""The bots of the library, and the judge of whole games."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Union

from . import _civ


class Judgement(NamedTuple):
    """What a bot thinks of one action: its share of the bot's attention, and each seat's chance to win."""

    action: int
    weight: float
    chances: List[float]


class Thought(NamedTuple):
    """What a bot would do; judgements are best first, and none where a bot does not judge."""

    best: int
    judgements: List[Judgement]
    iterations: int


class Bot:
    """One of `bot_names()`. It is shown views only.

    It thinks for so many iterations or milliseconds, or as long as it usually does if neither is said.
    With a limit of iterations alone, one thread and a seed its answer is the same everywhere; search
    bots remember, so use a new one for each game that is to be repeated.
    """

    def __init__(self, name: str, iterations: int = 0, ms: int = 0, threads: int = 1) -> None:
        self._bot = _civ._Bot(name, iterations, ms, threads)

    @property
    def name(self) -> str:
        return self._bot.name

    def think(self, seen: Union[_civ.State, _civ.View], seed: Optional[int] = None) -> Thought:
        """Thinks about the decision of a view, or of whoever decides in a state."""
        view = seen.view() if isinstance(seen, _civ.State) else seen
        best, judgements, iterations = self._bot.think(view, seed)
        return Thought(best, [Judgement(*judgement) for judgement in judgements], iterations)

    def step(self, state: _civ.State) -> int:
        """An action, as OpenSpiel's bots give it."""
        return self.think(state).best


def analyze(record: str, iterations: int = 2000, threads: int = 1, seed: int = 1) -> Dict[str, Any]:
    """Judges a game record, as `civ analyze --json` does (docs/analysis.md)."""
    answer: Dict[str, Any] = json.loads(_civ._analyze(record, iterations, threads, seed))
    return answer
