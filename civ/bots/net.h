// The value net: the chances of all seats to win, in a position in which a turn begins.
//
// Each seat looks at the table with itself in the middle and adds up one row of numbers for every
// feature that it finds: how many cards somebody has in a column, how far ahead it is, how full the
// deck is … The first number of the sum goes straight to the seat's score, the others through a
// clipped ReLU and a weight each; the softmax of the scores of all sides makes the chances. All of
// this is whole numbers up to the scores, so it is the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "civ/bots/bot.h"
#include "civ/bots/numbers.h"
#include "civ/bots/prior.h"
#include "civ/rules/rules.h"
#include "civ/rules/sides.h"

namespace civ {

inline constexpr int kLanes = 32;

namespace features {

inline constexpr int kMostCards = 9;   // in a column; more count as this many
inline constexpr int kMostInHand = 5;  // of one Domain
inline constexpr int kMostLead = 4;
inline constexpr int kMostSurcharges = 3;
inline constexpr int kMostPoints = 6;
inline constexpr int kDeckSteps = 27;  // of four cards
inline constexpr int kMostLack = 3;    // of a column that is near Hegemony
inline constexpr int kFewestNear = 4;  // cards in such a column

// What one seat has, as seen from a seat: one block for each seat round the table.
inline constexpr int kColumn = 0;
inline constexpr int kSurcharge = kColumn + kDomains * (kMostCards + 1);
inline constexpr int kHand = kSurcharge + kDomains * kMostSurcharges;
inline constexpr int kHandSize = kHand + kDomains * kMostInHand;
inline constexpr int kEmbargo = kHandSize + kMostCards + 1;
inline constexpr int kCulture = kEmbargo + kDomains;
inline constexpr int kTurn = kCulture + 1;
inline constexpr int kBlock = kTurn + 1;
// What there is once.
inline constexpr int kLead = kMaxSeats * kBlock;
inline constexpr int kPoints = kLead + kPhases * kDomains * (2 * kMostLead + 1);
inline constexpr int kAhead = kPoints + kPhases * (2 * kMostPoints + 1);
inline constexpr int kDeck = kAhead + kPhases * 2;
inline constexpr int kRounds = kDeck + kDeckSteps;
inline constexpr int kDiscard = kRounds + kMaxSeats + 1;
// A column that is near Hegemony: how many cards it lacks, how many of them are in hand and may be
// played, for each seat round the table, and whether it is its turn.
inline constexpr int kNear = kDiscard + kDomains * 4;
inline constexpr int kNearBlock = 2 * kMostLack * (kMostLack + 1);
inline constexpr int kRows = kNear + kMaxSeats * kNearBlock;

}  // namespace features

struct Net {
  std::array<std::array<int16_t, kLanes>, features::kRows> rows;
  std::array<int16_t, kLanes> bias;
  std::array<int16_t, kLanes> out;  // lane 0 is the scale of the first number
  PriorRows prior;
};
inline constexpr int kRowScale = 256;  // what stands for 1 in rows, bias and ramp
inline constexpr int kOutScale = 64;   // likewise in `out`

// The net for a kind of game, as trained.
const Net& NetFor(const Config& config);

// The value of a position.
Chances Evaluate(const Net& net, const State& state);

// Calls tell(key, share) for every key of the deciding seat: how likely a good player is to choose
// it.
template <class Tell>
void Guess(const Net& net, const State& state, const ActionSet& keys, Tell tell);

// Calls add(row) for every feature of a position as a seat sees it.
class Features {
 public:
  explicit Features(const State& state);

  template <class Add>
  void ForEach(Seat seat, Add add) const;

 private:
  // How many seats clockwise.
  int Distance(int from, int to) const {
    return to >= from ? to - from : to - from + state_.config.players;
  }
  template <class Add>
  void AddSurcharges(Seat seat, Add add) const;
  template <class Add>
  void AddLeads(Seat seat, Add add) const;
  template <class Add>
  void AddStage(Seat seat, Add add) const;

  // What one seat has, as rows of its block: the same for all who look, who have it elsewhere.
  struct Held {
    std::array<uint16_t, size_t{4} * kDomains> rows;
    std::array<uint16_t, kDomains> near;  // of columns that little keeps from Hegemony
    size_t count = 0, near_count = 0;

