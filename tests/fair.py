"""Games by chance, dealt by the program that docs/fair-deal.md prints and played by the referee: for tests of what is done with records."""

import pathlib
import re

from program import Referee

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / "docs" / "fair-deal.md"
PROGRAM = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL).group(1)
DOCUMENTED = {}
exec(PROGRAM.split("game = ")[0], DOCUMENTED)  # without the part that reads a file


def digits(chance):
    return chance.randbytes(32).hex()


def play(config, chance, most):
    """Actions and result; no result if the game is broken off after `most` actions."""
    referee = Referee()
    answer, actions = referee.ask(cmd="new", **config), []
    while answer["legal"] and len(actions) < most:
        actions.append(chance.choice(answer["legal"]))
        answer = referee.ask(cmd="apply", action=actions[-1])
    referee.close()
    return actions, answer["state"]["result"]


def make(chance, players, setup, teams=False, missing=(), most=100_000):
    """A record as a server has it. `missing`: the seats that gave no number."""
    secret, randoms = digits(chance), [None if seat in missing else digits(chance) for seat in range(players)]
    first, deck = DOCUMENTED["fair_deal"](players, secret, randoms)
    config = {"edition": "en", "players": players, "setup": setup, "teams": teams, "first": first, "deck": deck}
    actions, result = play(config, chance, most)
    deal = {"hash": DOCUMENTED["sha256"](bytes.fromhex(secret)).hex(), "secret": secret, "randoms": randoms}
    return {"format": "civ-game/1", "rules": 1, **config, "actions": actions, "result": result or {"winners": [0], "by": "forfeit"},
            "names": ["Ada", "Benoît", "Cleo", "Dan"][:players], "comments": {"deal": deal}}
