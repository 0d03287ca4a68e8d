// A bot that looks no further than the end of its own turn.
#pragma once

#include <memory>

#include "civ/bots/bot.h"

namespace civ {

// What a greedy bot wants, from the simplest on; each also wants cards in hand.
enum class Goal : uint8_t {
  Majority,  // the most cards in as many Domains as it can
  Columns,   // long ones of its own
  All,       // columns and Majority, and that the others have neither
  Safety,    // all that, and that the next player cannot win at once
};

struct GreedyOptions {
  Goal goal = Goal::All;
  bool whole_turn = true;  // or only the next action
};

// Looks through its own whole turn and takes the best end of it by a plain evaluation.
std::unique_ptr<Bot> MakeGreedy(const GreedyOptions& options = {});

}  // namespace civ
