#include "civ/bots/certain.h"

#include <algorithm>

#include "civ/bots/bot.h"
#include "civ/rules/sides.h"
#include "civ/view/threat.h"

namespace civ {
namespace {

// Whether the game could end with this turn, by its draw or for want of one.
bool MayBeLast(const State& state) {
  constexpr int kLargestHand = 7;
  return EndsAfterDraw(state, state.seat) ||
         (state.deck_size <= kLargestHand && ClosingAfterLastCard(state, state.seat) == state.seat);
}

// Whether it is worth looking for a win at all: enough cards in hand or to be had from the discard
// pile, or perhaps the last turn.
bool WinIsNear(const State& state) {
  constexpr int kFromDiscard = 2;
  if (MayBeLast(state)) return true;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int more = state.hands[state.seat].Of(domain).Count() +
                     std::min(kFromDiscard, state.discard.Of(domain).Count());
    if (state.Count(state.seat, domain) + more >= HegemonyNeed(state, state.seat, domain))
      return true;
  }
  return false;
}

// The part of a victory that the end of the turn would bring its player; nothing if the game goes
// on.
std::optional<float> ShareAtEnd(const State& state, Seat seat) {
  if (HegemonyOf(state, seat) != kNone) return 1.0f;
  if (ClosingAfterTurn(state, state.hands[seat].Count()) != seat) return std::nullopt;
  return Shares(state.config, Majority(state))[seat];
}

// One for a position in which ending the turn wins alone.
float WinsByEnding(const State& state, Seat seat) {
  return ShareAtEnd(state, seat).value_or(0) >= 1 ? 1.0f : 0.0f;
}

// Positions of the next player's turn that are looked at for one decision: as many as take less
// time than the shortest thoughts.
constexpr int kMostAnswers = 3000;

// One for a position in which ending the turn leaves the next player no win with the cards it
// holds, or none that is found.
float HoldsByEnding(const State& state, Seat seat, int& answers) {
  if (const std::optional<float> share = ShareAtEnd(state, seat)) return *share > 0 ? 1.0f : 0.0f;
  State after = state;
  Apply(after, kEnd);
  return CanReachHegemony(after, answers) ? 0.0f : 1.0f;
}

auto SkipsUnseen(const Restraint& restraint, float unseen) {
  return [&restraint, unseen](const State& state, Action action) -> std::optional<float> {
    if (restraint.Forbids(state, action)) return TurnSearch::kWorst;
    return IsUnseen(action) ? std::optional(unseen) : std::nullopt;
  };
}

// How far from the point an action looks on the way to a win: playing cards is to the point, to
// swap cards or to play what was just taken less so, and to give up a card least.
int Detour(Action key, Domains taken) {
  if (key.NamesCard()) return key.verb() == Verb::Play && (taken & Bit(key.domain())) != 0 ? 1 : 0;
  if (key == kEnd) return 0;
  if (!IsPermanent(key.effect())) return 2;
  return DomainOf(key.effect()) == Domain::Science ? 1 : 0;
}

}  // namespace

std::optional<Action> Certainty::Win(const State& state, const ActionSet& legal, Domains taken,
                                     const Restraint& restraint) {
  if (state.turn == 0 || !WinIsNear(state)) return std::nullopt;
  if (legal.Contains(kEnd) && WinsByEnding(state, state.seat) > 0) return kEnd;
  const std::span<const float> wins =
      search_.Look(state, legal, WinsByEnding, SkipsUnseen(restraint, TurnSearch::kWorst));
  const ActionSet keys = Keys(legal);
  std::optional<Action> win;
  for (int i = 0; i < keys.Size(); ++i) {
    if (wins[static_cast<size_t>(i)] <= 0) continue;
    if (!win || Detour(keys[i], taken) < Detour(*win, taken)) win = keys[i];
  }
  return win ? std::optional(Oldest(legal, *win)) : std::nullopt;
}

std::vector<Action> Certainty::Stops(const View& view, const State& state, const ActionSet& legal,
                                     const Restraint& restraint) {
  const Seat next = view.Next(view.seat);
  if (view.turn == 0 || SideOf(view.config, next) == SideOf(view.config, view.seat)) return {};
  const std::optional<Threat> threat = ThreatOf(view, next);
  if (!threat || !threat->proven) return {};
  State known = state;
  known.hands[next] = view.hands[next].cards;
  // What is drawn or taken unseen may help.
  constexpr float kMayHold = 1;
  int answers = kMostAnswers;
  const auto worth = [&answers](const State& end, Seat seat) {
    return HoldsByEnding(end, seat, answers);
  };
  const std::span<const float> holds =
      search_.Look(known, legal, worth, SkipsUnseen(restraint, kMayHold));
  const ActionSet keys = Keys(legal);
  std::vector<Action> stops;
  for (int i = 0; i < keys.Size(); ++i)
    if (holds[static_cast<size_t>(i)] > 0) stops.push_back(keys[i]);
  return stops;
}

}  // namespace civ
