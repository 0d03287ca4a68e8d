// The analysis of games: what is named, what it may depend on, and what it must not.
#include "civ/analysis/analysis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "civ/analysis/scale.h"
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

Inquiry Quick(int64_t iterations = 60) { return {.iterations = iterations}; }

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

// What the judge says of the end of a game alone.
Turn TurnThatEnds(const Record& record) {
  Review review(record, Quick());
  review.Step(review.Size() - 1);
  return review.Sum().turns.back();
}

TEST(Analysis, NamesAMissedWin) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 100 && found < 2; ++seed) {
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
    const Turn missed = TurnThatEnds(record);
    EXPECT_NE(missed.remark, Remark::None) << seed;
    EXPECT_EQ(missed.chance, 1) << seed;
    ASSERT_FALSE(missed.reasons.empty()) << seed;
    EXPECT_EQ(missed.reasons[0].key, "reason.wins") << seed;
    ++found;

    record.actions.resize(length);
    record.actions.push_back(kEnd);
    record.result = ToJson(record.config, Result(Last(record)));
    const Turn won = TurnThatEnds(record);
    EXPECT_FLOAT_EQ(won.chance, 1);
    EXPECT_EQ(won.remark, Remark::None);
  }
  EXPECT_EQ(found, 2);
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
    for (const Turn& theirs : Analyze(other, Quick()).turns) {
      const auto mine = std::ranges::find(analysis.turns, theirs.at, &Turn::at);
      if (mine == analysis.turns.end() || mine->played != theirs.played) continue;
      const auto [seen, hands] = view(record, theirs.at);
      const auto [other_seen, other_hands] = view(other, theirs.at);
      if (seen != other_seen) continue;
      EXPECT_EQ(mine->better, theirs.better);
      EXPECT_EQ(mine->loss, theirs.loss);
      EXPECT_EQ(mine->chance, theirs.chance);
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
    const Analysis analysis = Analyze(record, Quick(40));
    EXPECT_GT(analysis.quality[0], analysis.quality[1]) << seed;
    EXPECT_LE(analysis.quality[0], 100);
    EXPECT_GE(analysis.quality[1], 0);
    EXPECT_TRUE(std::isnan(analysis.quality[2]));
  }
}

// What is lost weighs less where everybody loses much, and a part without a stake tells nothing.
TEST(Analysis, MeasuresQualityByThePartOfAGame) {
  const auto quality = [](size_t part, float lost) {
    scale::Parts parts{};
    parts[part] = {lost, 1};
    return scale::Quality(parts);
  };
  for (size_t part = 0; part < scale::kParts; ++part) {
    EXPECT_EQ(quality(part, -0.5f), 100);
    EXPECT_FLOAT_EQ(quality(part, 0), 100);
    EXPECT_FLOAT_EQ(quality(part, 1 - scale::kFair[part]), 55);
    EXPECT_FLOAT_EQ(quality(part, 1), 0);
    EXPECT_EQ(quality(part, 2), 0);
    if (part > 0) {
      EXPECT_GT(quality(part, 0.3f), quality(part - 1, 0.3f));
    }
  }
  EXPECT_TRUE(std::isnan(scale::Quality({})));
  EXPECT_FLOAT_EQ(scale::Quality({{{0, 3}, {1, 1}, {5, 0}, {0, -1}}}), 75);
  EXPECT_EQ(scale::PartOf(0), 0u);
  EXPECT_EQ(scale::PartOf(4), 0u);
  EXPECT_EQ(scale::PartOf(5), 1u);
  EXPECT_EQ(scale::PartOf(40), 3u);
}

