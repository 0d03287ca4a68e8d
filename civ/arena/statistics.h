// What results say, and how sure one may be: shares with intervals, Elo ratings, and a test that
// stops when it has seen enough. Everything is deterministic. The unit of chance is a deck: games
// with the same deck are not independent of each other.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "civ/view/random.h"

namespace civ {

struct Interval {
  double low = 0, high = 0;
};

// A part of a whole, such as wins of games, as seen with one deck.
struct Ratio {
  double part = 0, whole = 0;
};

struct Estimate {
  double value = 0;
  Interval interval;  // of 95 %
};

// The middle 95 % of values in any order. There is at least one.
Interval Middle95(std::vector<double> values);

// The bootstrap: calls `use` with each of `samples` samples of deck numbers, drawn with
// replacement.
template <class Use>
void Resample(size_t decks, int samples, Use use) {
  Random random(decks);
  std::vector<size_t> sample(decks);
  for (int i = 0; i < samples; ++i) {
    for (size_t& deck : sample) deck = random.Below(static_cast<uint32_t>(decks));
    use(sample);
  }
}

// All parts of all wholes, with an interval from the variance over those decks that have a part in
// it. As Agresti and Coull (1998) do, about two more are added that are all and two that are
// nothing, so that it is never certain of what a few decks happened to say.
Estimate Share(std::span<const Ratio> decks);

// --- Elo ---

double EloOf(double score);  // of a score between 0 and 1, against an equal field at 0
double ScoreOf(double elo);

// The games of one line-up.
struct Tally {
  std::vector<int> sides;  // which bot each side is
  double games = 0;
  std::map<int, double> wins = {};  // of each bot
};

// Ratings by which the results would be most likely (Bradley-Terry; for more sides than two each
// wins in proportion to its strength), with an average of zero. Each line-up is given `prior` more
// games that all its sides share, so that nobody is infinitely strong.
std::vector<double> FitRatings(int bots, std::span<const Tally> lineups, double prior);

// --- Sequential test ---

// The generalised likelihood ratio, as a logarithm, of two hypotheses about the mean of deck scores
// between 0 and 1: elo1 over elo0. With two games a deck and draws there are five possible scores,
// which makes it the pentanomial test of fishtest; any other scores do as well.
class SequentialTest {
 public:
  SequentialTest(double elo0, double elo1) : score0_(ScoreOf(elo0)), score1_(ScoreOf(elo1)) {}

  void Add(double score) { ++counts_[score]; }
  double LogLikelihoodRatio() const;

  enum class Verdict { Open, Lower, Higher };  // Lower: elo0 holds; Higher: elo1 does
  Verdict Decide() const;

  static constexpr double kError = 0.05;  // chance of each wrong verdict
  static double Bound();                  // the logarithm at which it is decided, up or down

 private:
  double score0_, score1_;
  std::map<double, double> counts_;
};

}  // namespace civ
