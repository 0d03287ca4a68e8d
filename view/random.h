// The one source of chance: the same numbers on every platform for the same seed.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

namespace civ {

// xoroshiro128++ by David Blackman and Sebastiano Vigna, seeded by splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : a_(Mix(seed)), b_(Mix(seed + kStep)) {}

  uint64_t Next() {
    const uint64_t a = a_, b = b_ ^ a_;
    const uint64_t result = std::rotl(a + b_, 17) + a;
    a_ = std::rotl(a, 49) ^ b ^ b << 21;
    b_ = std::rotl(b, 28);
    return result;
  }

  // Uniform over 0 … n-1, exactly (Lemire's multiplication with rejection). n is at least 1.
  uint32_t Below(uint32_t n) {
    uint64_t product = (Next() >> 32) * n;
    if (static_cast<uint32_t>(product) < n) [[unlikely]]
      for (const uint32_t least = -n % n; static_cast<uint32_t>(product) < least;) product = (Next() >> 32) * n;
    return static_cast<uint32_t>(product >> 32);
  }

  template <class T>
  void Shuffle(std::span<T> items) {
    for (uint32_t i = static_cast<uint32_t>(items.size()); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;
  static constexpr uint64_t Mix(uint64_t seed) {
    uint64_t z = seed + kStep;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  uint64_t a_, b_;
};

}  // namespace civ
