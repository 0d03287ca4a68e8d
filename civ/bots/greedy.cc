#include "civ/bots/greedy.h"

#include <algorithm>
#include <bit>

#include "civ/bots/limits.h"
#include "civ/rules/sides.h"
#include "civ/view/sample.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr float kWin = 1000;
constexpr float kEffort = 0.05f;  // of an effect
constexpr int kSamples = 4;       // what is drawn or taken from a hand is seen in this many ways

// What a column is worth, by the number of cards that it lacks for Hegemony.
constexpr std::array<float, 10> kColumn = {60, 24, 12, 7, 4.5f, 3, 2, 1, 0, 0};

float ColumnsWorth(const Public& table, Seat seat) {
  float worth = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int lacking = std::max(0, LackFor(table, seat, domain));
    worth += kColumn[static_cast<size_t>(std::min<int>(lacking, kColumn.size() - 1))];
  }
  return worth;
}

bool SameSide(const Public& table, Seat a, Seat b) {
  return SideOf(table.config, a) == SideOf(table.config, b);
}

float OthersWorth(const Public& table, Seat seat) {
  float worth = 0;
  for (Seat other = 0; other < table.config.players; ++other)
    if (other != seat)
      worth += (SameSide(table, seat, other) ? 0.7f : -0.7f) * ColumnsWorth(table, other);
  return worth;
}

// The points of a Majority count the more the emptier the deck is.
float PointsWorth(const Public& table, Seat seat) {
  const Outcome now = Majority(table);
  const int side = SideOf(table.config, seat);
  int others = 0;
  for (int s = 0; s < kMaxSeats; ++s)
    if (s != side) others = std::max<int>(others, now.points[static_cast<size_t>(s)]);
  const float lead = static_cast<float>(now.points[static_cast<size_t>(side)] - others) +
                     ((now.winners >> seat & 1) != 0 ? 0.5f : 0);
  const float emptied =
      1 - static_cast<float>(table.deck_size) / static_cast<float>(DeckSize(table.config.players));
  return lead * (1 + 5 * emptied * emptied);
}

float HandWorth(const State& state, Seat seat) {
  const Cards hand = state.hands[seat];
  float worth = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int cards = hand.Of(domain).Count();
    if (cards > 0)
      worth += static_cast<float>(cards) *
               (0.6f + 0.15f * static_cast<float>(state.Count(seat, domain)) +
                0.05f * static_cast<float>(cards));
  }
  const int drawn = std::min<int>(state.deck_size, std::max(0, state.hand_size - hand.Count()));
  return worth + 0.9f * static_cast<float>(drawn);
}

// For a seat that is about to end its turn, or has drafted a card.
float Worth(const State& state, Seat seat) {
  if (state.step == Step::Effects) {
    if (HegemonyOf(state, seat) != kNone) return kWin;
    State after = state;
    Apply(after, kEnd);
    if (after.step == Step::Over) return kWin * (Shares(after.config, Result(after))[seat] * 2 - 1);
  }
  // What changes nothing is better left alone.
  const int used = std::popcount(state.permanent) + std::popcount(state.given_up);
  const float hand = HandWorth(state, seat) - kEffort * static_cast<float>(used);
  return ColumnsWorth(state, seat) + hand + OthersWorth(state, seat) + PointsWorth(state, seat);
}

class Greedy final : public Bot {
  Thought Consider(const View& view, const ActionSet& legal, const Limits& limits,
                   uint64_t seed) override {
    Random random(seed);
    Sampler sampler(view);
    Budget budget(limits, 1);
    Thought thought{legal[0], {}, 0};
    for (const Action key : Keys(legal)) thought.judgements.push_back({Oldest(legal, key), 0, {}});
    State state;
    while (thought.iterations < kSamples &&
           (thought.iterations == 0 || budget.Allows(thought.iterations)) &&
           sampler.Draw(state, random)) {
      AddWorths(state, legal, thought.judgements);
      ++thought.iterations;
    }
    thought.SortAndChoose();
    thought.judgements.clear();  // worths are not chances
    return thought;
  }

  void AddWorths(const State& state, const ActionSet& legal, std::vector<Judgement>& judgements) {
    const std::span<const float> worths = search_.Look(
        state, legal, Worth, [](const State&, Action) { return std::optional<float>(); });
    for (size_t i = 0; i < worths.size(); ++i) judgements[i].weight += worths[i];
  }

  TurnSearch search_;
};

}  // namespace

std::unique_ptr<Bot> MakeGreedy() { return std::make_unique<Greedy>(); }

}  // namespace civ
