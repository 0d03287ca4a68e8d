#include "civ/view/knowledge.h"

namespace civ {
namespace {

using Observers = std::array<Cards, kObservers>;

// A card that came from where everybody sees it.
void Reveal(Observers& hand, Seat owner, Kind kind) {
  for (Seat observer = 0; observer < kObservers; ++observer)
    if (observer != owner) hand[observer] += Cards(kind);
}

void Leave(Cards& known, Kind kind) {
  if (known[kind] > 0) known -= Cards(kind);
}

void LeaveForAll(Observers& hand, Kind kind) {
  for (Cards& known : hand) Leave(known, kind);
}

// The two learn all that the other held, everybody else loses track of both hands.
void TakeHand(Knowledge& knowledge, const State& before, Seat target) {
  const Seat seat = before.seat;
  const Cards taken = before.hands[target];
  if (taken.Empty()) return;
  const Cards known_to_target = knowledge.known[seat][target] + taken;
  knowledge.known[seat] = {};
  knowledge.known[target] = {};
  knowledge.known[seat][target] = known_to_target;
}

}  // namespace

void Knowledge::Observe(const State& before, Action action) {
  const Seat seat = before.seat;
  if (!action.NamesCard()) {
    if (action.effect() == Effect::Inquisition) TakeHand(*this, before, action.seat());
    return;
  }
  if (action == kSkip) return;
  switch (action.verb()) {
    case Verb::Take:
    case Verb::Recover: return Reveal(known[seat], seat, action.kind());
    case Verb::Play:
    case Verb::Discard: return LeaveForAll(known[seat], action.kind());
    case Verb::Give: {
      const Seat target = before.choice.target;
      Leave(known[seat][target], action.kind());
      known[target][seat] += Cards(action.kind());
      return;
    }
    case Verb::Keep:
    case Verb::Remove:
    case Verb::Claim: return;
  }
}

}  // namespace civ
