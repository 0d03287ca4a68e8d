// How often somebody may do something (token buckets by key, in bounded memory), and how many there
// are of somebody.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "civ/server/network.h"

namespace civ {

// A token bucket holds `count` tokens, and an empty one is full again after `seconds`.
struct Rate {
  double count;
  double seconds;
};

// A token bucket, full at first.
class Bucket {
 public:
  using Clock = std::chrono::steady_clock;

  // Takes as many tokens, if there are so many.
  bool Take(const Rate& rate, Clock::time_point now, double count = 1);
  bool Has(const Rate& rate, Clock::time_point now, double count = 1) const;
  bool IsFull(const Rate& rate, Clock::time_point now) const;

 private:
  double Used(const Rate& rate, Clock::time_point now) const;

  double used_ = 0;  // tokens that were missing at that moment
  Clock::time_point since_;
};

// One bucket for each key, all with the same rate. Full ones are forgotten when there are `most` of
// them. If that leaves no room, newcomers share one bucket: memory stays bounded, and a flood does
// not throw out those who are known.
class Limiter {
 public:
  explicit Limiter(Rate rate, size_t most = 50'000) : rate_(rate), most_(most) {}

  bool Take(std::string_view key, Bucket::Clock::time_point now = Bucket::Clock::now());
  // Whether the key would get a token. Nothing is remembered of one that is not known.
  bool Has(const std::string& key, Bucket::Clock::time_point now) const;
  int Seconds() const;  // until one more is allowed, for Retry-After
  size_t size() const { return buckets_.size(); }

 private:
  void Forget(Bucket::Clock::time_point now);

  Rate rate_;
  size_t most_;
  std::unordered_map<std::string, Bucket> buckets_;
  Bucket others_;
  Bucket::Clock::time_point looked_;  // when full buckets were last forgotten
};

// How many there are of each key.
class Counts {
 public:
  size_t Of(const std::string& key) const;
  void Add(const std::string& key) { ++counts_[key]; }
  void Remove(const std::string& key);

 private:
  std::unordered_map<std::string, size_t> counts_;
};

// A limiter for AddressKeys, and for the networks in which they lie.
class NetworkLimiter {
 public:
  explicit NetworkLimiter(Rate rate)
      : limiters_{Limiter(rate), Limiter({rate.count * 4, rate.seconds}),
                  Limiter({rate.count * 16, rate.seconds}),
                  Limiter({rate.count * 64, rate.seconds})} {}

  bool Take(const std::string& key, Bucket::Clock::time_point now = Bucket::Clock::now());
  int Seconds() const { return limiters_[0].Seconds(); }

 private:
  std::array<Limiter, kNetworkLevels> limiters_;  // by level
};

// How many there are of each AddressKey and its networks.
class NetworkCounts {
 public:
  size_t Of(const std::string& key) const { return counts_.Of(key); }
  // Whether there are `most` of the address, or as many of a network as that one may have: never
  // more than a quarter of all.
  bool IsFull(const std::string& key, size_t most, size_t of_all) const;
  void Add(const std::string& key);
  void Remove(const std::string& key);

 private:
  Counts counts_;
};

}  // namespace civ
