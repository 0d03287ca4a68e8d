"""What was wrong, in words."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Dict

_texts: Dict[str, str] = {}
_DOMAINS = {"M": "Military", "R": "Religion", "E": "Economy", "S": "Science", "C": "Culture", "U": "Utopia"}


def _sentence(key: str, values: Dict[str, str]) -> str:
    """The English message of text/, with plurals of the two forms that English has."""
    if not _texts:
        _texts.update(json.loads(pathlib.Path(__file__).with_name("text.json").read_text(encoding="utf-8")))

    def plural(match: "re.Match[str]") -> str:
        number = values.get(match[1], "")
        return (match[2] if number == "1" else match[3]).replace("#", number)

    braces = r"\{((?:[^{}]|\{\w+\})*)\}"
    text = re.sub(r"\{(\w+), plural, one " + braces + " other " + braces + r"\}", plural, _texts.get(key, key))
    shown = {**values, "domain": _DOMAINS.get(values.get("domain", ""), "")}
    return re.sub(r"\{(\w+)\}", lambda match: shown.get(match[1], match[0]), text)


class Error(ValueError):
    """Something that the rules or the formats do not allow. Nothing has changed.

    `key` names the message in text/, `values` is what it is about, and `place` is the number of the
    action in a record, or of the game in a batch, at which it went wrong (-1 where there is none).
    """

    __module__ = "civ"  # where people find it

    def __init__(self, key: str, values: Dict[str, str], place: int = -1) -> None:
        self.key, self.values, self.place = key, values, place
        sentence = _sentence(key, values)
        super().__init__(sentence if place < 0 else f"{place}: {sentence}")

    def __reduce__(self) -> "tuple[type[Error], tuple[str, Dict[str, str], int]]":
        return Error, (self.key, self.values, self.place)
