// The one source of chance: the same numbers on every platform for the same seed.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

namespace civ {

// Shuffles by any source of chance: `below(n)` is uniform over 0 … n-1.
template <class T, class Below>
void Shuffle(std::span<T> items, const Below& below) {
  for (auto i = static_cast<uint32_t>(items.size()); i > 1; --i)
    std::swap(items[i - 1], items[below(i)]);
}

// PCG-XSH-RR 64/32 (O'Neill 2014): small, fast, and good enough for everything that a game asks of
// it.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed + kIncrement) { Next(); }

  uint32_t Next() {
    const uint64_t state = state_;
    state_ = state * 6364136223846793005 + kIncrement;
    return std::rotr(static_cast<uint32_t>((state >> 18 ^ state) >> 27),
                     static_cast<int>(state >> 59));
  }

  // Uniform over 0 … n-1, exactly (Lemire's multiplication with rejection). n is at least 1.
  uint32_t Below(uint32_t n) {
    uint64_t product = uint64_t{Next()} * n;
    if (static_cast<uint32_t>(product) < n) [[unlikely]]
      for (const uint32_t least = -n % n; static_cast<uint32_t>(product) < least;)
        product = uint64_t{Next()} * n;
    return static_cast<uint32_t>(product >> 32);
  }

  template <class T>
  void Shuffle(std::span<T> items) {
    civ::Shuffle(items, [this](uint32_t n) { return Below(n); });
  }

 private:
  static constexpr uint64_t kIncrement = 1442695040888963407;

  uint64_t state_;
};

}  // namespace civ
