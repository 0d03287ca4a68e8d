// The page of `civ arena --report`.
#pragma once

#include <string>
#include <string_view>

#include "civ/report/arena_figures.h"

namespace civ {

// `version` is that of the program, as in "0.1.0".
std::string ArenaReport(const ArenaResults& arena, std::string_view version);

}  // namespace civ
