"""The module beside the native referee and the Python model, and what it does with wrong input."""

import collections
import copy
import gc
import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

import civ

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/model"))
sys.dont_write_bytecode = True
from civ_model import Game as Model  # noqa: E402

LONG = bool(os.environ.get("CIV_LONG"))
CONFIGS = [dict(players=players, setup=setup, edition=edition, teams=teams)
           for players, edition, teams in [(2, "en", False), (3, "es", False), (4, "pt", False), (4, "ro", True)] for setup in ("basic", "draft")]


def names(actions):
    return sorted(map(civ.action_name, actions))


def finish(state, rng):
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def midway(seed, steps=60, **config):
    """A state in the middle of a game."""
    rng, state = random.Random(seed), civ.Game(**config).new_initial_state(seed)
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


# --- In step with others ---


@pytest.mark.parametrize("path", sorted((ROOT / "tests/conformance").glob("*.jsonl")), ids=lambda path: path.stem)
def test_conformance(path):
    state = None
    for line in path.read_text().splitlines():
        record = json.loads(line)
        request, expected = record["request"], record["answer"]
        try:
            if request["cmd"] == "new":
                kind = {key: request[key] for key in ("players", "setup", "edition", "teams")}
                state = civ.Game(**kind).new_initial_state(first=request["first"], deck=request["deck"])
            elif request["cmd"] == "load":
                state = civ.State.from_json(json.dumps(request["state"]))
            elif request["cmd"] == "apply":
                state.apply(request["action"])
            elif request["cmd"] == "view":
                if request["seat"] is not None:
                    assert json.loads(state.view(request["seat"]).to_json()) == expected["view"]
                continue
            else:
                continue
            assert expected["ok"]
            assert names(state.legal_actions()) == sorted(expected["legal"])
            if "state" in expected:
                assert json.loads(state.to_json()) == expected["state"]
        except civ.Error as error:
            assert not expected["ok"] and str(error)


def test_games_in_step_with_the_referee():
    program = os.environ["CIV"]
    games = 3000 if LONG else 250
    # The program has its own runtime for sanitizers, and refuses the one that Python got.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    referee = subprocess.Popen([program, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    for number in range(games):
        rng, config = random.Random(number), CONFIGS[number % len(CONFIGS)]
        state = civ.Game(**config).new_initial_state(number)
        requests, expected = [dict(cmd="new", seed=number, **config)], [state.legal_actions()]
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            requests.append({"cmd": "apply", "action": civ.action_name(action)})
            state.apply_action(action)
            expected.append(state.legal_actions())
        writer = threading.Thread(target=lambda: (referee.stdin.write("".join(json.dumps(r) + "\n" for r in requests)), referee.stdin.flush()))
        writer.start()
        lines = [referee.stdout.readline() for _ in requests]
        writer.join()
        for line, legal in zip(lines, expected):
            told = json.JSONDecoder().raw_decode(line, line.index('"legal":') + 8)[0]  # the state is longer, and looked at last
            assert sorted(told) == names(legal)
        answer = json.loads(lines[-1])
        assert json.loads(state.to_json()) == answer["state"]
        winners = answer["state"]["result"]["winners"]
        assert [seat for seat, part in enumerate(state.returns()) if part > -1] == winners
        assert abs(sum(state.returns())) < 1e-6
    referee.communicate(json.dumps({"cmd": "quit"}) + "\n")


def test_games_in_step_with_the_model():
    for number in range(2000 if LONG else 150):
        rng, config = random.Random(number), CONFIGS[number % len(CONFIGS)]
        state = civ.Game(**config).new_initial_state(number)
        start = json.loads(state.record())
        model = Model.new(**config, first=start["first"], deck=start["deck"])
        while not state.is_terminal():
            assert names(state.legal_actions()) == sorted(model.legal())
            action = rng.choice(state.legal_actions())
            model.apply(civ.action_name(action))
            state.apply_action(action)
        assert json.loads(state.to_json()) == model.state


