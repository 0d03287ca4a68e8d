#pragma once

#include <memory>

#include "bots/bot.h"

namespace civ {

// Looks through its own whole turn and takes the best end of it by a plain evaluation.
std::unique_ptr<Bot> MakeGreedy();

// That evaluation, for a seat that is about to end its turn or has drafted a card.
float PlainWorth(const State& state, Seat seat);

}  // namespace civ
