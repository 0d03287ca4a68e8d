// Keeps a search within its limits.
#pragma once

#include "bots/bot.h"

namespace civ {

class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits), begin_(limits.time.count() > 0 ? limits.clock() : limits.time) {}

  // Whether there may be one more iteration after so many. The clock is looked at now and then.
  bool Allows(int64_t done) {
    if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) return false;
    if (limits_.iterations > 0 && done >= limits_.iterations) return false;
    if (limits_.time.count() > 0) {
      if (done % kBetweenLooks == 0 && limits_.clock() - begin_ >= limits_.time) return false;
    } else if (limits_.iterations == 0) {
      return done < kWithoutLimits;
    }
    return true;
  }

 private:
  static constexpr int64_t kBetweenLooks = 16;
  static constexpr int64_t kWithoutLimits = 10'000;  // nobody wants a bot that never answers

  const Limits limits_;
  const std::chrono::nanoseconds begin_;
};

}  // namespace civ
