"""PettingZoo, Gymnasium and OpenSpiel, by small stand-ins for what their documents promise and ask for."""

import importlib.util
import pathlib
import random
import subprocess
import sys

import numpy as np
import pytest

import civ

STANDINS = pathlib.Path(__file__).with_name("standins")
for name in ("gymnasium", "pettingzoo", "pyspiel"):
    if importlib.util.find_spec(name) is None and str(STANDINS) not in sys.path:
        sys.path.append(str(STANDINS))

import gymnasium.wrappers  # noqa: E402
import pettingzoo.test  # noqa: E402
import pyspiel  # noqa: E402

import civ.gymnasium  # noqa: E402
import civ.openspiel  # noqa: E402
import civ.pettingzoo  # noqa: E402


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo(players):
    """PettingZoo's api_test, and the turns, masks and rewards of this game."""
    game = civ.pettingzoo.env(players=players, setup="draft")
    pettingzoo.test.api_test(game)
    won = 0
    for seed in range(5):
        game.reset(seed=seed)
        for agent in game.agents:
            game.action_space(agent).seed(seed)
        assert game.agents == game.possible_agents and set(game.rewards) == set(game.agents)
        total, steps = dict.fromkeys(game.agents, 0.0), 0
        for agent in game.agent_iter():
            observation, reward, terminated, truncated, info = game.last()
            assert game.observation_space(agent).contains(observation) and not truncated and isinstance(info, dict)
            total[agent] += reward
            if terminated:
                assert not observation["action_mask"].any()
                game.step(None)
                continue
            assert observation["action_mask"].any()
            action = game.action_space(agent).sample(observation["action_mask"])
            assert game.action_space(agent).contains(action)
            others = next((other for other in game.agents if other != agent), None)
            assert not game.observe(others)["action_mask"].any()
            game.step(action)
            steps += 1
        assert steps > 20 and not game.agents
        assert abs(sum(total.values())) < 1e-5
        won += max(total.values()) > 0  # nobody, if all win together
    assert won
    game.reset(seed=3)
    first = game.observe(game.agent_selection)["observation"]
    game.reset(seed=3)
    assert (game.observe(game.agent_selection)["observation"] == first).all()
    with pytest.raises(civ.Error):
        game.step(int(np.flatnonzero(game.last()[0]["action_mask"] == 0)[0]))
    with pytest.raises(ValueError, match="None"):
        game.step(None)
    with pytest.raises(ValueError):
        civ.pettingzoo.env(chance="explicit")
    assert civ.pettingzoo.env(render_mode="ansi").render_mode == "ansi"


def test_gymnasium():
    rng = random.Random(1)
    for opponent, parameters in [("random", {}), ("greedy", {"players": 3}), ("plain", {"seat": 1})]:
        env = gymnasium.wrappers.PassiveEnvChecker(civ.gymnasium.CivEnv(opponent, iterations=3, render_mode="ansi", **parameters))
        env = gymnasium.wrappers.OrderEnforcing(env)
        seen, info = env.reset(seed=5)
        start = seen.copy()
        for _ in range(2):
            assert parameters.get("seat", info["seat"]) == info["seat"]
            terminated, rewards = False, []
            while not terminated:
                assert env.observation_space.contains(seen) and rewards[-1:] in ([], [0])
                assert np.flatnonzero(info["action_mask"]).tolist() == info["legal_actions"]
                seen, reward, terminated, truncated, info = env.step(rng.choice(info["legal_actions"]))
                rewards.append(reward)
                assert not truncated and env.render()
            assert reward in (-1, 0, 0.5, 1, 2) and not info["legal_actions"]
            seen, info = env.reset()
        assert (env.reset(seed=5)[0] == start).all()
        assert env.action_space.sample(info["action_mask"]) in info["legal_actions"]
    with pytest.raises(civ.Error):
        env.step(0xFF)
    with pytest.raises(ValueError):
        civ.gymnasium.CivEnv(seat=2)


def test_openspiel():
    civ.openspiel.register()
    rng = random.Random(2)
    for params in ({}, {"players": 3, "setup": "draft"}, {"players": 4, "teams": True}):
        game = pyspiel.load_game("python_civ", params)
        observer = game.make_py_observer()
        state = game.new_initial_state()
        observer.set_from(state, 0)
        assert not observer.tensor.any()
        chances = 0
        while not state.is_terminal():
            if state.current_player() == pyspiel.PlayerId.CHANCE:
                outcomes, weights = zip(*state.chance_outcomes())
                action = rng.choices(outcomes, weights)[0]
                chances += 1
            else:
                action = rng.choice(state.legal_actions())
                assert state.information_state_string() == state.civ.information_state_string()
                assert state.observation_string(0) == observer.string_from(state, 0) == state.civ.observation_string(0)
                observer.set_from(state, state.current_player())
                assert observer.tensor.any() and observer.dict["deciding"][0, 0] == 1
            assert state.legal_actions() and str(state)
            other = state.clone()
            state.apply_action(action)
            assert len(other.actions) + 1 == len(state.actions) and len(other.civ.history()) + 1 == len(state.civ.history())
        assert state.current_player() == pyspiel.PlayerId.TERMINAL and chances > 20
        assert abs(sum(state.returns())) < 1e-6


def test_nothing_of_theirs_is_needed_by_the_package_itself():
    program = "import sys, civ; assert not {'numpy', 'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
