#include "tests/follies.h"

#include <algorithm>

#include "civ/bots/aim.h"
#include "civ/rules/sides.h"

namespace civ::test {
namespace {

bool AnyOther(const State& state, Seat seat, auto holds) {
  for (Seat other = 0; other < state.config.players; ++other)
    if (SideOf(state.config, other) != SideOf(state.config, seat) && holds(other)) return true;
  return false;
}

bool IsThreatened(const State& state, Seat seat) {
  return AnyOther(state, seat, [&](Seat other) { return LeastLack(state, other) <= 2; });
}

bool SameDomains(const Cards& a, const Cards& b) {
  for (int d = 0; d < kDomains; ++d)
    if (a.Of(static_cast<Domain>(d)).Count() != b.Of(static_cast<Domain>(d)).Count()) return false;
  return true;
}

bool SameColumns(const State& a, const State& b, Seat seat) {
  return a.columns[seat] == b.columns[seat];
}

}  // namespace

std::string_view NameOf(Folly folly) {
  constexpr std::array<std::string_view, kFollies> kNames = {
      "takes back",      "own goal",    "inquisition", "breakthrough", "face down",
      "against partner", "throws away", "tears down",  "misses a win", "does not race"};
  return kNames[static_cast<size_t>(folly)];
}

void FollyWatch::Step(const State& before, Action action) {
  if (before.turn == 0) return;
  if (before.step == civ::Step::Play) begin_ = before;
  if (before.step == civ::Step::Effects) {
    EndEffect(before);
    effect_ = action;
    used_ = before;
    if (action == kEnd)
      EndTurn(before);
    else
      UseEffect(before, action);
  }
  if (before.step == civ::Step::Choose && action.verb() == Verb::Discard &&
      before.choice.effect != Effect::Breakthrough) {
    const Domain best = BestColumn(before);
    const int held = before.hands[before.seat].Of(best).Count();
    Note(Folly::ThrowsAway, DomainOf(action.kind()) == best &&
                                before.Count(before.seat, best) >= 3 &&
                                held < before.hands[before.seat].Count() &&
                                held <= LackFor(before, before.seat, best));
  }
}

// What can be said as soon as an effect is chosen.
void FollyWatch::UseEffect(const State& before, Action action) {
  const Seat seat = before.seat;
  const Effect effect = action.effect();
  if (effect == Effect::Attack) {
    const Domain domain = action.domain();
    const bool hits =
        AnyOther(before, seat, [&](Seat other) { return before.Count(other, domain) > 0; });
    const bool stops =
        AnyOther(before, seat, [&](Seat other) { return LackFor(before, other, domain) <= 3; });
    Note(Folly::OwnGoal,
         !hits || (domain == BestColumn(before) && before.Count(seat, domain) >= 3 && !stops));
  }
  if (effect != Effect::Embargo && effect != Effect::Democracy) return;
  const bool partner = SideOf(before.config, action.seat()) == SideOf(before.config, seat);
  Note(Folly::AgainstPartner, partner);
  const int far = effect == Effect::Democracy ? 4 : 5;
  const bool late = effect == Effect::Embargo && before.deck_size <= 10;
  Note(Folly::FaceDown,
       !partner && !late && LackFor(before, action.seat(), action.domain()) >= far);
}

// What can be said when it is finished.
void FollyWatch::EndEffect(const State& now) {
  if (effect_ == kEnd || effect_.NamesCard()) return;
  const Seat seat = now.seat;
  const Effect effect = effect_.effect();
  effect_ = kEnd;
  if (effect == Effect::Experiment || effect == Effect::Research)
    Note(Folly::TakesBack, SameColumns(used_, now, seat));
  if (effect == Effect::Experiment || effect == Effect::Research || effect == Effect::Development ||
      effect == Effect::Monopoly) {
    const Domain best = BestColumn(used_);
    Note(Folly::TearsDown,
         used_.Count(seat, best) >= 4 && now.Count(seat, best) < used_.Count(seat, best));
  }
  const bool aimless = !HasAim(used_, seat) && !IsThreatened(used_, seat);
  if (effect == Effect::Breakthrough) Note(Folly::Breakthrough, aimless || used_.deck_size == 0);
  if (effect == Effect::Inquisition)
    Note(Folly::Inquisition, aimless || SameDomains(used_.hands[seat], now.hands[seat]));
}

void FollyWatch::EndTurn(const State& now) {
  const Seat seat = now.seat;
  if (begin_.seat != seat || begin_.turn != now.turn) return;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    if (Playable(begin_).Of(domain).Count() == 0) continue;
    const int lack = LackFor(begin_, seat, domain);
    const bool longer = now.Count(seat, domain) > begin_.Count(seat, domain);
    Note(Folly::MissesWin, lack == 1 && HegemonyOf(now, seat) == kNone);
    Note(Folly::DoesNotRace, lack == 2 && !longer && HegemonyOf(now, seat) == kNone &&
                                 !IsThreatened(begin_, seat) && LeastLack(now, seat) > 2);
  }
}

}  // namespace civ::test
