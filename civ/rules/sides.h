// Those who win together are a side: a player, or a team, seats 0 and 2 against 1 and 3 (rules,
// section 7). A side has the number of its first seat.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "civ/rules/state.h"

namespace civ {

// Ties among the leaders are broken by these, in this order.
inline constexpr std::array<Domain, kDomains> kTieBreaks = {Domain::Utopia,   Domain::Culture,
                                                            Domain::Science,  Domain::Economy,
                                                            Domain::Religion, Domain::Military};

constexpr int SideCount(const Config& config) { return config.teams ? 2 : config.players; }
constexpr int SideOf(const Config& config, Seat seat) { return config.teams ? seat % 2 : seat; }

// The seats of a set of sides, and the sides of a set of seats that has all of each or none.
constexpr uint8_t SeatsOf(const Config& config, unsigned sides) {
  return static_cast<uint8_t>(config.teams ? sides | sides << 2 : sides);
}
constexpr unsigned SidesOf(const Config& config, unsigned seats) {
  return config.teams ? seats & 3u : seats;
}

// The cards of a Domain that all members of a side have in their play areas.
inline int CardsOf(const Public& table, int side, Domain domain) {
  const auto seat = static_cast<Seat>(side);
  return table.Count(seat, domain) +
         (table.config.teams ? table.Count(static_cast<Seat>(seat + 2), domain) : 0);
}

// Of the sides, or seats, in a set those with the highest score, which is never negative.
template <class Score>
unsigned Best(unsigned sides, Score score) {
  int best = 0;
  unsigned kept = 0;
  for (int side = 0; side < kMaxSeats; ++side) {
    if ((sides >> side & 1) == 0) continue;
    const int value = score(side);
    if (value > best) kept = 0;
    if (value >= best) kept |= 1u << side;
    best = std::max(best, value);
  }
  return kept;
}

// The seats with the most cards of a Domain; nobody if it has none (ruling 17).
inline unsigned MostOf(const Public& table, Domain domain) {
  const auto count = [&](int seat) { return table.Count(static_cast<Seat>(seat), domain); };
  const unsigned most = Best((1u << table.config.players) - 1, count);
  return count(std::countr_zero(most)) > 0 ? most : 0;
}

}  // namespace civ
