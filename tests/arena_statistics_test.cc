// Shares, ratings and the sequential test, against numbers that can be worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "civ/arena/statistics.h"

namespace civ {
namespace {

TEST(Elo, IsTheLogisticScale) {
  EXPECT_DOUBLE_EQ(ScoreOf(0), 0.5);
  EXPECT_NEAR(ScoreOf(400), 10.0 / 11, 1e-12);
  EXPECT_NEAR(EloOf(0.75), 190.848, 1e-3);
  EXPECT_NEAR(EloOf(ScoreOf(-123)), -123, 1e-9);
}

TEST(Middle95, LeavesOutTheTails) {
  std::vector<double> values;
  for (int i = 1000; i >= 0; --i) values.push_back(i);
  const Interval middle = Middle95(values);
  EXPECT_EQ(middle.low, 25);
  EXPECT_EQ(middle.high, 975);
  EXPECT_EQ(Middle95({7}).low, 7);
}

TEST(Share, HasTheIntervalOfTheMean) {
  std::vector<Ratio> decks;
  for (int i = 0; i < 400; ++i) decks.push_back({i % 4 == 0 ? 2.0 : 0.0, 2});
  const Estimate share = Share(decks);
  EXPECT_DOUBLE_EQ(share.value, 0.25);
  // Decks, not games, are what chance is about.
  const double error = 1.96 * std::sqrt(0.25 * 0.75 / 400);
  EXPECT_NEAR(share.interval.low, 0.25 - error, 0.006);
  EXPECT_NEAR(share.interval.high, 0.25 + error, 0.006);
}

TEST(Share, IsNeverCertain) {
  const std::vector<Ratio> halves(30, Ratio{1, 2}), wins(50, Ratio{2, 2}), losses(50, Ratio{0, 2});
  // Both games of every deck shared: nearer than 60 games by themselves would say (0.376 to 0.624).
  EXPECT_NEAR(Share(halves).interval.low, 0.443, 0.001);
  EXPECT_NEAR(Share(halves).interval.high, 0.557, 0.001);
  // With equal decks it is the interval of Agresti and Coull, but for n / (n - 1).
  EXPECT_EQ(Share(wins).value, 1);
  EXPECT_EQ(Share(wins).interval.high, 1);
  EXPECT_NEAR(Share(wins).interval.low, 0.914, 0.001);
  EXPECT_EQ(Share(losses).value, 0);
  EXPECT_EQ(Share(losses).interval.low, 0);
  EXPECT_NEAR(Share(losses).interval.high, 0.086, 0.001);
  EXPECT_EQ(Share({}).interval.high, 1);
}

// A win more never lowers a bound, up to the last.
TEST(Share, RisesWithEveryWin) {
  for (const int decks : {1, 2, 5, 30, 200}) {
    Interval before;
    for (int wins = 0; wins <= 2 * decks; ++wins) {
      std::vector<Ratio> ratios(static_cast<size_t>(decks), {0, 2});
      for (int i = 0; i < wins; ++i) ratios[static_cast<size_t>(i / 2)].part += 1;
      const Estimate share = Share(ratios);
      EXPECT_GE(share.interval.low, before.low) << wins << " of " << 2 * decks;
      EXPECT_GE(share.interval.high, before.high) << wins << " of " << 2 * decks;
      EXPECT_LE(share.interval.low, share.value);
      EXPECT_GE(share.interval.high, share.value);
      before = share.interval;
    }
  }
}

// Of a thousand decks one has a player who used the effect, and that player won.
TEST(Share, CountsOnlyTheDecksThatSayAnything) {
  std::vector<Ratio> decks(1000, Ratio{0, 0});
  decks[500] = {1, 1};
  EXPECT_EQ(Share(decks).value, 1);
  EXPECT_LT(Share(decks).interval.low, 0.2);
  EXPECT_EQ(Share(decks).interval.low, Share(std::vector<Ratio>{{1, 1}}).interval.low);
}

// In four of five samples of thirty decks or more the interval of 95 % would do; it must hold the
// truth in nearly all, also where the truth is near the edge.
TEST(Share, HoldsTheTruth) {
  Random random(7);
  for (const double truth : {0.5, 0.9, 0.98}) {
    int held = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<Ratio> decks(40, {0, 2});
      for (Ratio& deck : decks)
        for (int game = 0; game < 2; ++game) deck.part += random.Below(1000) < 1000 * truth ? 1 : 0;
      const Interval interval = Share(decks).interval;
      held += interval.low <= truth && truth <= interval.high;
    }
    EXPECT_GT(held, 1860) << truth;
  }
}

TEST(Share, IsTheSameEveryTime) {
  const std::vector<Ratio> decks = {{1, 2}, {2, 2}, {0, 2}, {1, 2}, {2, 2}};
  EXPECT_EQ(Share(decks).interval.low, Share(decks).interval.low);
  EXPECT_LT(Share(decks).interval.low, 0.6);
  EXPECT_GT(Share(decks).interval.high, 0.6);
}

TEST(FitRatings, OfTwoIsEloOfTheScore) {
  const std::vector<Tally> tallies = {{{0, 1}, 100, {{0, 75}, {1, 25}}}};
  const std::vector<double> ratings = FitRatings(2, tallies, 0);
  EXPECT_NEAR(ratings[0] - ratings[1], 190.848, 1e-2);
  EXPECT_NEAR(ratings[0] + ratings[1], 0, 1e-9);
}

TEST(FitRatings, AddUpAlongAChain) {
  const std::vector<Tally> tallies = {{{0, 1}, 11, {{0, 10}, {1, 1}}},
                                      {{1, 2}, 22, {{1, 20}, {2, 2}}}};
  const std::vector<double> ratings = FitRatings(3, tallies, 0);
  EXPECT_NEAR(ratings[0], 400, 0.1);
  EXPECT_NEAR(ratings[1], 0, 0.1);
  EXPECT_NEAR(ratings[2], -400, 0.1);
}

// Who is twice as strong as each of two others wins half of the games.
TEST(FitRatings, OfThreeAtATable) {
  const double twice = 400 * std::log10(2);
  const std::vector<Tally> different = {{{0, 1, 2}, 40, {{0, 20}, {1, 10}, {2, 10}}}},
                           alike = {{{0, 1, 1}, 40, {{0, 20}, {1, 20}}}};
  EXPECT_NEAR(FitRatings(3, different, 0)[0] - FitRatings(3, different, 0)[2], twice, 1e-2);
  EXPECT_NEAR(FitRatings(2, alike, 0)[0] - FitRatings(2, alike, 0)[1], twice, 1e-2);
}

TEST(FitRatings, StayFiniteBySharedGames) {
  const std::vector<Tally> tallies = {{{0, 1}, 10, {{0, 10}, {1, 0}}}};
  const std::vector<double> ratings = FitRatings(2, tallies, 1);
  EXPECT_NEAR(ratings[0] - ratings[1], 400 * std::log10(10.5 / 0.5), 1e-2);
}

SequentialTest TestOf(double elo0, double elo1,
                      std::initializer_list<std::pair<double, int>> counts) {
  SequentialTest test(elo0, elo1);
  for (const auto& [score, count] : counts)
    for (int i = 0; i < count; ++i) test.Add(score);
  return test;
}

// With wins and losses only, a mean is a chance, and the ratio is that of two binomials.
TEST(SequentialTest, IsBinomialWithoutDraws) {
  const double score0 = ScoreOf(0), score1 = ScoreOf(50);
  const double expected =
      60 * std::log(score1 / score0) + 40 * std::log((1 - score1) / (1 - score0));
  EXPECT_NEAR(TestOf(0, 50, {{1, 60}, {0, 40}}).LogLikelihoodRatio(), expected, 1e-9);
}

// The best logarithm of likelihood of three results with a given mean, by trying all numbers of
// draws.
double BestOfThree(double losses, double draws, double wins, double mean) {
  double best = -1e300;
  for (int i = 1; i < 200'000; ++i) {
    const double drawn = i / 200'000.0, won = mean - drawn / 2, lost = 1 - drawn - won;
    if (won > 0 && lost > 0)
      best =
          std::max(best, losses * std::log(lost) + draws * std::log(drawn) + wins * std::log(won));
  }
  return best;
}

TEST(SequentialTest, FindsTheLikeliestResultsUnderEachHypothesis) {
  const double expected =
      BestOfThree(20, 50, 35, ScoreOf(30)) - BestOfThree(20, 50, 35, ScoreOf(-10));
  EXPECT_NEAR(TestOf(-10, 30, {{0, 20}, {0.5, 50}, {1, 35}}).LogLikelihoodRatio(), expected, 1e-6);
}

// For hypotheses close together it is N (s1 - s0) (2 mean - s0 - s1) / (2 variance), as published
// for fishtest.
TEST(SequentialTest, IsNearTheNormalApproximationForFiveResults) {
  const std::array<double, 5> scores = {0, 0.25, 0.5, 0.75, 1}, counts = {40, 210, 480, 230, 45};
  double all = 0, mean = 0, variance = 0;
  for (size_t i = 0; i < 5; ++i) all += counts[i];
  for (size_t i = 0; i < 5; ++i) mean += counts[i] * scores[i] / all;
  for (size_t i = 0; i < 5; ++i)
    variance += counts[i] * (scores[i] - mean) * (scores[i] - mean) / all;
  const double s0 = ScoreOf(0), s1 = ScoreOf(5);
  const double expected = all * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
  EXPECT_NEAR(
      TestOf(0, 5, {{0, 40}, {0.25, 210}, {0.5, 480}, {0.75, 230}, {1, 45}}).LogLikelihoodRatio(),
      expected, 0.01 * std::abs(expected) + 0.002);
}

TEST(SequentialTest, DecidesAtTheBounds) {
  using Verdict = SequentialTest::Verdict;
  EXPECT_NEAR(SequentialTest::Bound(), 2.9444, 1e-4);  // log 19
  EXPECT_EQ(SequentialTest(0, 10).Decide(), Verdict::Open);
  EXPECT_EQ(TestOf(0, 10, {{1, 5}, {0, 5}}).Decide(), Verdict::Open);
  EXPECT_EQ(TestOf(0, 50, {{1, 300}, {0, 200}}).Decide(), Verdict::Higher);
  EXPECT_EQ(TestOf(0, 50, {{1, 200}, {0, 300}}).Decide(), Verdict::Lower);
  EXPECT_EQ(TestOf(0, 50, {{0.5, 1000}}).Decide(), Verdict::Lower);  // all decks equal
  EXPECT_EQ(TestOf(0, 50, {{1, 1000}}).Decide(), Verdict::Higher);   // nothing but wins
}

}  // namespace
}  // namespace civ
