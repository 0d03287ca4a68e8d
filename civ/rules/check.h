// Whether a state that somebody wrote down can be a state of the game. It need not have been
// reached by play.
#pragma once

#include <cstdint>

#include "civ/rules/rules.h"

namespace civ {

enum class Fault : uint8_t {
  None,
  Config,     // no such table: players, First Player or teams
  Cards,      // a kind has too many cards, or an Age has too many or too few
  DeckOrder,  // the deck is not in Age order
  Seat,       // the seat that decides does not follow from turn and step
  Turn,       // the turn does not fit the step
  Draft,      // hands, packs, centre and play areas do not fit the draft
  Packs,      // packs or centre outside the draft
  Used,       // the effects used do not fit the step or each other
  HandSize,   // does not follow from the effects used
  Choice,     // could not be asked for here
  FaceDown,   // a card laid on its own player, or on or by nobody
  Coin,       // lies nowhere it could have been laid
  LastDraw,   // lies in the future
  Closing,    // does not follow from the deck
  NotOver,    // called over, but nothing has ended it
};

// The derived parts (columns, present, Culture lead, embargoed) must be right: put cards down with
// AddToTable and LayEmbargo.
Fault Check(const State& state);

// Whether the cards allow what the choice under way asks for; true where there is none.
bool ChoiceFits(const State& state);

}  // namespace civ
