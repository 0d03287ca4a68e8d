// One decision of one seat, in one byte, and the set of those that are legal.
//
//   0000 LDDD  permanent effect of Domain D, level 1 (L clear) or 2 (L set)
//   0001 LDDD  copy of that effect by Inspiration
//   0010 0DDD  attack D              0010 10PP  inquisition P
//   0011 0000  breakthrough          0011 0001  end
//   010P PDDD  embargo P D           011P PDDD  democracy P D
//   1VVV KKKK  play, keep, discard, take, recover, give a card K …
//   1VVV 0DDD  … discard, claim by Domain D             1000 1111  skip: play no card
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>

#include "rules/bits.h"
#include "rules/types.h"

namespace civ {

// What is done with a card that is named. The value is the code of the verb's first action.
enum class Verb : uint8_t {
  Play = 0x80,
  Keep = 0x90,
  Discard = 0xa0,  // from the hand
  Take = 0xb0,
  Recover = 0xc0,
  Give = 0xd0,
  Remove = 0xe0,  // from the play area to the discard pile, by Domain; written "discard D"
  Claim = 0xf0,
};

struct Action {
  uint8_t code;

  constexpr auto operator<=>(const Action&) const = default;

  static constexpr Action Use(Effect effect) { return {static_cast<uint8_t>(effect)}; }
  static constexpr Action Copy(Effect effect) { return {static_cast<uint8_t>(0x10 | static_cast<int>(effect))}; }
  static constexpr Action Attack(Domain domain) { return Named(Effect::Attack, static_cast<int>(domain)); }
  static constexpr Action Inquisition(Seat seat) { return Named(Effect::Inquisition, seat); }
  static constexpr Action Embargo(Seat seat, Domain domain) { return Named(Effect::Embargo, 8 * seat + static_cast<int>(domain)); }
  static constexpr Action Democracy(Seat seat, Domain domain) { return Named(Effect::Democracy, 8 * seat + static_cast<int>(domain)); }
  static constexpr Action Name(Verb verb, Kind kind) { return {static_cast<uint8_t>(static_cast<int>(verb) | static_cast<int>(kind))}; }
  static constexpr Action Name(Verb verb, Domain domain) { return {static_cast<uint8_t>(static_cast<int>(verb) | static_cast<int>(domain))}; }

  constexpr bool NamesCard() const { return code >= 0x80; }
  constexpr bool IsCopy() const { return (code & 0xf0) == 0x10; }

  // The parts, where the action has them.
  constexpr Verb verb() const { return static_cast<Verb>(code & 0xf0); }
  constexpr Kind kind() const { return static_cast<Kind>(code & 0x0f); }
  constexpr Domain domain() const { return static_cast<Domain>(code & 0x07); }
  constexpr Effect effect() const {
    if (code < 0x20) return static_cast<Effect>(code & 0x0f);
    if (code >= 0x40) return static_cast<Effect>(code & 0x60);
    return static_cast<Effect>(code & 0x38);
  }
  constexpr Seat seat() const { return code < 0x40 ? code & 3 : code >> 3 & 3; }

 private:
  static constexpr Action Named(Effect effect, int what) { return {static_cast<uint8_t>(static_cast<int>(effect) + what)}; }
};

inline constexpr Action kBreakthrough = Action::Use(Effect::Breakthrough);
inline constexpr Action kEnd = {0x31};
inline constexpr Action kSkip = {0x8f};

// The actions of one decision lie within 128 codes that follow each other: all effects, or all uses of one verb.
class ActionSet {
 public:
  constexpr ActionSet() = default;
  constexpr ActionSet(Verb verb, uint16_t named) : base_(static_cast<uint8_t>(verb)), bits_{named, 0} {}
  // Codes 0 to 63, and 64 to 127.
  constexpr ActionSet(uint64_t low, uint64_t high) : bits_{low, high} {}

  constexpr bool operator==(const ActionSet&) const = default;
  constexpr int Size() const { return std::popcount(bits_[0]) + std::popcount(bits_[1]); }
  constexpr bool Empty() const { return (bits_[0] | bits_[1]) == 0; }

  constexpr bool Contains(Action action) const {
    const unsigned offset = static_cast<unsigned>(action.code) - base_;
    return offset < 128 && (bits_[offset / 64] >> offset % 64 & 1) != 0;
  }

  // In the order of their codes.
  constexpr Action operator[](int index) const {
    const int low = std::popcount(bits_[0]);
    const int bit = index < low ? NthBit(bits_[0], index) : 64 + NthBit(bits_[1], index - low);
    return {static_cast<uint8_t>(base_ + bit)};
  }

  class Iterator {
   public:
    constexpr Iterator(const ActionSet& set) : base_(set.base_), bits_(set.bits_) {}
    constexpr Action operator*() const {
      return {static_cast<uint8_t>(base_ + (bits_[0] != 0 ? std::countr_zero(bits_[0]) : 64 + std::countr_zero(bits_[1])))};
    }
    constexpr Iterator& operator++() {
      uint64_t& bits = bits_[0] != 0 ? bits_[0] : bits_[1];
      bits &= bits - 1;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return bits_ != other.bits_; }

   private:
    uint8_t base_;
    std::array<uint64_t, 2> bits_;
  };
  constexpr Iterator begin() const { return *this; }
  constexpr Iterator end() const { return ActionSet(); }

 private:
  uint8_t base_ = 0;
  std::array<uint64_t, 2> bits_{};
};

}  // namespace civ
