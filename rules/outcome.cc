// Who has won (rules, sections 6 and 7).
#include <algorithm>
#include <bit>

#include "rules/rules.h"

namespace civ {
namespace {

constexpr int kIdleRounds = 20;  // ruling 11

// Ties among the leaders are broken by these, in this order.
constexpr std::array<Domain, kDomains> kTieBreaks = {Domain::Utopia,  Domain::Culture,  Domain::Science,
                                                     Domain::Economy, Domain::Religion, Domain::Military};

// Sides are players, or teams: seats 0 and 2 against 1 and 3.
int Sides(const Config& config) { return config.teams ? 2 : config.players; }

// Of the sides in the set, those with the highest score.
template <class Score>
unsigned Best(unsigned sides, Score score) {
  int best = -1;
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

uint8_t SeatsOf(const Config& config, unsigned sides) { return static_cast<uint8_t>(config.teams ? sides | sides << 2 : sides); }

}  // namespace

Seat TurnOf(const Public& table) { return static_cast<Seat>((table.config.first + table.turn - 1) % table.config.players); }

int HegemonyNeed(const Public& table, Seat seat, Domain domain) {
  const auto laid = std::span(table.democracies).first(table.democracy_count);
  const auto surcharge =
      std::ranges::count_if(laid, [&](const FaceDown& card) { return card.seat == seat && card.domain == static_cast<int>(domain); });
  return Threshold(table.config.players, Mark::Hegemony) + static_cast<int>(surcharge);
}

uint8_t HegemonyOf(const Public& table, Seat seat) {
  for (unsigned domains = table.At(Mark::Hegemony, seat); domains != 0; domains &= domains - 1) {
    const auto domain = static_cast<Domain>(std::countr_zero(domains));
    if (table.Count(seat, domain) >= HegemonyNeed(table, seat, domain)) return static_cast<uint8_t>(domain);
  }
  return kNone;
}

bool IsLastTurn(const Public& table) {
  if (table.seat == table.closing) return true;
  return table.Next(table.seat) == table.config.first && table.turn - table.last_draw >= kIdleRounds * table.config.players;
}

Outcome Majority(const Public& table) {
  const unsigned everyone = (1u << table.config.players) - 1;
  const unsigned all_sides = (1u << Sides(table.config)) - 1;
  Outcome outcome;
  for (int d = 0; d < kDomains; ++d) {
    const auto count = [&](int seat) { return table.Count(static_cast<Seat>(seat), static_cast<Domain>(d)); };
    unsigned most = Best(everyone, count);
    if (count(std::countr_zero(most)) == 0) continue;  // ruling 17
    if (table.config.teams) most |= most >> 2;
    for (int side = 0; side < Sides(table.config); ++side) outcome.points[side] += most >> side & 1;
  }
  unsigned leaders = Best(all_sides, [&](int side) { return int{outcome.points[side]}; });
  for (Domain domain : kTieBreaks)
    leaders = Best(leaders, [&](int side) {
      const auto seat = static_cast<Seat>(side);
      return table.Count(seat, domain) + (table.config.teams ? table.Count(static_cast<Seat>(seat + 2), domain) : 0);
    });
  outcome.winners = SeatsOf(table.config, leaders);
  return outcome;
}

Outcome Result(const Public& table) {
  const Seat seat = TurnOf(table);
  const uint8_t domain = HegemonyOf(table, seat);
  if (domain == kNone) return Majority(table);
  const unsigned side = table.config.teams ? seat % 2 : seat;
  return {SeatsOf(table.config, 1u << side), true, static_cast<Domain>(domain), {}};
}

}  // namespace civ
