// How often somebody may do something: token buckets by key, in bounded memory.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace civ {

// So many at once, and as many again in so many seconds.
struct Rate {
  double count;
  double seconds;
};

class Bucket {
 public:
  using Clock = std::chrono::steady_clock;

  // Whether one more is allowed at this moment; if so, it is counted.
  bool Take(const Rate& rate, Clock::time_point now);
  bool IsFull(const Rate& rate, Clock::time_point now) const;

 private:
  double Used(const Rate& rate, Clock::time_point now) const;

  double used_ = 0;
  Clock::time_point since_;
};

// One rate for many keys. Those who have not asked for long are forgotten. When there are too many others, newcomers share one bucket: memory stays
// bounded, and those who are known are not thrown out by a flood.
class Limiter {
 public:
  explicit Limiter(Rate rate, size_t most = 50'000) : rate_(rate), most_(most) {}

  bool Take(std::string_view key, Bucket::Clock::time_point now = Bucket::Clock::now());
  int Seconds() const;  // until one more is allowed, for Retry-After
  size_t size() const { return buckets_.size(); }

 private:
  void Forget(Bucket::Clock::time_point now);

  Rate rate_;
  size_t most_;
  std::unordered_map<std::string, Bucket> buckets_;
  Bucket others_;
  Bucket::Clock::time_point looked_;
};

// What counts as one address: IPv4 as it is, of IPv6 the 64 bits that one customer has. Empty if it is no address.
std::string AddressKey(const std::string& address);

}  // namespace civ
