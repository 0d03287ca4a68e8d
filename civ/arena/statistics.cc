#include "civ/arena/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace civ {
namespace {

constexpr double kTail = 0.025;
constexpr double kQuantile = 1.959963985;  // of the normal distribution, for that tail

Ratio Sum(std::span<const Ratio> decks) {
  Ratio sum;
  for (const Ratio& deck : decks) {
    sum.part += deck.part;
    sum.whole += deck.whole;
  }
  return sum;
}

struct Weighted {
  double score, weight;
};

// The most likely distribution near the observed one (weights add up to 1) whose mean is the given
// one: each weight divided by 1 + t (score - mean), where t makes the mean come out right. Scores
// lie on both sides of the mean.
std::vector<double> WithMean(std::span<const Weighted> observed, double mean) {
  const auto [least, most] = std::ranges::minmax(observed, {}, &Weighted::score);
  double low = -1 / (most.score - mean), high = 1 / (mean - least.score);
  const auto excess = [&](double t) {
    double sum = 0;
    for (const Weighted& item : observed)
      sum += item.weight * (item.score - mean) / (1 + t * (item.score - mean));
    return sum;
  };
  for (int i = 0; i < 200; ++i) {  // falls from plus to minus infinity between the two ends
    const double middle = (low + high) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  std::vector<double> weights;
  for (const Weighted& item : observed)
    weights.push_back(item.weight / (1 + (low + high) / 2 * (item.score - mean)));
  return weights;
}

// One round of the fit: a bot's strength is its wins over what its sides would have to win were all
// strengths 1 (Hunter 2004).
double Improve(std::vector<double>& strengths, std::span<const Tally> lineups,
               std::span<const double> wins, double prior) {
  std::vector<double> chances(strengths.size());
  for (const Tally& lineup : lineups) {
    double all = 0;
    for (const int bot : lineup.sides) all += strengths[static_cast<size_t>(bot)];
    for (const int bot : lineup.sides)
      chances[static_cast<size_t>(bot)] += (lineup.games + prior) / all;
  }
  double change = 0, logs = 0;
  std::vector<double> next = strengths;
  for (size_t bot = 0; bot < next.size(); ++bot) {
    if (chances[bot] > 0) next[bot] = std::max(wins[bot] / chances[bot], 1e-9);
    logs += std::log(next[bot]);
  }
  const double scale = std::exp(-logs / static_cast<double>(next.size()));
  for (size_t bot = 0; bot < next.size(); ++bot) {
    next[bot] *= scale;
    change = std::max(change, std::abs(std::log(next[bot] / strengths[bot])));
  }
  strengths = next;
  return change;
}

}  // namespace

Interval Middle95(std::vector<double> values) {
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return {values[static_cast<size_t>(std::floor(kTail * last))],
          values[static_cast<size_t>(std::ceil((1 - kTail) * last))]};
}

Estimate Share(std::span<const Ratio> decks) {
  const Ratio all = Sum(decks);
  if (all.whole == 0) return {0, {0, 1}};
  const auto seen = static_cast<double>(
      std::ranges::count_if(decks, [](const Ratio& deck) { return deck.whole > 0; }));
  // Decks of the usual size that are added: this many with all of it, and as many with nothing.
  constexpr double kAdded = kQuantile * kQuantile / 2;
  const double size = all.whole / seen, count = seen + 2 * kAdded, whole = count * size;
  const double middle = (all.part + kAdded * size) / whole;
  const auto square = [](double number) { return number * number; };
  double squares = kAdded * (square(size - middle * size) + square(middle * size));
  for (const Ratio& deck : decks) squares += square(deck.part - middle * deck.whole);
  const double error = kQuantile * std::sqrt(squares * count / (count - 1)) / whole;
  return {all.part / all.whole, {std::max(middle - error, 0.0), std::min(middle + error, 1.0)}};
}

double EloOf(double score) { return 400 * std::log10(score / (1 - score)); }
double ScoreOf(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

std::vector<double> FitRatings(int bots, std::span<const Tally> lineups, double prior) {
  const auto size = static_cast<size_t>(bots);
  std::vector<double> strengths(size, 1), wins(size);
  for (const Tally& lineup : lineups) {
    for (const auto& [bot, number] : lineup.wins) wins[static_cast<size_t>(bot)] += number;
    for (const int bot : lineup.sides)
      wins[static_cast<size_t>(bot)] += prior / static_cast<double>(lineup.sides.size());
  }
  for (int i = 0; i < 10'000 && Improve(strengths, lineups, wins, prior) > 1e-7; ++i) {}
  for (double& strength : strengths) strength = 400 * std::log10(strength);
  return strengths;
}

double SequentialTest::LogLikelihoodRatio() const {
  if (counts_.empty()) return 0;
  // As in fishtest: the ends of the scale count a little even if they were not seen, so that any
  // mean between them is possible.
  std::map<double, double> counts = counts_;
  counts.try_emplace(0, 1e-3);
  counts.try_emplace(1, 1e-3);
  double all = 0;
  for (const auto& [score, count] : counts) all += count;
  std::vector<Weighted> observed;
  for (const auto& [score, count] : counts) observed.push_back({score, count / all});
  const std::vector<double> under0 = WithMean(observed, score0_),
                            under1 = WithMean(observed, score1_);
  double ratio = 0;
  for (size_t i = 0; i < observed.size(); ++i)
    ratio += observed[i].weight * std::log(under1[i] / under0[i]);
  return all * ratio;
}

double SequentialTest::Bound() { return std::log((1 - kError) / kError); }

SequentialTest::Verdict SequentialTest::Decide() const {
  const double ratio = LogLikelihoodRatio();
  if (ratio >= Bound()) return Verdict::Higher;
  return ratio <= -Bound() ? Verdict::Lower : Verdict::Open;
}

}  // namespace civ
