// Learning a net from positions and how their games ended.
#pragma once

#include <vector>

#include "bots/net.h"

namespace civ {

struct Lesson {
  State state;     // in which a turn begins
  Chances target;  // what the chances should be
};

// What a good player thought about a decision.
struct Habit {
  State state;
  std::vector<std::pair<Action, float>> shares;  // of its attention, by key
};

struct FitOptions {
  int epochs = 4;
  float rate = 0.03f;
  uint64_t seed = 1;
  const Net* start = nullptr;  // nullptr: from nothing
};

struct Fitted {
  Net net;
  float loss;       // mean cross-entropy over the lessons of the last epoch
  float held_back;  // and over one game in twenty that it did not learn from
};

// Stochastic gradient descent with a step size for each number (Adagrad), one lesson at a time in a shuffled order. The lessons
// of one game stand together; `games` says where each begins.
Fitted Fit(const std::vector<Lesson>& lessons, const std::vector<size_t>& games, const FitOptions& options);

// Likewise for the first guess.
void FitPrior(const std::vector<Habit>& habits, const FitOptions& options, Net& net);

}  // namespace civ
