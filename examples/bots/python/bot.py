#!/usr/bin/env python3
"""A small bot for CIV in Python: plays for Hegemony in the Domain that it has most of. Standard library only.

    civ arena --bot mine="python3 examples/bots/python/bot.py" --bots mine,random --ms 100

One JSON object a line comes in, one goes out (docs/bot-protocol.md). Print nothing else to standard output; standard error is yours.
"""

import json
import random
import sys

# What is worth doing with a turn besides playing a card, best first.
LIKED = ["holy-book", "divine-right", "development", "monopoly", "experiment", "research", "oligarchy", "republic", "copy"]


def column(view, seat, domain):
    """How many cards of a Domain a seat has in its play area."""
    return sum(card[0] == domain for card in view["tables"][seat])


def worth(view, seat, action, chance):
    """A number for each legal action: the highest is taken."""
    verb, *rest = action.split()
    if verb in ("play", "keep", "claim", "take", "recover"):
        domain = rest[0][0]
        held = column(view, seat, domain) + sum(card[0] == domain for card in view["hands"][seat]["cards"])
        # Cards that come back to the hand from the play area should be those that are missed least.
        return 10 - held if verb == "take" else 10 + held
    if verb in ("discard", "give"):
        return 10 - column(view, seat, rest[0][0])
    if verb == "democracy" or verb == "embargo":
        return 4 if column(view, int(rest[0]), rest[1]) >= 6 else -2  # against somebody who is about to win
    if verb in LIKED:
        return 3 - LIKED.index(verb) / 10
    if verb in ("attack", "inquisition", "breakthrough"):
        return -1  # they cost a card
    return chance.random()  # end, skip, and what is neither liked nor disliked


def say(message):
    """An answer to the first offer, in a game with pacts: yes to a truce, and to acting together against who leads."""
    may = [talk.get("offer") for talk in message.get("possible", [])]
    for offer in message.get("pacts", {}).get("offers", []):
        if offer["id"] in may:
            agrees = offer["say"] == "truce" or leads(message["view"], offer["against"])
            return {"say": {"say": "yes" if agrees else "no", "offer": offer["id"]}}
    return {}


def leads(view, seat):
    """Whether a seat has the longest column of all."""
    longest = [max(column(view, other, domain) for domain in "MRESCU") for other in range(view["players"])]
    return longest[seat] == max(longest)


def main():
    chance = random.Random(0)
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "start":
            seat = message["seat"]
            chance = random.Random(message["seed"])  # the same game again, if asked with the same seed
            answer = {"ok": True}
        elif message["cmd"] == "decide":
            answer = {"action": max(message["legal"], key=lambda action: worth(message["view"], seat, action, chance)), **say(message)}
        else:  # the end of a game asks for no answer
            continue
        print(json.dumps(answer), flush=True)


main()
