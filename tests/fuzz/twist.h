// Changes to the JSON of states, views and records that bytes alone would hardly ever hit upon:
// cards moved from place to place, choices, face-down cards and used effects made up, fields
// replaced by nonsense.
#pragma once

#include "civ/notation/json.h"
#include "civ/view/view.h"
#include "tests/fuzz/bytes.h"

namespace civ::fuzz {

// A game somewhere in the middle, or at its end.
Game SomeGame(Bytes& bytes);

// One change.
void TwistState(Json& state, Bytes& bytes);
void TwistView(Json& view, Bytes& bytes);
void TwistRecord(Json& record, Bytes& bytes);
void TwistEvent(Json& event, Bytes& bytes);

}  // namespace civ::fuzz
