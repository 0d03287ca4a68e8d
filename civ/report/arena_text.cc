#include "civ/report/arena_text.h"

#include <algorithm>
#include <cmath>

#include "civ/notation/json.h"

namespace civ {
namespace {

// Columns as wide as they have to be, the first aligned left and the others right.
std::string Aligned(const Grid& grid) {
  const auto width = [](const std::string& text) {
    return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
  };  // UTF-8
  std::vector<std::ptrdiff_t> widths(grid[0].size());
  for (const auto& row : grid)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string lines;
  for (const auto& row : grid) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string space(static_cast<size_t>(widths[i] - width(row[i])), ' ');
      lines += i == 0 ? row[i] + space : "  " + space + row[i];
    }
    lines += '\n';
  }
  return lines;
}

std::string RatingTable(const ArenaResults& arena) {
  Grid grid = {{"bot", "Elo", "95 %", "games", "wins", "share", "95 %", "if equal"}};
  for (const int entrant : arena.standings.ranking) {
    const Standing& of = arena.standings.entrants[static_cast<size_t>(entrant)];
    const Interval& share = of.share.interval;
    grid.push_back({arena.contest.entrants[static_cast<size_t>(entrant)].name,
                    Fixed(of.rating.value, 0), RatingRange(of.rating.interval),
                    std::to_string(of.games), WinsText(of.wins), PercentText(of.share.value),
                    Fixed(100 * share.low, 1) + " – " + Fixed(100 * share.high, 1),
                    PercentText(of.fair)});
  }
  return Aligned(grid);
}

std::string TalkText(const ArenaResults& arena) {
  const Talking talking = TalkingIn(arena.contest, arena.results.games);
  std::string text = Aligned(TalkGrid(arena, talking)) + TellLeaders(talking) + ".\n";
  for (const auto& [name, say, lines, first] : IgnoredIn(arena.results))
    text += name + " said " + std::to_string(lines) + (lines == 1 ? " thing" : " things") +
            " that could not be said, first in game " + std::to_string(first) + ": " + say + '\n';
  return text;
}

// Null where there is no bound.
Json Rounded(double number) {
  return std::isinf(number) ? Json() : Json(std::round(number * 1e6) / 1e6);
}

double Milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

const char* NameOf(SequentialTest::Verdict verdict) {
  switch (verdict) {
    case SequentialTest::Verdict::Lower: return "elo0";
    case SequentialTest::Verdict::Higher: return "elo1";
    default: return "open";
  }
}

Json RatingsJson(const ArenaResults& arena) {
  Json ratings = Json::array();
  for (const int entrant : arena.standings.ranking) {
    const Estimate& rating = arena.standings.entrants[static_cast<size_t>(entrant)].rating;
    ratings.push_back({{"name", arena.contest.entrants[static_cast<size_t>(entrant)].name},
                       {"elo", Rounded(rating.value)},
                       {"low", Rounded(rating.interval.low)},
                       {"high", Rounded(rating.interval.high)}});
  }
  return ratings;
}

Json EncountersJson(const ArenaResults& arena) {
  const std::vector<Entrant>& entrants = arena.contest.entrants;
  Json encounters = Json::array();
  for (size_t one = 0; one < entrants.size(); ++one)
    for (size_t other = 0; other < entrants.size(); ++other)
      if (const Encounter& met = arena.standings.encounters[one][other];
          one != other && met.games > 0)
        encounters.push_back({{"name", entrants[one].name},
                              {"against", entrants[other].name},
                              {"games", met.games},
                              {"wins", Rounded(met.wins)},
                              {"losses", Rounded(met.losses)}});
  return encounters;
}

// In milliseconds.
Json TimesJson(const ArenaResults& arena) {
  Json times = Json::array();
  for (size_t i = 0; i < arena.contest.entrants.size(); ++i) {
    const auto& [decisions, all, longest] = arena.standings.entrants[i].thinking;
    if (decisions > 0)
      times.push_back({{"name", arena.contest.entrants[i].name},
                       {"decisions", decisions},
                       {"mean", Rounded(Milliseconds(all) / decisions)},
                       {"longest", Rounded(Milliseconds(longest))}});
  }
  return times;
}

