#include "civ/report/arena_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "civ/notation/notation.h"

namespace civ {

std::string Fixed(double number, int digits) {
  if (std::isinf(number)) return number > 0 ? "∞" : "−∞";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

std::string RatingRange(const Interval& interval) {
  return Fixed(interval.low, 0) + " – " + Fixed(interval.high, 0);
}

std::string PercentText(double share) { return Fixed(100 * share, 1) + " %"; }

std::string MillisecondsText(std::chrono::nanoseconds time) {
  return Fixed(std::chrono::duration<double, std::milli>(time).count(), 1) + " ms";
}

std::string WinsText(double wins) {
  return Fixed(wins, std::abs(wins - std::round(wins)) < 1e-6 ? 0 : 1);
}

std::vector<Forfeits> ForfeitsIn(const Results& results) {
  std::vector<Forfeits> all;
  for (const PlayedGame& game : results.games) {
    if (!game.forfeit) continue;
    const std::string name = game.record.NameOf(game.forfeit->seat);
    const auto same = [&](const Forfeits& other) {
      return other.name == name && other.reason == game.forfeit->reason;
    };
    auto place = std::ranges::find_if(all, same);
    if (place == all.end())
      place = all.insert(all.end(), {name, game.forfeit->reason, 0, game.number});
    ++place->games;
  }
  return all;
}

std::vector<IgnoredTalk> IgnoredIn(const Results& results) {
  std::vector<IgnoredTalk> all;
  for (const PlayedGame& game : results.games)
    for (const auto& [seat, say] : game.ignored) {
      const std::string name = game.record.NameOf(seat);
      auto place = std::ranges::find(all, name, &IgnoredTalk::name);
      if (place == all.end()) place = all.insert(all.end(), {name, say, 0, game.number});
      ++place->lines;
    }
  return all;
}

std::string TellContest(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  const Config& config = contest.config;
  return std::to_string(results.games.size()) + " games: " + std::to_string(standings.decks) +
         " decks, each in all rotations; " + std::to_string(config.players) + " players" +
         (config.teams ? " in teams" : "") + ", set-up " + std::string(NameOf(config.setup)) +
         ", edition " + std::string(NameOf(config.edition)) + ", seed " +
         std::to_string(contest.seed) + (contest.pacts ? ", with pacts" : "");
}

std::string TellTest(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  const double ratio = results.test->LogLikelihoodRatio();
  const std::string numbers = " (log-likelihood ratio " + Fixed(ratio, 2) + ", decided at ±" +
                              Fixed(SequentialTest::Bound(), 2) + ")";
  const std::string &first = contest.entrants[0].name, &second = contest.entrants[1].name;
  switch (results.test->Decide()) {
    case SequentialTest::Verdict::Higher:
      return first + " is stronger than " + second + ": " + Fixed(hypotheses->elo1, 0) +
             " Elo accepted over " + Fixed(hypotheses->elo0, 0) + numbers;
    case SequentialTest::Verdict::Lower:
      return first + " is not as strong as hoped against " + second + ": " +
             Fixed(hypotheses->elo0, 0) + " Elo accepted over " + Fixed(hypotheses->elo1, 0) +
             numbers;
    default:
      return "Not decided between " + Fixed(hypotheses->elo0, 0) + " and " +
             Fixed(hypotheses->elo1, 0) + " Elo" + numbers;
  }
}

Grid EncounterGrid(const ArenaResults& arena) {
  const auto& [contest, results, standings, hypotheses] = arena;
  Grid grid = {{""}};
  for (const int column : standings.ranking)
    grid[0].push_back(contest.entrants[static_cast<size_t>(column)].name);
  for (const int row : standings.ranking) {
    grid.push_back({contest.entrants[static_cast<size_t>(row)].name});
    for (const int column : standings.ranking) {
      const Encounter& met =
          standings.encounters[static_cast<size_t>(row)][static_cast<size_t>(column)];
      grid.back().push_back(row == column || met.games == 0
                                ? "·"
                                : WinsText(met.wins) + " : " + WinsText(met.losses));
    }
  }
  return grid;
}

Grid TalkGrid(const ArenaResults& arena, const Talking& talking) {
  Grid grid = {{"bot", "character", "seats", "wins", "proposed", "accepted", "pacts", "kept",
                "given up", "broken", "warned"}};
  for (const auto& [who, count] : talking.bots) {
    std::vector<std::string>& row = grid.emplace_back();
    row = {arena.contest.entrants[static_cast<size_t>(who.first)].name, who.second,
           std::to_string(count.seats), PercentText(count.wins / count.seats)};
    for (const int number : {count.proposed, count.accepted, count.pacts, count.kept,
                             count.given_up, count.broken, count.warned})
      row.push_back(std::to_string(number));
  }
  return grid;
}

std::string TellLeaders(const Talking& talking) {
  const auto tell = [](const LeaderCount& count) {
    return PercentText(count.wins / std::max(count.games, 1)) + " of " +
           std::to_string(count.games) + " games";
  };
  return "Who first lacked two cards or fewer for Hegemony won " + tell(talking.leaders) +
         "; where others acted together against it, " + tell(talking.opposed);
}

Grid TimeGrid(const ArenaResults& arena) {
  Grid grid = {{"time for a decision", "mean", "longest", "limit", "decisions"}};
  for (const int entrant : arena.standings.ranking) {
    const auto& [decisions, all, longest] =
        arena.standings.entrants[static_cast<size_t>(entrant)].thinking;
    const Entrant& of = arena.contest.entrants[static_cast<size_t>(entrant)];
    if (decisions > 0)
      grid.push_back({of.name, MillisecondsText(all / decisions), MillisecondsText(longest),
                      of.ms > 0 ? std::to_string(of.ms) + " ms" : "", std::to_string(decisions)});
  }
  return grid;
}

}  // namespace civ
