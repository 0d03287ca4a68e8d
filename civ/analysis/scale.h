// What numbers are called, and how well somebody has played: everything that tools/calibrate
// measures.
#pragma once

#include <algorithm>

namespace civ::scale {

// Points of the chance to win, of 1, that a turn gave away beyond doubt.
inline constexpr float kSlip = 0.03f, kError = 0.08f, kBlunder = 0.16f;
// That a turn's draw gave.
inline constexpr float kJoker = 0.12f;

// From 0 to 100, by what was lost of what blind play would have lost in the same turns.
inline float Quality(float lost, float stake) {
  return std::clamp(100 * (1 - lost / stake), 0.0f, 100.0f);
}

}  // namespace civ::scale
