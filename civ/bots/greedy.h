// A bot that looks no further than the end of its own turn.
#pragma once

#include <memory>

#include "civ/bots/bot.h"

namespace civ {

// Looks through its own whole turn and takes the best end of it by a plain evaluation.
std::unique_ptr<Bot> MakeGreedy();

}  // namespace civ
