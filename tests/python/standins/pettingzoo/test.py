"""What the documents say that an environment has to keep to, looked at while it is played."""

import numpy
from gymnasium.spaces import Space

from . import AECEnv

_chance = numpy.random.default_rng(1)


def api_test(env, num_cycles=1000, verbose_progress=False):
    assert isinstance(env, AECEnv) and isinstance(env.metadata.get("name"), str) and isinstance(env.metadata.get("render_modes"), list)
    env.reset()
    assert env.agents == env.possible_agents and env.num_agents == env.max_num_agents > 0
    assert not any(env.terminations.values()) and not any(env.truncations.values())
    assert env.last(observe=False)[0] is None
    for agent in env.agents:
        for space in (env.observation_space, env.action_space):
            assert isinstance(space(agent), Space) and space(agent) is space(agent), "an agent has one space, not equal ones"
    _play(env, num_cycles)
    # Any integer is an action.
    env.reset(seed=1)
    action = _choice(env.last()[0])
    assert env.step(numpy.int32(action)) is None, "a step returns nothing"


def _choice(observation):
    return int(_chance.choice(numpy.flatnonzero(observation["action_mask"])))


def _play(env, num_cycles):
    env.reset()
    due, alive = dict.fromkeys(env.agents, 0), env.agents[:]
    for agent in env.agent_iter(env.num_agents * num_cycles):
        observation, reward, terminated, truncated, info = env.last()
        assert env.observation_space(agent).contains(observation)
        assert (terminated, truncated, info) == (env.terminations[agent], env.truncations[agent], env.infos[agent])
        assert isinstance(terminated, bool) and isinstance(truncated, bool) and isinstance(info, dict)
        assert reward == due[agent], "last gives what was earned since the agent's last step"
        dead = terminated or truncated
        env.step(None if dead else _choice(observation))
        due[agent] = 0
        for other, earned in env.rewards.items():
            due[other] += float(earned)
        if dead:
            alive.remove(agent)
        assert env.agents == alive, "a dead agent has one step, and is gone then"
        for values in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
            assert isinstance(values, dict) and set(values) == set(env.agents)
        assert not env.agents or env.agent_selection in env.agents
