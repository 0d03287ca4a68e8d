"""Spaces: what belongs to them, and one of it. What the documents ask for is asserted."""

import numpy


class Space:
    _chance = numpy.random.default_rng()

    def seed(self, seed=None):
        self._chance = numpy.random.default_rng(seed)

    def __contains__(self, x):
        return self.contains(x)


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=numpy.float32):
        assert shape is not None and all(isinstance(size, int) for size in shape)
        self.shape, self.dtype = tuple(shape), numpy.dtype(dtype)
        self.low, self.high = (numpy.full(shape, bound, dtype) for bound in (low, high))

    def contains(self, x):
        return (isinstance(x, numpy.ndarray) and x.shape == self.shape and x.dtype == self.dtype
                and bool((x >= self.low).all() and (x <= self.high).all()))


class Discrete(Space):
    def __init__(self, n):
        self.n = n

    def contains(self, x):
        return isinstance(x, (int, numpy.integer)) and not isinstance(x, bool) and 0 <= x < self.n

    def sample(self, mask=None):
        if mask is None:
            return self._chance.integers(self.n)
        assert isinstance(mask, numpy.ndarray) and mask.dtype == numpy.int8 and mask.shape == (self.n,), "a mask is an array of n int8"
        assert numpy.isin(mask, (0, 1)).all() and mask.any()
        return self._chance.choice(numpy.flatnonzero(mask))


class Dict(Space):
    def __init__(self, spaces):
        assert all(isinstance(space, Space) for space in spaces.values())
        self.spaces = spaces

    def contains(self, x):
        return isinstance(x, dict) and x.keys() == self.spaces.keys() and all(space.contains(x[name]) for name, space in self.spaces.items())
