#include "civ/training/fit.h"

#include <algorithm>
#include <cmath>

#include "civ/bots/numbers.h"
#include "civ/view/random.h"

namespace civ {
namespace {

using Lanes = std::array<float, kLanes>;

// A number that is learnt, with the sum of its squared gradients.
struct Row {
  Lanes value{}, squares{};
};

// What a seat's score is made of.
struct Forward {
  std::vector<int> rows;
  Lanes sum;
  float score;
};

class Learner {
 public:
  explicit Learner(const FitOptions& options) : rows_(features::kRows), rate_(options.rate) {
    Random random(options.seed);
    const auto chance = [&](float spread) {
      return spread * (static_cast<float>(random.Next() >> 8) / (1 << 23) - 1);
    };
    for (size_t lane = 1; lane < kLanes; ++lane) {
      for (Row& row : rows_) row.value[lane] = chance(0.1f);
      bias_.value[lane] = 0.3f;
      out_.value[lane] = chance(0.5f);
    }
    out_.value[0] = 1;
    if (options.start != nullptr) Start(*options.start);
  }

  void SetRate(float rate) { rate_ = rate; }

  // Learns from an example, or only looks at it; returns the cross-entropy.
  float Study(const ValueExample& example, bool learn) {
    const Config& config = example.state.config;
    const Features found(example.state);
    std::array<float, kMaxSeats> scores{};
    for (Seat seat = 0; seat < config.players; ++seat) scores[seat] = Run(found, seat);
    const Chances chances = Softmax(config, scores);
    const int sides = SideCount(config);
    float loss = 0;
    for (int side = 0; side < sides; ++side)
      loss -= example.target[static_cast<size_t>(side)] *
              NaturalLog(std::max(chances[static_cast<size_t>(side)], 1e-6f));
    if (learn)
      for (Seat seat = 0; seat < config.players; ++seat)
        Correct(seat, chances[seat] - example.target[seat]);
    return loss;
  }

  Net Rounded() const {
    Net net{};
    const auto round = [](float value, int scale) {
      return static_cast<int16_t>(
          std::lround(std::clamp(value * static_cast<float>(scale), -4000.0f, 4000.0f)));
    };
    for (size_t row = 0; row < rows_.size(); ++row)
      for (size_t lane = 0; lane < kLanes; ++lane)
        net.rows[row][lane] = round(rows_[row].value[lane], kRowScale);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      net.bias[lane] = round(bias_.value[lane], kRowScale);
      net.out[lane] = round(out_.value[lane], kOutScale);
    }
    return net;
  }

 private:
  void Start(const Net& net) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      for (size_t row = 0; row < rows_.size(); ++row)
        rows_[row].value[lane] = static_cast<float>(net.rows[row][lane]) / kRowScale;
      bias_.value[lane] = static_cast<float>(net.bias[lane]) / kRowScale;
      out_.value[lane] = static_cast<float>(net.out[lane]) / kOutScale;
    }
  }

  float Run(const Features& found, Seat seat) {
    Forward& forward = forward_[seat];
    forward.rows.clear();
    forward.sum = bias_.value;
    found.ForEach(seat, [&](int row) {
      forward.rows.push_back(row);
      const Lanes& numbers = rows_[static_cast<size_t>(row)].value;
      for (size_t lane = 0; lane < kLanes; ++lane) forward.sum[lane] += numbers[lane];
    });
    forward.score = forward.sum[0];
    for (size_t lane = 1; lane < kLanes; ++lane)
      forward.score += std::clamp(forward.sum[lane], 0.0f, 1.0f) * out_.value[lane];
    return forward.score;
  }

  // Moves against the gradient of the loss by a seat's score.
  void Correct(Seat seat, float gradient) {
    const Forward& forward = forward_[seat];
    Lanes by_sum, by_out;
    by_sum[0] = gradient;
    by_out[0] = 0;
    for (size_t lane = 1; lane < kLanes; ++lane) {
      by_sum[lane] =
          forward.sum[lane] > 0 && forward.sum[lane] < 1 ? gradient * out_.value[lane] : 0;
      by_out[lane] = gradient * std::clamp(forward.sum[lane], 0.0f, 1.0f);
    }
    Step(out_, by_out);
    Step(bias_, by_sum);
    for (const int row : forward.rows) Step(rows_[static_cast<size_t>(row)], by_sum);
  }

  void Step(Row& row, const Lanes& gradient) const {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      row.squares[lane] += gradient[lane] * gradient[lane];
      row.value[lane] -= rate_ * gradient[lane] / std::sqrt(row.squares[lane] + 1.0f);
    }
  }

  std::vector<Row> rows_;
  Row bias_, out_;
  std::array<Forward, kMaxSeats> forward_;
  float rate_;
};

