// What a bot need not guess: a win on the table, and a win of the next player that can be stopped.
#pragma once

#include <optional>
#include <vector>

#include "civ/view/sample.h"
#include "civ/view/turn.h"

namespace civ {

class Certainty {
 public:
  // An action that begins a sure win in this turn, if there is one: no card is drawn or taken
  // unseen.
  std::optional<Action> Win(const State& state, const ActionSet& legal);

  // If the next player would win as it stands, whatever is sampled: the actions after which that
  // can still be prevented in this turn. Otherwise nothing.
  std::vector<Action> Stops(Sampler& sampler, Random& random, const ActionSet& legal);

 private:
  TurnSearch search_;
};

}  // namespace civ
