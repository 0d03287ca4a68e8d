#include "civ/analysis/analysis.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "civ/bots/numbers.h"
#include "civ/bots/parallel.h"
#include "civ/notation/notation.h"
#include "civ/rules/sides.h"
#include "civ/view/sample.h"
#include "civ/view/twins.h"

namespace civ {
namespace {

constexpr float kMistake = 0.1f, kBlunder = 0.2f;
constexpr float kWon = 0.95f;       // a chance that counts as a win
constexpr float kEnoughGames = 20;  // behind a judgement
constexpr int kWorlds = 16;         // to look ahead in

struct Question {
  size_t action;
  View view;
};

std::vector<Question> QuestionsOf(const Record& record) {
  std::vector<Question> questions;
  Game game(New(record.config, record.deck));
  for (size_t i = 0; i < record.actions.size(); ++i) {
    const View view = MakeView(game.state, game.knowledge, game.state.seat);
    if (Keys(Legal(view)).Size() > 1) questions.push_back({i, view});
    game.Apply(record.actions[i]);
  }
  return questions;
}

// Of a chance that was found as the mean of `games` games, which may be none.
float Variance(float chance, float games) {
  const float smoothed = (chance * games + 1) / (games + 2);
  return smoothed * (1 - smoothed) / (games + 2);
}

Remark RemarkOn(float before, float blame) {
  if (blame < kMistake) return Remark::None;
  if (before >= kWon) return Remark::MissedWin;
  return blame < kBlunder ? Remark::Mistake : Remark::Blunder;
}

// The chances after an action, and how sure that is of the deciding seat.
struct Estimate {
  Chances chances;
  float variance;
};

// With a part of the thinking that a decision may take. A new bot each time: what one has thought
// before could change what it thinks now.
Thought Ask(const Inquiry& inquiry, const View& view, uint64_t seed, int part = 1) {
  Limits limits = inquiry.limits;
  if (limits.iterations > 0) limits.iterations = std::max<int64_t>(1, limits.iterations / part);
  limits.time /= part;
  return MakeBot(inquiry.bot)->Think(view, limits, seed);
}

// One decision and what the bot thinks of it.
struct Case {
  const View& view;
  const Inquiry& inquiry;
  const uint64_t seed;
  const Thought thought;

