// What a seat is asked, and what it may answer.
#pragma once

#include <vector>

#include "civ/guide/message.h"
#include "civ/view/view.h"

namespace civ {

// The legal actions in the order they are offered: effects by kind and Domain, the end of the turn
// last.
std::vector<Action> InOrder(const ActionSet& legal);

// What a legal action would do, as the deciding seat sees it: a few words for a list of choices.
Message Offer(const View& view, Action action);

// What the deciding seat is asked.
Message Ask(const View& view);

// "Military 6/7", the level that this number of cards reaches, and whether they come near to
// Hegemony.
Messages Column(const Public& table, Seat seat, Domain domain, int count);

// How many cards the turn under way will draw, if nothing more is done in it than must be.
int CardsToDraw(const View& view);

// Whether there is no way back from a legal action: it shows its owner something hidden, or ends
// the turn.
bool Reveals(const View& view, Action action);

}  // namespace civ
