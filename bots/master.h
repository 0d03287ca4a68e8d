#pragma once

#include <memory>

#include "bots/net.h"

namespace civ {

// The memory of a search: this many nodes of 40 bytes for each thread, 40 MiB, and half as much again for a moment while it grows.
inline constexpr size_t kMostNodes = 1 << 20;

// What can be varied to make weaker players, and to try ideas.
struct MasterOptions {
  const Net* net = nullptr;  // nullptr: the trained one for the kind of game
  float exploration = 0.4f;
  float first_play = 0.2f;
  int64_t most_iterations = 0;  // 0: as many as the limits allow
};

// An information-set tree search that judges positions by a net where a turn begins.
std::unique_ptr<Bot> MakeMaster(const MasterOptions& options = {});

}  // namespace civ
