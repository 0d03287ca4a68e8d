// Plays a contest on several threads. What comes out does not depend on their number.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "civ/arena/game.h"
#include "civ/arena/statistics.h"

namespace civ {

struct Progress {
  int games = 0, of = 0;
};

struct Running {
  int threads = 1;
  // Of the first of two entrants: ends the contest when it is decided.
  std::optional<SequentialTest> test = {};
  // Called by one thread at a time. Each new game, in order as far as it can be; and how far it has
  // come, now and then.
  std::function<void(const PlayedGame&)> store = {};
  std::function<void(const Progress&)> report = {};
};

struct Results {
  std::vector<PlayedGame> games;  // of the decks that were played in full, in order
  bool stopped = false;           // before the last deck, not by the test
  std::optional<SequentialTest> test = {};
};

// Games that are there already are not played again.
Results RunContest(const Contest& contest, std::vector<PlayedGame> already, const Running& running,
                   const std::atomic<bool>& stop);

}  // namespace civ
