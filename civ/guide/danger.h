// Who could win with the next turn, how, and what can be done about it.
#pragma once

#include <span>

#include "civ/guide/guide.h"
#include "civ/guide/story.h"

namespace civ {

// The table as it would be if the seat were in step 2 of its turn; its hand has the cards that are
// known, and others of the right Ages for those that are not.
State InStepTwo(const View& view, Seat seat);

// How the seat would win: what would be played and used, one after the other.
Messages TellWay(const View& view, Seat seat, const Threat& threat);

// A line of the deciding seat in the same short way.
Messages TellLine(const View& view, std::span<const Action> line);

std::optional<Guide::Danger> DangerOf(const View& view, Seat seat);

// Of a game that a Hegemony has ended: which players could have kept it from coming in their last
// turn before it, as the table and the winner's hand were then.
Messages TellMissed(const Course& course, const Listener& to);

}  // namespace civ
