// Fitting a net to examples: its values to how games ended, its prior to what a search preferred.
#pragma once

#include <vector>

#include "civ/bots/net.h"

namespace civ {

// What the value of a position should be.
struct ValueExample {
  State state;     // in which a turn begins
  Chances target;  // of winning, for each seat
  uint32_t game;   // the number of its game
};

// How a good player divided its attention between the actions of a decision: the target of the
// policy.
struct PolicyExample {
  State state;
  std::vector<std::pair<Action, float>> shares;  // by key
};

struct Examples {
  std::vector<ValueExample> values;
  std::vector<PolicyExample> policies;
};

struct FitOptions {
  int epochs = 4;
  float rate = 0.03f;
  uint64_t seed = 1;
  const Net* start = nullptr;  // nullptr: from nothing
};

struct Fitted {
  Net net;
  float loss;       // mean cross-entropy over the examples of the last epoch
  float held_back;  // and over the games that it did not learn from
};

// Whether a game is held back to see overfitting. The number shares no divisor with that of the
// kinds of games, which take turns (drafts are one in four), so that there are some of each.
constexpr bool IsHeldBack(uint32_t game) { return game % 21 == 0; }

// Stochastic gradient descent with a step size for each number (Adagrad), one example at a time in
// a shuffled order.
Fitted Fit(const std::vector<ValueExample>& examples, const FitOptions& options);

// Likewise for the prior of the search.
void FitPrior(const std::vector<PolicyExample>& examples, const FitOptions& options, Net& net);

}  // namespace civ