def test_batch_in_step_with_states():
    """Thousands of games, each followed by a state from the same seed."""
    for config in CONFIGS:
        n, games = 64, 0
        batch = civ.Batch(n, seed=5, threads=1, **config)
        game = civ.Game(**config)
        states = [game.new_initial_state(batch.seed(i)) for i in range(n)]
        seen = np.zeros(game.observation_tensor_size(), np.float32)
        while games < (2000 if LONG else 130):
            for i, state in enumerate(states):
                assert batch.seats[i] == state.current_player()
                assert np.flatnonzero(batch.masks[i]).tolist() == state.legal_actions()
            i = games % n
            states[i].observe(seen)
            assert (batch.observations[i] == seen).all()
            assert json.loads(batch.state(i).to_json()) == json.loads(states[i].to_json())
            batch.random_actions()
            actions = batch.actions.copy()
            batch.step()
            for i, state in enumerate(states):
                state.apply_action(int(actions[i]))
                assert batch.dones[i] == state.is_terminal()
                assert batch.rewards[i].tolist() == state.returns()
                if batch.dones[i]:
                    games += 1
                    states[i] = game.new_initial_state(batch.seed(i))


def test_batch_is_the_same_with_any_number_of_threads():
    results = []
    for threads in (1, 2, 5):
        batch = civ.Batch(50, players=3, seed=9, threads=threads)
        assert batch.threads == threads
        sums = []
        for _ in range(100):
            batch.random_actions()
            batch.step()
            sums.append((int(batch.actions.sum()), float(batch.observations.sum()), batch.rewards.tolist()))
        results.append(sums)
    assert all(result == results[0] for result in results)
    batch.reset(9)
    batch.random_actions()
    batch.step()
    assert int(batch.actions.sum()) == results[0][0][0]


# --- Chance, and what players know ---


def test_explicit_chance_is_the_same_game():
    for number, config in enumerate(CONFIGS * (20 if LONG else 2)):
        rng = random.Random(number)
        sampled = civ.Game(**config).new_initial_state(number)
        record = json.loads(sampled.record())
        explicit = civ.Game(**config, chance="explicit").new_initial_state()
        deck = iter(civ.CARDS.index(card) for card in record["deck"])
        assert explicit.chance_outcomes() == [(seat, 1 / config["players"]) for seat in range(config["players"])]
        explicit.apply_action(record["first"])
        while True:
            while explicit.is_chance_node():
                assert explicit.current_player() == civ.CHANCE
                outcomes = explicit.chance_outcomes()
                assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-9
                assert [outcome for outcome, _ in outcomes] == explicit.legal_actions()
                card = next(deck)
                assert card in dict(outcomes)
                explicit.apply_action(card)
            assert explicit.current_player() == sampled.current_player()
            assert explicit.legal_actions() == sampled.legal_actions()
            if sampled.is_terminal():
                break
            for player in range(config["players"]):
                assert explicit.observation_tensor(player) == sampled.observation_tensor(player)
            action = rng.choice(sampled.legal_actions())
            sampled.apply_action(action)
            explicit.apply_action(action)
        assert explicit.returns() == sampled.returns()
        again = civ.deserialize_state(explicit.serialize())
        assert again.history() == explicit.history() and str(again) == str(explicit)


def test_chances_are_those_of_the_cards_left():
    state = civ.Game(chance="explicit").new_initial_state()
    state.apply_action(0)
    assert dict(state.chance_outcomes())[civ.CARDS.index("M1")] == 8 / 28
    state.apply_action(civ.CARDS.index("M1"))
    assert dict(state.chance_outcomes())[civ.CARDS.index("M1")] == 7 / 27


