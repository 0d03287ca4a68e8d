"""What `gymnasium.make` puts around an environment, so that it keeps to the documents."""

import numpy

from .spaces import Space


class Wrapper:
    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        return getattr(self.env, name)


class OrderEnforcing(Wrapper):
    """No step before the first reset."""

    begun = False

    def reset(self, **options):
        self.begun = True
        return self.env.reset(**options)

    def step(self, action):
        assert self.begun, "step before reset"
        return self.env.step(action)

    def render(self):
        assert self.begun, "render before reset"
        return self.env.render()


class PassiveEnvChecker(Wrapper):
    """Looks at everything that goes in and comes out."""

    def __init__(self, env):
        super().__init__(env)
        assert isinstance(env.observation_space, Space) and isinstance(env.action_space, Space)
        assert env.render_mode is None or env.render_mode in env.metadata["render_modes"]

    def _observed(self, observation, info):
        assert self.env.observation_space.contains(observation) and isinstance(info, dict)

    def reset(self, *, seed=None, options=None):
        answer = self.env.reset(seed=seed, options=options)
        assert isinstance(answer, tuple) and len(answer) == 2
        self._observed(*answer)
        return answer

    def step(self, action):
        assert self.env.action_space.contains(action)
        answer = self.env.step(action)
        assert isinstance(answer, tuple) and len(answer) == 5
        observation, reward, terminated, truncated, info = answer
        self._observed(observation, info)
        assert isinstance(reward, (int, float, numpy.integer, numpy.floating)) and numpy.isfinite(reward)
        assert isinstance(terminated, (bool, numpy.bool_)) and isinstance(truncated, (bool, numpy.bool_))
        return answer

    def render(self):
        drawn = self.env.render()
        assert isinstance(drawn, str) if self.env.render_mode == "ansi" else drawn is None
        return drawn