// The learning rate, which falls to zero over all epochs, for example `i` of `count` in an epoch.
float RateAt(const FitOptions& options, int epoch, size_t i, size_t count) {
  const double done =
      (static_cast<double>(epoch) + static_cast<double>(i) / static_cast<double>(count)) /
      options.epochs;
  return options.rate * static_cast<float>(1 - done);
}

}  // namespace

Fitted Fit(const std::vector<ValueExample>& examples, const FitOptions& options) {
  std::vector<uint32_t> order, held_back;
  for (size_t i = 0; i < examples.size(); ++i)
    (IsHeldBack(examples[i].game) ? held_back : order).push_back(static_cast<uint32_t>(i));
  Learner learner(options);
  Random random(options.seed);
  Fitted fitted{};
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    random.Shuffle(std::span(order));
    double loss = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      learner.SetRate(RateAt(options, epoch, i, order.size()));
      loss += learner.Study(examples[order[i]], true);
    }
    fitted.loss = static_cast<float>(loss / static_cast<double>(order.size()));
  }
  double loss = 0;
  for (const uint32_t example : held_back) loss += learner.Study(examples[example], false);
  fitted.held_back =
      static_cast<float>(loss / static_cast<double>(std::max<size_t>(1, held_back.size())));
  fitted.net = learner.Rounded();
  return fitted;
}

void FitPrior(const std::vector<PolicyExample>& examples, const FitOptions& options, Net& net) {
  struct Weight {
    float value = 0, squares = 0;
  };
  std::vector<std::array<Weight, priors::kRows>> weights(priors::kTypes);
  for (size_t type = 0; options.start != nullptr && type < weights.size(); ++type)
    for (size_t row = 0; row < priors::kRows; ++row)
      weights[type][row].value = static_cast<float>(options.start->prior[type][row]) / kPriorScale;
  std::vector<uint32_t> order(examples.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint32_t>(i);
  Random random(options.seed);
  std::vector<float> shares;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    random.Shuffle(std::span(order));
    for (size_t i = 0; i < order.size(); ++i) {
      const float rate = RateAt(options, epoch, i, order.size());
      const PolicyExample& example = examples[order[i]];
      const PriorView seen(example.state);
      shares.clear();
      float sum = 0;
      for (const auto& [key, wanted] : example.shares) {
        float weight = 0;
        const auto& rows = weights[static_cast<size_t>(PriorView::TypeOf(key))];
        seen.ForEach(key, [&](int row) { weight += rows[static_cast<size_t>(row)].value; });
        sum += shares.emplace_back(Exp(weight));
      }
      for (size_t a = 0; a < example.shares.size(); ++a) {
        const float gradient = shares[a] / sum - example.shares[a].second;
        auto& rows = weights[static_cast<size_t>(PriorView::TypeOf(example.shares[a].first))];
        seen.ForEach(example.shares[a].first, [&](int row) {
          Weight& weight = rows[static_cast<size_t>(row)];
          weight.squares += gradient * gradient;
          weight.value -= rate * gradient / std::sqrt(weight.squares + 1.0f);
        });
      }
    }
  }
  for (size_t type = 0; type < weights.size(); ++type)
    for (size_t row = 0; row < priors::kRows; ++row)
      net.prior[type][row] = static_cast<int16_t>(
          std::lround(std::clamp(weights[type][row].value * kPriorScale, -4000.0f, 4000.0f)));
}

}  // namespace civ
