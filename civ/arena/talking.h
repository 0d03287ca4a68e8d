// What came of talk in a contest with pacts.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "civ/arena/game.h"

namespace civ {

// Of a bot with a character, over all its seats in all games.
struct TalkCount {
  int seats = 0;
  double wins = 0;
  int proposed = 0, accepted = 0;                     // accepted: by the other
  int pacts = 0, kept = 0, given_up = 0, broken = 0;  // kept by it, given up by it, broken by it
  int warned = 0, signalled = 0;
};

// Of those who were the first to be near Hegemony, in games in which somebody was.
struct LeaderCount {
  int games = 0;
  double wins = 0;

  void Add(double share) {
    ++games;
    wins += share;
  }
};

struct Talking {
  // By entrant and name of the character: "silent" for who does not talk, "" for a program.
  std::map<std::pair<int, std::string>, TalkCount> bots;
  LeaderCount leaders, opposed;  // opposed: against whom others acted together
};

Talking TalkingIn(const Contest& contest, const std::vector<PlayedGame>& games);

}  // namespace civ
