// A view as numbers, for programs that learn: planes of small counts and flags, one after the
// other.
//
// Seats stand in the order in which the viewer sees them: itself first, then clockwise; for a
// spectator from seat 0 on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "civ/view/view.h"

namespace civ {

struct Plane {
  std::string_view name;
  bool per_seat;  // one row for each player, else one row
  uint8_t width;  // numbers in a row
  std::string_view meaning;

  constexpr int Size(int players) const { return (per_seat ? players : 1) * width; }
};

// In the order in which they are written.
std::span<const Plane> Planes();

// How many numbers there are at a table of so many players.
int ObservationSize(int players);
inline constexpr int kMostObserved = 512;  // for buffers

// Writes ObservationSize(players) numbers. It sees the view and nothing else.
void Observe(const View& view, uint8_t* out);

}  // namespace civ
