// What numbers are called, and how well somebody has played: everything that tools/calibrate
// measures.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace civ::scale {

// Points of the chance to win, of 1, that a turn gave away beyond doubt.
inline constexpr float kSlip = 0.03f, kError = 0.08f, kBlunder = 0.16f;
// That a turn's draw gave.
inline constexpr float kJoker = 0.12f;

// Quality of play compares what was lost with the stake, which is what blind play would have lost,
// in each part of a game: the late parts are harder, and better players come to more of them.
struct Part {
  float lost = 0, stake = 0;
};
inline constexpr size_t kParts = 4;
using Parts = std::array<Part, kParts>;

// Rounds count from 1; the draft belongs to the first.
inline size_t PartOf(int round) {
  constexpr int kRounds = 4;
  return std::min(static_cast<size_t>(std::max(round - 1, 0) / kRounds), kParts - 1);
}

// The share of the stake that levels 1 to 5 keep in each part, and what keeping it is worth.
inline constexpr std::array<float, kParts> kFair = {0.9f, 0.7f, 0.4f, 0.2f};
inline constexpr float kWorth = 0.55f;

// From 0 to 100. A part counts by its stake; unknown where nothing was at stake.
inline float Quality(const Parts& parts) {
  float points = 0, stakes = 0;
  for (size_t i = 0; i < kParts; ++i) {
    const auto [lost, stake] = parts[i];
    if (stake <= 0) continue;
    const float kept = std::clamp(1 - lost / stake, 0.0f, 1.0f), fair = kFair[i];
    const float worth =
        kept < fair ? kWorth * kept / fair : kWorth + (1 - kWorth) * (kept - fair) / (1 - fair);
    points += stake * worth;
    stakes += stake;
  }
  return stakes > 0 ? 100 * points / stakes : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace civ::scale