def test_information_states_have_perfect_recall():
    """Different courses that one player saw differently never become the same; the same course is the same text."""
    state = midway(3, 0, players=2)
    seen, rng = [], random.Random(3)
    while not state.is_terminal():
        text = state.information_state_string(0)
        assert all(text.startswith(earlier) for earlier in seen[-1:]) and text not in seen[:-1]
        seen.append(text)
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_resampling_changes_nothing_that_a_player_sees(chance):
    changed = 0
    for number, config in enumerate(CONFIGS * (30 if LONG else 3)):
        rng = random.Random(number)
        state = civ.Game(**config, chance=chance).new_initial_state(*([number] if chance == "sampled" else []))
        for _ in range(rng.randrange(20, 140)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        for player in range(config["players"]):
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.current_player() == state.current_player()
            if state.to_json() and not state.is_chance_node():
                assert other.observation_tensor(player) == state.observation_tensor(player)
                assert other.view(player).to_json() == state.view(player).to_json()
                changed += other.to_json() != state.to_json()
            if not other.is_terminal():
                other.apply_action(other.legal_actions()[0])
    assert changed > 20


def anywhere(number, config, chance):
    """A state somewhere in a game."""
    rng = random.Random(number)
    state = civ.Game(**config, chance=chance).new_initial_state(*([number] if chance == "sampled" else []))
    for _ in range(rng.randrange(250)):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_resampling_knows_nothing_that_a_player_has_not_seen(chance):
    """Two games that a player cannot tell apart become the same one by the same seed."""
    for number, config in enumerate(CONFIGS * (30 if LONG else 2)):
        state = anywhere(number, config, chance)
        player = number % config["players"]
        twin = state.resample_from_infostate(player, 1)
        for seed in (2, 3):
            assert state.resample_from_infostate(player, seed).serialize() == twin.resample_from_infostate(player, seed).serialize()


def test_resampling_is_as_likely_as_the_cards():
    """A hand of three of the cards of Age I that a player does not see."""
    state = civ.Game().new_initial_state(5)
    view, games = state.view(0), 500
    unseen = {plane.name: plane for plane in civ.planes(2)}["unseen"].begin
    left = [view.observation_tensor()[unseen + kind] for kind in range(5)]
    found = collections.Counter()
    for seed in range(games):
        found.update(json.loads(state.resample_from_infostate(0, seed).to_json())["hands"][1])
    for kind, count in enumerate(left):
        share = count / sum(left)
        assert abs(found[civ.CARDS[kind]] - 3 * games * share) < 5 * (3 * games * share * (1 - share)) ** 0.5


def test_an_observation_comes_from_the_view_alone():
    """Hidden cards are redealt by the engine's own sampler, and no number changes."""
    for number, config in enumerate(CONFIGS * (40 if LONG else 4)):
        state = midway(number, 20 + 7 * number % 120, **config)
        for player in range(config["players"]):
            view = state.view(player)
            numbers = state.observation_tensor(player)
            assert numbers == view.observation_tensor() == civ.View.from_json(view.to_json()).observation_tensor()
            for seed in range(4):
                other = view.sample(seed)
                assert other.observation_tensor(player) == numbers
                if player == state.current_player():
                    assert other.legal_actions() == state.legal_actions() == view.legal_actions()


def test_planes_say_what_is_there():
    state = midway(11, 80, players=3, setup="draft")
    player = (state.current_player() + 1) % 3
    view = json.loads(state.view(player).to_json())
    observer = state.get_game().make_observer()
    observer.set_from(state, player)
    planes = {name: plane.astype(int).tolist() for name, plane in observer.dict.items()}
    order = [(player + i) % 3 for i in range(3)]
    count = lambda cards: [cards.count(card) for card in civ.CARDS]
    domains = "MRESCU"
    assert planes["tables"] == [count(view["tables"][seat]) for seat in order]
    assert planes["columns"] == [[sum(card[0] == domain for card in view["tables"][seat]) for domain in domains] for seat in order]
    assert planes["hands"] == [count(view["hands"][seat].get("cards", view["hands"][seat].get("known"))) for seat in order]
    backs = [view["hands"][seat].get("backs") or [int(card[1]) for card in view["hands"][seat]["cards"]] for seat in order]
    assert planes["backs"] == [[ages.count(age) for age in (1, 2, 3)] for ages in backs]
    assert planes["deciding"] == [[int(view["seat"] == seat)] for seat in order]
    assert planes["first"] == [[int(view["first"] == seat)] for seat in order]
    assert planes["discard"] == [count(view["discard"])]
    assert planes["deck"] == [[view["deck"]["count"]]]
    assert planes["deck-top"] == [[int(view["deck"]["top"] == age) for age in (1, 2, 3)]]
    assert planes["turn"] == [[min(view["turn"], 255)]]
    assert planes["hand-size"] == [[view["handSize"]]]
    assert planes["step"] == [[int(view["step"] == step) for step in ("draft", "claim", "play", "effects", "choose", "over")]]
    assert planes["draft"] == [[1]] and planes["teams"] == [[0]]
    seen = collections.Counter(card for cards in view["tables"] for card in cards) + collections.Counter(view["discard"])
    seen += collections.Counter(card for hand in view["hands"] for card in hand.get("cards", hand.get("known")))
    seen += collections.Counter(embargo["card"] for embargo in view["embargoes"])
    printed = [8, 8, 4, 4, 4, 8, 8, 4, 8, 4, 4, 8, 8, 8, 16]
    utopia = [0] * 14 + [len(view["democracies"])]
    assert planes["unseen"] == [[have - seen[card] - laid for have, card, laid in zip(printed, civ.CARDS, utopia)]]


def test_the_document_has_the_table_of_planes():
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    for plane, wide in zip(civ.planes(2), civ.planes(3)):
        rows = "players × " if wide.rows == 3 else ""
        assert f"| `{plane.name}` | {rows}{plane.width} | {plane.meaning} |" in text, plane
    sizes = [civ.Game(players).observation_tensor_size() for players in (2, 3, 4)]
    assert "{}, {} and {} numbers".format(*sizes) in text, sizes


# --- What is stored ---


def test_clones_pickles_and_records_are_the_same_game():
    for number, config in enumerate(CONFIGS):
        state = midway(number, 50, **config)
        rng = random.Random(number)
        for other in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)),
                      state.get_game().deserialize_state(state.serialize()), civ.State.from_record(state.record())):
            assert str(other) == str(state) and other.history() == state.history()
            assert other.information_state_string(0) == state.information_state_string(0)
            if not other.is_terminal():
                other.apply_action(other.legal_actions()[0])
                assert other.history() != state.history()
        over = finish(state.clone(), rng)
        assert civ.State.from_record(over.record()).returns() == over.returns()
        loaded = civ.State.from_json(state.to_json())
        assert pickle.loads(pickle.dumps(loaded)).to_json() == state.to_json()
    assert pickle.loads(pickle.dumps(civ.Game(4, teams=True))) == civ.Game(4, teams=True) != civ.Game(4)


