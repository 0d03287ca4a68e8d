// Why one way to play on is better than another: what holds after the one and not after the other.
#pragma once

#include <span>

#include "civ/guide/message.h"
#include "civ/view/view.h"

namespace civ {

// Looking along one's own turn, as far as nothing hidden is shown: the table as it is planned with,
// other hands left empty, and what the seat that decides in the view sees of it.
State Planned(const View& view);
View Seen(const View& view, const State& state);
// After the actions of such a line but for the last.
View BeforeLast(const View& view, std::span<const Action> line);

// Whether ending the turn ends the game, with a Majority for the seat's side alone.
bool WinsByMajority(const View& at, Seat seat);

// Of lines that begin in this view of the deciding seat and go as far as it can plan: up to the
// first action that shows hidden cards or ends its turn. Without a `worse` one `better` is compared
// with the table as it stands. What matters most comes first; nothing if there is nothing that
// could be said for certain.
Messages ReasonsFor(const View& view, std::span<const Action> better,
                    std::span<const Action> worse = {});

}  // namespace civ
