// One game of a contest: playing it, and what is kept of it.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "civ/arena/contest.h"
#include "civ/diplomacy/pacts.h"
#include "civ/notation/record.h"

namespace civ {

// A seat that lost because its bot failed.
struct Forfeit {
  Seat seat;
  std::string reason;
};

// How long decisions took that were any: forced ones are not counted.
struct Thinking {
  int decisions = 0;
  std::chrono::nanoseconds all{0}, longest{0};

  void Add(std::chrono::nanoseconds time) { *this += {1, time, time}; }
  Thinking& operator+=(const Thinking& other) {
    decisions += other.decisions;
    all += other.all;
    longest = std::max(longest, other.longest);
    return *this;
  }
};

// Something that a program said and that could not be said.
struct Ignored {
  Seat seat;
  std::string say;
};

struct PlayedGame {
  int number;     // in its contest
  Record record;  // names are those of the entrants; what was said is in its comments
  std::optional<Forfeit> forfeit = {};
  std::vector<Ignored> ignored = {};
  int turns = 0;
  Outcome outcome = {};                           // of a forfeit: only the winners
  std::array<Thinking, kMaxSeats> thinking = {};  // not kept in files
};

// The pacts of a game, from its beginning to its end.
Diplomacy PactsOf(const PlayedGame& game);

// The part of the victory that falls to each seat; members of a team both have all of theirs.
Chances SharesOf(const PlayedGame& game);
// The part that falls to an entrant, with all its sides.
double ShareOf(const PlayedGame& game, const Seating& seats, int entrant);

// The idle programs of all outside entrants, by name of the bot.
using Pools = std::map<std::string, std::unique_ptr<ProgramPool>>;
Pools PoolsFor(const Contest& contest);

// Nothing if it was stopped.
std::optional<PlayedGame> PlayGame(const Contest& contest, int number, const Pools& pools,
                                   const std::atomic<bool>& stop);

// One line of a file of games, and back. A line of another contest, or one that is no game, is an
// error in words.
std::string ToLine(const Contest& contest, const PlayedGame& game);
std::variant<PlayedGame, Failure> FromLine(const Contest& contest, std::string_view line);

}  // namespace civ
