// Games played for those who learn from them: each decision with what was legal, what was chosen,
// and what the bot thought of it (docs/data.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "civ/arena/contest.h"
#include "civ/notation/record.h"
#include "civ/view/observation.h"

namespace civ {

// One at which there was a choice.
struct SampledDecision {
  int action;  // its number in the record
  View view;   // of the seat that decided
  Thought thought;
};

struct SampledGame {
  int number;  // in its contest
  uint64_t seed;
  Record record;  // names are those of the entrants
  int turns = 0;
  Chances returns = {};  // nothing in sum, -1 for who has lost
  std::vector<SampledDecision> decisions = {};
};

// Games 0 to `games` - 1 of a contest between our own bots, told in order, one at a time. What is
// told does not depend on the number of threads, if all entrants count iterations. False if it was
// stopped.
bool SampleGames(const Contest& contest, int games, int threads,
                 const std::function<void(const SampledGame&)>& tell,
                 const std::atomic<bool>& stop);

// A game as one line of JSON.
std::string ToLine(const SampledGame& game);

}  // namespace civ
