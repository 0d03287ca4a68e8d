// The page of `civ arena --report`.
#pragma once

#include <string>

#include "app/arena_print.h"

namespace civ {

std::string ArenaReport(const ArenaResults& arena);

}  // namespace civ
