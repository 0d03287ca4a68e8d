// Why an action is not legal: for error messages, and for telling a player what is missing.
#pragma once

#include <cstdint>

#include "civ/rules/rules.h"

namespace civ {

enum class Why : uint8_t {
  Legal,
  Over,           // the game is over
  Step,           // not in this step of the turn
  Verb,           // the effect under way asks for something else
  NotThere,       // the card is not where it would come from
  Embargoed,      // an embargo lies on its Domain
  OutOfOrder,     // it comes before the last one named
  TooFewAfter,    // too few cards at or after it to finish
  CanPlay,        // skip, although a card may be played
  Used,           // that effect of the Domain was used this turn
  CopyUsed,       // Inspiration was used this turn
  NeedsCards,     // the Domain has too few cards for the level; `number` are missing
  NoCultureLead,  // another player has as many Culture cards or more
  NobodyHasIt,    // nobody else has the effect available
  OwnsIt,         // the copier has the same level already
  HandTooSmall,   // for what the effect asks first; `number` are needed
  TableTooSmall,
  DiscardTooSmall,
  NoCardToGiveUp,   // no card of the Domain in the play area
  NothingToAttack,  // no card of the chosen Domain left in the own play area
  OwnSeat,          // aims at oneself
  NoSuchSeat,
  NothingThere,  // the other player has no card of the Domain
};

struct Reason {
  Why why = Why::Legal;
  uint8_t number = 0;  // where the comment above names one
  Domain domain{};     // the Domain it is about, if any

  bool operator==(const Reason&) const = default;
};

// Why::Legal for exactly the members of Legal(state).
Reason WhyNot(const State& state, Action action);

}  // namespace civ
