// The one judge of positions and of ways to play on (docs/analysis.md).
#pragma once

#include <vector>

#include "civ/bots/bot.h"
#include "civ/diplomacy/pacts.h"
#include "civ/view/sample.h"

namespace civ {

using Line = std::vector<Action>;

// Whether the actions that a seat can plan end with this one: it shows cards that were hidden, or
// somebody else decides next.
bool EndsLine(const State& before, Action action);

// The chances that some lines leave, each the mean over the same worlds.
struct Comparison {
  std::vector<Chances> means;  // by line
  // Of the first line less the second, for the seat that decides.
  float difference = 0, doubt = 0;  // its standard error
};

class Judge {
 public:
  // `iterations` to find a good line, for each decision of it.
  Judge(int64_t iterations, const std::atomic<bool>* stop);

  // What to do, by what the deciding seat knows, with all pacts kept: until a line ends.
  Line Best(const Game& game, uint64_t seed, Diplomacy pacts = {}) {
    return Planned(game, iterations_, seed, std::move(pacts));
  }

  // The chances of all seats if the deciding one goes on so: what that leaves, with open hands, on
  // average over orders of the deck.
  Chances Open(const State& state, const Line& line, uint64_t seed);

  // What the deck brought by these actions, from `game` to `after`, less what it brings on average.
  Chances Luck(const Game& game, const Line& line, Game after, uint64_t seed);

  // What comes of lines that begin in this view.
  Comparison Compare(const View& view, const std::vector<Line>& lines, uint64_t seed);

  // What comes of actions taken blindly.
  Chances Blind(const View& view, uint64_t seed);

 private:
  bool Stopped() const { return stop_ != nullptr && stop_->load(); }
  Line Planned(Game game, int64_t iterations, uint64_t seed, Diplomacy pacts);
  Chances After(State state, const Line& line, uint64_t seed);
  Chances Mean(const State& state, const Line& line, int orders, uint64_t seed);

  const int64_t iterations_, glance_;
  const std::atomic<bool>* const stop_;
  std::unique_ptr<Bot> bot_;
};

// The view of the deciding seat if all hands lay open.
View OpenView(const State& state);

}  // namespace civ
