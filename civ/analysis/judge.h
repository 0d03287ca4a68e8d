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

  // The chances of all seats with open hands: the deciding seat knows all but the deck. A good line
  // is looked for, and what it leaves at a glance is averaged over so many orders of the deck.
  Chances Open(State state, int decks, uint64_t seed);
  // What what the deck brings after these actions is worth on average.
  Chances Expected(const State& state, const Line& line, uint64_t seed);

  // What to do, by what the deciding seat knows, with all pacts kept: until a line ends.
  Line Best(const Game& game, uint64_t seed, Diplomacy pacts = {});

  // What comes of lines that begin in this view.
  Comparison Compare(const View& view, const std::vector<Line>& lines, uint64_t seed);

  // What comes of actions taken blindly.
  Chances Blind(const View& view, uint64_t seed);

 private:
  bool Stopped() const { return stop_ != nullptr && stop_->load(); }
  Thought Glance(const State& state, uint64_t seed);
  Chances After(State state, const Line& line, uint64_t seed);

  const int64_t iterations_;
  const std::atomic<bool>* const stop_;
  std::unique_ptr<Bot> bot_;
};

// The view of the deciding seat if all hands lay open.
View OpenView(const State& state);

}  // namespace civ
