#include "civ/analysis/analysis.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <utility>

#include "civ/analysis/scale.h"
#include "civ/bots/parallel.h"
#include "civ/guide/json.h"
#include "civ/guide/reason.h"
#include "civ/notation/notation.h"
#include "civ/rules/sides.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr size_t kMoments = 3;

Chances operator+(Chances a, const Chances& b) {
  for (size_t seat = 0; seat < kMaxSeats; ++seat) a[seat] += b[seat];
  return a;
}
Chances operator-(Chances a, const Chances& b) {
  for (size_t seat = 0; seat < kMaxSeats; ++seat) a[seat] -= b[seat];
  return a;
}

Line LineOf(const Record& record, const Stretch& stretch) {
  return {record.actions.begin() + static_cast<ptrdiff_t>(stretch.begin),
          record.actions.begin() + static_cast<ptrdiff_t>(stretch.end)};
}

// Whether lines from a state are the same but for the order of actions and the Ages of cards.
bool Same(const State& state, const Line& a, const Line& b) {
  if (std::ranges::equal(a, b, {}, KeyOf, KeyOf)) return true;
  if (a.back() != b.back()) return false;
  const auto before_last = [&](const Line& line) {
    State at = state;
    for (size_t i = 0; i + 1 < line.size(); ++i) Apply(at, line[i]);
    return HashOf(at);
  };
  return before_last(a) == before_last(b);
}

Remark RemarkOn(float blame) {
  if (blame < scale::kSlip) return Remark::None;
  return blame < scale::kError     ? Remark::Slip
         : blame < scale::kBlunder ? Remark::Error
                                   : Remark::Blunder;
}

int SidesIn(const Config& config, unsigned winners) {
  return std::popcount(SidesOf(config, winners));
}

// Whether the winners have the best chances.
bool Ahead(const Config& config, unsigned winners, const Chances& chances) {
  float own = 0, others = 0;
  for (Seat seat = 0; seat < config.players; ++seat)
    ((winners >> seat & 1) != 0 ? own : others) =
        std::max((winners >> seat & 1) != 0 ? own : others, chances[seat]);
  return own > others;
}

std::optional<size_t> TurningPoint(const Record& record, const std::vector<Turn>& turns) {
  const unsigned winners = WinnersOf(record);
  if (SidesIn(record.config, winners) != 1) return std::nullopt;
  for (size_t i = turns.size(); i-- > 0;)
    if (!Ahead(record.config, winners, turns[i].before)) return i;
  return std::nullopt;
}

// Where most was lost, the most first.
std::vector<size_t> Moments(const std::vector<Turn>& turns) {
  std::vector<size_t> moments;
  for (size_t i = 0; i < turns.size(); ++i)
    if (turns[i].remark != Remark::None) moments.push_back(i);
  std::ranges::sort(moments, {}, [&](size_t i) { return std::pair(-turns[i].lost, i); });
  moments.resize(std::min(moments.size(), kMoments));
  return moments;
}

std::optional<Chances> ResultOf(const Record& record) {
  if (record.result.is_null()) return std::nullopt;
  return Shares(record.config, {.winners = static_cast<uint8_t>(WinnersOf(record))});
}

// Four digits are more than a judge can know.
double Rounded(float number) { return std::round(1e4 * static_cast<double>(number)) / 1e4; }

Json NamesOf(const Line& line) {
  Json names = Json::array();
  for (const Action action : line) names.push_back(NameOf(action));
  return names;
}

}  // namespace

Json ToJson(const Messages& messages) {
  Json list = Json::array();
  for (const Message& message : messages) {
    JsonText text;
    Put(text, message);
    list.push_back(Json::parse(text.text()));
  }
  return list;
}

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

std::string_view NameOf(Remark remark) {
  constexpr std::array<std::string_view, 4> kNames = {"", "slip", "error", "blunder"};
  return kNames[static_cast<size_t>(remark)];
}

