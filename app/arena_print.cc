#include "app/arena_print.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "notation/notation.h"

namespace civ {
namespace {

// Null where there is no bound.
Json Rounded(double number) { return std::isinf(number) ? Json() : Json(std::round(number * 1e6) / 1e6); }

const char* NameOf(SequentialTest::Verdict verdict) {
  switch (verdict) {
    case SequentialTest::Verdict::Lower: return "elo0";
    case SequentialTest::Verdict::Higher: return "elo1";
    default: return "open";
  }
}

// Columns as wide as they have to be, the first aligned left and the others right.
void PrintTable(const std::vector<std::vector<std::string>>& rows) {
  const auto width = [](const std::string& text) { return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }); };  // UTF-8
  std::vector<std::ptrdiff_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string space(static_cast<size_t>(widths[i] - width(row[i])), ' ');
      line += i == 0 ? row[i] + space : "  " + space + row[i];
    }
    std::cout << line << '\n';
  }
}

std::string Dash(double low, double high, int digits) { return Fixed(low, digits) + " – " + Fixed(high, digits); }

}  // namespace

std::string Fixed(double number, int digits) {
  if (std::isinf(number)) return number > 0 ? "∞" : "−∞";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

std::string RatingRange(const Interval& interval) { return Dash(interval.low, interval.high, 0); }

std::string PercentText(double share) { return Fixed(100 * share, 1) + " %"; }

std::string WinsText(double wins) { return Fixed(wins, std::abs(wins - std::round(wins)) < 1e-6 ? 0 : 1); }

std::vector<Forfeits> ForfeitsIn(const Results& results) {
  std::vector<Forfeits> all;
  for (const PlayedGame& game : results.games) {
    if (!game.forfeit) continue;
    const std::string name = game.record.NameOf(game.forfeit->seat);
    const auto same = [&](const Forfeits& other) { return other.name == name && other.reason == game.forfeit->reason; };
    auto place = std::ranges::find_if(all, same);
    if (place == all.end()) place = all.insert(all.end(), {name, game.forfeit->reason, 0, game.number});
    ++place->games;
  }
  return all;
}

std::string TellContest(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  const Config& config = contest.config;
  return std::to_string(results.games.size()) + " games: " + std::to_string(standings.decks) + " decks, each in all rotations; " +
         std::to_string(config.players) + " players" + (config.teams ? " in teams" : "") + ", set-up " + std::string(NameOf(config.setup)) +
         ", edition " + std::string(NameOf(config.edition)) + ", seed " + std::to_string(contest.seed);
}

std::string TellTest(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  const double ratio = results.test->LogLikelihoodRatio();
  const std::string numbers = " (log-likelihood ratio " + Fixed(ratio, 2) + ", decided at ±" + Fixed(SequentialTest::Bound(), 2) + ")";
  const std::string &first = contest.entrants[0].name, &second = contest.entrants[1].name;
  switch (results.test->Decide()) {
    case SequentialTest::Verdict::Higher:
      return first + " is stronger than " + second + ": " + Fixed(hypotheses->elo1, 0) + " Elo accepted over " + Fixed(hypotheses->elo0, 0) + numbers;
    case SequentialTest::Verdict::Lower:
      return first + " is not as strong as hoped against " + second + ": " + Fixed(hypotheses->elo0, 0) + " Elo accepted over " +
             Fixed(hypotheses->elo1, 0) + numbers;
    default: return "Not decided between " + Fixed(hypotheses->elo0, 0) + " and " + Fixed(hypotheses->elo1, 0) + " Elo" + numbers;
  }
}

void PrintText(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  std::cout << TellContest(arena) << "\n\n";
  std::vector<std::vector<std::string>> rows = {{"bot", "Elo", "95 %", "games", "wins", "share", "95 %", "if equal"}};
  for (const int entrant : standings.ranking) {
    const Standing& of = standings.entrants[static_cast<size_t>(entrant)];
    rows.push_back({contest.entrants[static_cast<size_t>(entrant)].name, Fixed(of.rating.value, 0), RatingRange(of.rating.interval),
                    std::to_string(of.games), WinsText(of.wins), PercentText(of.share.value),
                    Dash(100 * of.share.interval.low, 100 * of.share.interval.high, 1), PercentText(of.fair)});
  }
  PrintTable(rows);
  if (contest.entrants.size() > 2) {
    std::cout << "\nWins of the bot in the row, and of the one in the column, in the games that they played together:\n";
    rows = {{""}};
    for (const int column : standings.ranking) rows[0].push_back(contest.entrants[static_cast<size_t>(column)].name);
    for (const int row : standings.ranking) {
      rows.push_back({contest.entrants[static_cast<size_t>(row)].name});
      for (const int column : standings.ranking) {
        const Encounter& met = standings.encounters[static_cast<size_t>(row)][static_cast<size_t>(column)];
        rows.back().push_back(row == column || met.games == 0 ? "·" : WinsText(met.wins) + " : " + WinsText(met.losses));
      }
    }
    PrintTable(rows);
  }
  if (results.test) std::cout << '\n' << TellTest(arena) << '\n';
  for (const Forfeits& forfeits : ForfeitsIn(results))
    std::cout << '\n'
              << forfeits.name << " forfeited " << forfeits.games << (forfeits.games == 1 ? " game" : " games") << ", first game " << forfeits.first
              << ": " << forfeits.reason << '\n';
}

void PrintJson(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  Json ratings = Json::array(), encounters = Json::array(), errors = Json::array(), bots = Json::array();
  for (const int entrant : standings.ranking) {
    const Standing& standing = standings.entrants[static_cast<size_t>(entrant)];
    ratings.push_back({{"name", contest.entrants[static_cast<size_t>(entrant)].name},
                       {"elo", Rounded(standing.rating.value)},
                       {"low", Rounded(standing.rating.interval.low)},
                       {"high", Rounded(standing.rating.interval.high)}});
  }
  for (size_t one = 0; one < contest.entrants.size(); ++one)
    for (size_t other = 0; other < contest.entrants.size(); ++other)
      if (const Encounter& met = standings.encounters[one][other]; one != other && met.games > 0)
        encounters.push_back({{"name", contest.entrants[one].name},
                              {"against", contest.entrants[other].name},
                              {"games", met.games},
                              {"wins", Rounded(met.wins)},
                              {"losses", Rounded(met.losses)}});
  for (const PlayedGame& game : results.games)
    if (game.forfeit) errors.push_back({{"game", game.number}, {"name", game.record.NameOf(game.forfeit->seat)}, {"reason", game.forfeit->reason}});
  for (size_t i = 0; i < contest.entrants.size(); ++i) {
    const Standing& standing = standings.entrants[i];
    bots.push_back({{"name", contest.entrants[i].name},
                    {"games", standing.games},
                    {"wins", Rounded(standing.wins)},
                    {"share", Rounded(standing.share.value)},
                    {"low", Rounded(standing.share.interval.low)},
                    {"high", Rounded(standing.share.interval.high)}});
  }
  std::cout << Json{{"settings", contest.Settings()}, {"decks", standings.decks}, {"stopped", results.stopped}}.dump() << '\n';
  if (results.test)
    std::cout << Json{{"sprt",
                       {{"llr", Rounded(results.test->LogLikelihoodRatio())},
                        {"bound", Rounded(SequentialTest::Bound())},
                        {"verdict", NameOf(results.test->Decide())}}}}
                     .dump()
              << '\n';
  std::cout << Json{{"ratings", ratings}}.dump() << '\n'
            << Json{{"encounters", encounters}}.dump() << '\n'
            << Json{{"errors", errors}}.dump() << '\n';
  std::cout << Json{{"bots", bots}}.dump() << '\n';
}

}  // namespace civ
