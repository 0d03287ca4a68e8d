"""A second, independent implementation of the rules, to test the engine against.

Written from docs/rules.md and docs/protocol.md alone, for obvious correctness and not for speed:
a state is the JSON object of the protocol, cards are strings, every list is a plain list.
"""

DOMAINS = "MRESCU"
EDITIONS = ["en", "fr", "ro", "es", "pt"]
PRINTED = {"M": (8, 8, 4), "R": (8, 8, 0), "E": (4, 4, 8), "S": (4, 8, 8), "C": (4, 4, 8), "U": (0, 0, 16)}
CARDS = [domain + str(age) for age in (1, 2, 3) for domain in DOMAINS if PRINTED[domain][age - 1]]
ALL_CARDS = [card for card in CARDS for _ in range(PRINTED[card[0]][int(card[1]) - 1])]
AGE_SIZES = {2: (25, 29, 41), 3: (25, 29, 41), 4: (28, 32, 44)}

# Permanent effects: Domain, level, and what each asks for first: verb, where from, how many.
PERMANENT = {
    "assassination": ("M", 1, "discard", "hand", 1),
    "purge": ("M", 2, "discard", "hand", 2),
    "holy-book": ("R", 1, None, None, 0),
    "divine-right": ("R", 2, None, None, 0),
    "development": ("E", 1, "discard", "table", 1),
    "monopoly": ("E", 2, "discard", "table", 2),
    "experiment": ("S", 1, "take", "table", 1),
    "research": ("S", 2, "take", "table", 2),
    "oligarchy": ("U", 1, "recover", "pile", 1),
    "republic": ("U", 2, "recover", "pile", 2),
}
HAND_SIZE = {"holy-book": 5, "divine-right": 7}
THEN_PLAY = {"development": 1, "monopoly": 2, "experiment": 1, "research": 2}


def duplicate(value):
    """A deep copy of a JSON value."""
    if isinstance(value, dict):
        return {key: duplicate(field) for key, field in value.items()}
    if isinstance(value, list):
        return [duplicate(item) if isinstance(item, (dict, list)) else item for item in value]
    return value


def by_card(cards):
    return sorted(cards, key=CARDS.index)


def by_domain(domains):
    return sorted(domains, key=DOMAINS.index)


