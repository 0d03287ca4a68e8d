// Making the nets of civ/bots/weights/: bots play against themselves, a net is fitted to what they
// did and how it ended, and it is kept if the bot plays better with it. Everything follows from the
// seed, whatever the number of threads.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "civ/training/fit.h"

namespace civ {

struct TrainOptions {
  int players = 2;
  bool teams = false;
  int generations = 3;
  int first_games = 15'000;  // of column builders, for the first net
  int games = 10'000;        // of each later generation
  int64_t iterations = 250;  // in turns whose choices are learnt from, and at the gate
  float noise = 0.2f;        // the share of chance in the priors of the root
  int lively_rounds = 6;     // in which an action is drawn by its visits instead of the best
  float lambda = 0.9f;       // of TD(lambda): how much what came later counts beside the search
  int gate_decks = 200;      // at most
  int threads = 1;
  uint64_t seed = 1;
  const Net* start = nullptr;  // to go on from; nullptr: from the games of column builders
  std::string keep;            // a file for the games of the generation under way; empty: none
  // Told how far a part of a generation is, by one thread at a time.
  std::function<void(std::string_view part, int done, int of)> progress = {};
  FitOptions value = {.epochs = 3, .rate = 0.05f};
  // From the net before, with larger steps as long as those are better on games held back.
  FitOptions value_again = {.epochs = 4, .rate = 0.01f};
  FitOptions prior = {.epochs = 2, .rate = 0.1f};
};

struct Generation {
  int number;  // from 0
  int games;   // played against itself
  size_t positions, decisions;
  float loss, held_back;
  bool first;  // there was no net before it
  int decks;   // played against the net before it
  double share;
  bool kept;
};

// The best net. `report` is called after each generation.
Net Train(const TrainOptions& options,
          const std::function<void(const Generation&, const Net& best)>& report,
          const std::atomic<bool>& stop);

}  // namespace civ
