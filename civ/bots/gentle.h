// A player who looks no further than the end of the turn and thinks of a few things only, for those
// who learn the game (docs/bots.md).
#pragma once

#include <memory>

#include "civ/bots/bot.h"

namespace civ {

struct GentleOptions {
  Domains permanent = kAllDomains;  // whose permanent effects it thinks of
  Domains given_up = kAllDomains;   // whose discard effects
  int effects = 2;                  // how many of them in one turn
  bool watches = true;              // what the others are about to complete, and the Majority
};

std::unique_ptr<Bot> MakeGentle(const GentleOptions& options);

}  // namespace civ
