// The analysis of games: what is named, what it may depend on, and what it must not.
#include "civ/analysis/analysis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "civ/notation/notation.h"
#include "civ/view/twins.h"
#include "tests/support.h"

namespace civ::test {
namespace {

using Chooser = std::function<Action(const State& state, const ActionSet& legal)>;

Record Played(Config config, uint64_t seed, const Chooser& choose, size_t most = 10'000) {
  const Deal deal = DealFromSeed(config, seed);
  Record record;
  record.config = deal.config;
  record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  State state = New(record.config, record.deck);
  while (state.step != Step::Over && record.actions.size() < most) {
    record.actions.push_back(choose(state, Legal(state)));
    Apply(state, record.actions.back());
  }
  if (state.step == Step::Over) record.result = ToJson(record.config, Result(state));
  return record;
}

Record ByChance(Config config, uint64_t seed, size_t most = 10'000) {
  Random random(seed);
  return Played(
      config, seed,
      [&](const State& state, const ActionSet& legal) {
        return Choose(Policy::Builder, state, legal, random);
      },
      most);
}

// Plays into the longest column and uses no effect, until somebody could end the turn and win by
// Hegemony.
Record Hoarded(uint64_t seed) {
  Record record = Played({.players = 2}, seed, [](const State& state, const ActionSet& legal) {
    Action best = legal[legal.Size() - 1];
    if (state.step != Step::Play || best == kSkip) return kEnd;
    for (const Action action : legal)
      if (state.Count(state.seat, DomainOf(action.kind())) >
          state.Count(state.seat, DomainOf(best.kind())))
        best = action;
    return best;
  });
  record.actions.pop_back();
  record.result = nullptr;
  return record;
}

Inquiry Quick(int64_t iterations = 60) {
  return {.bot = "plain-informed", .limits = {.iterations = iterations}};
}

State Last(const Record& record) { return StatesOf(record).back(); }

// Whether the other player is a card short of Hegemony, but not in this Domain, so that not to win
// now may be to lose.
bool InDanger(const State& state, uint8_t but_not_in) {
  const Seat other = state.Next(state.seat);
  for (uint8_t d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    if (d != but_not_in && state.Count(other, domain) + 1 >= HegemonyNeed(state, other, domain))
      return true;
  }
  return false;
}

TEST(Analysis, NamesAMissedWin) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 100 && found < 3; ++seed) {
    Record record = Hoarded(seed);
    const State state = Last(record);
    const uint8_t domain = HegemonyOf(state, state.seat);
    const Action attack = Action::Attack(static_cast<Domain>(domain));
    if (domain == kNone || !InDanger(state, domain) || !Legal(state).Contains(attack)) continue;
    // A card leaves the column that would have won, and the turn is over.
    const size_t length = record.actions.size();
    record.actions.push_back(attack);
    if (!Legal(Last(record)).Contains(kEnd)) continue;
    record.actions.push_back(kEnd);
    if (Last(record).step == Step::Over) continue;
    int missed = 0;
    for (const Decision& decision : Analyze(record, Quick(200)).decisions)
      missed += decision.action >= length && decision.remark == Remark::MissedWin;
    EXPECT_EQ(missed, 1) << seed;
    ++found;

    record.actions.resize(length);
    record.actions.push_back(kEnd);
    record.result = ToJson(record.config, Result(Last(record)));
    const Decision won = Analyze(record, Quick(200)).decisions.back();
    EXPECT_FLOAT_EQ(won.before[won.seat], 1);
    EXPECT_EQ(won.remark, Remark::None);
  }
  EXPECT_EQ(found, 3);
}

// Two decks that differ in cards nobody has seen: whoever sees the same is told the same.
TEST(Analysis, DependsOnWhatTheDecidingSeatSeesOnly) {
  int same = 0, others_differ = 0;
  const Record record = ByChance({.players = 3}, 5, 40);
  const Analysis analysis = Analyze(record, Quick());
  const auto view = [](const Record& of, size_t action) {
    Game game(New(of.config, of.deck));
    for (size_t i = 0; i < action; ++i) game.Apply(of.actions[i]);
    return std::pair(ToJson(MakeView(game.state, game.knowledge, game.state.seat)),
                     ToJson(game.state)["hands"]);
  };
  for (size_t dealt = 0; dealt < 9; ++dealt) {
    Record other = record;
    size_t later = record.deck.size() - 1;
    while (AgeOf(record.deck[later]) != AgeOf(record.deck[dealt]) ||
           record.deck[later] == record.deck[dealt])
      --later;
    std::swap(other.deck[dealt], other.deck[later]);
    const auto read = ReadRecord(other.Dump());
    if (const auto* wrong = std::get_if<RecordError>(&read))
      other.actions.resize(static_cast<size_t>(std::max(0, wrong->action)));
    for (const Decision& theirs : Analyze(other, Quick()).decisions) {
      const auto mine = std::ranges::find(analysis.decisions, theirs.action, &Decision::action);
      if (mine == analysis.decisions.end()) continue;
      const auto [seen, hands] = view(record, theirs.action);
      const auto [other_seen, other_hands] = view(other, theirs.action);
      if (seen != other_seen) continue;
      EXPECT_EQ(mine->best, theirs.best);
      EXPECT_EQ(mine->lost, theirs.lost);
      EXPECT_EQ(ToJson(record.config, mine->before), ToJson(record.config, theirs.before));
      EXPECT_EQ(ToJson(record.config, mine->after), ToJson(record.config, theirs.after));
      ++same;
      others_differ += hands != other_hands;
    }
  }
  EXPECT_GT(same, 20);
  EXPECT_GT(others_differ, 5);
}

