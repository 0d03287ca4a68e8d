// Who plays whom in which seats, and games as lines of a file.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "civ/arena/contest.h"
#include "civ/arena/runner.h"
#include "civ/arena/standings.h"

namespace civ {
namespace {

using Seatings = std::vector<Seating>;

Config Table(int players, bool teams = false) {
  return {.players = static_cast<uint8_t>(players), .teams = teams};
}

TEST(Lineups, AreWhatIsWritten) {
  EXPECT_EQ(LineupsFor(2, Table(2)), (Seatings{{0, 1}}));
  EXPECT_EQ(LineupsFor(3, Table(2)), (Seatings{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(LineupsFor(2, Table(3)), (Seatings{{0, 1, 1}}));
  EXPECT_EQ(LineupsFor(3, Table(3)), (Seatings{{0, 1, 2}}));
  EXPECT_EQ(LineupsFor(4, Table(3)), (Seatings{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}));
  EXPECT_EQ(
      LineupsFor(3, Table(4)),
      (Seatings{
          {0, 1, 1, 1}, {1, 0, 0, 0}, {0, 2, 2, 2}, {2, 0, 0, 0}, {1, 2, 2, 2}, {2, 1, 1, 1}}));
  EXPECT_EQ(LineupsFor(2, Table(4, true)), (Seatings{{0, 1, 0, 1}}));
  EXPECT_EQ(LineupsFor(3, Table(4, true)).size(), 3u);
  EXPECT_EQ(LineupsFor(1, Table(3)), (Seatings{{0, 0, 0}}));
}

TEST(Lineups, RotateUntilTheyComeBack) {
  EXPECT_EQ(Rotations({0, 1}), 2);
  EXPECT_EQ(Rotations({0, 1, 1}), 3);
  EXPECT_EQ(Rotations({0, 1, 2, 3}), 4);
  EXPECT_EQ(Rotations({0, 1, 0, 1}), 2);
  EXPECT_EQ(Rotations({0, 0}), 1);
}

Contest ContestOf(const std::vector<std::string>& bots, const Config& config, int decks) {
  Contest contest = {.config = config, .entrants = {}, .seed = 3, .decks = decks};
  for (const std::string& bot : bots)
    contest.entrants.push_back({.name = bot, .bot = bot, .command = {}, .ms = 0, .iterations = 5});
  contest.Arrange();
  return contest;
}

TEST(Contest, SeatsEachEntrantEquallyOftenInEachSeatWithEachDeck) {
  for (const auto& [bots, config] :
       {std::pair{4, Table(3)}, {3, Table(2)}, {3, Table(4)}, {3, Table(4, true)}, {4, Table(4)}}) {
    const std::vector<std::string> names = {"random", "greedy", "plain", "plain-informed"};
    const Contest contest = ContestOf({names.begin(), names.begin() + bots}, config, 2);
    std::map<std::pair<int, int>, int> sat;
    std::set<uint64_t> seeds;
    for (int game = 0; game < contest.GamesPerDeck(); ++game) {
      const Seating seats = contest.SeatsOf(game);
      for (int seat = 0; seat < config.players; ++seat)
        ++sat[{seats[static_cast<size_t>(seat)], seat}];
      seeds.insert(contest.SeedOf(game));
      EXPECT_EQ(contest.SeatsOf(game + contest.GamesPerDeck()), seats);
    }
    EXPECT_EQ(seeds.size(), 1u);
    EXPECT_NE(contest.SeedOf(0), contest.SeedOf(contest.GamesPerDeck()));
    for (int bot = 0; bot < bots; ++bot)
      for (int seat = 1; seat < config.players; ++seat)
        EXPECT_EQ((sat[{bot, seat}]), (sat[{bot, 0}]));
  }
}

std::vector<PlayedGame> Played(const Contest& contest, int threads = 1) {
  const std::atomic<bool> stop = false;
  return RunContest(contest, {}, {.threads = threads}, stop).games;
}

TEST(PlayGame, IsTheSameFromTheSameSeed) {
  const Contest contest = ContestOf({"greedy", "random", "plain"}, Table(3), 2);
  const std::vector<PlayedGame> one = Played(contest), four = Played(contest, 4);
  ASSERT_EQ(one.size(), 6u);
  ASSERT_EQ(four.size(), 6u);
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_EQ(ToLine(contest, one[i]), ToLine(contest, four[i]));
  EXPECT_EQ(one[0].record.deck, one[2].record.deck);
  EXPECT_NE(one[0].record.deck, one[3].record.deck);
  EXPECT_NE(one[0].record.names, one[1].record.names);
}

TEST(GameLine, ComesBackAsTheSameGame) {
  const Contest contest = ContestOf({"greedy", "random"}, Table(4, true), 1);
  for (PlayedGame& game : Played(contest)) {
    EXPECT_EQ(ToLine(contest, std::get<PlayedGame>(FromLine(contest, ToLine(contest, game)))),
              ToLine(contest, game));
    // A forfeit in the middle: both of the other team win.
    game.forfeit = {2, "gone"};
    game.record.actions.resize(3);
    Json line = *ParseJson(ToLine(contest, game));
    line["record"]["result"] = {{"winners", {1, 3}}, {"by", "forfeit"}};
    const auto read = FromLine(contest, line.dump());
    ASSERT_TRUE(std::holds_alternative<PlayedGame>(read)) << std::get<Failure>(read).reason;
    EXPECT_EQ(std::get<PlayedGame>(read).outcome.winners, 0b1010);
    EXPECT_EQ(ShareOf(std::get<PlayedGame>(read), contest.SeatsOf(game.number),
                      contest.SeatsOf(game.number)[1]),
              1);
  }
}

TEST(GameLine, OfAnotherContestOrNoneIsRefused) {
  const Contest contest = ContestOf({"greedy", "random"}, Table(2), 1);
  const std::string line = ToLine(contest, Played(contest)[0]);
  Contest other = contest;
  other.seed = 4;
  EXPECT_EQ(std::get<Failure>(FromLine(other, line)).reason,
            "was played with other settings: seed was 3 and is now 4");
  other = contest;
  other.entrants[0].iterations = 6;
  EXPECT_NE(std::get<Failure>(FromLine(other, line)).reason.find("other settings: bots"),
            std::string::npos);
  Json wrong = *ParseJson(line);
  wrong["game"] = 1;  // the seats of another game
  EXPECT_TRUE(std::holds_alternative<Failure>(FromLine(contest, wrong.dump())));
  wrong = *ParseJson(line);
  wrong["record"]["actions"].erase(5);
  EXPECT_TRUE(std::holds_alternative<Failure>(FromLine(contest, wrong.dump())));
  wrong = *ParseJson(line);
  wrong["errors"] = Json::array({1});
  EXPECT_TRUE(std::holds_alternative<Failure>(FromLine(contest, wrong.dump())));
  for (const char* text :
       {"", "{}", "[]", "7", "{\"game\":0,\"errors\":[],\"settings\":1,\"record\":2}"})
    EXPECT_TRUE(std::holds_alternative<Failure>(FromLine(contest, text))) << text;
}

TEST(Standings, AddUp) {
  for (const Config& config : {Table(2), Table(3), Table(4), Table(4, true)}) {
    const Contest contest = ContestOf({"greedy", "random"}, config, 3);
    const std::vector<PlayedGame> games = Played(contest);
    const Standings standings = StandingsOf(contest, games, {});
    EXPECT_EQ(standings.decks, 3);
    EXPECT_NEAR(standings.entrants[0].wins + standings.entrants[1].wins,
                static_cast<double>(games.size()), 1e-5);
    EXPECT_NEAR(standings.entrants[0].fair, 1.0 / contest.Sides(), 1e-9);
    EXPECT_NEAR(standings.entrants[0].fair + standings.entrants[1].fair, 1, 1e-9);
    EXPECT_NEAR(standings.entrants[0].rating.value + standings.entrants[1].rating.value, 3000,
                1e-6);
    EXPECT_EQ(standings.ranking[0], 0);
    for (const Standing& standing : standings.entrants) {
      EXPECT_LT(standing.rating.interval.low, standing.rating.value);
      EXPECT_GT(standing.rating.interval.high, standing.rating.value);
    }
    EXPECT_EQ(standings.encounters[0][1].wins, standings.entrants[0].wins);
    const Standings anchored = StandingsOf(contest, games, {.entrant = 1, .rating = 1000});
    EXPECT_NEAR(anchored.entrants[1].rating.value, 1000, 1e-9);
  }
}

// Games of two of which the first entrant won the first ones.
std::vector<PlayedGame> WonByTheFirst(const Contest& contest, int wins) {
  std::vector<PlayedGame> games;
  for (int number = 0; number < contest.decks * contest.GamesPerDeck(); ++number) {
    const int winner = contest.SeatsOf(number)[0] == (number < wins ? 0 : 1) ? 0 : 1;
    games.push_back({.number = number, .record = {}});
    games.back().outcome.winners = static_cast<uint8_t>(1u << winner);
  }
  return games;
}

TEST(Standings, AWinMoreNeverLowersARating) {
  const Contest contest = ContestOf({"greedy", "random"}, Table(2), 30);
  Interval before = {-1e9, -1e9};
  for (int wins = 0; wins <= 60; ++wins) {
    const Standing standing = StandingsOf(contest, WonByTheFirst(contest, wins), {}).entrants[0];
    EXPECT_EQ(standing.wins, wins);
    EXPECT_TRUE(standing.rating.interval.low >= before.low || wins == 0) << wins;
    EXPECT_TRUE(standing.rating.interval.high >= before.high) << wins;
    before = standing.rating.interval;
  }
}

TEST(PlayedGame, SaysHowLongDecisionsTook) {
  const Contest contest = ContestOf({"greedy", "random"}, Table(2), 1);
  const Standings standings = StandingsOf(contest, Played(contest), {});
  for (const Standing& standing : standings.entrants) {
    EXPECT_GT(standing.thinking.decisions, 20);
    EXPECT_GT(standing.thinking.all, standing.thinking.longest);
    EXPECT_GT(standing.thinking.longest.count(), 0);
  }
}

TEST(RunContest, StopsAtOnce) {
  const std::atomic<bool> stop = true;
  const Results results =
      RunContest(ContestOf({"greedy", "random"}, Table(2), 100'000), {}, {.threads = 2}, stop);
  EXPECT_TRUE(results.stopped);
}

TEST(RunContest, TestEndsItAtTheSameDeckWithAnyThreads) {
  const Contest contest = ContestOf({"greedy", "random"}, Table(2), 1000);
  const std::atomic<bool> stop = false;
  const Results one = RunContest(contest, {}, {.threads = 1, .test = SequentialTest(0, 100)}, stop);
  const Results three =
      RunContest(contest, {}, {.threads = 3, .test = SequentialTest(0, 100)}, stop);
  EXPECT_FALSE(one.stopped);
  EXPECT_LT(one.games.size(), 200u);
  EXPECT_EQ(one.games.size(), three.games.size());
  EXPECT_EQ(one.test->Decide(), SequentialTest::Verdict::Higher);
  EXPECT_EQ(one.test->LogLikelihoodRatio(), three.test->LogLikelihoodRatio());
}

}  // namespace
}  // namespace civ