class Game:
    """One game: `state` as the protocol prints it, and what observers know of hands."""

    def __init__(self, state):
        """A loaded state: nothing is known."""
        self.state = state
        seats = range(state["players"])
        self.known = {observer: [[] for _ in seats] for observer in [*seats, None]}
        self.decided = None  # how a Majority was decided: "points", a Domain, or "shared"

    @staticmethod
    def new(players, setup, edition, teams, first, deck):
        deck = list(deck)
        dealt = [[] for _ in range(players)]
        size = 3 if setup == "basic" else 4
        for i in range(players):
            dealt[(first + i) % players] = by_card(deck[:size])
            deck = deck[size:]
        empty = [[] for _ in range(players)]
        basic = setup == "basic"
        return Game({
            "edition": edition, "players": players, "setup": setup, "teams": teams, "first": first,
            "turn": 1 if basic else 0, "seat": first, "step": "play" if basic else "draft",
            "deck": deck, "hands": dealt if basic else empty, "tables": duplicate(empty), "discard": [],
            "packs": None if basic else dealt, "centre": None,
            "embargoes": [], "democracies": [], "coin": None,
            "used": {"permanent": [], "discard": []}, "handSize": 3, "choice": None,
            "lastDraw": 0, "closing": None, "result": None,
        })

    def clone(self):
        game = Game(duplicate(self.state))
        game.known = duplicate(self.known)
        return game

    # ---- looking at the state

    def others(self, seat):
        """The other seats, clockwise from the left of `seat`."""
        n = self.state["players"]
        return [(seat + i) % n for i in range(1, n)]

    def count(self, seat, domain):
        return len([card for card in self.state["tables"][seat] if card[0] == domain])

    def has_level(self, seat, effect):
        domain, level = PERMANENT[effect][:2]
        needed = {1: 3, 2: 5} if self.state["players"] < 4 else {1: 2, 2: 4}
        return self.count(seat, domain) >= needed[level]

    def playable(self, seat):
        stopped = [e["domain"] for e in self.state["embargoes"] if e["seat"] == seat]
        return [card for card in self.state["hands"][seat] if card[0] not in stopped]

    def place(self, seat, where):
        s = self.state
        return {"hand": s["hands"][seat], "table": s["tables"][seat], "pile": s["discard"]}[where]

    def leads_culture(self, seat):
        return all(self.count(seat, "C") > self.count(other, "C") for other in self.others(seat))

    # ---- legal actions

    def legal(self):
        s, seat = self.state, self.state["seat"]
        if s["step"] == "over":
            return []
        if s["step"] == "draft":
            return ["keep " + card for card in by_card(set(s["packs"][seat]))]
        if s["step"] == "claim":
            return ["claim " + domain for domain in by_domain({card[0] for card in s["centre"]})]
        if s["step"] == "play":
            return ["play " + card for card in by_card(set(self.playable(seat)))] or ["skip"]
        if s["step"] == "choose":
            return [s["choice"]["verb"] + " " + name for name in self.nameable()]
        return self.legal_permanent() + self.legal_discard_effects() + ["end"]

    def legal_permanent(self):
        s, seat = self.state, self.state["seat"]
        used, actions = s["used"]["permanent"], []
        for effect, (domain, _, _, where, number) in PERMANENT.items():
            if domain in used or (where and len(self.place(seat, where)) < number):
                continue  # one a turn and Domain; ruling 1
            if self.has_level(seat, effect):
                actions.append(effect)
            elif ("C" not in used and self.leads_culture(seat)
                  and any(self.has_level(other, effect) for other in self.others(seat))):
                actions.append("copy " + effect)
        return actions

    def legal_discard_effects(self):
        s, seat = self.state, self.state["seat"]
        mine = [d for d in DOMAINS if self.count(seat, d) > 0]
        actions = []
        for domain in mine:
            if domain in s["used"]["discard"]:
                continue
            if domain == "M":
                actions += ["attack " + d for d in mine if d != "M" or self.count(seat, "M") > 1]
            if domain == "R":
                actions += [f"inquisition {other}" for other in self.others(seat)]
            if domain == "S":
                actions.append("breakthrough")
            if domain in "EU":
                name = "embargo" if domain == "E" else "democracy"
                actions += [f"{name} {other} {d}" for other in self.others(seat)
                            for d in DOMAINS if self.count(other, d) > 0]
        return actions

    def nameable(self):
        """What may be named in step `choose`: in order, and never so that too few stay at or after it."""
        choice, seat = self.state["choice"], self.state["seat"]
        source, order = self.source(choice, seat)
        ranks = [order.index(name) for name in source]
        lowest = order.index(choice["from"]) if choice["from"] else 0
        return [name for rank, name in enumerate(order)
                if name in source and rank >= lowest
                and len([r for r in ranks if r >= rank]) >= choice["left"]]

    def source(self, choice, seat):
        s, verb = self.state, choice["verb"]
        if verb == "discard" and choice["effect"] in ("development", "monopoly"):
            return [card[0] for card in s["tables"][seat]], list(DOMAINS)
        if verb == "play":
            return self.playable(seat), CARDS
        where = {"discard": "hand", "give": "hand", "take": "table", "recover": "pile"}[verb]
        return self.place(seat, where), CARDS

    # ---- moving cards

    def move(self, card, source, target):
        source.remove(card)
        target.append(card)
        target.sort(key=CARDS.index)

    def oldest(self, cards, domain):
        return by_card([card for card in cards if card[0] == domain])[0]

    def discard_from_table(self, seat, domain):
        table = self.state["tables"][seat]
        self.move(self.oldest(table, domain), table, self.state["discard"])

    def draw(self, number):
        """The deciding seat draws; says how many cards came."""
        s = self.state
        drawn, s["deck"] = s["deck"][:number], s["deck"][number:]
        if drawn:
            s["hands"][s["seat"]] = by_card(s["hands"][s["seat"]] + drawn)
            s["lastDraw"] = s["turn"]
            if not s["deck"]:
                last_but = s["seat"] if s["edition"] == "pt" else s["first"]
                s["closing"] = (last_but - 1) % s["players"]
        return len(drawn)

    def learn(self, seat, card):
        for hands in self.known.values():
            hands[seat].append(card)

    def forget(self, seat, card):
        for hands in self.known.values():
            if card in hands[seat]:
                hands[seat].remove(card)

    # ---- applying an action

    def apply(self, action):
        if action not in self.legal():
            raise ValueError("not legal: " + action)
        verb, *args = action.split()
        step = self.state["step"]
        if step == "draft":
            self.keep(args[0])
        elif step == "claim":
            self.claim(args[0])
        elif step == "play":
            if verb == "play":
                self.play(args[0])
            self.state["step"] = "effects"
        elif step == "choose":
            self.name(args[0])
        elif verb == "end":
            self.end_turn()
        elif verb == "copy":
            self.copy_effect(args[0])
        elif verb in PERMANENT:
            self.permanent(verb)
        else:
            self.discard_effect(verb, args)
        self.look_at_coin()

    def keep(self, card):
        s, n = self.state, self.state["players"]
        self.move(card, s["packs"][s["seat"]], s["hands"][s["seat"]])
        s["seat"] = (s["seat"] + 1) % n
        if s["seat"] != s["first"]:
            return
        if len(s["hands"][0]) < 3:
            s["packs"] = [s["packs"][(seat - 1) % n] for seat in range(n)]
        else:
            s["centre"] = by_card([card for pack in s["packs"] for card in pack])
            s["packs"], s["step"] = None, "claim"
            s["seat"] = s["first"] if s["edition"] == "es" else (s["first"] - 1) % n

    def claim(self, domain):
        s = self.state
        self.move(self.oldest(s["centre"], domain), s["centre"], s["tables"][s["seat"]])
        if s["centre"]:
            s["seat"] = (s["seat"] + (1 if s["edition"] == "es" else -1)) % s["players"]
        else:
            s["centre"] = None
            s["turn"], s["seat"], s["step"] = 1, s["first"], "play"

    def play(self, card):
        s, seat = self.state, self.state["seat"]
        self.move(card, s["hands"][seat], s["tables"][seat])
        self.forget(seat, card)

    def use(self, kind, *domains):
        used = self.state["used"]
        used[kind] = by_domain({*used[kind], *domains})

    def copy_effect(self, effect):
        seat = self.state["seat"]
        source = [other for other in self.others(seat) if self.has_level(other, effect)][0]
        self.state["coin"] = {"owner": seat, "seat": source, "domain": PERMANENT[effect][0]}
        self.use("permanent", "C")
        self.permanent(effect)

    def permanent(self, effect):
        domain, _, verb, _, number = PERMANENT[effect]
        self.use("permanent", domain)
        if effect in HAND_SIZE:
            self.state["handSize"] = HAND_SIZE[effect]
        else:
            self.ask(effect, verb, number)

    def ask(self, effect, verb, number, target=None):
        s = self.state
        s["step"], s["choice"] = "effects", None
        if number > 0:
            s["step"] = "choose"
            s["choice"] = {"effect": effect, "verb": verb, "left": number, "from": None, "target": target}

    def discard_effect(self, effect, args):
        s, seat = self.state, self.state["seat"]
        domain = {"attack": "M", "inquisition": "R", "embargo": "E", "breakthrough": "S", "democracy": "U"}[effect]
        self.use("discard", domain)
        if effect in ("embargo", "democracy"):
            card = self.oldest(s["tables"][seat], domain)
            s["tables"][seat].remove(card)
            laid = {"seat": int(args[0]), "domain": args[1], "by": seat}
            if effect == "embargo":
                s["embargoes"].append({**laid, "card": card})
            else:
                s["democracies"].append(laid)
            return
        self.discard_from_table(seat, domain)
        if effect == "attack":
            for hit in [seat] + self.others(seat):
                if self.count(hit, args[0]) > 0:
                    self.discard_from_table(hit, args[0])
        elif effect == "breakthrough":
            self.ask(effect, "discard", self.draw(5))
        else:
            self.inquisition(seat, int(args[0]))

    def inquisition(self, seat, target):
        s = self.state
        taken = s["hands"][target]
        if not taken:
            return
        s["hands"][target] = []
        s["hands"][seat] = by_card(s["hands"][seat] + taken)
        for observer, hands in self.known.items():
            if observer == target:
                hands[seat] += taken
            elif observer == seat:
                hands[target] = []  # an empty hand, known exactly; every card given is added
            else:
                hands[seat], hands[target] = [], []
        self.ask("inquisition", "give", len(taken), target)

    def name(self, name):
        s, seat, choice = self.state, self.state["seat"], self.state["choice"]
        hand, table, verb = s["hands"][seat], s["tables"][seat], choice["verb"]
        if verb == "play":
            self.play(name)
        elif verb == "take":
            self.move(name, table, hand)
            self.learn(seat, name)
        elif verb == "recover":
            self.move(name, s["discard"], hand)
            self.learn(seat, name)
        elif verb == "give":
            target = choice["target"]
            self.move(name, hand, s["hands"][target])
            self.known[seat][target].append(name)
            if name in self.known[target][seat]:
                self.known[target][seat].remove(name)
        elif len(name) == 1:
            self.discard_from_table(seat, name)
        else:
            self.move(name, hand, s["discard"])
            self.forget(seat, name)
        choice["from"] = name
        choice["left"] -= 1
        if choice["left"] == 0:
            more = THEN_PLAY.get(choice["effect"], 0) if verb != "play" else 0
            self.ask(choice["effect"], "play", min(more, len(self.playable(seat))))

    def look_at_coin(self):
        s = self.state
        if s["coin"]:
            own = self.count(s["coin"]["owner"], "C")
            best = max(self.count(other, "C") for other in self.others(s["coin"]["owner"]))
            if best > own or (best == own and s["edition"] != "ro"):
                s["coin"] = None

    # ---- the end of a turn and of the game

    def end_turn(self):
        s, seat, n = self.state, self.state["seat"], self.state["players"]
        self.draw(max(0, s["handSize"] - len(s["hands"][seat])))
        s["discard"] = by_card(s["discard"] + [e["card"] for e in s["embargoes"] if e["seat"] == seat])
        s["embargoes"] = [e for e in s["embargoes"] if e["seat"] != seat]
        following = (seat + 1) % n
        stalled = following == s["first"] and s["turn"] - s["lastDraw"] >= 20 * n
        if self.hegemony(seat):
            winners = [w for w in range(n) if w == seat or (s["teams"] and w % 2 == seat % 2)]
            s["result"] = {"winners": winners, "by": "hegemony", "domain": self.hegemony(seat)[0]}
        elif s["closing"] == seat or stalled:
            s["result"] = self.majority()
        if s["result"]:
            s["seat"], s["step"] = None, "over"
            return
        s["turn"] += 1
        s["seat"], s["step"] = following, "play"
        s["used"], s["handSize"] = {"permanent": [], "discard": []}, 3
        if s["coin"] and s["coin"]["owner"] == following:
            s["coin"] = None

    def hegemony(self, seat):
        """The Domains in which the seat has what Hegemony needs."""
        s = self.state
        needed = 8 if s["players"] == 2 else 7
        against = [d["domain"] for d in s["democracies"] if d["seat"] == seat]
        return [d for d in DOMAINS if self.count(seat, d) >= needed + against.count(d)]

    def majority(self):
        s, n = self.state, self.state["players"]
        sides = [[0, 2], [1, 3]] if s["teams"] else [[seat] for seat in range(n)]
        points = [0] * len(sides)
        for domain in DOMAINS:
            most = max(self.count(seat, domain) for seat in range(n))
            for i, side in enumerate(sides):
                if most > 0 and any(self.count(seat, domain) == most for seat in side):
                    points[i] += 1
        best = [i for i in range(len(sides)) if points[i] == max(points)]
        self.decided = "points"
        for domain in "UCSERM":
            if len(best) > 1:
                self.decided = domain
                total = {i: sum(self.count(seat, domain) for seat in sides[i]) for i in best}
                best = [i for i in best if total[i] == max(total.values())]
        if len(best) > 1:
            self.decided = "shared"
        return {"winners": sorted(seat for i in best for seat in sides[i]), "by": "majority", "points": points}

    # ---- views and counting

    def view(self, observer):
        """What a seat sees, or a spectator (None)."""
        s = self.state
        view = duplicate(s)

        def seen(seat, cards, more):
            if seat == observer:
                return {"cards": by_card(cards)}
            return {"backs": sorted(int(card[1]) for card in cards), **more}

        view["deck"] = {"count": len(s["deck"]), "top": int(s["deck"][0][1]) if s["deck"] else None}
        view["hands"] = [seen(seat, hand, {"known": by_card(self.known[observer][seat])})
                         for seat, hand in enumerate(s["hands"])]
        if s["packs"]:
            view["packs"] = [seen(seat, pack, {}) for seat, pack in enumerate(s["packs"])]
        if s["choice"] and s["choice"]["verb"] == "give" and observer != s["seat"]:
            view["choice"]["from"] = None
        return view

    def perft(self, depth):
        if depth == 0 or self.state["step"] == "over":
            return 1
        nodes = 0
        for action in self.legal():
            child = self.clone()
            child.apply(action)
            nodes += child.perft(depth - 1)
        return nodes
