// How a game may go on if pacts are kept: what they are judged by.
#pragma once

#include <optional>
#include <vector>

#include "civ/bots/limits.h"
#include "civ/bots/net.h"
#include "civ/view/sample.h"

namespace civ {

// What keeps the pacts of the deciding seat; everything, if nothing does.
ActionSet Keeping(const Diplomacy& pacts, const Public& table, const ActionSet& legal);

// Plays on from a view, again and again: two rounds as the policy net would, judged by the net at
// their end. Who can win wins. All questions are asked of the same futures, so that what comes out
// is different only where the difference matters.
class Foresight {
 public:
  Foresight(const View& view, const Limits& limits, uint64_t seed);

  using Futures = std::vector<Chances>;
  // After an action, if one is given, with all pacts kept from then on.
  Futures After(std::optional<Action> action, Diplomacy pacts);

 private:
  Chances Play(State state, std::optional<Action> action, Diplomacy pacts, Random& random) const;

  Sampler sampler_;
  const Net& net_;
  const uint64_t seed_;
  Budget budget_;
  int64_t done_ = 0;
};

float MeanOf(const Foresight::Futures& futures, Seat seat);
// How much better a seat stands in the one than in the other.
float Gain(const Foresight::Futures& one, const Foresight::Futures& other, Seat seat);

}  // namespace civ
