#include "civ/bots/net.h"

#include <algorithm>
#include <cstring>

#include "civ/bots/numbers.h"

namespace civ {

Features::Features(const State& state)
    : state_(state), majority_(Majority(state)), phase_(PhaseOf(state)) {
  for (Seat seat = 0; seat < kMaxSeats; ++seat)
    for (int d = 0; d < kDomains; ++d)
      counts_[seat][static_cast<size_t>(d)] =
          static_cast<int8_t>(state.Count(seat, static_cast<Domain>(d)));
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    FindHeld(seat);
    FindNear(seat);
  }
}

void Features::FindHeld(Seat seat) {
  using namespace features;
  Held& found = held_[seat];
  const Cards hand = state_.hands[seat];
  for (int d = 0; d < kDomains; ++d) {
    found.Add(kColumn + d * (kMostCards + 1) +
              std::min<int>(counts_[seat][static_cast<size_t>(d)], kMostCards));
    const int held = hand.Of(static_cast<Domain>(d)).Count();
    if (held > 0) found.Add(kHand + d * kMostInHand + std::min(held, kMostInHand) - 1);
  }
  found.Add(kHandSize + std::min(hand.Count(), kMostCards));
  for (unsigned embargoed = state_.Embargoed(seat); embargoed != 0; embargoed &= embargoed - 1)
    found.Add(kEmbargo + std::countr_zero(embargoed));
  if (state_.culture_lead == seat) found.Add(kCulture);
  if (state_.seat == seat) found.Add(kTurn);
}

void Features::FindNear(Seat seat) {
  using namespace features;
  Held& found = held_[seat];
  for (int d = 0; d < kDomains; ++d) {
    if (counts_[seat][static_cast<size_t>(d)] < kFewestNear) continue;
    const auto domain = static_cast<Domain>(d);
    const int lack = std::max(1, LackFor(state_, seat, domain));
    if (lack > kMostLack) continue;
    const bool embargoed = (state_.Embargoed(seat) >> d & 1) != 0;
    const int held = embargoed ? 0 : std::min(state_.hands[seat].Of(domain).Count(), kMostLack);
    const int turn = state_.seat == seat ? 1 : 0;
    found.near[found.near_count++] =
        static_cast<uint16_t>((turn * kMostLack + lack - 1) * (kMostLack + 1) + held);
  }
}

Chances Softmax(const Config& config, const std::array<float, kMaxSeats>& scores) {
  const Seat sides = static_cast<Seat>(SideCount(config));
  std::array<float, kMaxSeats> side_scores = scores;
  if (config.teams)
    for (Seat side = 0; side < 2; ++side) side_scores[side] += scores[side + 2u];
  const float highest = *std::max_element(side_scores.begin(), side_scores.begin() + sides);
  float sum = 0;
  Chances chances{};
  for (Seat side = 0; side < sides; ++side) sum += chances[side] = Exp(side_scores[side] - highest);
  for (Seat side = 0; side < sides; ++side) chances[side] /= sum;
  if (config.teams)
    for (Seat side = 0; side < 2; ++side) chances[side + 2u] = chances[side];
  return chances;
}

namespace {

// All lanes at once, which gcc and clang make vector instructions of. They may wrap round.
using Lanes __attribute__((vector_size(kLanes * sizeof(uint16_t)))) = uint16_t;

void AddTo(Lanes& sum, const std::array<int16_t, kLanes>& numbers) {
  Lanes lanes;
  std::memcpy(&lanes, numbers.data(), sizeof lanes);
  sum += lanes;
}

}  // namespace

Chances Evaluate(const Net& net, const State& state) {
  const Features found(state);
  std::array<float, kMaxSeats> scores{};
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    Lanes lanes{};
    AddTo(lanes, net.bias);
    found.ForEach(seat, [&](int row) { AddTo(lanes, net.rows[static_cast<size_t>(row)]); });
    std::array<int16_t, kLanes> sum;
    std::memcpy(sum.data(), &lanes, sizeof lanes);
    int32_t score = int32_t{sum[0]} * net.out[0];
    for (size_t lane = 1; lane < kLanes; ++lane)
      score += std::clamp<int16_t>(sum[lane], 0, kRowScale) * net.out[lane];
    scores[seat] = static_cast<float>(score) * (1.0f / (kRowScale * kOutScale));
  }
  return Softmax(state.config, scores);
}

}  // namespace civ
