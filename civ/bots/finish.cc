#include "civ/bots/finish.h"

#include "civ/view/twins.h"

namespace civ {
namespace {

// How much a seat likes to have a card of a Domain on the table.
int Liking(const State& state, Seat seat, Domain domain) {
  return 4 * state.Count(seat, domain) + 2 * state.hands[seat].Of(domain).Count() +
         (domain >= Domain::Economy ? 1 : 0);
}

// The Domain in a set that is liked most, or least.
Domain Liked(const State& state, unsigned domains, bool most) {
  Domain best{};
  int best_liking = -1;
  for (; domains != 0; domains &= domains - 1) {
    const auto domain = static_cast<Domain>(std::countr_zero(domains));
    const int liking =
        most ? Liking(state, state.seat, domain) : 1000 - Liking(state, state.seat, domain);
    if (liking <= best_liking) continue;
    best_liking = liking;
    best = domain;
  }
  return best;
}

// Drawing more cards, and taking cards back from the discard pile, is all that is used without
// thought.
Action ChooseEffect(const ActionSet& legal) {
  for (const Effect effect :
       {Effect::DivineRight, Effect::HolyBook, Effect::Republic, Effect::Oligarchy})
    for (const Action action : {Action::Use(effect), Action::Copy(effect)})
      if (legal.Contains(action)) return action;
  return kEnd;
}

Action ChooseSimply(const State& state) {
  const ActionSet legal = Legal(state);
  if (state.step == Step::Effects) return ChooseEffect(legal);
  const ActionSet keys = Keys(legal);
  const Action first = keys[0];
  if (first == kSkip) return kSkip;
  const Verb verb = first.verb();
  const bool most =
      verb == Verb::Play || verb == Verb::Keep || verb == Verb::Recover || verb == Verb::Claim;
  return Oldest(legal, Action::Name(verb, Liked(state, keys.Named(), most)));
}

}  // namespace

void FinishTurn(State& state) {
  while (state.step != Step::Play && state.step != Step::Over) Apply(state, ChooseSimply(state));
}

}  // namespace civ
