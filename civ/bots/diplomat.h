// Bots that talk: what they propose, what they answer, and what their word is worth
// (docs/diplomacy.md).
#pragma once

#include <optional>

#include "civ/bots/bot.h"
#include "civ/diplomacy/character.h"
#include "civ/diplomacy/pacts.h"

namespace civ {

struct Decision {
  std::optional<Talk> say;  // before the action; at most once a turn
  Action action;
  Thought thought;  // of the action
};

// For somebody who keeps all pacts, as far as that can be, and thinks that others do.
Restraint KeepingAll(const Diplomacy& pacts, const Public& table, const ActionSet& legal);

// What a bot says and does. It depends on the view, the pacts, the character, the limits and the
// seed, as Think does. Without pacts, and with two players, it does what Think says.
Decision Decide(Bot& bot, const View& view, const Diplomacy& pacts, Character character,
                const Limits& limits, uint64_t seed);

}  // namespace civ
