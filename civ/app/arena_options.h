// The command line of `civ arena`, and what `civ games` has in common with it.
#pragma once

#include <CLI/App.hpp>
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

// --players, --teams, --setup and --edition: where is played.
void AddTable(CLI::App& command, ArenaOptions& options);
// --threads: how many games are played at the same time.
void AddThreads(CLI::App& command, ArenaOptions& options);
// As many as were asked for, else as many as there are cores.
int ThreadsFrom(const ArenaOptions& options);

// Ends the program with exit code 2, as wrong options do.
[[noreturn]] void Refuse(const std::string& message);

// What the options say; each refuses what is wrong.
Contest ContestFrom(const ArenaOptions& options);
Anchor AnchorFrom(const ArenaOptions& options, const Contest& contest);

std::optional<Hypotheses> HypothesesFrom(const ArenaOptions& options, const Contest& contest);

}  // namespace civ