def test_bots_and_the_judge():
    state = midway(2, 40)
    for name in ("random", "greedy", "plain", "master", "level4"):
        thought = civ.Bot(name, iterations=50).think(state, seed=3)
        assert thought.best in state.legal_actions()
        assert thought == civ.Bot(name, iterations=50).think(state.view(), seed=3)
        assert civ.Bot(name, iterations=50).step(state) in state.legal_actions()
    assert len(civ.Bot("plain", iterations=50).think(state, 1).judgements[0].chances) == 2
    over = finish(midway(2, 40), random.Random(2))
    judged = civ.analyze(over.record(), iterations=20)
    assert judged["turns"] and judged == civ.analyze(over.record(), iterations=20, threads=2)
    with pytest.raises(civ.Error, match="not the view of the seat"):
        civ.Bot("random").think(over.view(0))


# --- Wrong input: an exception, and nothing has changed ---


def test_wrong_arguments():
    game = civ.Game()
    state = midway(1, 30)
    for wrong, message in [(lambda: civ.Game(5), "from 2 to 4"), (lambda: civ.Game(3, teams=True), "four players"),
                           (lambda: civ.Game(setup="fast"), "setup"), (lambda: civ.Game(edition="de"), "edition"),
                           (lambda: civ.Game(chance="none"), "chance"), (lambda: civ.load_game("chess"), "chess"),
                           (lambda: game.new_initial_state(first=0), "together"), (lambda: game.new_initial_state(1, first=0, deck=[]), "not both"),
                           (lambda: game.new_initial_state(first=0, deck=["M1"] * 95), "impossible"),
                           (lambda: game.new_initial_state(first=0, deck=["M1"]), "1 card,"),
                           (lambda: game.new_initial_state(first=0, deck=["X9"]), "X9"), (lambda: game.new_initial_state(first=2, deck=["M1"] * 95), "no such table"),
                           (lambda: civ.Game(chance="explicit").new_initial_state(3), "no seed"),
                           (lambda: civ.State.from_record("{}"), "missing"), (lambda: civ.State.from_json("[]"), "object"), (lambda: civ.View.from_json("x"), "JSON"),
                           (lambda: state.observation_tensor(2), "no player 2"), (lambda: state.view(-1), "no player"),
                           (lambda: state.apply("castle"), "castle"), (lambda: state.action_to_string(0, 300), "300"), (lambda: civ.action_name(0x17), "23"),
                           (lambda: state.chance_outcomes(), "chance"), (lambda: civ.Bot("deep"), "deep"), (lambda: civ.Bot("plain", iterations=-1), "negative"),
                           (lambda: civ.Bot("plain", threads=0), "threads"), (lambda: civ.analyze("x"), "JSON"), (lambda: civ.analyze(state.record(), iterations=0), "iterations"),
                           (lambda: civ.planes(1), "players"), (lambda: civ.Game(3).deserialize_state(state.serialize()), "another game"),
                           (lambda: civ.Game(chance="explicit").new_initial_state().observation_tensor(0), "dealt"),
                           (lambda: civ.State.from_json(state.to_json()).resample_from_infostate(0, 1), "not known"),
                           (lambda: civ.State.from_json(state.to_json()).record(), "record")]:
        with pytest.raises(ValueError, match=message):
            wrong()
    for wrong in (lambda: civ.Game("two"), lambda: state.apply_action("end"), lambda: state.apply(3), lambda: game.new_initial_state("x"),
                  lambda: game.new_initial_state(-1), lambda: state.observe(3), lambda: state.resample_from_infostate(0, "x")):
        with pytest.raises(TypeError):
            wrong()


