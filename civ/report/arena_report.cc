#include "civ/report/arena_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "civ/arena/insights.h"
#include "civ/notation/notation.h"
#include "civ/report/html.h"
#include "civ/words/words.h"

namespace civ {
namespace {

using html::Bar;
using html::Escape;
using html::Row;

std::string Between(const Interval& interval) {
  return PercentText(interval.low) + " to " + PercentText(interval.high);
}

std::string Ratings(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  std::vector<double> ends;
  for (const auto& standing : standings.entrants)
    for (const double end :
         {standing.rating.value, standing.rating.interval.low, standing.rating.interval.high})
      if (std::isfinite(end)) ends.push_back(end);
  const auto [low, high] = std::ranges::minmax(ends);
  std::vector<Bar> bars;
  std::vector<Row> rows;
  for (const int entrant : standings.ranking) {
    const std::string& name = contest.entrants[static_cast<size_t>(entrant)].name;
    const Standing& of = standings.entrants[static_cast<size_t>(entrant)];
    const std::string interval = RatingRange(of.rating.interval);
    bars.push_back({name, of.rating.value, Fixed(of.rating.value, 0), of.rating.interval.low,
                    of.rating.interval.high, name + ": " + interval});
    rows.push_back({Escape(name), Fixed(of.rating.value, 0), interval, std::to_string(of.games),
                    WinsText(of.wins), PercentText(of.share.value), Between(of.share.interval),
                    PercentText(of.fair), std::to_string(of.forfeits)});
  }
  std::string body =
      html::Bars("Elo ratings of the bots, best first", bars, html::RoundAxis(low - 50, high + 50));
  body += html::Table(
      {"Bot", "Elo", "95 %", "Games", "Wins", "Share", "95 %", "If equal", "Forfeits"}, rows);
  if (results.test) body += html::Paragraph(TellTest(arena));
  body += html::Quiet(
      "The lines through the dots, and the columns 95 %, are intervals over decks. A shared "
      "victory counts in part.");
  return html::Section("Who is stronger", body);
}

std::string TableOf(Grid grid) {
  for (Row& row : grid)
    for (std::string& cell : row) cell = Escape(cell);
  return html::Table(grid[0], std::span(grid).subspan(1));
}

std::string Crosstable(const ArenaResults& arena) {
  if (arena.contest.entrants.size() < 2) return {};
  return html::Section(
      "Who beat whom",
      TableOf(EncounterGrid(arena)) +
          html::Quiet("Wins of the bot in the row, then of the bot in the column, in the games "
                      "that they played at one table."));
}

std::string Pacts(const ArenaResults& arena) {
  if (!arena.contest.pacts) return {};
  const Talking talking = TalkingIn(arena.contest, arena.results.games);
  Grid grid = TalkGrid(arena, talking);
  grid[0] = {"Bot",   "Character", "Seats",    "Wins",   "Proposed", "Accepted",
             "Pacts", "Kept",      "Given up", "Broken", "Warned"};
  std::string body = TableOf(std::move(grid)) + html::Paragraph(TellLeaders(talking) + ".");
  for (const auto& [name, say, lines, first] : IgnoredIn(arena.results))
    body += html::Paragraph(
        name + " said " + std::to_string(lines) + (lines == 1 ? " thing" : " things") +
        " that could not be said, first in game " + std::to_string(first) + ": " + say);
  return html::Section(
      "What became of pacts",
      body +
          html::Quiet("Accepted by the other. Each pact counts for both who made it: kept, given "
                      "up or broken by this one."));
}

// Nothing if no game was played now.
std::string Times(const ArenaResults& arena) {
  Grid grid = TimeGrid(arena);
  if (grid.size() == 1) return {};
  grid[0] = {"Bot", "Mean", "Longest", "Limit", "Decisions"};
  return html::Section("How long a decision takes",
                       TableOf(std::move(grid)) +
                           html::Quiet("Of decisions between several actions, in the games that "
                                       "were played now."));
}

std::string Counted(const std::string& summary,
                    const std::vector<std::pair<std::string, int>>& counts) {
  int all = 0, most = 0;
  for (const auto& [label, count] : counts) {
    all += count;
    most = std::max(most, count);
  }
  std::vector<Bar> bars;
  for (const auto& [label, count] : counts) {
    const double share = static_cast<double>(count) / std::max(all, 1);
    bars.push_back({label, 100 * share, PercentText(share), 0, 0,
                    std::to_string(count) + " of " + std::to_string(all) + " games"});
  }
  return html::Bars(summary, bars,
                    html::RoundAxis(0, std::max(10.0, 100.0 * most / std::max(all, 1)), " %"));
}

std::string Endings(const Insights& insights, const Words& words) {
  std::vector<std::pair<std::string, int>> ways = {{"Hegemony", insights.hegemonies},
                                                   {"Majority", insights.majorities},
                                                   {"Majority, shared", insights.shared}};
  if (insights.forfeits > 0) ways.emplace_back("Forfeit", insights.forfeits);
  std::vector<std::pair<std::string, int>> domains;
  for (size_t domain = 0; domain < kDomains; ++domain)
    domains.emplace_back(words("domain." + std::string(NameOf(static_cast<Domain>(domain)))),
                         insights.by_domain[domain]);
  return html::Section("How games are won", Counted("Games by the way of winning", ways)) +
         html::Section("Hegemonies by Domain", Counted("Hegemonies by Domain", domains));
}

std::string Seats(const Insights& insights, const Config& config) {
  constexpr std::array kPlaces = {"First Player", "Second", "Third", "Fourth"};
  const double fair = 100.0 / (config.teams ? 2 : config.players);
  std::vector<Bar> bars;
  double most = fair;
  for (size_t place = 0; place < insights.seats.size(); ++place) {
    const auto& [share, interval] = insights.seats[place];
    bars.push_back({kPlaces[place], 100 * share, PercentText(share), 100 * interval.low,
                    100 * interval.high, Between(interval)});
    most = std::max(most, 100 * interval.high);
  }
  return html::Section(
      "What a seat is worth",
      html::Bars("Share of victories by place in turn order", bars, html::RoundAxis(0, most, " %"),
                 fair) +
          html::Quiet("Victories by place in turn order; the dashed line is an equal share."));
}

std::string Length(const Insights& insights) {
  constexpr int kMostColumns = 24;
  if (insights.turns.empty()) return {};
  std::vector<int> turns = insights.turns;
  std::ranges::sort(turns);
  const int width = (turns.back() - turns.front()) / kMostColumns + 1;
  const int begin = turns.front() / width * width;
  std::vector<int> counts(static_cast<size_t>((turns.back() - begin) / width + 1));
  for (const int length : turns) ++counts[static_cast<size_t>((length - begin) / width)];
  std::vector<html::Column> columns;
  for (size_t i = 0; i < counts.size(); ++i) {
    const int from = begin + static_cast<int>(i) * width;
    const std::string label = std::to_string(from);
    const std::string range =
        width == 1 ? label : label + " to " + std::to_string(from + width - 1);
    columns.push_back({label, static_cast<double>(counts[i]),
                       range + " turns: " + std::to_string(counts[i]) + " games"});
  }
  const std::string median = std::to_string(turns[turns.size() / 2]);
  return html::Section(
      "How long games last",
      html::Columns("Games by number of turns", columns,
                    html::RoundAxis(0, std::ranges::max(counts))) +
          html::Quiet(
              "Number of games by turns of all players together; half of the games end by turn " +
              median + "."));
}

using NamedUses = std::vector<std::pair<std::string, EffectUse>>;

std::string EffectsUsed(const NamedUses& uses) {
  std::vector<Bar> bars;
  for (const auto& [name, use] : uses)
    bars.push_back({name, use.uses, Fixed(use.uses, 2), 0, 0,
                    "used by " + PercentText(use.used.value) + " of players"});
  return html::Section(
      "How often effects are used",
      html::Bars("Uses of each effect in a game", bars, html::RoundAxis(0, uses[0].second.uses)) +
          html::Quiet("Uses in a game, by all players together. Inspiration counts also as the "
                      "effect it copies."));
}

std::string Signed(double number) {
  std::string text(number > 0 ? 1 : 0, '+');
  text += Fixed(number, 1);
  return text;
}

std::string EffectsAndWinning(const NamedUses& uses) {
  std::vector<Bar> bars;
  std::vector<Row> rows;
  double least = 0, most = 1;
  for (const auto& [name, use] : uses) {
    if (use.used.value == 0 || use.used.value == 1) continue;
    const double difference = 100 * (use.wins_with.value - use.wins_without.value);
    least = std::min(least, difference);
    most = std::max(most, difference);
    bars.push_back({name, difference, Signed(difference), 0, 0, {}, difference < 0 ? 1 : 0});
    rows.push_back({Escape(name), PercentText(use.used.value), PercentText(use.wins_with.value),
                    Between(use.wins_with.interval), PercentText(use.wins_without.value),
                    Between(use.wins_without.interval)});
  }
  std::ranges::sort(bars, {}, [](const Bar& bar) { return std::pair(-bar.value, bar.label); });
  return html::Section(
      "Effects and winning",
      html::Bars("Difference in winning between players who used an effect and those who did not",
                 bars, html::RoundAxis(least, most)) +
          html::Quiet("How much more often players won who used the effect at least once than "
                      "players who did not, in percentage points. It goes with "
                      "winning, which does not make it the reason: who is ahead has more to use, "
                      "and bots of different strength like different effects.") +
          html::Details("The numbers", html::Table({"Effect", "Used by", "They win", "95 %",
                                                    "The others win", "95 %"},
                                                   rows)));
}

std::string Effects(const Insights& insights, const Words& words) {
  NamedUses uses;
  for (const auto& [effect, use] : insights.effects)
    uses.emplace_back(words("effect." + std::string(NameOf(effect))), use);
  uses.emplace_back(words("effect.inspiration"), insights.copying);
  std::ranges::sort(uses, {},
                    [](const auto& item) { return std::pair(-item.second.uses, item.first); });
  return "<div class=\"pair\">\n" + EffectsUsed(uses) + EffectsAndWinning(uses) + "</div>\n";
}

std::string ForfeitTable(const Results& results) {
  std::vector<Row> rows;
  for (const auto& [name, reason, games, first] : ForfeitsIn(results))
    rows.push_back({Escape(name + ": " + reason), std::to_string(games), std::to_string(first)});
  return rows.empty() ? ""
                      : html::Section("Games lost by forfeit",
                                      html::Table({"Reason", "Games", "First game"}, rows));
}

}  // namespace

std::string ArenaReport(const ArenaResults& arena, std::string_view version) {
  const Words words("en");
  const Insights insights = InsightsOf(arena.contest, arena.results.games);
  std::string names;
  for (const Entrant& entrant : arena.contest.entrants)
    names += (names.empty() ? "" : ", ") + entrant.name;
  const std::string title = "Arena: " + names;
  std::string body = "<h1>" + Escape(title) + "</h1>\n" + html::Quiet(TellContest(arena) + ".");
  if (arena.results.stopped)
    body +=
        html::Paragraph("Stopped before the end: these are the decks that were played in full.");
  body += Ratings(arena) + Crosstable(arena) + Pacts(arena) + ForfeitTable(arena.results) +
          Times(arena);
  body += "<div class=\"pair\">\n" + Endings(insights, words) +
          Seats(insights, arena.contest.config) + Length(insights) + "</div>\n";
  body += Effects(insights, words);
  body += html::Quiet("Made by civ " + std::string(version) + ".");
  return html::Page("en", title, body);
}

}  // namespace civ
