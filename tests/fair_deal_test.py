#!/usr/bin/env python3
"""Deals as docs/fair-deal.md has them, from nothing but SHA-256: tests/fair-deal.json must have these, and deal_test.cc compares the program's."""

import hashlib
import itertools
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).parent / "fair-deal.json"
AGES = [
    {"M1": 8, "R1": 8, "E1": 4, "S1": 4, "C1": 4},
    {"M2": 8, "R2": 8, "E2": 4, "S2": 8, "C2": 4},
    {"M3": 4, "E3": 8, "S3": 8, "C3": 8, "U3": 16},
]


def words(seed):
    """Numbers of 32 bits: SHA-256 of the seed and a counter of four bytes, eight numbers from each."""
    for counter in itertools.count():
        block = hashlib.sha256(seed + counter.to_bytes(4, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def below(numbers, n):
    while True:
        word = next(numbers)
        if word < 2**32 - 2**32 % n:
            return word % n


def deal(players, secret, randoms):
    seed = b"civ-deal/1" + bytes.fromhex(secret)
    for random in randoms[:players]:
        seed += bytes.fromhex(random) if random else bytes(32)
    numbers = words(hashlib.sha256(seed).digest())
    first = below(numbers, players)
    deck = []
    for age in AGES:
        pile = [card for card, copies in age.items() for _ in range(copies)]
        for i in range(len(pile), 1, -1):
            j = below(numbers, i)
            pile[i - 1], pile[j] = pile[j], pile[i - 1]
        deck += pile if players == 4 else pile[:-3]
    return first, deck


def answers():
    def number(text):
        return hashlib.sha256(text.encode()).hexdigest()

    made = []
    for players in (2, 3, 4):
        for given in range(2**players):
            secret = number(f"secret {players} {given}")
            randoms = [number(f"seat {seat} {given}") if given >> seat & 1 else None for seat in range(players)]
            first, deck = deal(players, secret, randoms)
            hashed = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
            made.append({"players": players, "secret": secret, "hash": hashed, "randoms": randoms, "first": first, "deck": " ".join(deck)})
    return json.dumps(made, indent=1) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        FILE.write_text(answers())
    elif FILE.read_text() != answers():
        sys.exit(f"{FILE} has other deals")