def test_wrong_actions_change_nothing():
    state = midway(5, 33)
    before, history = state.to_json(), state.history()
    legal = set(state.legal_actions())
    for action in [-1, 256, 10 ** 6, *(code for code in range(256) if code not in legal)]:
        with pytest.raises(civ.Error) as caught:
            state.apply_action(action)
        assert len(str(caught.value)) > 10 and "{" not in str(caught.value) and caught.value.key
    assert state.to_json() == before and state.history() == history
    over = finish(state, random.Random(1))
    with pytest.raises(civ.Error, match="the game is over"):
        over.apply("end")


def test_wrong_records_say_where():
    record = json.loads(finish(midway(4, 10), random.Random(4)).record())
    record["actions"][7] = "claim U"
    with pytest.raises(civ.Error, match="^7: .*claim U") as caught:
        civ.State.from_record(json.dumps(record))
    assert caught.value.place == 7 and pickle.loads(pickle.dumps(caught.value)).place == 7


def test_wrong_buffers():
    good = civ.buffers(8)
    assert civ.Batch(8, buffers=good).arrays is good
    shapes = {"actions": (7,), "masks": (8, 255), "rewards": (8, 3), "seats": (8, 1), "dones": (0,), "observations": (8, 10)}
    for name, shape in shapes.items():
        with pytest.raises(ValueError, match=f"^{name}: its shape"):
            civ.Batch(8, buffers={**good, name: np.zeros(shape, good[name].dtype)})
        with pytest.raises(TypeError, match=f"^{name}: the type"):
            civ.Batch(8, buffers={**good, name: good[name].astype(np.complex64)})
        still = good[name].copy()
        still.flags.writeable = False
        with pytest.raises(TypeError, match=f"^{name}: .*writable"):
            civ.Batch(8, buffers={**good, name: still})
        with pytest.raises(TypeError, match=f"^{name}: .*contiguous"):
            civ.Batch(8, buffers={**good, name: np.repeat(good[name], 2, axis=0)[::2]})
        with pytest.raises(TypeError, match=f"^{name}: .*array"):
            civ.Batch(8, buffers={**good, name: [0] * 8})
    with pytest.raises(ValueError, match="and no others"):
        civ.Batch(8, buffers={**good, "more": np.zeros(8)})
    with pytest.raises(ValueError, match="cannot do without"):
        civ.Batch(8, buffers={})
    for n in (0, -1, 1 << 25):
        with pytest.raises(ValueError):
            civ.Batch(n, buffers=good)
    for threads in (-1, 257):
        with pytest.raises(ValueError, match="threads"):
            civ.Batch(8, threads=threads)
    with pytest.raises(AttributeError, match="without that buffer"):
        civ.Batch(8, observations=None).observations
    with pytest.raises(IndexError):
        civ.Batch(8).state(8)


