// The reference bot: tree search as the textbook has it.
#pragma once

#include <memory>

#include "civ/bots/bot.h"
#include "civ/bots/playout.h"

namespace civ {

// The textbook information-set tree search (Cowling, Powley and Whitehouse 2012, single observer):
// a reference that other bots are measured against. It is never changed, so that old figures stay
// comparable.
std::unique_ptr<Bot> MakePlain(Policy playouts);

}  // namespace civ
