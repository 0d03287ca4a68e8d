// New and Apply for input that may be wrong: what the rules do not allow is an error, and changes
// nothing.
#pragma once

#include <optional>
#include <span>

#include "civ/notation/error.h"
#include "civ/view/knowledge.h"

namespace civ {

// Deals, if there is such a table and it can have such a deck.
Expected<State> CheckedNew(const Config& config, std::span<const Kind> deck);

// Does the action and all that follows from it, if it is legal; the error that tells why it is not
// otherwise.
std::optional<Error> CheckedApply(State& state, Action action);
std::optional<Error> CheckedApply(Game& game, Action action);

// The error that tells why an action is not legal here.
Error IllegalAction(const State& state, Action action);

}  // namespace civ
