"""Plays generated games on `civ referee` and on the model in step, and compares every answer.

    python3 tests/model/differential.py --civ build/civ --games 50 --seed 1 [--config 3p-draft-es] [--game N]

Games go through all configurations in turn, from shuffled decks, from decks sorted so that columns fill up, and from
made-up positions. A second referee loads what the first one printed. --game N repeats one game of a run by its number.
"""

import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import traceback

sys.dont_write_bytecode = True
from civ_model import (AGE_SIZES, ALL_CARDS, CARDS, DOMAINS, EDITIONS, PERMANENT, PRINTED, Game, by_card,
                       by_domain, duplicate)

CONFIGS = {f"{players}p-{setup}-{edition}" + ("-teams" if teams else ""):
           {"players": players, "setup": setup, "edition": edition, "teams": teams}
           for edition in EDITIONS for setup in ("basic", "draft") for players in (2, 3, 4)
           for teams in ((False, True) if players == 4 else (False,))}
DISCARD_EFFECTS = ["attack", "inquisition", "embargo", "breakthrough", "democracy"]
UNIVERSE = (list(PERMANENT) + ["copy " + effect for effect in PERMANENT] + ["end", "skip", "breakthrough"]
            + [f"{verb} {card}" for verb in ("keep", "play", "discard", "take", "recover", "give") for card in CARDS]
            + [f"{verb} {domain}" for verb in ("claim", "discard", "attack") for domain in DOMAINS]
            + [f"inquisition {seat}" for seat in range(5)]
            + [f"{verb} {seat} {domain}" for verb in ("embargo", "democracy")
               for seat in range(5) for domain in DOMAINS]
            + ["", "copy", "play", "play R3", "END", "end ", " end", "copy inspiration", "attack", "embargo 1",
               "inquisition", "inquisition -1", "breakthrough S", "copy attack", "claim U1", "discard X"])


class Mismatch(Exception):
    pass


