// Keeps a search within its limits.
#pragma once

#include <limits>

#include "civ/bots/bot.h"

namespace civ {

class Budget {
 public:
  // The clock is read before every `between_looks`-th iteration.
  explicit Budget(const Limits& limits, int64_t between_looks = 16)
      : limits_(limits),
        between_looks_(between_looks),
        begin_(limits.time.count() > 0 ? limits.clock() : limits.time) {}

  // Whether there may be one more iteration after `done`.
  bool Allows(int64_t done) {
    if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) return false;
    if (limits_.iterations > 0 && done >= limits_.iterations) return false;
    if (limits_.time.count() > 0) {
      if (LooksAtClock(done)) spent_ = limits_.clock() - begin_;
      if (spent_ >= limits_.time) return false;
    } else if (limits_.iterations == 0) {
      return done < kWithoutLimits;
    }
    return true;
  }

  // Whether time is limited, and was looked at before this iteration.
  bool LooksAtClock(int64_t done) const {
    return limits_.time.count() > 0 && done % between_looks_ == 0;
  }
  // About how many more iterations there is time for, at the speed of the `done` ones.
  double ToCome(int64_t done) const {
    if (done == 0 || spent_.count() == 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(done) * static_cast<double>((limits_.time - spent_).count()) /
           static_cast<double>(spent_.count());
  }

 private:
  static constexpr int64_t kWithoutLimits = 10'000;  // nobody wants a bot that never answers

  const Limits limits_;
  const int64_t between_looks_;
  const std::chrono::nanoseconds begin_;
  std::chrono::nanoseconds spent_{0};
};

}  // namespace civ
