// Who has won (rules, sections 6 and 7).
#include <algorithm>
#include <bit>

#include "civ/rules/rules.h"
#include "civ/rules/sides.h"

namespace civ {
namespace {

constexpr int kIdleRounds = 20;  // ruling 11

}  // namespace

Seat TurnOf(const Public& table) {
  return static_cast<Seat>((table.config.first + table.turn - 1) % table.config.players);
}

int HegemonyNeed(const Public& table, Seat seat, Domain domain) {
  const auto laid = std::span(table.democracies).first(table.democracy_count);
  const auto surcharge = std::ranges::count_if(laid, [&](const FaceDown& card) {
    return card.seat == seat && card.domain == static_cast<int>(domain);
  });
  return Threshold(table.config.players, Mark::Hegemony) + static_cast<int>(surcharge);
}

uint8_t HegemonyOf(const Public& table, Seat seat) {
  for (unsigned domains = table.At(Mark::Hegemony, seat); domains != 0; domains &= domains - 1) {
    const auto domain = static_cast<Domain>(std::countr_zero(domains));
    if (table.Count(seat, domain) >= HegemonyNeed(table, seat, domain))
      return static_cast<uint8_t>(domain);
  }
  return kNone;
}

bool EndsAfterDraw(const Public& table, Seat seat) {
  if (seat == table.closing) return true;
  return table.Next(seat) == table.config.first &&
         table.turn - table.last_draw >= kIdleRounds * table.config.players;
}

int HeldAtEnd(const Public& table, int held) {
  if (table.step == Step::Play) return std::max(held - 1, 0);
  if (table.step != Step::Choose) return held;
  const int left = table.choice.left, level = LevelOf(table.choice.effect);
  switch (table.choice.verb) {
    case Verb::Recover: return held + left;
    case Verb::Take: return held + left - level;  // and then plays
    case Verb::Remove: return std::max(held - level, 0);
    default: return held - left;
  }
}

int CardsToDraw(const Public& table, int held) {
  return std::clamp(table.hand_size - HeldAtEnd(table, held), 0, int{table.deck_size});
}

Seat ClosingAfterTurn(const Public& table, int held) {
  const int drawn = CardsToDraw(table, held);
  if (drawn == 0) return EndsAfterDraw(table, table.seat) ? table.seat : table.closing;
  return drawn == table.deck_size ? ClosingAfterLastCard(table, table.seat) : kNone;
}

Outcome Majority(const Public& table) {
  const int sides = SideCount(table.config);
  Outcome outcome;
  for (int d = 0; d < kDomains; ++d) {
    unsigned most = MostOf(table, static_cast<Domain>(d));
    if (table.config.teams) most |= most >> 2;
    for (int side = 0; side < sides; ++side) outcome.points[side] += most >> side & 1;
  }
  unsigned leaders = Best((1u << sides) - 1, [&](int side) { return int{outcome.points[side]}; });
  for (const Domain domain : kTieBreaks)
    leaders = Best(leaders, [&](int side) { return CardsOf(table, side, domain); });
  outcome.winners = SeatsOf(table.config, leaders);
  return outcome;
}

Outcome Result(const Public& table) {
  const Seat seat = TurnOf(table);
  const uint8_t domain = HegemonyOf(table, seat);
  if (domain == kNone) return Majority(table);
  return {SeatsOf(table.config, 1u << SideOf(table.config, seat)),
          true,
          static_cast<Domain>(domain),
          {}};
}

}  // namespace civ