class Referee:
    """A `civ referee` process; remembers how the position was reached and the last requests, for the report."""

    def __init__(self, civ):
        self.process = subprocess.Popen([civ, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.start, self.actions, self.recent, self.requests = None, [], collections.deque(maxlen=2), 0

    def raw(self, line):
        self.requests += 1
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.recent.append(line)
        answer = self.process.stdout.readline()
        if not answer:
            raise Mismatch("the referee ended without an answer")
        return json.loads(answer)

    def ask(self, cmd, **fields):
        line = json.dumps({"cmd": cmd, **fields})
        answer = self.raw(line)
        if cmd in ("new", "load"):
            self.start, self.actions = line, []
        elif cmd == "apply" and answer.get("ok"):
            self.actions.append(fields["action"])
        return answer

    def report(self):
        return f"  {self.start}\n  then: {json.dumps(self.actions)}\n  last requests:\n    " + "\n    ".join(self.recent)

    def close(self):
        self.process.stdin.write('{"cmd":"quit"}\n')
        self.process.stdin.close()
        return self.process.wait(timeout=20)


def differences(expected, got, path=""):
    """The places where two JSON values differ."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return [line for key in sorted({*expected, *got})
                for line in differences(expected.get(key, "(absent)"), got.get(key, "(absent)"), f"{path}.{key}")]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return [line for i in range(len(got)) for line in differences(expected[i], got[i], f"{path}[{i}]")]
    same = expected == got and isinstance(expected, bool) == isinstance(got, bool)
    return [] if same else [f"{path}: model {json.dumps(expected)}, referee {json.dumps(got)}"]


def expect(what, expected, got):
    lines = differences(expected, got)
    if lines:
        raise Mismatch(what + "\n  " + "\n  ".join(lines))


def expect_position(what, game, answer):
    if isinstance(answer.get("legal"), list):
        answer["legal"].sort()
    expect(what, {"ok": True, "state": game.state, "legal": sorted(game.legal())}, answer)


def expect_refusal(what, answer):
    if answer.get("ok") is not False or not answer.get("error") or set(answer) != {"ok", "error"}:
        raise Mismatch(f"{what}: a refusal was expected, not {json.dumps(answer)}")


# ---- decks and positions


def ages(rng, players):
    """Three shuffled lists, the cards put back in the box left out."""
    result = []
    for age, size in zip("123", AGE_SIZES[players]):
        cards = [card for card in ALL_CARDS if card[1] == age]
        rng.shuffle(cards)
        result.append(cards[:size])
    return result


def make_deck(rng, players, kind):
    """`sorted`: Domains one after the other. `columns`: Domains in turn, so that every player's column is the same Domain
    for long. `utopia`: Utopia first in its Age."""
    piles = ages(rng, players)
    order = rng.sample(DOMAINS, 6)
    for pile in piles:
        if kind == "sorted":
            pile.sort(key=lambda card: order.index(card[0]))
        elif kind == "columns":
            seen = collections.Counter()
            ranks = []
            for card in pile:
                ranks.append((seen[card[0]] // 2, order.index(card[0])))
                seen[card[0]] += 1
            pile[:] = [card for _, card in sorted(zip(ranks, pile))]
        elif kind == "utopia":
            pile.sort(key=lambda card: card[0] != "U")
    return [card for pile in piles for card in pile]


def make_position(rng, config):
    """A state in the middle of a game that could have been reached, as far as a few lines can tell."""
    n, edition = config["players"], config["edition"]
    first, seat = rng.randrange(n), rng.randrange(n)
    turn = rng.randrange(70) * n + (seat - first) % n + 1
    deck = [card for pile in ages(rng, n) for card in pile]
    left = rng.choice([0, 1, rng.randrange(1, 12), rng.randrange(1, 12), rng.randrange(12, 41), rng.randrange(41, 70)])
    drawn, deck = deck[:len(deck) - left], deck[len(deck) - left:]
    if deck and rng.random() < 0.2:  # any cards may be gone, if the rest is in Age order
        cards = drawn + deck
        rng.shuffle(cards)
        drawn, deck = cards[left:], sorted(cards[:left], key=lambda card: card[1])
    rng.shuffle(drawn)
    hegemony = 8 if n == 2 else 7
    hands, tables, democracies, embargoes = [], [], [], []

    def take(wanted):
        for card in drawn:
            if wanted(card):
                drawn.remove(card)
                return card
        return None

    def longest(cards):
        return max(rng.sample(DOMAINS, 6), key=[card[0] for card in cards].count)

    for _ in range(n):
        hands.append([drawn.pop() for _ in range(rng.choice([0, 1, 2, 3, 3, 3, 3, 4, 5, 7])) if drawn])
        table = []
        for domain in rng.sample(DOMAINS, 6):
            number = rng.choice([0, 0, 1, 2, 3, 4, 5, hegemony - 1])
            table += [card for card in (take(lambda c: c[0] == domain) for _ in range(number)) if card]
        tables.append(table)
    step = rng.choice(["play", "effects"])
    used = {"permanent": [], "discard": []}
    if step == "effects" and rng.random() < 0.5:
        used["permanent"] = [d for d in "MRESU" if rng.random() < 0.3]
        used["discard"] = [d for d in "MR" if rng.random() < 0.3]
    target = rng.choice([seat, rng.randrange(n)])
    for _ in range(rng.choice([0, 0, 1, 2, 2, 3])):  # often several on one long column, which then may be longer
        domain = longest(tables[target]) if rng.random() < 0.8 else rng.choice(DOMAINS)
        by = (target + rng.randrange(1, n)) % n
        if by != seat and take(lambda c: c == "U3"):
            democracies.append({"seat": target, "domain": domain, "by": by})
            against = [d["domain"] for d in democracies].count(domain)
            more = hegemony - 1 + against - [card[0] for card in tables[target]].count(domain)
            if rng.random() < 0.7:
                tables[target] += [card for card in (take(lambda c: c[0] == domain) for _ in range(more)) if card]
    for ago in range(n - 1, 0, -1):  # an embargo stays until its target's turn is over
        by = (seat - ago) % n
        targets = [t for t in range(n) if t != by and ((seat - t) % n or n) > ago]
        if rng.random() < 0.4 and (card := take(lambda c: c[0] == "E")):
            target = rng.choice(targets + [seat])
            domain = longest(hands[target]) if rng.random() < 0.7 else rng.choice(DOMAINS)
            embargoes.append({"seat": target, "domain": domain, "by": by, "card": card})
    last = rng.choice([turn - 1, turn - 20 * n + rng.randrange(1, 3 * n), turn - rng.randrange(1, 20 * n)])
    closing = None
    if not deck:
        drawer_turn = turn - rng.randrange(0, n if edition == "pt" else (turn - 1) % n + 1)
        if drawer_turn < 1:
            drawer_turn = turn
        if drawer_turn == turn:
            step = "effects"
            used["discard"] = by_domain({*used["discard"], "S"})
        last = drawer_turn
        closing = ((first + drawer_turn - 1 if edition == "pt" else first) - 1) % n
    game = Game({
        **config, "first": first, "turn": turn, "seat": seat, "step": step, "deck": deck,
        "hands": [by_card(hand) for hand in hands], "tables": [by_card(table) for table in tables],
        "discard": by_card(drawn), "packs": None, "centre": None, "embargoes": embargoes, "democracies": democracies,
        "coin": None, "used": used, "handSize": rng.choice([5, 7]) if "R" in used["permanent"] else 3, "choice": None,
        "lastDraw": max(0, last), "closing": closing, "result": None})
    owner = rng.randrange(n)
    if owner != seat and game.leads_culture(owner):
        game.state["coin"] = {"owner": owner, "seat": rng.choice(game.others(owner)), "domain": rng.choice("MRESU")}
    return game.state


def make_tie(rng, config):
    """A position on the last turn, if possible one that a chosen tie-break would decide."""
    n = config["players"]
    state = make_position(rng, config)
    while state["closing"] != state["seat"]:
        state = make_position(rng, config)
    pool = [card for cards in [state["discard"], *state["tables"]] for card in cards]
    wanted = rng.choice(["points", *"UCSERM", "shared"])
    for _ in range(1000):
        rng.shuffle(pool)
        counts = [[rng.choice([0, 1, 1, 2]) for _ in DOMAINS] for _ in range(n)]
        for seat in range(1, n):  # the same as another's, but for two Domains
            changed = rng.sample(range(6), 2)
            counts[seat] = [counts[seat][i] if i in changed else counts[seat - 1][i] for i in range(6)]
        rest = list(pool)
        tables = []
        for row in counts:
            tables.append([card for domain, number in zip(DOMAINS, row)
                           for card in [card for card in rest if card[0] == domain][:number]])
            for card in tables[-1]:
                rest.remove(card)
        game = Game({**state, "tables": [by_card(table) for table in tables], "discard": by_card(rest), "coin": None,
                     "step": "effects"})
        game.majority()
        if game.decided == wanted:
            break
    return game.state


# ---- policies: a number for each legal action, highest chosen; ties at random


def uniform(game, action):
    return 0


def ending(game, action):
    return 1 if action == "end" else 0


def effect_happy(game, action):
    return -1 if action == "end" else 0


def column(game, action):
    """Builds the Domain it has most of, and leaves the others alone."""
    s, seat = game.state, game.state["seat"]
    verb, last = action.split()[0], action.split()[-1]
    favourite = max(DOMAINS, key=lambda d: 3 * game.count(seat, d) + [card[0] for card in s["hands"][seat]].count(d))
    is_favourite = last[0] == favourite
    if verb in ("keep", "claim", "play", "recover"):
        return 2 if is_favourite else 0
    if verb in ("discard", "take", "give"):
        return 0 if is_favourite else 1
    if verb == "attack":
        return -9
    if verb == "end":
        return 0
    if last in PERMANENT:
        return -1 if last in ("assassination", "purge") else 1
    given_up = {"inquisition": "R", "embargo": "E", "breakthrough": "S", "democracy": "U"}[verb]
    return -9 if given_up == favourite else 0.1


def stalling(game, action):
    """Keeps the hand full without drawing: Oligarchy and Republic, and attacks to refill the pile."""
    s, seat = game.state, game.state["seat"]
    verb, last = action.split()[0], action.split()[-1]
    spare = len(s["hands"][seat]) - s["handSize"]
    in_reach = game.count(seat, "U") >= (3 if s["players"] < 4 else 2)
    if verb in ("keep", "claim", "play", "recover"):
        if last[0] == "U":
            return 5 if verb == "play" and game.count(seat, "U") < 6 else -5
        return -game.count(seat, last[0]) + (1 if last[0] == "M" else 0)
    if verb in ("discard", "take", "give"):
        return -9 if last[0] == "U" else game.count(seat, last[0])
    if last in ("oligarchy", "republic"):
        return 9 if last == "republic" else 8
    if verb == "attack":
        return game.count(seat, last) - 3 if last != "U" and len(s["tables"][seat]) > 9 else -1
    if last in ("development", "monopoly"):
        return 4 if spare > PERMANENT[last][4] else -1
    if last in ("experiment", "research"):
        return -1
    if verb == "breakthrough":
        return 3 if not in_reach else -2
    if verb in ("embargo", "inquisition"):
        return 1 if in_reach else -1
    return 0 if verb == "end" else -2


POLICIES = [uniform, effect_happy, column, stalling]
SLIPS = {uniform: 1, ending: 0.1, effect_happy: 0.05, column: 0.1, stalling: 0.01}


def choose(rng, policy, game, legal):
    if len(legal) == 1 or rng.random() < SLIPS[policy]:
        return rng.choice(legal)
    values = {action: policy(game, action) for action in legal}
    return rng.choice([action for action in legal if values[action] == max(values.values())])


# ---- checks


def shuffled(rng, value, key=None):
    """The same state, written differently: fields and cards in another order, an unknown field added."""
    if isinstance(value, dict):
        fields = list(value.items())
        rng.shuffle(fields)
        return {name: shuffled(rng, field, name) for name, field in fields} | ({"unknown": [1]} if key is None else {})
    if value and key in ("discard", "centre", "cards") and value[0] in CARDS:
        return rng.sample(value, len(value))
    if value and key in ("hands", "tables", "packs"):
        return [shuffled(rng, cards, "cards") for cards in value]
    return value


def check_views(referee, game):
    for observer in game.known:
        expect(f"view of {observer}", {"ok": True, "view": game.view(observer)}, referee.ask("view", seat=observer))


def check_view_requests(rng, referee, second, game):
    s = game.state
    if s["seat"] is not None:
        answer = second.ask("legal", view=game.view(s["seat"]))
        answer.get("legal", []).sort()
        expect("legal from the view", {"ok": True, "legal": sorted(game.legal())}, answer)
    observer = rng.choice(list(game.known))
    view, seed = game.view(observer), rng.randrange(1 << 31)
    answer = second.ask("sample", view=view, seed=seed)
    if answer.get("ok") is not True or set(answer) != {"ok", "state"}:
        raise Mismatch(f"sample of the view of {observer}: {json.dumps(answer)}")
    expect("sample again with the same seed", answer, second.ask("sample", view=view, seed=seed))
    sample = Game(answer["state"])
    for seat, hand in enumerate(view["hands"]):
        missing = collections.Counter(hand.pop("known", [])) - collections.Counter(sample.state["hands"][seat])
        if missing:
            raise Mismatch(f"sample for {observer}: hand {seat} lacks known cards {dict(missing)}")
    seen = sample.view(observer)
    for hand in seen["hands"]:
        hand.pop("known", None)
    expect(f"view of a sample for {observer}", view, seen)
    expect_position("load of a sample", sample, second.ask("load", state=sample.state))
    if observer is not None and observer == s["seat"]:
        expect("legal of a sample", sorted(game.legal()), sorted(sample.legal()))


def check_load(rng, second, game):
    expect_position("load", game, second.ask("load", state=shuffled(rng, game.state)))
    bare = Game(game.state)
    observer = rng.choice(list(game.known))
    expected = {"ok": True, "view": bare.view(observer)}
    expect(f"view of {observer} after a load", expected, second.ask("view", seat=observer))
    for what, state in corrupted(rng, game.state):
        expect_refusal(f"load of a state with {what}", second.raw(json.dumps({"cmd": "load", "state": state})))
    expect(f"view of {observer} after refusals", expected, second.ask("view", seat=observer))


def corrupted(rng, state):
    """Two inconsistent neighbours of a state."""
    n = state["players"]

    def a_card_lost(s):
        rng.choice([cards for cards in [s["deck"], s["discard"], *s["hands"], *s["tables"]] if cards]).pop()

    def a_card_too_many(s):
        s["tables"][0].append(rng.choice(CARDS))

    def an_unprinted_card(s):
        place = rng.choice([cards for cards in [s["deck"], s["discard"], *s["hands"], *s["tables"]] if cards])
        place[-1] = "R3"

    def too_many_of_a_kind(s):
        places = [cards for cards in [s["discard"], *s["hands"], *s["tables"]] if cards]
        if not places:
            return False
        age = rng.choice(places)[0][1]
        kind = rng.choice([card for card in CARDS if card[1] == age])
        found = sum(cards.count(kind) for cards in [*places, s["deck"], s["centre"] or [], *(s["packs"] or [])])
        found += [e["card"] for e in s["embargoes"]].count(kind) + (len(s["democracies"]) if kind == "U3" else 0)
        wanted = PRINTED[kind[0]][int(age) - 1] - found + 1
        for cards in places:
            for i, card in enumerate(cards):
                if wanted and card[1] == age and card != kind:
                    cards[i] = kind
                    wanted -= 1
        return wanted == 0

    def a_deck_out_of_order(s):
        s["deck"].reverse()
        return bool(s["deck"]) and s["deck"][0][1] != s["deck"][-1][1]

    def no_such_seat(s):
        s["seat"] = n

    def a_seat_out_of_turn(s):
        s["seat"] = (s["seat"] or 0) + 1 if (s["seat"] or 0) + 1 < n else 0
        return s["step"] not in ("draft", "claim")

    def no_such_step(s):
        s["step"] = "draw"

    def a_choice_missing(s):
        s["step"], s["choice"] = "choose", None

    def a_result_missing(s):
        s["step"], s["seat"], s["result"] = "over", None, None

    def a_result_too_early(s):
        s["result"] = {"winners": [0], "by": "hegemony", "domain": "M"}
        return s["step"] != "over"

    def no_such_edition(s):
        s["edition"] = "de"

    def a_hand_too_many(s):
        s["hands"].append([])

    def a_field_missing(s):
        del s[rng.choice(["tables", "hands", "deck", "turn", "discard", "players", "edition", "step"])]

    def a_choice_too_large(s):
        if not s["choice"]:
            return False
        s["choice"]["left"] = 99

    kinds = [a_card_lost, a_card_too_many, an_unprinted_card, too_many_of_a_kind, a_deck_out_of_order, no_such_seat,
             a_seat_out_of_turn, no_such_step, a_choice_missing, a_result_missing, a_result_too_early, no_such_edition,
             a_hand_too_many, a_field_missing, a_choice_too_large]
    for kind in rng.sample(kinds, 2):
        bad = duplicate(state)
        if kind(bad) in (None, True):
            yield kind.__name__.replace("_", " "), bad


def check_refusals(rng, referee, legal):
    for action in rng.sample(UNIVERSE, 2):
        if action not in legal:
            expect_refusal(f"apply {action!r}", referee.ask("apply", action=action))


def check_requests(rng, referee, config):
    """Requests that are wrong in other ways, and games from a seed."""
    deck = make_deck(rng, config["players"], "shuffled")
    given = {**config, "first": 0, "deck": deck}
    wrong = ["", " ", "x", "[]", "null", "7", '"new"', "{}", '{"cmd":"new"', '{"cmd":"castle"}', '{"cmd":7}',
             '{"cmd":"apply"}', '{"cmd":"apply","action":7}', '{"cmd":"view","seat":4}', '{"cmd":"view","seat":-1}',
             '{"cmd":"view","seat":"0"}',
             '{"cmd":"perft","depth":7}', '{"cmd":"perft","depth":-1}', '{"cmd":"perft"}', '{"cmd":"load"}',
             '{"cmd":"load","state":{}}', '{"cmd":"legal"}', '{"cmd":"sample","view":{}}']
    for fields in [{"deck": deck[1:]}, {"deck": deck + ["M1"]}, {"deck": deck[::-1]}, {"deck": ["M1"] * len(deck)},
                   {"deck": ["X1"] + deck[1:]}, {"first": config["players"]}, {"first": -1}, {"seed": 7}, {"players": 5},
                   {"players": 1}, {"setup": "fast"}, {"edition": "de"}, {"edition": 1}, {"teams": True, "players": 3},
                   {"teams": 1}]:
        wrong.append(json.dumps({"cmd": "new", **given, **fields}))
    for field in ("first", "deck"):
        wrong.append(json.dumps({"cmd": "new", **{k: v for k, v in given.items() if k != field}}))
    game = Game.new(**given)
    expect_position("new", game, referee.ask("new", **given))
    for line in wrong:
        expect_refusal(f"request {line[:60]!r}", referee.raw(line))
    check_views(referee, game)
    seed = rng.randrange(1000)
    answer = referee.ask("new", **config, seed=seed)
    expect("seed of a seeded game", seed, answer.get("seed"))
    expect("a seeded game again", answer, referee.ask("new", **config, seed=seed))
    first, players = answer["state"]["first"], config["players"]
    dealt = answer["state"]["packs"] or answer["state"]["hands"]
    deck = [card for i in range(players) for card in dealt[(first + i) % players]] + answer["state"]["deck"]
    del answer["seed"]
    expect_position("a seeded game", Game.new(**config, first=first, deck=deck), answer)
    if sorted(collections.Counter(card[1] for card in deck).values()) != list(AGE_SIZES[players]):
        raise Mismatch("a seeded game does not have the right number of cards of each Age")
    answer = referee.ask("new")
    expect("defaults of new", [2, "basic", "en", False, True],
           [answer["state"][field] for field in ("players", "setup", "edition", "teams")] + ["seed" in answer])


# ---- one game


def play_game(rng, referee, second, config, coverage):
    kind = rng.choice(["shuffled", "shuffled", "sorted", "columns", "utopia", "position", "position", "tie", "tie"])
    coverage["start " + kind] += 1
    if kind in ("position", "tie"):
        state = make_position(rng, config) if kind == "position" else make_tie(rng, config)
        game = Game(duplicate(state))
        answer = referee.ask("load", state=shuffled(rng, state))
    else:
        start = {**config, "first": rng.randrange(config["players"]), "deck": make_deck(rng, config["players"], kind)}
        game = Game.new(**start)
        answer = referee.ask("new", **start)
    expect_position("the start", game, answer)
    all_play = {"utopia": stalling, "columns": column, "tie": ending}.get(kind)
    if all_play is None and rng.random() < 0.3:
        all_play = rng.choice(POLICIES)
    policies = [all_play or rng.choice(POLICIES) for _ in range(config["players"])]
    check_views(referee, game)
    actions = 0
    while game.state["step"] != "over":
        legal, seat = game.legal(), game.state["seat"]
        if rng.random() < 0.1:
            check_refusals(rng, referee, legal)
        if rng.random() < 0.02:
            expect("perft 2", {"ok": True, "nodes": game.perft(2)}, referee.ask("perft", depth=2))
        action = choose(rng, policies[seat], game, legal)
        before = duplicate(game.state)
        game.apply(action)
        answer = referee.ask("apply", action=action)
        expect_position(f"after {action!r}", game, answer)
        actions += 1
        note(coverage, before, action, game)
        if (rng.random() < 0.15 or action.split()[0] in ("inquisition", "give", "recover", "take")
                or game.state["step"] == "over"):
            check_views(referee, game)
        if rng.random() < 0.05 or (game.state["choice"] and rng.random() < 0.05) or game.state["step"] == "over":
            check_view_requests(rng, referee, second, game)
            check_load(rng, second, game)
        if actions > 5000:
            coverage["cut short"] += 1
            break
    check_refusals(rng, referee, game.legal())
    expect("perft 1 at the end", {"ok": True, "nodes": game.perft(1)}, referee.ask("perft", depth=1))
    return actions


def note(coverage, before, action, game):
    """Counts what happened, for the closing lines."""
    after, verb = game.state, action.split()[0]
    if before["step"] == "effects":
        coverage[action if verb in ("copy", *PERMANENT) else verb] += 1
    elif before["step"] != "choose":
        coverage[verb] += 1
    if verb == "inquisition" and not after["choice"]:
        coverage["inquisition of an empty hand"] += 1
    if verb == "breakthrough":
        drawn = len(before["deck"]) - len(after["deck"])
        coverage["breakthrough short of 5"] += drawn < 5
        coverage["breakthrough of the last card"] += drawn > 0 and not after["deck"]
    if before["choice"] and before["choice"]["verb"] in ("discard", "take") and before["choice"]["left"] == 1:
        wanted = {"monopoly": 2, "research": 2, "development": 1, "experiment": 1}.get(before["choice"]["effect"], 0)
        coverage["then: fewer played than asked"] += wanted > (after["choice"] or {"left": 0})["left"]
    if before["coin"] and not after["coin"]:
        own_turn = verb == "end" and after["seat"] == before["coin"]["owner"]
        coverage["coin back: own turn" if own_turn else "coin back: Culture"] += 1
    if verb == "end":
        for domain in DOMAINS:
            needed = 8 if before["players"] == 2 else 7
            if game.count(before["seat"], domain) >= needed and domain not in game.hegemony(before["seat"]):
                coverage["hegemony stopped by democracy"] += 1
    if after["result"]:
        if after["result"]["by"] == "hegemony":
            coverage["ending: hegemony " + after["result"]["domain"]] += 1
        else:
            stalled = after["closing"] != before["seat"]
            coverage["ending: ruling 11" if stalled else "ending: majority"] += 1
            team = "teams " if after["teams"] else ""
            coverage[f"{team}decided by: {game.decided}"] += 1


def print_coverage(coverage):
    groups = {
        "starts": [key for key in coverage if key.startswith("start ")],
        "permanent": list(PERMANENT),
        "copies": ["copy " + effect for effect in PERMANENT],
        "discard": DISCARD_EFFECTS,
        "endings": ["ending: hegemony " + d for d in DOMAINS] + ["ending: majority", "ending: ruling 11"],
        "majority": [team + "decided by: " + how for team in ("", "teams ") for how in ("points", *"UCSERM", "shared")],
        "other": ["skip", "keep", "claim", "inquisition of an empty hand", "breakthrough short of 5",
                  "breakthrough of the last card", "then: fewer played than asked", "coin back: Culture",
                  "coin back: own turn", "hegemony stopped by democracy", "cut short"],
    }
    for group, keys in groups.items():
        names = [key.replace("start ", "").replace("copy ", "").replace("ending: ", "").replace("decided by: ", "")
                 for key in keys]
        print(f"{group}: " + ", ".join(f"{name} {coverage[key]}" for name, key in zip(names, keys)))


def too_long(*_):
    raise Mismatch("no answer for too long")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--civ", default="build/civ")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", choices=sorted(CONFIGS), help="this configuration only")
    parser.add_argument("--game", type=int, help="this game of the run only, counted from 0")
    args = parser.parse_args()
    if os.environ.get("CIV_LONG"):
        args.games *= 25
    names = [args.config] if args.config else list(CONFIGS)
    referee, second = Referee(args.civ), Referee(args.civ)
    coverage, actions, passed = collections.Counter(), 0, 0
    signal.signal(signal.SIGALRM, too_long)
    for number in range(args.games) if args.game is None else [args.game]:
        name = names[number % len(names)]
        rng = random.Random(f"{args.seed}/{number}")
        signal.alarm(120)
        try:
            if number % 20 == 0:
                check_requests(rng, referee, CONFIGS[name])
            actions += play_game(rng, referee, second, CONFIGS[name], coverage)
            passed += 1
        except (Mismatch, json.JSONDecodeError, KeyError, TypeError, IndexError, BrokenPipeError) as error:
            print(f"game {number} of seed {args.seed}, {name}: {type(error).__name__}: {error}")
            if not isinstance(error, Mismatch):
                traceback.print_exc(file=sys.stdout)
            print(f"first referee:\n{referee.report()}\nsecond referee:\n{second.report()}")
            config = f" --config {args.config}" if args.config else ""
            print(f"again: python3 tests/model/differential.py --civ {args.civ} --seed {args.seed}{config} --game {number}")
            print(f"{passed} passed, 1 failed")
            return 1
        finally:
            signal.alarm(0)
    codes = [referee.close(), second.close()]
    if any(codes):
        print(f"quit: exit codes {codes} in place of 0")
        print(f"{passed} passed, 1 failed")
        return 1
    print_coverage(coverage)
    print(f"{actions} actions, {referee.requests + second.requests} answers compared")
    print(f"{passed} passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