    void Add(int row) { rows[count++] = static_cast<uint16_t>(row); }
  };
  void FindHeld(Seat seat);
  void FindNear(Seat seat);

  const State& state_;
  Outcome majority_;
  int phase_;
  std::array<std::array<int8_t, kDomains>, kMaxSeats> counts_;
  std::array<Held, kMaxSeats> held_;
};

template <class Tell>
void Guess(const Net& net, const State& state, const ActionSet& keys, Tell tell) {
  const PriorView seen(state);
  std::array<float, 128> weights;
  float sum = 0;
  size_t count = 0;
  for (const Action key : keys) {
    const auto& rows = net.prior[static_cast<size_t>(PriorView::TypeOf(key))];
    int32_t weight = 0;
    seen.ForEach(key, [&](int row) { weight += rows[static_cast<size_t>(row)]; });
    sum += weights[count++] = Exp(static_cast<float>(weight) * (1.0f / kPriorScale));
  }
  count = 0;
  for (const Action key : keys) tell(key, weights[count++] / sum);
}

// From the scores of all seats to chances: those of partners are added up.
Chances Softmax(const Config& config, const std::array<float, kMaxSeats>& scores);

template <class Add>
void Features::ForEach(Seat seat, Add add) const {
  Seat other = seat;
  for (int r = 0; r < state_.config.players; ++r, other = state_.Next(other)) {
    const Held& held = held_[other];
    for (size_t i = 0; i < held.count; ++i) add(r * features::kBlock + held.rows[i]);
    for (size_t i = 0; i < held.near_count; ++i)
      add(features::kNear + r * features::kNearBlock + held.near[i]);
  }
  AddSurcharges(seat, add);
  AddLeads(seat, add);
  AddStage(seat, add);
}

// The first, second and third face-down Utopia card on a Domain.
template <class Add>
void Features::AddSurcharges(Seat seat, Add add) const {
  using namespace features;
  for (int i = 0; i < state_.democracy_count; ++i) {
    const FaceDown card = state_.democracies[i];
    int before = 0;
    for (int j = 0; j < i; ++j)
      before +=
          state_.democracies[j].seat == card.seat && state_.democracies[j].domain == card.domain;
    if (before < kMostSurcharges)
      add(Distance(seat, card.seat) * kBlock + kSurcharge + card.domain * kMostSurcharges + before);
  }
}

// How far ahead the seat is in each Domain, and what lies in the discard pile.
template <class Add>
void Features::AddLeads(Seat seat, Add add) const {
  using namespace features;
  for (int d = 0; d < kDomains; ++d) {
    int most = 0;
    for (Seat other = 0; other < kMaxSeats; ++other)
      if (other != seat) most = std::max<int>(most, counts_[other][static_cast<size_t>(d)]);
    const int lead =
        std::clamp(counts_[seat][static_cast<size_t>(d)] - most, -kMostLead, kMostLead) + kMostLead;
    add(kLead + (phase_ * kDomains + d) * (2 * kMostLead + 1) + lead);
    const int thrown = state_.discard.Of(static_cast<Domain>(d)).Count();
    if (thrown > 0) add(kDiscard + d * 4 + std::min(3, (thrown - 1) / 2));
  }
}

// How a Majority would end now, how full the deck is, and how many turns come before the seat's
// own, or that it has none any more.
template <class Add>
void Features::AddStage(Seat seat, Add add) const {
  using namespace features;
  const int side = SideOf(state_.config, seat);
  int most = 0;
  for (int other = 0; other < kMaxSeats; ++other)
    if (other != side) most = std::max<int>(most, majority_.points[static_cast<size_t>(other)]);
  add(kPoints + phase_ * (2 * kMostPoints + 1) + majority_.points[static_cast<size_t>(side)] -
      most + kMostPoints);
  if ((majority_.winners >> seat & 1) != 0)
    add(kAhead + phase_ * 2 + (std::popcount(majority_.winners) > (state_.config.teams ? 2 : 1)));
  add(kDeck + (state_.deck_size + 3) / 4);
  const int until = Distance(state_.seat, seat);
  const bool last = state_.closing != kNone && until > Distance(state_.seat, state_.closing);
  add(kRounds + (last ? kMaxSeats : until));
}

}  // namespace civ
