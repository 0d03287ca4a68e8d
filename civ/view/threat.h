// Who could win by Hegemony with the next turn.
#pragma once

#include <optional>
#include <vector>

#include "civ/view/view.h"

namespace civ {

struct Threat {
  Domains domains;  // in which it is possible; where it is proven for some, those
  // With cards that the viewer knows to be there; else with some hand that fits what the viewer
  // sees.
  bool proven;

  bool operator==(const Threat&) const = default;
};

// The Hegemonies that the seat could reach with its next turn, or with the turn under way if that
// is its own, as the table stands and without drawing or taking cards unseen. Nothing if there is
// none, if the seat has no turn left, or if the search gives up (after 1500 positions).
std::optional<Threat> ThreatOf(const View& view, Seat seat);

// In which Domains with cards that the viewer knows to be there, or only with others that may lie
// there.
Domains Reachable(const View& view, Seat seat, bool proven);

// Whether there is such a threat, by known cards if it is to be proven: found sooner than in which
// Domains.
bool Threatens(const View& view, Seat seat, bool proven);

// How: the actions before the end of such a turn, with as few effects as can be. Where it is not
// proven, cards that the viewer does not know are made up.
std::vector<Action> WayOf(const View& view, Seat seat, const Threat& threat);

// Actions with which the deciding seat reaches a Hegemony of the Domain, the end of the turn
// included; none if none are found.
std::vector<Action> WayToHegemony(const State& state, Domain domain);

// Whether the deciding seat is found to, in any Domain, by looking at no more than `positions`,
// which becomes what is left of them.
bool CanReachHegemony(const State& state, int& positions);

}  // namespace civ
