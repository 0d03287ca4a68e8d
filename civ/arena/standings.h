// The results of a contest: who won how much, ratings, and who beat whom.
#pragma once

#include <optional>
#include <vector>

#include "civ/arena/game.h"
#include "civ/arena/statistics.h"

namespace civ {

// Where ratings are fixed: an entrant, or the average of all.
struct Anchor {
  std::optional<int> entrant = {};
  double rating = 1500;
};

struct Standing {
  int games = 0;    // in which it took part
  double wins = 0;  // shared victories count in part
  Estimate share;   // wins / games
  double fair = 0;  // the share it would have if all were equal
  Estimate rating;  // Elo
  int forfeits = 0;
  Thinking thinking = {};
};

// In the games that two entrants played at the same table.
struct Encounter {
  int games = 0;
  double wins = 0;    // of the one
  double losses = 0;  // won by the other; a third may have won the rest
};

struct Standings {
  std::vector<Standing> entrants;                  // in the order of the contest
  std::vector<std::vector<Encounter>> encounters;  // [one][other]
  std::vector<int> ranking;                        // entrants, best rating first
  int decks = 0;
};

// Of the games of whole decks, in order.
Standings StandingsOf(const Contest& contest, const std::vector<PlayedGame>& games,
                      const Anchor& anchor);

}  // namespace civ
