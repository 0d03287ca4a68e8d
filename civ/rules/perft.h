// Counting all ways to play on, the usual test of a move generator.
#pragma once

#include <cstdint>

#include "civ/rules/rules.h"

namespace civ {

// The number of action sequences of this length from here; a game that ends earlier counts as one.
inline uint64_t Perft(const State& state, int depth) {
  const ActionSet legal = Legal(state);
  if (depth == 0 || legal.Empty()) return 1;
  if (depth == 1) return static_cast<uint64_t>(legal.Size());
  uint64_t nodes = 0;
  for (const Action action : legal) {
    State next = state;
    Apply(next, action);
    nodes += Perft(next, depth - 1);
  }
  return nodes;
}

}  // namespace civ
