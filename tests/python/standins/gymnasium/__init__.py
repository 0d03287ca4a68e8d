"""As much of Gymnasium's documented contract as civ.gymnasium and civ.pettingzoo use."""

import numpy

from . import spaces


class Env:
    metadata = {"render_modes": []}
    render_mode = None
    observation_space: spaces.Space
    action_space: spaces.Space
    _np_random = None

    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random = numpy.random.default_rng()
        return self._np_random

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = numpy.random.default_rng(seed)

    def close(self):
        pass