def test_wrong_actions_in_a_batch_change_nothing():
    batch = civ.Batch(6, seed=3)
    batch.random_actions()
    good = batch.actions.copy()
    before = {name: array.copy() for name, array in batch.arrays.items()}
    same = lambda: all((batch.arrays[name] == array).all() for name, array in before.items() if name != "actions")
    batch.actions[4] = 0xFF
    with pytest.raises(civ.Error) as caught:
        batch.step()
    assert caught.value.place == 4 and same()
    for wrong, error in [(good[:5], ValueError), (good.astype(np.float32), TypeError), (good.astype(np.int64) + 256, civ.Error),
                         (np.full(6, -1), civ.Error), (np.full(6, 0xFF, np.uint8), civ.Error), ("x", TypeError)]:
        with pytest.raises(error):
            batch.step(wrong)
        assert same() and batch.actions[4] == 0xFF
    batch.step(good.astype(np.int64))
    other = civ.Batch(6, seed=3)
    other.step(good)
    assert (other.masks == batch.masks).all() and (other.observations == batch.observations).all()


def test_two_threads_at_one_batch():
    """Whoever comes second is told so; the games stay whole."""
    batch = civ.Batch(20000, threads=1, observations=None)
    refused = done = 0

    def use():
        nonlocal refused, done
        for _ in range(30):
            try:
                batch.random_actions()
                done += 1
            except RuntimeError as error:
                assert "another thread" in str(error)
                refused += 1

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done > 0 and done + refused == 90
    batch.step()


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer's own threads do not like a fork")
def test_a_batch_does_not_follow_into_a_fork():
    batch = civ.Batch(8, threads=2)
    child = os.fork()
    if child == 0:
        try:
            batch.step()
        except RuntimeError as error:
            os._exit(0 if "process" in str(error) else 2)
        os._exit(3)
    assert os.waitpid(child, 0)[1] == 0


# --- Memory ---


def test_reference_counts():
    """Nothing is kept that nobody needs, and nothing is let go that somebody has."""
    objects = civ.buffers(4)
    counts = {name: sys.getrefcount(array) for name, array in objects.items()}
    batch = civ.Batch(4, buffers=objects)
    for _ in range(50):
        batch.random_actions()
        batch.step()
        with pytest.raises(civ.Error):
            batch.step(np.full(4, 0xFF, np.uint8))
        with pytest.raises(ValueError):
            civ.Batch(4, buffers={**objects, "masks": np.zeros(3, bool)})
    masks = batch.arrays["masks"]
    with pytest.raises(ValueError):
        objects["actions"].resize(9)  # numpy will not, while somebody else holds it
    del batch
    gc.collect()
    assert {name: sys.getrefcount(array) for name, array in objects.items()} == {**counts, "masks": counts["masks"] + 1}
    assert masks.shape == (4, 256)
    state = midway(1, 20)
    wanted = {}
    for _ in range(3):
        for use in (lambda: state.legal_actions(), lambda: state.returns(), lambda: state.observation_tensor(), lambda: state.information_state_string(),
                    lambda: state.clone(), lambda: state.view().sample(3), lambda: civ.Bot("plain", 5).think(state, 1), lambda: civ.planes(2)):
            for _ in range(20):
                use()
        gc.collect()
        now = sys.getrefcount(None), len(gc.get_objects())
        wanted.setdefault("objects", now[1])
        assert abs(now[1] - wanted["objects"]) < 50
    assert sys.getrefcount(state) == 2


def test_memory_of_a_batch():
    """At most 1 kB for each game beside the caller's buffers."""
    resident = lambda: int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    n = 100_000
    buffers = {"actions": np.zeros(n, np.uint8)}
    before = resident()
    batch = civ.Batch(n, buffers=buffers, threads=1)
    batch.random_actions()
    batch.step()
    assert (resident() - before) / n <= 1000
