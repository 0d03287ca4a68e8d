#include "bots/certain.h"

#include <algorithm>
#include <bit>

#include "bots/bot.h"

namespace civ {
namespace {

constexpr int kSamples = 4;

// How many cards the seat's own effects let it play in a turn.
int MostPlays(const Public& table, Seat seat) {
  const Domains both = Bit(Domain::Economy) | Bit(Domain::Science);
  return 1 + std::popcount(static_cast<unsigned>(table.At(Mark::Level1, seat) & both)) +
         std::popcount(static_cast<unsigned>(table.At(Mark::Level2, seat) & both));
}

// Whether it is worth looking for a win at all: enough cards in hand or to be had from the discard pile, or the last turn.
bool WinIsNear(const State& state) {
  constexpr int kFromDiscard = 2;
  if (IsLastTurn(state)) return true;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int more = state.hands[state.seat].Of(domain).Count() + std::min(kFromDiscard, state.discard.Of(domain).Count());
    if (state.Count(state.seat, domain) + more >= HegemonyNeed(state, state.seat, domain)) return true;
  }
  return false;
}

// One for a position in which ending the turn wins alone.
float Wins(const State& state, Seat seat) {
  if (state.step != Step::Effects) return 0;
  if (HegemonyOf(state, seat) != kNone) return 1;
  if (!IsLastTurn(state)) return 0;
  State after = state;
  Apply(after, kEnd);
  return Shares(after.config, Result(after))[seat] >= 1 ? 1.0f : 0.0f;
}

float Holds(const State& state, Seat seat) { return NextCouldWin(state, seat) ? 0.0f : 1.0f; }

bool TurnCanEnd(const State& state) { return state.turn > 0 && !IsLastTurn(state); }

}  // namespace

bool NextCouldWin(const State& state, Seat seat) {
  const Seat next = state.Next(seat);
  if (state.config.teams && (seat ^ next) == 2) return false;
  const int plays = MostPlays(state, next);
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const bool embargoed = (state.Embargoed(next) & Bit(domain)) != 0;
    const int playable = embargoed ? 0 : std::min(plays, state.hands[next].Of(domain).Count());
    if (state.Count(next, domain) + playable >= HegemonyNeed(state, next, domain)) return true;
  }
  return false;
}

std::optional<Action> Certainty::Win(const State& state, const ActionSet& legal) {
  if (state.turn == 0 || !WinIsNear(state)) return std::nullopt;
  const std::span<const float> wins = search_.Look(state, legal, Wins, TurnSearch::Unseen::Skipped);
  const ActionSet keys = Keys(legal);
  for (int i = 0; i < keys.Size(); ++i)
    if (wins[static_cast<size_t>(i)] > 0) return Oldest(legal, keys[i]);
  return std::nullopt;
}

std::vector<Action> Certainty::Stops(Sampler& sampler, Random& random, const ActionSet& legal) {
  std::vector<State> states;
  for (State state; states.size() < kSamples; states.push_back(state))
    if (!sampler.Draw(state, random) || !TurnCanEnd(state) || !NextCouldWin(state, state.seat)) return {};
  const ActionSet keys = Keys(legal);
  std::vector<float> held(static_cast<size_t>(keys.Size()));
  for (const State& state : states) {
    const std::span<const float> holds = search_.Look(state, legal, Holds, TurnSearch::Unseen::Skipped);
    for (size_t i = 0; i < held.size(); ++i) held[i] += holds[i];
  }
  std::vector<Action> stops;
  for (size_t i = 0; i < held.size(); ++i)
    if (held[i] >= kSamples) stops.push_back(Oldest(legal, keys[static_cast<int>(i)]));
  return stops;
}

}  // namespace civ
