"""As much of Gymnasium's documented contract as civ.gymnasium and civ.pettingzoo use."""

import numpy

from . import spaces


class Env:
    metadata = {"render_modes": []}
    render_mode = None
    observation_space: spaces.Space
    action_space: spaces.Space
    np_random = numpy.random.default_rng()

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.np_random = numpy.random.default_rng(seed)

    def close(self):
        pass
