// The results of `civ arena` as text and as JSON.
#pragma once

#include <string>

#include "app/arena_options.h"
#include "arena/runner.h"

namespace civ {

// All that comes out of a contest.
struct ArenaResults {
  const Contest& contest;
  const Results& results;
  Standings standings;
  std::optional<Hypotheses> hypotheses;
};

// "12.5"; "∞".
std::string Fixed(double number, int digits);
std::string PercentText(double share);
std::string RatingRange(const Interval& interval);
// A number of wins, which may have a fraction.
std::string WinsText(double wins);

// Games that a bot lost for the same reason.
struct Forfeits {
  std::string name, reason;
  int games = 0;
  int first = 0;  // the number of the first of them
};
std::vector<Forfeits> ForfeitsIn(const Results& results);

// What is played, and how the sequential test stands, each in one line.
std::string TellContest(const ArenaResults& arena);
std::string TellTest(const ArenaResults& arena);

void PrintText(const ArenaResults& arena);
// One JSON object a line; the last is the shares of the bots.
void PrintJson(const ArenaResults& arena);

}  // namespace civ
