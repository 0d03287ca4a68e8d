#include "civ/bots/playout.h"

#include <algorithm>

namespace civ {
namespace {

Action ChooseEffectHappy(const ActionSet& legal, Random& random) {
  Action action = ChooseUniform(legal, random);
  for (int tries = 0; action == kEnd && tries < 4; ++tries) action = ChooseUniform(legal, random);
  return action;
}

// The Domain that the seat has most of; cards in the play area count twice.
Domain Favourite(const State& state) {
  int best = -1;
  Domain favourite{};
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int value =
        2 * state.Count(state.seat, domain) + state.hands[state.seat].Of(domain).Count();
    if (value > best) favourite = domain;
    best = std::max(best, value);
  }
  return favourite;
}

// How much a column builder likes an action; among equals it takes any.
int Liking(const State& state, Action action, Domain favourite) {
  if (action == kEnd) return 1;
  if (action.NamesCard()) {
    if (action == kSkip) return 0;
    const bool by_domain = action.verb() == Verb::Remove || action.verb() == Verb::Claim;
    const bool mine = (by_domain ? action.domain() : DomainOf(action.kind())) == favourite;
    const bool spends = action.verb() == Verb::Discard || action.verb() == Verb::Remove ||
                        action.verb() == Verb::Take || action.verb() == Verb::Give;
    return mine != spends ? 2 : 0;
  }
  const Effect effect = action.effect();
  if (IsPermanent(effect)) return DomainOf(effect) == Domain::Military ? 0 : 2;
  if (CostOf(effect) == favourite) return 0;
  switch (effect) {
    case Effect::Attack: return action.domain() == favourite ? 0 : 1;
    case Effect::Embargo:
    case Effect::Democracy: return state.Count(action.seat(), action.domain()) > 3 ? 2 : 1;
    default: return 1;
  }
}

Action ChooseBuilder(const State& state, const ActionSet& legal, Random& random) {
  const Domain favourite = Favourite(state);
  int best = -1;
  uint32_t equals = 0;
  Action chosen = legal[0];
  for (const Action action : legal) {
    const int liking = Liking(state, action, favourite);
    if (liking < best) continue;
    equals = liking > best ? 1 : equals + 1;
    best = liking;
    if (random.Below(equals) == 0) chosen = action;
  }
  return chosen;
}

}  // namespace

Action Choose(Policy policy, const State& state, const ActionSet& legal, Random& random) {
  switch (policy) {
    case Policy::Uniform: return ChooseUniform(legal, random);
    case Policy::EffectHappy: return ChooseEffectHappy(legal, random);
    case Policy::Builder: break;
  }
  return ChooseBuilder(state, legal, random);
}

}  // namespace civ
