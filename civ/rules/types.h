// The small vocabulary of the game: Domains, Ages, kinds of card, seats, effects. Every index has
// its own one-byte type.
#pragma once

#include <array>
#include <cstdint>

namespace civ {

enum class Domain : uint8_t { Military, Religion, Economy, Science, Culture, Utopia };
inline constexpr int kDomains = 6;

enum class Age : uint8_t { I = 1, II, III };
inline constexpr int kAges = 3;

// The fifteen kinds of card, in card order: by Age first, so that naming hidden cards in order
// tells no more than their backs.
enum class Kind : uint8_t { M1, R1, E1, S1, C1, M2, R2, E2, S2, C2, M3, E3, S3, C3, U3 };
inline constexpr int kKinds = 15;
inline constexpr int kCards = 104;

// clang-format off
inline constexpr std::array<Domain, kKinds> kDomainOf = {
    Domain::Military, Domain::Religion, Domain::Economy, Domain::Science, Domain::Culture,
    Domain::Military, Domain::Religion, Domain::Economy, Domain::Science, Domain::Culture,
    Domain::Military,                   Domain::Economy, Domain::Science, Domain::Culture,
    Domain::Utopia};
inline constexpr std::array<uint8_t, kKinds> kCopies = {
    8, 8, 4, 4, 4,
    8, 8, 4, 8, 4,
    4,    8, 8, 8, 16};
// clang-format on

constexpr Domain DomainOf(Kind kind) { return kDomainOf[static_cast<int>(kind)]; }
constexpr Age AgeOf(Kind kind) {
  return kind <= Kind::C1 ? Age::I : kind <= Kind::C2 ? Age::II : Age::III;
}

// Seats are numbered clockwise from 0. "Left" is the next seat.
using Seat = uint8_t;
inline constexpr int kMaxSeats = 4;
inline constexpr uint8_t kNone = 0xff;  // no seat, no card named yet, …

enum class Edition : uint8_t { En, Fr, Es, Pt, Ro };
// Where the editions differ (rules, section 9).
constexpr bool ClaimsClockwise(Edition edition) {
  return edition == Edition::Es;
}  // centre cards of the draft, from the First Player on
constexpr bool OneMoreTurnEach(Edition edition) {
  return edition == Edition::Pt;
}  // after the last card, for all but who drew it
constexpr bool CoinStaysAtTie(Edition edition) { return edition == Edition::Ro; }

enum class Setup : uint8_t { Basic, Draft };
enum class Step : uint8_t { Draft, Claim, Play, Effects, Choose, Over };

// Effects. A permanent effect is its level (bit 3: clear for level 1, set for level 2) and its
// Domain (bits 0 to 2); Culture has none of its own. Every value is also the code of the first
// action that uses the effect, see action.h.
enum class Effect : uint8_t {
  Assassination = 0x00,
  HolyBook = 0x01,
  Development = 0x02,
  Experiment = 0x03,
  Oligarchy = 0x05,
  Purge = 0x08,
  DivineRight = 0x09,
  Monopoly = 0x0a,
  Research = 0x0b,
  Republic = 0x0d,
  Attack = 0x20,
  Inquisition = 0x28,
  Breakthrough = 0x30,
  Embargo = 0x40,
  Democracy = 0x60,
};

constexpr bool IsPermanent(Effect effect) { return effect < Effect::Attack; }
// Of a discard effect: the Domain of the card that it costs.
constexpr Domain CostOf(Effect effect) {
  switch (effect) {
    case Effect::Attack: return Domain::Military;
    case Effect::Inquisition: return Domain::Religion;
    case Effect::Embargo: return Domain::Economy;
    case Effect::Breakthrough: return Domain::Science;
    default: return Domain::Utopia;
  }
}
// Of a permanent effect.
constexpr Domain DomainOf(Effect effect) {
  return static_cast<Domain>(static_cast<uint8_t>(effect) & 7);
}
constexpr int LevelOf(Effect effect) { return static_cast<uint8_t>(effect) & 8 ? 2 : 1; }

// All effects as players list them: by Domain, the discard effects last.
inline constexpr std::array kAllEffects = {
    Effect::Assassination, Effect::Purge,        Effect::HolyBook,   Effect::DivineRight,
    Effect::Development,   Effect::Monopoly,     Effect::Experiment, Effect::Research,
    Effect::Oligarchy,     Effect::Republic,     Effect::Attack,     Effect::Inquisition,
    Effect::Embargo,       Effect::Breakthrough, Effect::Democracy};

// The permanent effect of a Domain; not of Culture.
constexpr Effect PermanentOf(Domain domain, int level) {
  return static_cast<Effect>(static_cast<int>(domain) | (level == 2 ? 8 : 0));
}
// The discard effect that costs a card of the Domain; not of Culture.
constexpr Effect DiscardEffectOf(Domain domain) {
  for (const Effect effect : kAllEffects)
    if (!IsPermanent(effect) && CostOf(effect) == domain) return effect;
  return Effect::Democracy;
}

// A set of Domains: bit d stands for Domain d.
using Domains = uint8_t;
inline constexpr Domains kAllDomains = 0x3f;
constexpr Domains Bit(Domain domain) {
  return static_cast<Domains>(1u << static_cast<int>(domain));
}

}  // namespace civ
