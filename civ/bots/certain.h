// What a bot need not guess: a win on the table, and a win of the next player that can be stopped.
#pragma once

#include <optional>
#include <vector>

#include "civ/bots/restraint.h"
#include "civ/view/turn.h"
#include "civ/view/view.h"

namespace civ {

class Certainty {
 public:
  // An action that begins a sure win in this turn, if there is one: no card is drawn or taken
  // unseen, and nothing done that is left out. Where there are several, one that is to the point:
  // `taken` are the Domains of which the effect under way has taken cards.
  std::optional<Action> Win(const State& state, const ActionSet& legal, Domains taken = 0,
                            const Restraint& restraint = {});

  // If the next player is certain to win as it stands, with cards that the viewer knows: the
  // actions, by key, after which that is certain no more. Nothing if it is not certain, or cannot
  // be prevented. `state` fits the view.
  std::vector<Action> Stops(const View& view, const State& state, const ActionSet& legal,
                            const Restraint& restraint = {});

 private:
  TurnSearch search_;
};

}  // namespace civ
