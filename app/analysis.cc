#include "app/analysis.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <thread>

#include "bots/twins.h"
#include "notation/notation.h"

namespace civ {
namespace {

constexpr float kMistake = 0.1f, kBlunder = 0.2f;
constexpr float kWon = 0.95f;  // a chance that counts as a win

struct Question {
  size_t action;
  View view;
};

std::vector<Question> QuestionsOf(const Record& record) {
  std::vector<Question> questions;
  Game game(New(record.config, record.deck));
  for (size_t i = 0; i < record.actions.size(); ++i) {
    const View view = MakeView(game.state, game.knowledge, game.state.seat);
    if (WithoutTwins(Legal(view)).Size() > 1) questions.push_back({i, view});
    game.Apply(record.actions[i]);
  }
  return questions;
}

// Some bots know the chances of the deciding seat alone. If there are two sides, the others follow.
Chances Whole(const Config& config, Seat seat, Chances chances) {
  float sum = 0;
  for (Seat s = 0; s < config.players; ++s) sum += chances[s];
  const bool all_known = sum > (config.teams ? 1.99f : 0.99f);
  const bool two_sides = config.teams || config.players == 2;
  for (Seat s = 0; s < config.players && !all_known; ++s)
    if (s != seat) chances[s] = !two_sides ? kUnknown : s % 2 == seat % 2 ? chances[seat] : 1 - chances[seat];
  return chances;
}

// Of a chance that was found in so many games, none being possible.
float Variance(float chance, float games) {
  const float smoothed = (chance * games + 1) / (games + 2);
  return smoothed * (1 - smoothed) / (games + 2);
}

Remark RemarkOn(float before, float blame) {
  if (blame < kMistake) return Remark::None;
  if (before >= kWon) return Remark::MissedWin;
  return blame < kBlunder ? Remark::Mistake : Remark::Blunder;
}

std::optional<Decision> Judge(const Question& question, Action played, const Inquiry& inquiry) {
  const View& view = question.view;
  const uint64_t seed = inquiry.seed + 0x9e3779b97f4a7c15 * (question.action + 1);
  // A new bot each time: what one has thought before could change what it thinks now.
  const Thought thought = MakeBot(inquiry.bot)->Think(view, inquiry.limits, seed);
  const std::vector<Judgement>& judgements = thought.judgements;
  if (judgements.empty()) return std::nullopt;
  const Judgement& best = judgements.front();
  const auto chance = [&](const Judgement& judgement) { return judgement.chances[view.seat]; };
  const auto found = std::ranges::find(judgements, KeyOf(played), [](const Judgement& judgement) { return KeyOf(judgement.action); });
  const bool judged = found != judgements.end();
  // What the bot did not look at is taken for no better than the worst that it looked at.
  const Judgement& taken = judged ? *found : *std::ranges::min_element(judgements, {}, chance);
  const auto games = [&](const Judgement& judgement) { return judgement.weight * static_cast<float>(thought.iterations); };
  const float doubt = std::sqrt(Variance(chance(best), games(best)) + Variance(chance(taken), judged ? games(taken) : 0));
  const float lost = &taken == &best ? 0 : std::max(0.0f, chance(best) - chance(taken));
  Decision decision = {question.action,
                       view.turn,
                       view.seat,
                       played,
                       best.action,
                       Whole(view.config, view.seat, best.chances),
                       Whole(view.config, view.seat, taken.chances),
                       lost,
                       doubt,
                       Remark::None};
  decision.remark = RemarkOn(chance(best), decision.Blame());
  return decision;
}

std::vector<Decision> JudgeAll(const Record& record, const Inquiry& inquiry) {
  const std::vector<Question> questions = QuestionsOf(record);
  std::vector<std::optional<Decision>> answers(questions.size());
  const auto stopped = [&] { return inquiry.limits.stop != nullptr && inquiry.limits.stop->load(); };
  std::atomic<size_t> next = 0;
  std::mutex telling;
  size_t done = 0;
  const auto work = [&] {
    for (size_t i = next++; i < questions.size() && !stopped(); i = next++) {
      answers[i] = Judge(questions[i], record.actions[questions[i].action], inquiry);
      if (stopped()) answers[i].reset();  // it was not thought through
      const std::scoped_lock lock(telling);
      inquiry.progress(++done, questions.size());
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 1; i < inquiry.threads; ++i) workers.emplace_back(work);
    work();
  }
  std::vector<Decision> decisions;
  for (const std::optional<Decision>& answer : answers)
    if (answer) decisions.push_back(*answer);
  return decisions;
}

// How a decision counts: 100 if nothing was given away, less and less the more. The curve is the one that lichess.org
// publishes for chess.
float AccuracyOf(float blame) { return std::clamp(103.1668f * std::exp(-4.354f * blame) - 3.1669f, 0.0f, 100.0f); }

Chances AccuracyOf(const std::vector<Decision>& decisions) {
  Chances sums{}, counts{};
  for (const Decision& decision : decisions) {
    sums[decision.seat] += AccuracyOf(decision.Blame());
    counts[decision.seat]++;
  }
  for (size_t seat = 0; seat < kMaxSeats; ++seat) sums[seat] = counts[seat] > 0 ? sums[seat] / counts[seat] : kUnknown;
  return sums;
}

int SidesIn(const Config& config, unsigned winners) { return std::popcount(config.teams ? winners & 3u : winners); }

// Whether the winners had the best chances, if that can be said.
std::optional<bool> Ahead(const Config& config, unsigned winners, const Chances& chances) {
  float own = kUnknown, others = 0;
  for (Seat seat = 0; seat < config.players; ++seat) {
    if ((winners >> seat & 1) != 0)
      own = chances[seat];
    else
      others = std::isnan(chances[seat]) ? chances[seat] : std::max(others, chances[seat]);
  }
  if (std::isnan(own)) return std::nullopt;
  return own > (std::isnan(others) ? 0.5f : others);
}

std::optional<size_t> TurningPoint(const Record& record, const std::vector<Decision>& decisions) {
  const unsigned winners = WinnersOf(record);
  if (SidesIn(record.config, winners) != 1) return std::nullopt;
  for (size_t i = decisions.size(); i-- > 0;)
    if (!Ahead(record.config, winners, decisions[i].before).value_or(true)) return i;
  return std::nullopt;
}

std::optional<Chances> ResultOf(const Record& record) {
  if (record.result.is_null()) return std::nullopt;
  return Shares(record.config, {.winners = static_cast<uint8_t>(WinnersOf(record))});
}

// Numbers that are not known become null. Four digits are more than a bot can know.
Json Rounded(const Config& config, const Chances& chances, double digits = 1e4) {
  Json list = Json::array();
  for (Seat seat = 0; seat < config.players; ++seat) list.push_back(std::round(chances[seat] * digits) / digits);
  return list;
}

}  // namespace

std::string_view NameOf(Remark remark) {
  constexpr std::array<std::string_view, 4> kNames = {"", "mistake", "blunder", "missed-win"};
  return kNames[static_cast<size_t>(remark)];
}

bool HasChoices(const Record& record) { return !QuestionsOf(record).empty(); }

unsigned WinnersOf(const Record& record) {
  unsigned winners = 0;
  if (!record.result.is_null())
    for (const Json& seat : record.result["winners"]) winners |= 1u << seat.get<unsigned>();
  return record.config.teams ? (winners | winners << 2 | winners >> 2) & 15 : winners;
}

Analysis Analyze(const Record& record, const Inquiry& inquiry) {
  Analysis analysis{JudgeAll(record, inquiry), {}, ResultOf(record), {}};
  analysis.accuracy = AccuracyOf(analysis.decisions);
  analysis.turning_point = TurningPoint(record, analysis.decisions);
  return analysis;
}

Json ToJson(const Record& record, const Analysis& analysis) {
  Json decisions = Json::array();
  for (const Decision& decision : analysis.decisions)
    decisions.push_back({{"action", decision.action},
                         {"turn", decision.turn},
                         {"seat", decision.seat},
                         {"played", NameOf(decision.played)},
                         {"best", NameOf(decision.best)},
                         {"before", Rounded(record.config, decision.before)},
                         {"after", Rounded(record.config, decision.after)},
                         {"lost", std::round(decision.lost * 1e4) / 1e4},
                         {"doubt", std::round(decision.doubt * 1e4) / 1e4},
                         {"remark", decision.remark == Remark::None ? Json() : Json(NameOf(decision.remark))}});
  return {{"players", record.config.players},
          {"accuracy", Rounded(record.config, analysis.accuracy, 10)},
          {"turningPoint", analysis.turning_point ? Json(*analysis.turning_point) : Json()},
          {"result", record.result},
          {"decisions", decisions}};
}

}  // namespace civ
