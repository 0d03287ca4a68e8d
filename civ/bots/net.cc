#include "civ/bots/net.h"

#include <algorithm>

#include "civ/bots/numbers.h"

namespace civ {

Features::Features(const State& state)
    : state_(state), majority_(Majority(state)), phase_(PhaseOf(state)) {
  for (Seat seat = 0; seat < kMaxSeats; ++seat)
    for (int d = 0; d < kDomains; ++d)
      counts_[seat][static_cast<size_t>(d)] =
          static_cast<int8_t>(state.Count(seat, static_cast<Domain>(d)));
  FindNear();
}

void Features::FindNear() {
  using namespace features;
  for (Seat seat = 0; seat < state_.config.players; ++seat)
    for (int d = 0; d < kDomains; ++d) {
      if (counts_[seat][static_cast<size_t>(d)] < kFewestNear) continue;
      const auto domain = static_cast<Domain>(d);
      const int lack = std::max(1, LackFor(state_, seat, domain));
      if (lack > kMostLack) continue;
      const bool embargoed = (state_.Embargoed(seat) >> d & 1) != 0;
      const int held = embargoed ? 0 : std::min(state_.hands[seat].Of(domain).Count(), kMostLack);
      const int turn = state_.seat == seat ? 1 : 0;
      near_[near_count_++] = {
          seat, static_cast<uint8_t>((turn * kMostLack + lack - 1) * (kMostLack + 1) + held)};
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

Chances Evaluate(const Net& net, const State& state) {
  const Features found(state);
  std::array<float, kMaxSeats> scores{};
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    alignas(64) std::array<int16_t, kLanes> sum = net.bias;
    found.ForEach(seat, [&](int row) {
      const std::array<int16_t, kLanes>& numbers = net.rows[static_cast<size_t>(row)];
      for (size_t lane = 0; lane < kLanes; ++lane)
        sum[lane] = static_cast<int16_t>(sum[lane] + numbers[lane]);
    });
    int32_t score = int32_t{sum[0]} * net.out[0];
    for (size_t lane = 1; lane < kLanes; ++lane)
      score += std::clamp<int32_t>(sum[lane], 0, kRowScale) * net.out[lane];
    scores[seat] = static_cast<float>(score) * (1.0f / (kRowScale * kOutScale));
  }
  return Softmax(state.config, scores);
}

}  // namespace civ
