// Finding positions with one right turn, and proving that there is only one (docs/puzzles.md).
#pragma once

#include <cstdint>
#include <optional>

#include "civ/guide/puzzle.h"

namespace civ {

// The puzzle of a view in which its viewer's turn begins, if it is one. `iterations` for each
// decision where a bot is asked. It depends on nothing but what the viewer sees, from where it
// sits. To look for the best turn, where nothing is won or lost at once, takes longest: only if
// `best`.
std::optional<Puzzle> PuzzleIn(const View& seen, int64_t iterations, bool best = true);

}  // namespace civ
