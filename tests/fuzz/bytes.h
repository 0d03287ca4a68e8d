// The input of a fuzzer, taken as a row of small decisions. After its end everything is 0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace civ::fuzz {

using Input = std::span<const uint8_t>;

class Bytes {
 public:
  explicit Bytes(Input input) : input_(input) {}

  bool Done() const { return at_ >= input_.size(); }
  uint8_t Byte() { return Done() ? uint8_t{0} : input_[at_++]; }
  // 0 … n-1.
  uint32_t Below(size_t n) {
    const uint32_t value = n > 256 ? 256u * Byte() + Byte() : Byte();
    return value % static_cast<uint32_t>(n);
  }
  bool Chance(int in_256) { return Byte() < in_256; }
  template <class T, size_t N>
  const T& OneOf(const T (&items)[N]) {
    return items[Below(N)];
  }
  std::string Text(size_t most) {
    std::string text;
    while (!Done() && text.size() < most)
      if (const char c = static_cast<char>(Byte()); c != '\n')
        text += c;
      else
        break;
    return text;
  }

 private:
  Input input_;
  size_t at_ = 0;
};

inline std::string_view AsText(Input input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

}  // namespace civ::fuzz
