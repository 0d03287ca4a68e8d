// A player. It gets the view of the seat that decides, and answers with what it thinks of the legal
// actions.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "civ/bots/restraint.h"
#include "civ/view/view.h"

namespace civ {

using Clock = std::chrono::nanoseconds (*)();
std::chrono::nanoseconds SteadyClock();

// How long a bot may think: until the first of these is reached.
struct Limits {
  int64_t iterations = 0;                   // 0: as many as time allows
  std::chrono::nanoseconds time{0};         // 0: as long as the iterations take
  const std::atomic<bool>* stop = nullptr;  // set by somebody else: answer at once
  int threads = 1;                          // of the bots that can use several
  Clock clock = SteadyClock;
};

using Chances = std::array<float, kMaxSeats>;  // of winning, for each seat

// What a bot thinks of one action.
struct Judgement {
  Action action;
  float weight;     // its share of the bot's attention; the best action has the most
  Chances chances;  // if it is taken
};

struct Thought {
  Action best;
  std::vector<Judgement> judgements;  // best first; empty for a bot that does not judge
  int64_t iterations = 0;

  // Sorts the judgements, and makes the first the answer if there is one.
  void SortAndChoose();
};

class Bot {
 public:
  virtual ~Bot() = default;

  // What to do in this view, whose viewer decides. All chance comes from the seed: with the same
  // view, iterations and seed, one thread and no earlier thoughts the answer is the same
  // everywhere. A single legal action costs no thinking. Bots that talk leave out, for every seat,
  // what the restraint forbids.
  Thought Think(const View& view, const Limits& limits, uint64_t seed,
                const Restraint& restraint = {});

 protected:
  const Restraint& restraint() const { return restraint_; }

 private:
  // Of at least two legal actions.
  virtual Thought Consider(const View& view, const ActionSet& legal, const Limits& limits,
                           uint64_t seed) = 0;

  Restraint restraint_;
};

// random, greedy, plain, plain-informed, master, and level1 to level8 for people.
std::span<const std::string_view> BotNames();
inline constexpr int kBotLevels = 8;

// Nothing if there is no bot of that name.
std::unique_ptr<Bot> MakeBot(std::string_view name);

// What that bot takes for one decision unless somebody says otherwise.
Limits DefaultLimits(std::string_view name);

// The part of a victory that falls to each seat: shared victories are divided among the sides.
Chances Shares(const Config& config, const Outcome& outcome);

}  // namespace civ
