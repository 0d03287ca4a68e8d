// The command line of `civ arena`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "civ/report/arena_figures.h"

namespace civ {

struct ArenaOptions {
  std::string bots, setup = "basic", edition = "en", anchor, sprt, games, report;
  std::vector<std::string> programs;
  int players = 0, decks = 0, threads = 0;  // 0: not given
  int64_t ms = 0, iterations = 0, grace = 1000, startup = 10'000;
  uint64_t seed = 1;
  bool teams = false, json = false, resume = false, pacts = false;
};

// Ends the program with exit code 2, as wrong options do.
[[noreturn]] void Refuse(const std::string& message);

// What the options say; each refuses what is wrong.
Contest ContestFrom(const ArenaOptions& options);
Anchor AnchorFrom(const ArenaOptions& options, const Contest& contest);

std::optional<Hypotheses> HypothesesFrom(const ArenaOptions& options, const Contest& contest);

}  // namespace civ
