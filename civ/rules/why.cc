#include "civ/rules/why.h"

#include <algorithm>

namespace civ {
namespace {

// All of these are asked of an action that is not legal: what is left has the last reason.

// What the effect asks for first must be possible in full (ruling 1).
Reason Lacks(Effect effect) {
  const auto needed = static_cast<uint8_t>(LevelOf(effect));
  switch (DomainOf(effect)) {
    case Domain::Military: return {Why::HandTooSmall, needed, Domain::Military};
    case Domain::Utopia: return {Why::DiscardTooSmall, needed, Domain::Utopia};
    default: return {Why::TableTooSmall, needed, DomainOf(effect)};
  }
}

int CardsFor(const State& state, Effect effect) {
  return Threshold(state.config.players, LevelOf(effect) == 1 ? Mark::Level1 : Mark::Level2);
}

Reason WhyNotPermanent(const State& state, Effect effect) {
  const Domain domain = DomainOf(effect);
  const int missing = CardsFor(state, effect) - state.Count(state.seat, domain);
  if ((state.permanent & Bit(domain)) != 0) return {Why::Used, 0, domain};
  if (missing > 0) return {Why::NeedsCards, static_cast<uint8_t>(missing), domain};
  return Lacks(effect);
}

Reason WhyNotCopy(const State& state, Effect effect) {
  const Domain domain = DomainOf(effect);
  int most_culture = 0, most = 0;
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    if (seat == state.seat) continue;
    most_culture = std::max(most_culture, state.Count(seat, Domain::Culture));
    most = std::max(most, state.Count(seat, domain));
  }
  if ((state.permanent & Bit(Domain::Culture)) != 0) return {Why::CopyUsed, 0, Domain::Culture};
  if (state.Count(state.seat, Domain::Culture) <= most_culture)
    return {Why::NoCultureLead, 0, Domain::Culture};
  if ((state.permanent & Bit(domain)) != 0) return {Why::Used, 0, domain};
  if (state.Count(state.seat, domain) >= CardsFor(state, effect)) return {Why::OwnsIt, 0, domain};
  if (most < CardsFor(state, effect)) return {Why::NobodyHasIt, 0, domain};
  return Lacks(effect);
}

Reason WhyNotDiscardEffect(const State& state, Domain cost) {
  if ((state.given_up & Bit(cost)) != 0) return {Why::Used, 0, cost};
  if (state.Count(state.seat, cost) == 0) return {Why::NoCardToGiveUp, 0, cost};
  return {};
}

Reason WhyNotTarget(const State& state, Seat seat) {
  if (seat >= state.config.players) return {Why::NoSuchSeat};
  if (seat == state.seat) return {Why::OwnSeat};
  return {};
}

Reason WhyNotLaid(const State& state, Action action) {
  const Reason reason = WhyNotTarget(state, action.seat());
  return reason.why == Why::Legal ? Reason{Why::NothingThere, 0, action.domain()} : reason;
}

Reason WhyNotEffect(const State& state, Action action) {
  if (state.step != Step::Effects) return {state.step == Step::Choose ? Why::Verb : Why::Step};
  const Effect effect = action.effect();
  if (IsPermanent(effect))
    return action.IsCopy() ? WhyNotCopy(state, effect) : WhyNotPermanent(state, effect);
  if (const Reason reason = WhyNotDiscardEffect(state, CostOf(effect)); reason.why != Why::Legal)
    return reason;
  switch (effect) {
    case Effect::Attack: return {Why::NothingToAttack, 0, action.domain()};
    case Effect::Inquisition: return WhyNotTarget(state, action.seat());
    default: return WhyNotLaid(state, action);
  }
}

// Where the cards named by a verb come from.
Cards SourceOf(const State& state, Verb verb) {
  switch (verb) {
    case Verb::Keep: return state.packs[state.seat];
    case Verb::Claim: return state.centre;
    case Verb::Take:
    case Verb::Remove: return state.tables[state.seat];
    case Verb::Recover: return state.discard;
    default: return state.hands[state.seat];
  }
}

Verb VerbAsked(const State& state) {
  switch (state.step) {
    case Step::Draft: return Verb::Keep;
    case Step::Claim: return Verb::Claim;
    case Step::Choose: return state.choice.verb;
    default: return Verb::Play;
  }
}

Reason WhyNotNamed(const State& state, Action action) {
  const Verb verb = action.verb();
  if (state.step == Step::Effects) return {Why::Step};
  if (verb != VerbAsked(state)) return {state.step == Step::Choose ? Why::Verb : Why::Step};
  if (action == kSkip) return {state.step == Step::Choose ? Why::Verb : Why::CanPlay};
  const bool by_domain = verb == Verb::Remove || verb == Verb::Claim;
  const Domain domain = by_domain ? action.domain() : DomainOf(action.kind());
  const Cards source = SourceOf(state, verb);
  if (by_domain ? source.Of(domain).Empty() : source[action.kind()] == 0)
    return {Why::NotThere, 0, domain};
  if (verb == Verb::Play && (state.Embargoed(state.seat) & Bit(domain)) != 0)
    return {Why::Embargoed, 0, domain};
  if (state.step == Step::Choose && state.choice.from != kNone &&
      (action.code & 0x0f) < state.choice.from)
    return {Why::OutOfOrder, 0, domain};
  return {Why::TooFewAfter, state.choice.left, domain};
}

}  // namespace

Reason WhyNot(const State& state, Action action) {
  if (state.step == Step::Over) return {Why::Over};
  if (Legal(state).Contains(action)) return {};
  return action.NamesCard() ? WhyNotNamed(state, action) : WhyNotEffect(state, action);
}

}  // namespace civ
