// Games for tests. Uniformly random play hardly ever reaches Hegemony, level 2 or a tie-break, so
// games mix several styles of play, decks that fill columns quickly, and made-up late positions.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "civ/view/deal.h"
#include "civ/view/knowledge.h"

namespace civ::test {

enum class Style : uint8_t {
  Uniform,
  EffectHappy,
  Builder,
  Hunter,   // wants Hegemony, and lays Democracies and embargoes on the columns of others
  Copier,   // gathers Culture and copies whatever it can
  Staller,  // keeps its hand full without drawing (ruling 11)
  Ender,    // does as little as it may
};
inline constexpr int kStyles = 7;

Action Choose(Style style, const State& state, const ActionSet& legal, Random& random);

enum class Order : uint8_t {
  Shuffled,
  Sorted,   // each Age by Domains, in a random order of them
  Columns,  // Domains in turn, so that each player keeps drawing the same one
  Culture,  // each Age with Culture, and then Utopia, first
};
inline constexpr int kOrders = 4;

Deck MakeDeck(int players, Order order, Random& random);

// A position in the middle of a game, before or after a card was played, that no game need have
// reached.
State MadeUpPosition(const Config& config, Random& random);
// A position in which this tie-break ("points", "U" … "M", "shared") decides if the turn, which is
// the last, ends at once. Aborts if there is none: Military never decides between two players.
State TiedPosition(const Config& config, std::string_view decider, Random& random);
// Everybody has Oligarchy and a hand to play from, and the discard pile is full.
State StalledPosition(const Config& config, Random& random);

// Where a game begins and who plays it.
struct Start {
  std::string name;
  State state;
  std::array<Style, kMaxSeats> styles;
  uint64_t seed;
};

// The same starts in every run: all configurations, styles, orders and kinds of position. `times`
// multiplies their number.
void ForEachStart(int times, const std::function<void(const Start&)>& run);

// Shows the first position, and every action with the positions before and after it. Returns the
// number of actions; a game that goes on for longer than any game can is given up, and `most` says
// how many actions that is.
struct Watcher {
  virtual ~Watcher() = default;
  virtual void Begin(const Game& game) = 0;
  virtual void Step(const Game& before, Action action, const Game& after) = 0;
};
inline constexpr int kMostActions = 200'000;
int PlayOut(const Start& start, Watcher& watcher);

// 1, or 50 if the environment has CIV_LONG=1.
int Times();

// Shows every `every`-th position of generated games.
template <class Show>
struct Sampled : Watcher {
  Sampled(int every, Show show) : every_(every), show_(show) {}
  void Begin(const Game& game) override { show_(game); }
  void Step(const Game&, Action, const Game& after) override {
    if (++count_ % every_ == 0) show_(after);
  }

 private:
  int every_, count_ = 0;
  Show show_;
};

template <class Show>
void ForPositions(int every, Show show) {
  Sampled<Show> watcher(every, show);
  ForEachStart(1, [&](const Start& start) { PlayOut(start, watcher); });
}

}  // namespace civ::test
