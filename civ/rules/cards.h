// A multiset of cards in one word: four bits count each kind, in card order, and eight count the
// sixteen Utopia cards.
//
//   63      56 55  52           11   8 7    4 3    0
//   [   U3   ] [ C3 ] … … … … … [ E1 ] [ R1 ] [ M1 ]
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "civ/rules/bits.h"
#include "civ/rules/types.h"

namespace civ {

// A set of kinds: bit k stands for kind k.
using Kinds = uint16_t;

namespace card_masks {

constexpr int Shift(Kind kind) { return 4 * static_cast<int>(kind); }

// All counting bits of the kinds that belong.
template <class Belongs>
constexpr uint64_t Of(Belongs belongs) {
  uint64_t mask = 0;
  for (int k = 0; k < kKinds; ++k)
    if (const auto kind = static_cast<Kind>(k); belongs(kind))
      mask |= uint64_t{kind == Kind::U3 ? 0xffu : 0xfu} << Shift(kind);
  return mask;
}

inline constexpr auto kOfDomains = [] {
  std::array<uint64_t, 1 << kDomains> masks{};
  for (size_t set = 0; set < masks.size(); ++set)
    masks[set] = Of([set](Kind kind) { return (set & Bit(DomainOf(kind))) != 0; });
  return masks;
}();
inline constexpr auto kOfAge = [] {
  std::array<uint64_t, kAges> masks{};
  for (size_t age = 0; age < masks.size(); ++age)
    masks[age] = Of([age](Kind kind) { return static_cast<size_t>(AgeOf(kind)) == age + 1; });
  return masks;
}();

}  // namespace card_masks

class Cards {
 public:
  constexpr Cards() = default;
  constexpr explicit Cards(Kind kind, int count = 1)
      : bits_(static_cast<uint64_t>(count) << Shift(kind)) {}

  constexpr bool operator==(const Cards&) const = default;
  constexpr bool Empty() const { return bits_ == 0; }

  constexpr int operator[](Kind kind) const {
    return static_cast<int>(bits_ >> Shift(kind) & (kind == Kind::U3 ? 0xff : 0xf));
  }

  constexpr Cards& operator+=(Cards other) {
    bits_ += other.bits_;
    return *this;
  }
  // The cards taken away must be there.
  constexpr Cards& operator-=(Cards other) {
    bits_ -= other.bits_;
    return *this;
  }
  friend constexpr Cards operator+(Cards a, Cards b) { return a += b; }
  friend constexpr Cards operator-(Cards a, Cards b) { return a -= b; }

  // One card alone is a single bit, the lowest of its four.
  constexpr bool AtLeastTwo() const {
    return ((bits_ & (bits_ - 1)) | (bits_ & 0xfeeeeeeeeeeeeeee)) != 0;
  }

  constexpr int Count() const {
    const uint64_t pairs = (bits_ & 0xff0f0f0f0f0f0f0f) + (bits_ >> 4 & 0x000f0f0f0f0f0f0f);
    return static_cast<int>(pairs * 0x0101010101010101 >> 56);
  }

  // Which kinds are there: adding seven (to Utopia 127) sets the highest bit of a count unless it
  // is zero.
  constexpr Kinds Present() const {
    return static_cast<Kinds>(HighBitsOfKinds(bits_ + 0x7f77777777777777));
  }

  constexpr Cards Of(Domains domains) const {
    return Cards(bits_ & card_masks::kOfDomains[domains]);
  }
  constexpr Cards Of(Domain domain) const { return Of(Bit(domain)); }
  constexpr Cards Of(Age age) const {
    return Cards(bits_ & card_masks::kOfAge[static_cast<int>(age) - 1]);
  }

  // The cards of one kind and of all that come after it in card order.
  constexpr Cards From(Kind kind) const { return Cards(bits_ >> Shift(kind) << Shift(kind)); }

  // The kind that comes first, or last, in card order. There must be a card.
  constexpr Kind First() const { return KindAt(std::countr_zero(bits_)); }
  constexpr Kind Last() const { return KindAt(63 - std::countl_zero(bits_)); }

  // All but the last `count` cards in card order.
  constexpr Cards WithoutLast(int count) const {
    Cards rest = *this;
    for (; count > 0 && !rest.Empty(); --count) rest -= Cards(rest.Last());
    return rest;
  }

 private:
  friend class Pack;
  constexpr explicit Cards(uint64_t bits) : bits_(bits) {}

  static constexpr int Shift(Kind kind) { return card_masks::Shift(kind); }
  static constexpr Kind KindAt(int bit) { return static_cast<Kind>(std::min(bit / 4, kKinds - 1)); }

  uint64_t bits_ = 0;
};

// Cards of Age I alone, in half the space: the packs and the centre of a draft.
class Pack {
 public:
  constexpr Pack() = default;
  constexpr Pack(Cards cards) : bits_(static_cast<uint32_t>(cards.bits_)) {}
  constexpr operator Cards() const { return Cards(uint64_t{bits_}); }

 private:
  uint32_t bits_ = 0;
};

}  // namespace civ
