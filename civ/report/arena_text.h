// The results of `civ arena` as text and as JSON.
#pragma once

#include <string>

#include "civ/report/arena_figures.h"

namespace civ {

std::string ArenaText(const ArenaResults& arena);

// One JSON object a line; the last is the shares of the bots.
std::string ArenaJson(const ArenaResults& arena);

}  // namespace civ
