#!/usr/bin/python3
"""A small agent that learns CIV for two by policy gradients, in plain NumPy, from games against `random`.

    /usr/bin/python3 examples/python/learn.py                       learns until it wins 90 % (some minutes)
    /usr/bin/python3 examples/python/learn.py --seconds 300 --curve curve.txt --save agent.npz

It is REINFORCE with a baseline: one hidden layer sees the planes of the deciding seat, gives each action a
weight and the position a value; actions of games that were won become likelier, and of lost ones less so.
"""

import argparse
import sys
import time

import numpy as np

import civ

GAMES, HIDDEN, RATE, DISCOUNT = 256, 64, 0.003, 0.97


class Agent:
    def __init__(self, inputs, seed=1):
        random = np.random.default_rng(seed)
        self.weights = {
            "hidden": random.normal(0, inputs ** -0.5, (inputs, HIDDEN)).astype(np.float32),
            "hidden_bias": np.zeros(HIDDEN, np.float32),
            "policy": np.zeros((HIDDEN, civ.NUM_ACTIONS), np.float32),
            "value": np.zeros((HIDDEN, 1), np.float32),
        }
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.updates = 0

    def look(self, observations, masks):
        """What the hidden layer makes of it, how likely each action is, and the value."""
        w = self.weights
        hidden = np.maximum(observations @ w["hidden"] + w["hidden_bias"], 0)
        logits = np.where(masks, hidden @ w["policy"], -1e9)
        logits -= logits.max(1, keepdims=True)
        likely = np.exp(logits)
        likely /= likely.sum(1, keepdims=True)
        return hidden, likely, np.tanh(hidden @ w["value"])[:, 0]

    def choose(self, observations, masks, random):
        likely = self.look(observations, masks)[1]
        return (likely.cumsum(1) > random.random((len(likely), 1))).argmax(1)

    def learn(self, observations, masks, actions, returns):
        """One step of Adam on -advantage · log(chance of the action) + (value - return)²."""
        hidden, likely, value = self.look(observations, masks)
        advantage = returns - value
        advantage /= advantage.std() + 1e-6
        rows = np.arange(len(actions))
        by_logit = likely * advantage[:, None]
        by_logit[rows, actions] -= advantage
        by_value = ((value - returns) * (1 - value ** 2))[:, None]
        by_hidden = (by_logit @ self.weights["policy"].T + by_value @ self.weights["value"].T) * (hidden > 0)
        self.update({"hidden": observations.T @ by_hidden, "hidden_bias": by_hidden.sum(0),
                     "policy": hidden.T @ by_logit, "value": hidden.T @ by_value}, len(actions))

    def update(self, gradients, count):
        self.updates += 1
        for name, gradient in gradients.items():
            first, second = self.moments[name]
            gradient /= count
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient ** 2 - second)
            scale = (1 - 0.999 ** self.updates) ** 0.5 / (1 - 0.9 ** self.updates)
            self.weights[name] -= RATE * scale * first / (np.sqrt(second) + 1e-8)


def scales(players=2):
    """Planes to numbers of about the same size."""
    scale = np.full(sum(plane.rows * plane.width for plane in civ.planes(players)), 0.5, np.float32)
    for plane in civ.planes(players):
        if plane.name in ("deck", "turn", "idle"):
            scale[plane.begin] = 0.02
        if plane.name in ("discard", "unseen"):
            scale[plane.begin:plane.begin + plane.width] = 0.1
    return scale


def play(batch, agent, scale, seed, random, keep=True):
    """One game in each place, the agent in seat 0 of one half and seat 1 of the other; what it saw and did, and who won."""
    batch.reset(seed)
    place = np.arange(len(batch))
    own = place % 2
    going = np.ones(len(batch), bool)
    results = np.zeros(len(batch), np.float32)
    steps = []
    while going.any():
        batch.random_actions()
        deciding = np.flatnonzero(going & (batch.seats == own) & (batch.masks.sum(1) > 1))
        if len(deciding):
            seen, legal = batch.observations[deciding] * scale, batch.masks[deciding]
            chosen = agent.choose(seen, legal, random)
            batch.actions[deciding] = chosen
            if keep:
                steps.append((deciding, seen, legal, chosen))
        batch.step()
        over = going & batch.dones
        results[over] = batch.rewards[over, own[over]]
        going &= ~over
    return steps, results


def returns_of(steps, results):
    """What each decision led to, less if it lies far before the end."""
    left = np.zeros(len(results), int)
    returns = []
    for deciding, *_ in reversed(steps):
        returns.append(results[deciding] * DISCOUNT ** left[deciding])
        left[deciding] += 1
    return np.concatenate(returns[::-1]).astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300, help="at most")
    parser.add_argument("--goal", type=float, default=0.9, help="share of games won at which it is done")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", help="write the curve into this file, as text")
    parser.add_argument("--save", help="write the weights into this file")
    options = parser.parse_args()

    batch, test = civ.Batch(GAMES), civ.Batch(500)
    scale, random = scales(), np.random.default_rng(options.seed)
    agent = Agent(len(scale), options.seed)
    begun, lines, share, games = time.monotonic(), ["seconds   games   won of 500 against random"], 0.0, 0
    print(lines[0])
    for number in range(1, 1 << 30):
        steps, results = play(batch, agent, scale, options.seed * 100_000 + number, random)
        games += GAMES
        seen, legal, chosen = (np.concatenate(part) for part in list(zip(*steps))[1:])
        returns = returns_of(steps, results)
        order = random.permutation(len(chosen))
        for rows in np.array_split(order, max(1, len(order) // 2048)):
            agent.learn(seen[rows], legal[rows], chosen[rows], returns[rows])
        spent = time.monotonic() - begun
        if number % 2 == 0 or spent > options.seconds:
            share = float((play(test, agent, scale, number, random, keep=False)[1] > 0).mean())
            lines.append(f"{spent:7.0f}   {games:5d}   {share:.3f}")
            print(lines[-1], flush=True)
            if share >= options.goal or spent > options.seconds:
                break
    if options.curve:
        with open(options.curve, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    if options.save:
        np.savez(options.save, **agent.weights)
    print(f"won {share:.1%} of 500 games against random after {time.monotonic() - begun:.0f} s")
    return 0 if share >= options.goal else 1


if __name__ == "__main__":
    sys.exit(main())
