// The functions that platforms compute differently, made of operations that they compute alike; and
// a mean of very many numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <numbers>

namespace civ {

// The natural logarithm of a normal positive number, to about six digits.
inline float NaturalLog(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  // x = m * 2^e with m in [0.75, 1.5)
  const auto e = static_cast<int32_t>(bits - 0x3f400000) >> 23;
  const auto m = std::bit_cast<float>(bits - (static_cast<uint32_t>(e) << 23));
  const float t = (m - 1) / (m + 1), t2 = t * t;  // log m = 2 artanh t
  const float series = 1 + t2 * (1.0f / 3 + t2 * (1.0f / 5 + t2 * (1.0f / 7 + t2 * (1.0f / 9))));
  return static_cast<float>(e) * std::numbers::ln2_v<float> + 2 * t * series;
}

// e to the x, to about six digits; beyond ±80 as at ±80.
inline float Exp(float x) {
  const float clamped = x < -80 ? -80 : x > 80 ? 80 : x;
  const float scaled = clamped * std::numbers::log2e_v<float>;
  const auto e = static_cast<int32_t>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  const float r = clamped - static_cast<float>(e) * std::numbers::ln2_v<float>;
  const float series =
      1 + r * (1 + r * (1.0f / 2 +
                        r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720))))));
  return series * std::bit_cast<float>(static_cast<uint32_t>(e + 127) << 23);
}

// The mean of numbers from 0 to 1, as a whole number of which 2^32 - 1 stands for 1. It is right to
// six digits over hundreds of millions of numbers; a sum in a float stops growing after sixteen.
class Mean {
 public:
  // `share` is 1 / n for the n-th number.
  void Add(float number, double share) {
    const double change = (static_cast<double>(number) * kOne - static_cast<double>(mean_)) * share;
    mean_ = static_cast<uint32_t>(mean_ + static_cast<int64_t>(change + (change < 0 ? -0.5 : 0.5)));
  }
  float value() const { return static_cast<float>(mean_) * 0x1p-32f; }

 private:
  static constexpr double kOne = 0xffffffff;

  uint32_t mean_ = 0;
};

}  // namespace civ