Json ErrorsJson(const Results& results) {
  Json errors = Json::array();
  for (const PlayedGame& game : results.games)
    if (game.forfeit)
      errors.push_back({{"game", game.number},
                        {"name", game.record.NameOf(game.forfeit->seat)},
                        {"reason", game.forfeit->reason}});
  return errors;
}

Json LeadersJson(const LeaderCount& count) {
  return {{"games", count.games}, {"wins", Rounded(count.wins)}};
}

Json TalkJson(const ArenaResults& arena) {
  const Talking talking = TalkingIn(arena.contest, arena.results.games);
  Json bots = Json::array();
  for (const auto& [who, count] : talking.bots)
    bots.push_back({{"name", arena.contest.entrants[static_cast<size_t>(who.first)].name},
                    {"character", who.second},
                    {"seats", count.seats},
                    {"wins", Rounded(count.wins)},
                    {"proposed", count.proposed},
                    {"accepted", count.accepted},
                    {"pacts", count.pacts},
                    {"kept", count.kept},
                    {"givenUp", count.given_up},
                    {"broken", count.broken},
                    {"warned", count.warned},
                    {"signalled", count.signalled}});
  Json ignored = Json::array();
  for (const auto& [name, say, lines, first] : IgnoredIn(arena.results))
    ignored.push_back({{"name", name}, {"lines", lines}, {"game", first}, {"say", say}});
  return {{"bots", bots},
          {"leaders", LeadersJson(talking.leaders)},
          {"opposed", LeadersJson(talking.opposed)},
          {"ignored", ignored}};
}

Json BotsJson(const ArenaResults& arena) {
  Json bots = Json::array();
  for (size_t i = 0; i < arena.contest.entrants.size(); ++i) {
    const Standing& standing = arena.standings.entrants[i];
    bots.push_back({{"name", arena.contest.entrants[i].name},
                    {"games", standing.games},
                    {"wins", Rounded(standing.wins)},
                    {"share", Rounded(standing.share.value)},
                    {"low", Rounded(standing.share.interval.low)},
                    {"high", Rounded(standing.share.interval.high)}});
  }
  return bots;
}

}  // namespace

std::string ArenaText(const ArenaResults& arena) {
  std::string text = TellContest(arena) + "\n\n" + RatingTable(arena);
  if (arena.contest.entrants.size() > 2)
    text +=
        "\nWins of the bot in the row, and of the one in the column, in the games that they played "
        "together:\n" +
        Aligned(EncounterGrid(arena));
  if (const Grid times = TimeGrid(arena); times.size() > 1) text += '\n' + Aligned(times);
  if (arena.contest.pacts) text += '\n' + TalkText(arena);
  if (arena.results.test) text += '\n' + TellTest(arena) + '\n';
  for (const auto& [name, reason, games, first] : ForfeitsIn(arena.results))
    text += '\n' + name + " forfeited " + std::to_string(games) +
            (games == 1 ? " game" : " games") + ", first game " + std::to_string(first) + ": " +
            reason + '\n';
  return text;
}

std::string ArenaJson(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  std::string lines;
  const auto add = [&](const Json& line) { lines += line.dump() + '\n'; };
  add({{"settings", contest.Settings()}, {"decks", standings.decks}, {"stopped", results.stopped}});
  if (results.test)
    add({{"sprt",
          {{"llr", Rounded(results.test->LogLikelihoodRatio())},
           {"bound", Rounded(SequentialTest::Bound())},
           {"verdict", NameOf(results.test->Decide())}}}});
  add({{"ratings", RatingsJson(arena)}});
  add({{"encounters", EncountersJson(arena)}});
  add({{"times", TimesJson(arena)}});
  add({{"errors", ErrorsJson(results)}});
  if (contest.pacts) add({{"talk", TalkJson(arena)}});
  add({{"bots", BotsJson(arena)}});
  return lines;
}

}  // namespace civ