TEST(Analysis, IsTheSameWithAnyNumberOfThreads) {
  const Record record = ByChance({.players = 2}, 3, 40);
  Inquiry inquiry = Quick();
  const Json alone = ToJson(record, Analyze(record, inquiry));
  inquiry.threads = 3;
  EXPECT_EQ(ToJson(record, Analyze(record, inquiry)), alone);
  inquiry.seed = 2;
  EXPECT_NE(ToJson(record, Analyze(record, inquiry)), alone);
}

TEST(Analysis, KnowsBetterPlayFromWorse) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    const Record record =
        Played({.players = 2}, seed, [&](const State& state, const ActionSet& legal) {
          return state.seat == 0 ? Choose(Policy::Builder, state, legal, random)
                                 : ChooseUniform(legal, random);
        });
    const Analysis analysis = Analyze(record, Quick(150));
    EXPECT_GT(analysis.accuracy[0], analysis.accuracy[1]) << seed;
    EXPECT_LE(analysis.accuracy[0], 100);
    EXPECT_GT(analysis.accuracy[1], 0);
    EXPECT_TRUE(std::isnan(analysis.accuracy[2]));
  }
}

TEST(Analysis, TakesCardsThatDifferByTheirAgeAloneForOne) {
  int twins = 0;
  for (const Config config : {Config{.players = 2}, Config{.players = 4, .teams = true}}) {
    const Record record = ByChance(config, 8);
    const std::vector<State> states = StatesOf(record);
    for (const Decision& decision : Analyze(record, Quick(30)).decisions) {
      EXPECT_GT(Keys(Legal(states[decision.action])).Size(), 1);
      if (KeyOf(decision.played) != KeyOf(decision.best)) continue;
      EXPECT_EQ(decision.lost, 0);
      EXPECT_EQ(decision.remark, Remark::None);
      twins += decision.played != decision.best;
    }
  }
  EXPECT_GT(twins, 0);
}

TEST(Analysis, TheTurningPointIsTheLastDecisionBeforeWhichTheWinnersWereNotAhead) {
  int turned = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const Config config =
        seed % 2 == 0 ? Config{.players = 2} : Config{.players = 4, .teams = true};
    const Record record = ByChance(config, seed);
    const Analysis analysis = Analyze(record, Quick(30));
    const unsigned winners = WinnersOf(record);
    if (std::popcount(winners) != (config.teams ? 2 : 1)) continue;
    const Seat winner = (winners & 1) != 0 ? 0 : 1;
    const auto ahead = [&](const Decision& decision) {
      return decision.before[winner] > decision.before[1 - winner];
    };
    size_t last = analysis.decisions.size();
    while (last > 0 && ahead(analysis.decisions[last - 1])) --last;
    EXPECT_EQ(analysis.turning_point, last > 0 ? std::optional(last - 1) : std::nullopt) << seed;
    turned += last > 0;
    ASSERT_TRUE(analysis.result);
    EXPECT_EQ((*analysis.result)[winner], 1);
    EXPECT_EQ((*analysis.result)[1 - winner], 0);
  }
  EXPECT_GT(turned, 0);
}

TEST(Analysis, OfGamesThatAreNotOverAndForfeits) {
  Record record = ByChance({.players = 4, .setup = Setup::Draft, .teams = true}, 2, 30);
  const Analysis unfinished = Analyze(record, Quick());
  EXPECT_FALSE(unfinished.result || unfinished.turning_point);
  EXPECT_EQ(unfinished.decisions.front().turn, 0);  // the draft
  record.result = {{"winners", {2}}, {"by", "forfeit"}};
  EXPECT_EQ(WinnersOf(record), 0b0101u);
  EXPECT_EQ(Analyze(record, Quick()).result, (Chances{1, 0, 1, 0}));
  record.result["winners"] = Json::array();
  EXPECT_EQ(Analyze(record, Quick()).result, (Chances{0, 0, 0, 0}));
  record.actions.clear();
  EXPECT_TRUE(Analyze(record, Quick()).decisions.empty());
  EXPECT_FALSE(HasChoices(record));
}

TEST(Analysis, NeedsABotThatJudges) {
  const Record record = ByChance({.players = 2}, 1, 20);
  for (const char* name : {"random", "greedy"})
    EXPECT_TRUE(Analyze(record, {.bot = name}).decisions.empty()) << name;
  EXPECT_TRUE(HasChoices(record));
}

TEST(Analysis, StopsWhenItIsTold) {
  const std::atomic<bool> stop = true;
  Inquiry inquiry = Quick(1'000'000'000);
  inquiry.limits.stop = &stop;
  EXPECT_TRUE(Analyze(ByChance({.players = 2}, 1), inquiry).decisions.empty());
}

TEST(Analysis, FillsInChancesThatFollow) {
  EXPECT_EQ(Whole({.players = 2}, 1, {0, 0.75f}), (Chances{0.25f, 0.75f}));
  EXPECT_EQ(Whole({.players = 4, .teams = true}, 1, {0, 0.75f}),
            (Chances{0.25f, 0.75f, 0.25f, 0.75f}));
  EXPECT_EQ(Whole({.players = 3}, 0, {0.5f, 0.3f, 0.2f}), (Chances{0.5f, 0.3f, 0.2f}));
  EXPECT_EQ(Whole({.players = 3}, 2, {0, 0, 1}), (Chances{0, 0, 1}));
  const Config three = {.players = 3};
  EXPECT_EQ(ToJson(three, Whole(three, 0, {0.5f})).dump(), "[0.5,null,null]");
}

}  // namespace
}  // namespace civ::test
