"""Spaces: what belongs to them, and one of it."""

import numpy


class Space:
    pass


class Box(Space):
    def __init__(self, low, high, shape, dtype=numpy.float32):
        self.low, self.high, self.shape, self.dtype = low, high, shape, numpy.dtype(dtype)

    def contains(self, x):
        return x.shape == self.shape and x.dtype == self.dtype and (x >= self.low).all() and (x <= self.high).all()


class Discrete(Space):
    def __init__(self, n):
        self.n = n

    def contains(self, x):
        return 0 <= x < self.n

    def sample(self, mask=None):
        return int(numpy.random.default_rng().choice(numpy.flatnonzero(mask)))


class Dict(Space):
    def __init__(self, spaces):
        self.spaces = spaces

    def contains(self, x):
        return x.keys() == self.spaces.keys() and all(space.contains(x[name]) for name, space in self.spaces.items())
