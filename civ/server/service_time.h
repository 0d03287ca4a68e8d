// The time of service: milliseconds that stand still while the server does, and while the store
// does, so that an outage of the disk decides no game.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace civ {

// All moments that are given are those of a clock that runs on.
class ServiceTime {
 public:
  // The store stands still when nothing that it was given has been answered for so long.
  static constexpr int64_t kPatience = 500;

  int64_t At(int64_t moment) const { return std::min(moment, StandsFrom()) - lost_; }
  bool Stands(int64_t moment) const { return moment > StandsFrom(); }
  bool failing() const { return failing_; }

  // The time at that moment, by whoever knows better.
  void Set(int64_t moment, int64_t time) { lost_ = std::min(moment, StandsFrom()) - time; }

  // Something is given to the store, and is answered.
  void Given(int64_t moment) {
    if (under_way_++ == 0 && !failing_) answered_ = moment;
  }
  void Answered(int64_t moment, bool stored) {
    lost_ += moment - std::min(moment, StandsFrom());
    answered_ = moment;
    failing_ = !stored;
    --under_way_;
  }

 private:
  int64_t StandsFrom() const {
    if (failing_) return answered_;
    return under_way_ > 0 ? answered_ + kPatience : std::numeric_limits<int64_t>::max();
  }

  int under_way_ = 0;     // given, and not answered
  int64_t answered_ = 0;  // when the last answer came, or what is answered next was given
  int64_t lost_ = 0;      // in which it stood still
  bool failing_ = false;  // the last answer was a failure
};

}  // namespace civ