  float Games(const Judgement& judgement) const {
    return judgement.weight * static_cast<float>(thought.iterations);
  }
  Estimate Of(const Judgement& judgement) const {
    return {Whole(view.config, view.seat, judgement.chances),
            Variance(judgement.chances[view.seat], Games(judgement))};
  }
};

// A world that fits the view, with what the deciding seat knows of it.
Game Guess(const View& view, const State& state) {
  Game game(state);
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (seat != view.seat) game.knowledge.known[seat][view.seat] = view.hands[seat].cards;
  return game;
}

// The chances at the next decision that is one, or at the end.
Chances ChancesIn(const Case& at, Game game) {
  while (game.state.step != Step::Over && Legal(game.state).Size() == 1)
    game.Apply(Legal(game.state)[0]);
  const State& state = game.state;
  if (state.step == Step::Over) return Shares(state.config, Result(state));
  const Thought thought =
      Ask(at.inquiry, MakeView(state, game.knowledge, state.seat), at.seed, kWorlds);
  if (thought.judgements.empty()) return {kUnknown, kUnknown, kUnknown, kUnknown};
  return Whole(state.config, state.seat, thought.judgements.front().chances);
}

// What comes of an action that the bot has hardly looked at: the mean over some worlds. Nothing if
// the bot cannot say it of the seat in question.
std::optional<Estimate> LookAhead(const Case& at, Action action) {
  const Seat seat = at.view.seat;
  Sampler sampler(at.view);
  Random random(at.seed);
  State state;
  Chances sum{};
  float squares = 0;
  for (int world = 0; world < kWorlds; ++world) {
    if (!sampler.Draw(state, random)) return std::nullopt;
    Game game = Guess(at.view, state);
    game.Apply(action);
    const Chances chances = ChancesIn(at, game);
    for (size_t s = 0; s < kMaxSeats; ++s) sum[s] += chances[s] / kWorlds;
    squares += chances[seat] * chances[seat] / kWorlds;
  }
  if (std::isnan(sum[seat])) return std::nullopt;
  return Estimate{sum, std::max(0.0f, squares - sum[seat] * sum[seat]) / (kWorlds - 1)};
}

Estimate EstimateOf(const Case& at, Action played) {
  const std::vector<Judgement>& judgements = at.thought.judgements;
  const auto found = std::ranges::find(judgements, KeyOf(played), [](const Judgement& judgement) {
    return KeyOf(judgement.action);
  });
  const bool judged = found != judgements.end();
  if (judged && (found == judgements.begin() || at.Games(*found) >= kEnoughGames))
    return at.Of(*found);
  if (const std::optional<Estimate> ahead = LookAhead(at, played)) return *ahead;
  if (judged) return at.Of(*found);
  // No better than the worst that the bot has looked at.
  const auto worst = std::ranges::min_element(
      judgements, {}, [&](const Judgement& judgement) { return judgement.chances[at.view.seat]; });
  return {at.Of(*worst).chances, Variance(worst->chances[at.view.seat], 0)};
}

std::optional<Decision> Evaluate(const Question& question, Action played, const Inquiry& inquiry) {
  const View& view = question.view;
  const uint64_t seed = inquiry.seed + 0x9e3779b97f4a7c15 * (question.action + 1);
  const Case at = {view, inquiry, seed, Ask(inquiry, view, seed)};
  if (at.thought.judgements.empty()) return std::nullopt;
  const Judgement& first = at.thought.judgements.front();
  const Estimate best = at.Of(first), taken = EstimateOf(at, played);
  Decision decision = {question.action, view.turn,     view.seat, played, first.action,
                       best.chances,    taken.chances, 0,         0,      Remark::None};
  if (KeyOf(played) != KeyOf(first.action)) {
    decision.lost = std::max(0.0f, best.chances[view.seat] - taken.chances[view.seat]);
    decision.doubt = std::sqrt(best.variance + taken.variance);
  }
  decision.remark = RemarkOn(best.chances[view.seat], decision.Blame());
  return decision;
}

std::vector<Decision> EvaluateAll(const Record& record, const Inquiry& inquiry) {
  const std::vector<Question> questions = QuestionsOf(record);
  std::vector<std::optional<Decision>> answers(questions.size());
  const auto stopped = [&] {
    return inquiry.limits.stop != nullptr && inquiry.limits.stop->load();
  };
  std::atomic<size_t> next = 0, done = 0;
  InParallel(static_cast<size_t>(inquiry.threads), [&](size_t worker) {
    for (size_t i = next++; i < questions.size() && !stopped(); i = next++) {
      answers[i] = Evaluate(questions[i], record.actions[questions[i].action], inquiry);
      if (stopped()) answers[i].reset();  // it was not thought through
      if (++done < questions.size() && worker == 0) inquiry.progress(done, questions.size());
    }
  });
  if (!questions.empty() && done == questions.size()) inquiry.progress(done, done);
  std::vector<Decision> decisions;
  for (const std::optional<Decision>& answer : answers)
    if (answer) decisions.push_back(*answer);
  return decisions;
}

// How a decision counts: 100 if nothing was given away, less and less the more. The curve is the
// one that lichess.org publishes for chess.
float AccuracyOf(float blame) {
  return blame == 0 ? 100 : std::clamp(103.1668f * Exp(-4.354f * blame) - 3.1669f, 0.0f, 100.0f);
}

Chances AccuracyOf(const std::vector<Decision>& decisions) {
  Chances sums{}, counts{};
  for (const Decision& decision : decisions) {
    sums[decision.seat] += AccuracyOf(decision.Blame());
    counts[decision.seat]++;
  }
  for (size_t seat = 0; seat < kMaxSeats; ++seat)
    sums[seat] = counts[seat] > 0 ? sums[seat] / counts[seat] : kUnknown;
  return sums;
}

int SidesIn(const Config& config, unsigned winners) {
  return std::popcount(SidesOf(config, winners));
}

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

// Four digits are more than a bot can know.
double Rounded(float number) { return std::round(1e4 * number) / 1e4; }

}  // namespace

Chances Whole(const Config& config, Seat seat, Chances chances) {
  float sum = 0;
  for (Seat s = 0; s < config.players; ++s) sum += chances[s];
  const bool all_known = sum > (config.teams ? 1.99f : 0.99f);
  const bool two_sides = config.teams || config.players == 2;
  for (Seat s = 0; s < config.players && !all_known; ++s)
    if (s != seat)
      chances[s] = !two_sides ? kUnknown : s % 2 == seat % 2 ? chances[seat] : 1 - chances[seat];
  return chances;
}

Json ToJson(const Config& config, const Chances& chances) {
  Json list = Json::array();
  for (Seat seat = 0; seat < config.players; ++seat)
    list.push_back(std::isnan(chances[seat]) ? Json() : Json(Rounded(chances[seat])));
  return list;
}

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
  Analysis analysis{EvaluateAll(record, inquiry), {}, ResultOf(record), {}};
  analysis.accuracy = AccuracyOf(analysis.decisions);
  analysis.turning_point = TurningPoint(record, analysis.decisions);
  return analysis;
}

Json ToJson(const Record& record, const Analysis& analysis) {
  Json decisions = Json::array();
  for (const Decision& decision : analysis.decisions)
    decisions.push_back(
        {{"action", decision.action},
         {"turn", decision.turn},
         {"seat", decision.seat},
         {"played", NameOf(decision.played)},
         {"best", NameOf(decision.best)},
         {"before", ToJson(record.config, decision.before)},
         {"after", ToJson(record.config, decision.after)},
         {"lost", Rounded(decision.lost)},
         {"doubt", Rounded(decision.doubt)},
         {"remark", decision.remark == Remark::None ? Json() : Json(NameOf(decision.remark))}});
  return {{"players", record.config.players},
          {"accuracy", ToJson(record.config, analysis.accuracy)},
          {"turningPoint", analysis.turning_point ? Json(*analysis.turning_point) : Json()},
          {"result", record.result},
          {"decisions", decisions}};
}

}  // namespace civ
