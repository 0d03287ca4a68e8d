// The strongest bot: a tree search over information sets, guided by a trained net.
#pragma once

#include <memory>

#include "civ/bots/net.h"

namespace civ {

// The memory of a search: this many nodes of 40 bytes for each thread, 40 MiB, and half as much
// again for a moment while it grows.
inline constexpr size_t kMostNodes = 1 << 20;

// At most so many iterations for a decision, at tables of two and of more players. 0: as many as
// the limits allow.
struct Most {
  int64_t two = 0, more = 0;
};

// What can be varied to make weaker players, and to try ideas.
struct MasterOptions {
  const Net* net = nullptr;  // nullptr: the trained one for the kind of game
  float exploration = 0.4f;  // the constant of PUCT
  float first_play = 0.2f;   // first-play urgency: how much below its parent a new child is valued
  float noise = 0;  // the share of chance in the priors of the root, so that training sees more
  Most most = {};
  bool tidy =
      false;  // never thinks of what looks senseless, though a long search might see a sense
};

// Information-set Monte Carlo tree search, open loop, with PUCT: the net gives the priors, and the
// value of a position where a turn begins instead of a playout.
std::unique_ptr<Bot> MakeMaster(const MasterOptions& options = {});

}  // namespace civ