TEST(Analysis, HoldsNothingAgainstThoseWhoPlayTheBestLine) {
  Review review(ByChance({.players = 2}, 1), Quick(30));
  int same_lines = 0;
  for (size_t i = 0; i < review.Size() && same_lines < 3; ++i) {
    review.Step(i);
    const auto& actions = review.record().actions;
    const Stretch& at = review.At(i);
    const Line played(actions.begin() + static_cast<ptrdiff_t>(at.begin),
                      actions.begin() + static_cast<ptrdiff_t>(at.end));
    if (!std::ranges::equal(played, review.Of(i).best, {}, KeyOf, KeyOf)) continue;
    EXPECT_EQ(review.Of(i).lost, 0);
    ++same_lines;
  }
  EXPECT_EQ(same_lines, 3);
}

// The chance after the deal, luck, skill and what others did make the chance at the end.
TEST(Analysis, AddsUp) {
  for (const Config config : {Config{.players = 2}, Config{.players = 3, .setup = Setup::Draft},
                              Config{.players = 4, .teams = true}}) {
    const Record record = ByChance(config, 4);
    const Analysis analysis = Analyze(record, Quick(30));
    EXPECT_EQ(analysis.end, *analysis.result);
    for (Seat seat = 0; seat < config.players; ++seat) {
      float luck = 0, skill = 0;
      for (const Turn& turn : analysis.turns) {
        luck += turn.luck[seat];
        if (turn.seat == seat) skill -= turn.lost;
      }
      EXPECT_NEAR(luck, analysis.luck[seat], 1e-4f);
      EXPECT_NEAR(skill, analysis.skill[seat], 1e-4f);
      EXPECT_NEAR(
          analysis.deal[seat] + analysis.luck[seat] + analysis.skill[seat] + analysis.others[seat],
          analysis.end[seat], 1e-5f);
    }
    for (const Turn& turn : analysis.turns) {
      float luck = 0;
      for (Seat seat = 0; seat < config.players; ++seat) luck += turn.luck[seat];
      EXPECT_NEAR(luck, 0, 1e-4f);
    }
  }
}

// --- What luck is --------------------------------------------------------------------------------

struct Spread {
  double sum = 0, squares = 0;
  int count = 0;

  void Add(double number) {
    sum += number;
    squares += number * number;
    ++count;
  }
  double Mean() const { return sum / count; }
  double Variance() const { return squares / count - Mean() * Mean(); }
  // How many standard errors the mean is from zero.
  double Off() const { return std::abs(Mean()) / std::sqrt(Variance() / count); }
};

using Player = std::function<Action(const Game& game, uint64_t number)>;

Player Thinks(const char* bot, int64_t iterations) {
  return [=](const Game& game, uint64_t number) {
    return MakeBot(bot)
        ->Think(ViewOf(game, game.state.seat), {.iterations = iterations}, number)
        .best;
  };
}

Record Game2(uint64_t seed, const std::array<Player, 2>& players) {
  const Deal deal = DealFromSeed({.players = 2}, seed);
  Record record;
  record.config = deal.config;
  record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  for (Game game(New(record.config, record.deck));;) {
    if (game.state.step == Step::Over) {
      record.result = ToJson(record.config, Result(game.state));
      return record;
    }
    record.actions.push_back(players[game.state.seat](game, seed * 1000 + record.actions.size()));
    game.Apply(record.actions.back());
  }
}

// CIV_LONG=1 asks for more games, better players and a better judge.
const bool kLong = std::getenv("CIV_LONG") != nullptr;

// Of a judge that sees little, too: its errors add noise, but no bias. What each turn brings is
// zero on average whatever was before, so turns can be counted one by one.
TEST(Luck, IsZeroOnAverageAndMuchOfTheDifferenceBetweenEqualPlayers) {
  Spread luck, raw, adjusted, skill;
  const Player player = Thinks("master", kLong ? 250 : 20);
  for (uint64_t seed = 1; seed <= (kLong ? 2000 : 2); ++seed) {
    const Analysis analysis = Analyze(Game2(seed, {player, player}), Quick(kLong ? 1000 : 20));
    for (const Turn& turn : analysis.turns) luck.Add(turn.luck[0]);
    for (const Turn& turn : analysis.turns) skill.Add(turn.seat == 0 ? turn.lost : -turn.lost);
    raw.Add(analysis.end[0]);
    adjusted.Add(analysis.end[0] - analysis.luck[0]);
  }
  EXPECT_LT(luck.Off(), 3) << luck.Mean();
  EXPECT_LT(skill.Off(), 3) << skill.Mean();
  EXPECT_LT(adjusted.Variance(), kLong ? 0.85 * raw.Variance() : 1);  // docs/analysis.md
}

