// Making the nets of civ/bots/weights/: bots play against themselves, a net is fitted to what they
// did and how it ended, and it is kept if the bot plays better with it. Everything follows from the
// seed, whatever the number of threads.
#pragma once

#include <atomic>
#include <functional>

#include "civ/training/fit.h"

namespace civ {

struct TrainOptions {
  int players = 2;
  bool teams = false;
  int generations = 3;
  int first_games = 15'000;  // of column builders, for the first net
  int games = 10'000;        // of each later generation
  int64_t iterations = 250;  // for each decision
  float trust = 0.4f;        // how much the search's own judgement counts beside how the game ended
  int gate_decks = 200;      // at most
  int threads = 1;
  uint64_t seed = 1;
  const Net* start = nullptr;  // to go on from; nullptr: from the games of column builders
  FitOptions value = {.epochs = 3, .rate = 0.05f};
  FitOptions prior = {.epochs = 2, .rate = 0.1f};
};

struct Generation {
  int number;  // from 0
  size_t positions, decisions;
  float loss, held_back;
  double share;  // of games against the net before it, if there was one
  bool kept;
};

// The best net. `report` is called after each generation.
Net Train(const TrainOptions& options,
          const std::function<void(const Generation&, const Net& best)>& report,
          const std::atomic<bool>& stop);

}  // namespace civ
