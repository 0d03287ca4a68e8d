#include "civ/guide/ending.h"

#include <bit>

#include "civ/rules/sides.h"

namespace civ {
namespace {

// "Ada 3, Ben 2", for the sides in the set.
template <class Number>
Messages Listed(const Config& config, unsigned sides, Number number) {
  Messages parts;
  for (int side = 0; side < SideCount(config); ++side)
    if ((sides >> side & 1) != 0)
      parts.push_back({"ending.count",
                       {{"name", Group{SeatsOf(config, 1u << side)}}, {"count", number(side)}}});
  return parts;
}

Message TellDomain(const Public& table, Domain domain) {
  Messages counts;
  for (Seat seat = 0; seat < table.config.players; ++seat)
    if (const int count = table.Count(seat, domain); count > 0)
      counts.push_back({"ending.count", {{"name", Group{1u << seat}}, {"count", count}}});
  const unsigned most = MostOf(table, domain);
  return {"ending.domain",
          {{"domain", domain},
           {"counts", counts},
           {"count", std::popcount(most)},
           {"names", Group{most}}}};
}

// Each tie-break that drops somebody (ruling 18), and whether any tie is left.
void TellTie(const Public& table, const Outcome& outcome, Messages& lines) {
  const auto points = [&](int side) { return int{outcome.points[static_cast<size_t>(side)]}; };
  unsigned leaders = Best((1u << SideCount(table.config)) - 1, points);
  if (std::has_single_bit(leaders)) return;
  const int tied_at = points(std::countr_zero(leaders));
  if (table.config.teams)
    lines.push_back({"ending.tie-teams", {{"points", tied_at}}});
  else
    lines.push_back({"ending.tie", {{"names", Group{leaders}}, {"points", tied_at}}});
  for (const Domain domain : kTieBreaks) {
    const auto cards = [&](int side) { return CardsOf(table, side, domain); };
    const unsigned kept = Best(leaders, cards);
    if (kept != leaders)
      lines.push_back({"ending.tie-break",
                       {{"domain", domain}, {"counts", Listed(table.config, leaders, cards)}}});
    leaders = kept;
  }
  if (!std::has_single_bit(leaders)) lines.push_back({"ending.still-tied", {}});
}

// Who wins together: one player, a team, or several who share.
const char* How(const Public& table, unsigned winners) {
  if (std::has_single_bit(winners)) return "one";
  return table.config.teams && std::popcount(winners) == 2 ? "team" : "shared";
}

Message Winners(std::string_view key, const Public& table, unsigned winners) {
  return {key, {{"names", Group{winners}}, {"how", How(table, winners)}}};
}

}  // namespace

Messages TellMajority(const Public& table) {
  const Outcome outcome = Majority(table);
  const unsigned sides = (1u << SideCount(table.config)) - 1;
  Messages lines;
  Domains empty = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    if (MostOf(table, domain) != 0)
      lines.push_back(TellDomain(table, domain));
    else
      empty |= Bit(domain);
  }
  if (empty != 0) lines.push_back({"ending.nobody", {{"domains", DomainList{empty}}}});
  if (table.config.teams) lines.push_back({"ending.team-points", {}});
  const auto points = [&](int side) { return int{outcome.points[static_cast<size_t>(side)]}; };
  lines.push_back({"ending.points", {{"counts", Listed(table.config, sides, points)}}});
  TellTie(table, outcome, lines);
  return lines;
}

Message TellLeader(const Public& table) {
  return Winners("ending.leader", table, Majority(table).winners);
}

Messages TellResult(const Public& table) {
  const Outcome outcome = Result(table);
  const unsigned winners = outcome.winners;
  if (!outcome.hegemony) {
    Messages lines = TellMajority(table);
    lines.insert(lines.begin(), {table.deck_size == 0 ? "ending.deck-empty" : "ending.idle", {}});
    lines.push_back(Winners("ending.majority", table, winners));
    return lines;
  }
  const Seat seat = TurnOf(table);
  Messages lines = {{"ending.hegemony",
                     {{"name", Who{seat}},
                      {"domain", outcome.domain},
                      {"count", table.Count(seat, outcome.domain)},
                      {"need", HegemonyNeed(table, seat, outcome.domain)}}}};
  if (table.config.teams) lines.push_back({"ending.team", {{"names", Group{winners}}}});
  return lines;
}

Message TellForfeit(const Json& result) {
  unsigned winners = 0;
  for (const Json& seat : result.at("winners")) winners |= 1u << seat.get<int>();
  return {"ending.forfeit", {{"names", Group{winners}}, {"count", std::popcount(winners)}}};
}

}  // namespace civ
