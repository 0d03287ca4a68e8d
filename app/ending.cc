#include "app/ending.h"

#include <algorithm>
#include <bit>

namespace civ {
namespace {

// Those who score: players, or teams, seats 0 and 2 against 1 and 3 (rules, section 7).
class Sides {
 public:
  Sides(const Phrases& say, const Public& table) : say_(say), table_(table) {}

  int Count() const { return table_.config.teams ? 2 : table_.config.players; }
  unsigned SeatsOf(unsigned sides) const { return table_.config.teams ? sides | sides << 2 : sides; }
  std::string Name(int side) const { return say_.Names(SeatsOf(1u << side)); }
  int CardsOf(int side, Domain domain) const {
    const auto seat = static_cast<Seat>(side);
    return table_.Count(seat, domain) + (table_.config.teams ? table_.Count(static_cast<Seat>(seat + 2), domain) : 0);
  }

  // "Ada 3, Ben 2", for the sides in the set.
  template <class Number>
  std::string Listed(unsigned sides, Number number) const {
    std::vector<std::string> parts;
    for (int side = 0; side < Count(); ++side)
      if ((sides >> side & 1) != 0) parts.push_back(say_("ending.count", {{"name", Name(side)}, {"count", number(side)}}));
    return Join(parts, ", ");
  }

  // Of the sides in the set, those with the highest number.
  template <class Number>
  unsigned Best(unsigned sides, Number number) const {
    int best = -1;
    for (int side = 0; side < Count(); ++side)
      if ((sides >> side & 1) != 0) best = std::max(best, number(side));
    unsigned kept = 0;
    for (int side = 0; side < Count(); ++side)
      if ((sides >> side & 1) != 0 && number(side) == best) kept |= 1u << side;
    return kept;
  }

 private:
  const Phrases& say_;
  const Public& table_;
};

// The seats with the most cards of a Domain; nobody if it has none (ruling 17).
unsigned MostOf(const Public& table, Domain domain) {
  int most = 1;
  unsigned seats = 0;
  for (Seat seat = 0; seat < table.config.players; ++seat) {
    const int count = table.Count(seat, domain);
    if (count > most) seats = 0;
    if (count >= most) seats |= 1u << seat;
    most = std::max(most, count);
  }
  return seats;
}

std::string TellDomain(const Phrases& say, const Public& table, Domain domain) {
  std::vector<std::string> counts;
  for (Seat seat = 0; seat < table.config.players; ++seat)
    if (const int count = table.Count(seat, domain); count > 0) counts.push_back(say("ending.count", {{"name", say.Name(seat)}, {"count", count}}));
  const unsigned most = MostOf(table, domain);
  const Phrases::Arguments arguments = {
      {"domain", say.Of(domain)}, {"counts", Join(counts, ", ")}, {"count", std::popcount(most)}, {"names", say.Names(most)}};
  return say("ending.domain", arguments);
}

// Each tie-break that drops somebody (ruling 18), and whether any tie is left.
void TellTie(const Phrases& say, const Sides& sides, bool teams, const Outcome& outcome, std::vector<std::string>& lines) {
  const auto points = [&](int side) { return int{outcome.points[static_cast<size_t>(side)]}; };
  unsigned leaders = sides.Best((1u << sides.Count()) - 1, points);
  if (std::has_single_bit(leaders)) return;
  const int tied_at = points(std::countr_zero(leaders));
  lines.push_back(teams ? say("ending.tie-teams", {{"points", tied_at}})
                        : say("ending.tie", {{"names", say.Names(sides.SeatsOf(leaders))}, {"points", tied_at}}));
  for (int d = kDomains - 1; d >= 0; --d) {  // from Utopia down to Military
    const auto domain = static_cast<Domain>(d);
    const auto cards = [&](int side) { return sides.CardsOf(side, domain); };
    const unsigned kept = sides.Best(leaders, cards);
    if (kept != leaders) lines.push_back(say("ending.tie-break", {{"domain", say.Of(domain)}, {"counts", sides.Listed(leaders, cards)}}));
    leaders = kept;
  }
  if (!std::has_single_bit(leaders)) lines.push_back(say("ending.still-tied"));
}

// Who wins together: one player, a team, or several who share.
std::string_view How(const Public& table, unsigned winners) {
  if (std::has_single_bit(winners)) return "one";
  return table.config.teams && std::popcount(winners) == 2 ? "team" : "shared";
}

Phrases::Arguments Winners(const Phrases& say, const Public& table, unsigned winners) {
  return {{"names", say.Names(winners)}, {"how", std::string(How(table, winners))}};
}

}  // namespace

std::vector<std::string> TellMajority(const Phrases& say, const Public& table) {
  const Outcome outcome = Majority(table);
  const Sides sides(say, table);
  std::vector<std::string> lines;
  std::vector<std::string> empty;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    if (MostOf(table, domain) != 0)
      lines.push_back(TellDomain(say, table, domain));
    else
      empty.push_back(say.Of(domain));
  }
  if (!empty.empty()) lines.push_back(say("ending.nobody", {{"domains", say.words().List(empty)}}));
  if (table.config.teams) lines.push_back(say("ending.team-points"));
  const auto points = [&](int side) { return int{outcome.points[static_cast<size_t>(side)]}; };
  lines.push_back(say("ending.points", {{"counts", sides.Listed((1u << sides.Count()) - 1, points)}}));
  TellTie(say, sides, table.config.teams, outcome, lines);
  return lines;
}

std::string TellLeader(const Phrases& say, const Public& table) { return say("ending.leader", Winners(say, table, Majority(table).winners)); }

std::vector<std::string> TellResult(const Phrases& say, const Public& table) {
  const Outcome outcome = Result(table);
  const unsigned winners = outcome.winners;
  if (!outcome.hegemony) {
    std::vector<std::string> lines = {say(table.deck_size == 0 ? "ending.deck-empty" : "ending.idle")};
    for (std::string& line : TellMajority(say, table)) lines.push_back("  " + std::move(line));
    lines.push_back(say("ending.majority", Winners(say, table, winners)));
    return lines;
  }
  const Seat seat = TurnOf(table);
  std::vector<std::string> lines = {say("ending.hegemony", {{"name", say.Name(seat)},
                                                            {"domain", say.Of(outcome.domain)},
                                                            {"count", table.Count(seat, outcome.domain)},
                                                            {"need", HegemonyNeed(table, seat, outcome.domain)}})};
  if (table.config.teams) lines.push_back(say("ending.team", {{"names", say.Names(winners)}}));
  return lines;
}

std::string TellForfeit(const Phrases& say, const Json& result) {
  unsigned winners = 0;
  for (const Json& seat : result.at("winners")) winners |= 1u << seat.get<int>();
  return say("ending.forfeit", {{"names", say.Names(winners)}, {"count", std::popcount(winners)}});
}

}  // namespace civ
