// What many games say about the game itself.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "civ/arena/game.h"
#include "civ/arena/statistics.h"

namespace civ {

// One effect, over all seats of all games.
struct EffectUse {
  double uses = 0;        // in a game, on average
  Estimate used;          // share of players who used it at least once
  Estimate wins_with;     // how often those players won …
  Estimate wins_without;  // … and the others
};

struct Insights {
  int games = 0;
  int hegemonies = 0, majorities = 0, shared = 0,
      forfeits = 0;                       // shared: majorities with several winners
  std::array<int, kDomains> by_domain{};  // of Hegemonies
  std::vector<Estimate> seats;            // share of victories of the First Player, the next …
  std::vector<int> turns;                 // of each game that was played to its end
  std::map<Effect, EffectUse> effects;    // permanent ones both own and copied
  EffectUse copying;                      // Inspiration, whatever is copied
};

Insights InsightsOf(const Contest& contest, const std::vector<PlayedGame>& games);

}  // namespace civ