unsigned WinnersOf(const Record& record) {
  unsigned winners = 0;
  if (!record.result.is_null())
    for (const Json& seat : record.result["winners"]) winners |= 1u << seat.get<unsigned>();
  return record.config.teams ? (winners | winners << 2 | winners >> 2) & 15 : winners;
}

// --- A review ------------------------------------------------------------------------------------

Review::Review(Record record, Inquiry inquiry)
    : record_(std::move(record)), inquiry_(std::move(inquiry)) {
  Game game(New(record_.config, record_.deck));
  Game start = game;
  bool choice = false;
  size_t begin = 0;
  for (size_t i = 0; i < record_.actions.size(); ++i) {
    const State& state = game.state;
    choice |= Keys(Legal(state)).Size() > 1;
    const bool ends = EndsLine(state, record_.actions[i]) || i + 1 == record_.actions.size();
    if (ends && choice) {
      stretches_.push_back({begin, i + 1, state.seat, state.turn});
      games_.push_back(start);
    }
    game.Apply(record_.actions[i]);
    if (!ends) continue;
    choice = false;
    begin = i + 1;
    start = game;
  }
  games_.push_back(game);
  verdicts_.resize(stretches_.size());
}

void Review::Step(size_t i) {
  const uint64_t seed = inquiry_.seed + 0x9e3779b97f4a7c15 * (stretches_[i].begin + 1);
  Judge judge(inquiry_.iterations, inquiry_.stop);
  Compare(i, judge, seed);
}

void Review::Compare(size_t i, Judge& judge, uint64_t seed) {
  const State& state = games_[i].state;
  Verdict& verdict = verdicts_[i];
  const View view = MakeView(state, games_[i].knowledge, state.seat);
  const Line played = LineOf(record_, stretches_[i]);
  verdict.best = judge.Best(games_[i], seed);
  std::vector<Line> lines = {verdict.best};
  if (!Same(state, verdict.best, played)) lines.push_back(played);
  const Comparison known = judge.Compare(view, lines, seed);
  verdict.chance = known.means[0][view.seat];
  verdict.lost = known.difference;
  verdict.doubt = known.doubt;
  verdict.stake = verdict.chance - judge.Blind(view, seed)[view.seat];
  verdict.open = judge.Open(state, verdict.best, seed);
  verdict.luck = judge.Luck(games_[i], played, games_[i + 1], ~seed);
}

// All that one seat did in a turn is one thing, and so is all that it did in the draft.
std::vector<Turn> Review::Turns() const {
  std::vector<Turn> turns;
  for (size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    const Verdict& verdict = verdicts_[i];
    auto turn = std::ranges::find_if(turns, [&](const Turn& other) {
      return other.turn == stretch.turn && other.seat == stretch.seat;
    });
    if (turn == turns.end())
      turn = turns.insert(turn, {.turn = stretch.turn,
                                 .seat = stretch.seat,
                                 .begin = stretch.begin,
                                 .before = verdict.open,
                                 .loss = -1});
    turn->end = stretch.end;
    turn->luck = turn->luck + verdict.luck;
    turn->lost += verdict.lost;
    turn->doubt = std::hypot(turn->doubt, verdict.doubt);
    turn->stake += verdict.stake;
    if (verdict.lost < turn->loss) continue;
    turn->at = stretch.begin;
    turn->played = LineOf(record_, stretch);
    turn->better = verdict.best;
    turn->chance = verdict.chance;
    turn->loss = verdict.lost;
  }
  for (Turn& turn : turns) {
    turn.remark = RemarkOn(turn.lost - turn.doubt);
    turn.joker = turn.luck[turn.seat] >= scale::kJoker;
    if (turn.remark == Remark::None) continue;
    const Game& game = games_[static_cast<size_t>(
        std::ranges::find(stretches_, turn.at, &Stretch::begin) - stretches_.begin())];
    turn.reasons =
        ReasonsFor(MakeView(game.state, game.knowledge, turn.seat), turn.better, turn.played);
  }
  return turns;
}

