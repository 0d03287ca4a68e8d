// What comes out of a contest, and its figures as texts and tables for all forms of reports.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "civ/arena/runner.h"
#include "civ/arena/standings.h"
#include "civ/arena/talking.h"

namespace civ {

// The two Elo differences of a sequential test.
struct Hypotheses {
  double elo0, elo1;
};

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
// "9.5 ms".
std::string MillisecondsText(std::chrono::nanoseconds time);
// A number of wins, which may have a fraction.
std::string WinsText(double wins);

// What a bot said that could not be said.
struct IgnoredTalk {
  std::string name, say;  // the first of them,
  int lines = 0;
  int first = 0;  // and its game
};
std::vector<IgnoredTalk> IgnoredIn(const Results& results);

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

// Rows of cells, the head first.
using Grid = std::vector<std::vector<std::string>>;
// Who beat whom: the wins of the bot in the row and of the one in the column, best first.
Grid EncounterGrid(const ArenaResults& arena);
// With pacts: what became of those of each bot and character, and of who led, in one line.
Grid TalkGrid(const ArenaResults& arena, const Talking& talking);
std::string TellLeaders(const Talking& talking);
// How long each bot took for a decision; only the head if no game was played now.
Grid TimeGrid(const ArenaResults& arena);

}  // namespace civ
