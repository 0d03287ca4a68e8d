// Playing a turn to its end without thought.
#pragma once

#include "civ/rules/rules.h"

namespace civ {

// Plays on by simple rules until a turn begins or the game is over: so that a search can judge a
// position at rest. No chance.
void FinishTurn(State& state);

}  // namespace civ
