#include "bots/greedy.h"

#include <algorithm>
#include <bit>

#include "bots/limits.h"
#include "bots/turn.h"
#include "view/sample.h"

namespace civ {
namespace {

constexpr float kWin = 1000;
constexpr int kSamples = 4;  // what is drawn or taken from a hand is seen in this many ways

// What a column is worth that lacks so many cards for Hegemony.
constexpr std::array<float, 10> kColumn = {60, 24, 12, 7, 4.5f, 3, 2, 1, 0, 0};

float ColumnsWorth(const Public& table, Seat seat) {
  float worth = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int lacking = std::max(0, HegemonyNeed(table, seat, domain) - table.Count(seat, domain));
    worth += kColumn[static_cast<size_t>(std::min<int>(lacking, kColumn.size() - 1))];
  }
  return worth;
}

bool SameSide(const Public& table, Seat a, Seat b) { return a == b || (table.config.teams && (a ^ b) == 2); }

// The points of a Majority count the more the emptier the deck is.
float PointsWorth(const Public& table, Seat seat) {
  const Outcome now = Majority(table);
  const int sides = table.config.teams ? 2 : table.config.players;
  const int side = table.config.teams ? seat % 2 : seat;
  int others = 0;
  for (int s = 0; s < sides; ++s)
    if (s != side) others = std::max<int>(others, now.points[static_cast<size_t>(s)]);
  const float lead = static_cast<float>(now.points[static_cast<size_t>(side)] - others) + ((now.winners >> seat & 1) != 0 ? 0.5f : 0);
  const float emptied = 1 - static_cast<float>(table.deck_size) / static_cast<float>(DeckSize(table.config.players));
  return lead * (1 + 5 * emptied * emptied);
}

float HandWorth(const State& state, Seat seat) {
  const Cards hand = state.hands[seat];
  float worth = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int cards = hand.Of(domain).Count();
    if (cards > 0)
      worth += static_cast<float>(cards) * (0.6f + 0.15f * static_cast<float>(state.Count(seat, domain)) + 0.05f * static_cast<float>(cards));
  }
  const int drawn = std::min<int>(state.deck_size, std::max(0, state.hand_size - hand.Count()));
  return worth + 0.9f * static_cast<float>(drawn);
}

class Greedy final : public Bot {
  Thought Consider(const View& view, const ActionSet& all, const Limits& limits, uint64_t seed) override {
    const ActionSet actions = WithoutTwins(all);
    Random random(seed);
    Sampler sampler(view);
    Budget budget(limits);
    Thought thought{actions[0], {}, 0};
    for (const Action action : actions) thought.judgements.push_back({action, 0, {}});
    State state;
    while (thought.iterations < kSamples && (thought.iterations == 0 || budget.Allows(thought.iterations * 16)) && sampler.Draw(state, random)) {
      const std::span<const float> worths = search_.Look(state, actions, PlainWorth);
      for (size_t i = 0; i < worths.size(); ++i) thought.judgements[i].weight += worths[i];
      ++thought.iterations;
    }
    thought.Settle();
    thought.judgements.clear();  // worths are not chances
    return thought;
  }

  TurnSearch search_;
};

}  // namespace

float PlainWorth(const State& state, Seat seat) {
  if (state.step == Step::Effects) {
    if (HegemonyOf(state, seat) != kNone) return kWin;
    State after = state;
    Apply(after, kEnd);
    if (after.step == Step::Over) return kWin * (Shares(after.config, Result(after))[seat] * 2 - 1);
  }
  float worth = PointsWorth(state, seat) + HandWorth(state, seat);
  for (Seat other = 0; other < state.config.players; ++other)
    worth += SameSide(state, seat, other) ? (other == seat ? 1.0f : 0.7f) * ColumnsWorth(state, other) : -0.7f * ColumnsWorth(state, other);
  return worth;
}

std::unique_ptr<Bot> MakeGreedy() { return std::make_unique<Greedy>(); }

}  // namespace civ