TEST(Luck, IsZeroOnAverageForTheWeakAndTheStrong) {
  Spread luck, skill;
  for (uint64_t seed = 1; seed <= (kLong ? 1000 : 2); ++seed) {
    const Seat weak = seed % 2;
    std::array<Player, 2> players;
    players[weak] = Thinks("level1", 0);
    players[1 - weak] = Thinks("master", kLong ? 250 : 20);
    const Analysis analysis = Analyze(Game2(seed, players), Quick(kLong ? 200 : 20));
    for (const Turn& turn : analysis.turns) luck.Add(turn.luck[weak]);
    skill.Add(analysis.skill[weak] - analysis.skill[1 - weak]);
  }
  EXPECT_LT(luck.Off(), 3) << luck.Mean();
  EXPECT_LT(skill.Mean(), 0);
}

// --- The rest ------------------------------------------------------------------------------------

TEST(Analysis, TheTurningPointIsTheLastTurnBeforeWhichTheWinnersWereNotAhead) {
  int turned = 0;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    const Config config =
        seed % 2 == 0 ? Config{.players = 2} : Config{.players = 4, .teams = true};
    const Record record = ByChance(config, seed);
    const Analysis analysis = Analyze(record, Quick(30));
    const unsigned winners = WinnersOf(record);
    if (std::popcount(winners) != (config.teams ? 2 : 1)) continue;
    const Seat winner = (winners & 1) != 0 ? 0 : 1;
    const auto ahead = [&](const Turn& turn) {
      return turn.before[winner] > turn.before[1 - winner];
    };
    size_t last = analysis.turns.size();
    while (last > 0 && ahead(analysis.turns[last - 1])) --last;
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
  EXPECT_EQ(unfinished.turns.front().turn, 0);  // the draft
  record.result = {{"winners", {2}}, {"by", "forfeit"}};
  EXPECT_EQ(WinnersOf(record), 0b0101u);
  EXPECT_EQ(Analyze(record, Quick()).result, (Chances{1, 0, 1, 0}));
  record.result["winners"] = Json::array();
  EXPECT_EQ(Analyze(record, Quick()).result, (Chances{0, 0, 0, 0}));
  record.actions.clear();
  EXPECT_TRUE(Analyze(record, Quick()).turns.empty());
}

TEST(Analysis, StopsWhenItIsTold) {
  const std::atomic<bool> stop = true;
  Inquiry inquiry = Quick(1'000'000'000);
  inquiry.stop = &stop;
  EXPECT_TRUE(Analyze(ByChance({.players = 2}, 1), inquiry).turns.empty());
}

// The moments that mattered most are turns with a remark, the worst first.
TEST(Analysis, FindsTheMomentsThatMattered) {
  Random random(1);
  const Record record = Played({.players = 2}, 1, [&](const State&, const ActionSet& legal) {
    return ChooseUniform(legal, random);
  });
  const Analysis analysis = Analyze(record, Quick());
  ASSERT_EQ(analysis.moments.size(), 3);
  for (size_t i = 0; i < 3; ++i) {
    const Turn& turn = analysis.turns[analysis.moments[i]];
    EXPECT_NE(turn.remark, Remark::None);
    EXPECT_LE(turn.lost, analysis.turns[analysis.moments[i > 0 ? i - 1 : 0]].lost);
  }
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