// Of a game that goes on, what it comes to.
Chances Review::AtEnd() const {
  const Game& game = games_.back();
  if (game.state.step == Step::Over) return Shares(game.state.config, Result(game.state));
  Judge judge(inquiry_.iterations, inquiry_.stop);
  return judge.Open(game.state, judge.Best(game, inquiry_.seed), inquiry_.seed);
}

Analysis Review::Sum() const {
  const Chances end = AtEnd();
  Analysis sum{.turns = Turns(), .end = end, .result = ResultOf(record_)};
  sum.deal = verdicts_.empty() ? end : verdicts_.front().open;
  std::array<scale::Parts, kMaxSeats> parts{};
  for (const Turn& turn : sum.turns) {
    sum.luck = sum.luck + turn.luck;
    sum.skill[turn.seat] -= turn.lost;
    const int round = (turn.turn + record_.config.players - 1) / record_.config.players;
    scale::Part& part = parts[turn.seat][scale::PartOf(round)];
    part.lost += turn.lost;
    part.stake += turn.stake;
  }
  sum.others = end - sum.deal - sum.luck - sum.skill;
  std::ranges::transform(parts, sum.quality.begin(), scale::Quality);
  sum.turning_point = TurningPoint(record_, sum.turns);
  sum.moments = Moments(sum.turns);
  return sum;
}

Analysis Analyze(const Record& record, const Inquiry& inquiry) {
  Review review(record, inquiry);
  const auto stopped = [&] { return inquiry.stop != nullptr && inquiry.stop->load(); };
  std::atomic<size_t> next = 0, done = 0;
  InParallel(static_cast<size_t>(inquiry.threads), [&](size_t worker) {
    for (size_t i = next++; i < review.Size() && !stopped(); i = next++) {
      review.Step(i);
      if (++done < review.Size() && worker == 0) inquiry.progress(done, review.Size());
    }
  });
  if (stopped()) return {};
  if (review.Size() > 0) inquiry.progress(done, done);
  return review.Sum();
}

// --- As JSON -------------------------------------------------------------------------------------

Json ToJson(const Config& config, const Chances& chances) {
  Json list = Json::array();
  for (Seat seat = 0; seat < config.players; ++seat)
    list.push_back(std::isnan(chances[seat]) ? Json() : Json(Rounded(chances[seat])));
  return list;
}

Json ToJson(const Record& record, const Analysis& analysis) {
  const auto list = [&](const Chances& chances) { return ToJson(record.config, chances); };
  Json turns = Json::array();
  for (const Turn& turn : analysis.turns)
    turns.push_back({{"turn", turn.turn},
                     {"seat", turn.seat},
                     {"begin", turn.begin},
                     {"end", turn.end},
                     {"before", list(turn.before)},
                     {"luck", list(turn.luck)},
                     {"lost", Rounded(turn.lost)},
                     {"doubt", Rounded(turn.doubt)},
                     {"stake", Rounded(turn.stake)},
                     {"at", turn.at},
                     {"played", NamesOf(turn.played)},
                     {"better", NamesOf(turn.better)},
                     {"chance", Rounded(turn.chance)},
                     {"remark", turn.remark == Remark::None ? Json() : Json(NameOf(turn.remark))},
                     {"reasons", ToJson(turn.reasons)},
                     {"joker", turn.joker}});
  return {{"players", record.config.players},
          {"quality", list(analysis.quality)},
          {"deal", list(analysis.deal)},
          {"luck", list(analysis.luck)},
          {"skill", list(analysis.skill)},
          {"others", list(analysis.others)},
          {"chances", list(analysis.end)},
          {"result", record.result},
          {"turningPoint", analysis.turning_point ? Json(*analysis.turning_point) : Json()},
          {"moments", analysis.moments},
          {"turns", turns}};
}

}  // namespace civ
