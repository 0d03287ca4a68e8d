// What drives a simulated run: one queue of what happens next, one source of chance, one trace. The
// same seed gives the same run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "civ/view/random.h"

namespace civ::simulation {

class Twin;

class Stage {
 public:
  // `keeps`: the lines of the trace are kept; else only their hash.
  Stage(uint64_t seed, bool keeps) : random_(seed), keeps_(keeps) {}

  int64_t now() const { return now_; }  // milliseconds since the run began
  void In(int64_t delay, std::function<void()> what) {
    queue_.emplace(std::pair(now_ + delay, ++last_), std::move(what));
  }
  // Whether there was anything left to do.
  bool Step() {
    if (queue_.empty()) return false;
    auto next = queue_.extract(queue_.begin());
    now_ = next.key().first;
    next.mapped()();
    return true;
  }
  // Drops what is still to come, with all that it holds.
  void Clear() {
    while (!queue_.empty()) queue_.extract(queue_.begin());
  }

  bool Chance(double probability) {
    return random_.Next() < probability * 4294967296.0;  // of 2^32
  }
  int64_t Between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(random_.Below(static_cast<uint32_t>(most - least + 1)));
  }
  Random& random() { return random_; }
  Twin* twin = nullptr;  // of runs that are compared (twin.h)

  void Trace(const std::string& what) {
    for (const char letter : what)
      hash_ = (hash_ ^ static_cast<unsigned char>(letter)) * 1099511628211u;
    hash_ = (hash_ ^ static_cast<uint64_t>(now_)) * 1099511628211u;
    if (keeps_) lines_.push_back(std::to_string(now_) + "  " + what);
  }
  uint64_t hash() const { return hash_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  int64_t now_ = 0;
  uint64_t last_ = 0;
  std::map<std::pair<int64_t, uint64_t>, std::function<void()>> queue_;
  Random random_;
  const bool keeps_;
  uint64_t hash_ = 14695981039346656037u;
  std::vector<std::string> lines_;
};

}  // namespace civ::simulation
