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

#include "civ/rules/bits.h"
#include "civ/rules/types.h"

namespace civ {

// What is done with a card that is named: the upper four bits of the action.
enum class Verb : uint8_t {
  Play = 0x8,
  Keep = 0x9,
  Discard = 0xa,  // from the hand
  Take = 0xb,
  Recover = 0xc,
  Give = 0xd,
  Remove = 0xe,  // from the play area to the discard pile, by Domain; written "discard D"
  Claim = 0xf,
};

struct Action {
  uint8_t code;

  constexpr auto operator<=>(const Action&) const = default;

  static constexpr Action Use(Effect effect) { return {static_cast<uint8_t>(effect)}; }
  static constexpr Action Copy(Effect effect) {
    return {static_cast<uint8_t>(0x10 | static_cast<int>(effect))};
  }
  static constexpr Action Attack(Domain domain) {
    return Named(Effect::Attack, static_cast<int>(domain));
  }
  static constexpr Action Inquisition(Seat seat) { return Named(Effect::Inquisition, seat); }
  static constexpr Action Embargo(Seat seat, Domain domain) {
    return Named(Effect::Embargo, 8 * seat + static_cast<int>(domain));
  }
  static constexpr Action Democracy(Seat seat, Domain domain) {
    return Named(Effect::Democracy, 8 * seat + static_cast<int>(domain));
  }
  static constexpr Action Name(Verb verb, Kind kind) {
    return {static_cast<uint8_t>(static_cast<int>(verb) << 4 | static_cast<int>(kind))};
  }
  static constexpr Action Name(Verb verb, Domain domain) {
    return {static_cast<uint8_t>(static_cast<int>(verb) << 4 | static_cast<int>(domain))};
  }

  constexpr bool NamesCard() const { return code >= 0x80; }
  constexpr bool IsCopy() const { return (code & 0xf0) == 0x10; }

  // The parts, where the action has them.
  constexpr Verb verb() const { return static_cast<Verb>(code >> 4); }
  constexpr Kind kind() const { return static_cast<Kind>(code & 0x0f); }
  constexpr Domain domain() const { return static_cast<Domain>(code & 0x07); }
  constexpr Effect effect() const {
    if (code < 0x20) return static_cast<Effect>(code & 0x0f);
    if (code >= 0x40) return static_cast<Effect>(code & 0x60);
    return static_cast<Effect>(code & 0x38);
  }
  constexpr Seat seat() const { return code < 0x40 ? code & 3 : code >> 3 & 3; }

 private:
  static constexpr Action Named(Effect effect, int what) {
    return {static_cast<uint8_t>(static_cast<int>(effect) + what)};
  }
};

inline constexpr Action kBreakthrough = Action::Use(Effect::Breakthrough);
inline constexpr Action kEnd = {0x31};
inline constexpr Action kSkip = {0x8f};

// The actions of one decision are effects, or uses of one verb. So a set is the code of the first
// of them, in the top byte of `low_`, and bits for the codes after it. Two words, so that it is
// returned in registers.
class ActionSet {
 public:
  constexpr ActionSet() = default;
  constexpr ActionSet(Verb verb, uint16_t named)
      : low_(uint64_t{static_cast<uint8_t>(verb)} << 60 | named) {}
  // Effects: codes 0 to 55, and 64 to 127.
  constexpr ActionSet(uint64_t low, uint64_t high) : low_(low), high_(high) {}

  constexpr bool operator==(const ActionSet&) const = default;
  constexpr int Size() const { return std::popcount(low_ << 8) + std::popcount(high_); }
  constexpr bool Empty() const { return (low_ << 8 | high_) == 0; }

  constexpr bool Contains(Action action) const {
    const unsigned offset = static_cast<unsigned>(action.code) - Base();
    if (offset < 56) return (low_ >> offset & 1) != 0;
    const unsigned high = offset - 64;
    return high < 64 && (high_ >> high & 1) != 0;
  }

  // What one verb names: bit k stands for kind, or Domain, k.
  constexpr uint16_t Named() const { return static_cast<uint16_t>(low_); }

  // All codes up to 255 as bits: word w has those from 64 w on.
  constexpr std::array<uint64_t, 4> Bits() const {
    const unsigned base = Base();
    const uint64_t low = low_ << 8 >> 8;
    if (base == 0) return {low, high_, 0, 0};
    std::array<uint64_t, 4> words{};
    words[base / 64] = low << base % 64;
    return words;
  }

  // In the order of their codes.
  constexpr Action operator[](int index) const {
    const int low = std::popcount(low_ << 8);
    const int bit = index < low ? NthBit(low_, index) : 64 + NthBit(high_, index - low);
    return {static_cast<uint8_t>(Base() + static_cast<unsigned>(bit))};
  }

  class Iterator {
   public:
    constexpr Iterator(const ActionSet& set, int index) : set_(&set), index_(index) {}
    constexpr Action operator*() const { return (*set_)[index_]; }
    constexpr Iterator& operator++() {
      ++index_;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const ActionSet* set_;
    int index_;
  };
  constexpr Iterator begin() const { return {*this, 0}; }
  constexpr Iterator end() const { return {*this, Size()}; }

 private:
  constexpr unsigned Base() const { return static_cast<unsigned>(low_ >> 56); }

  uint64_t low_ = 0, high_ = 0;
};

}  // namespace civ
