// Taking back at a table.
#include <gtest/gtest.h>

#include "tests/sitting.h"

namespace civ::sitting::taking_back {
namespace {

using namespace command;
using std::string;
using test::Hand;

// --- Taking back ---------------------------------------------------------------------------------

// Ada and Bob hold Military cards only, so that nobody uses an effect.
Sitting Military(const TableOptions& options = For(2)) {
  Sitting at(options);
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  return at;
}

TEST(TableBack, FreeWithinTheOwnTurn) {
  for (const Takebacks takebacks : {Takebacks::Turn, Takebacks::Ask}) {
    Sitting at = Military(WithTakebacks(2, takebacks));
    at.Act("Ada", "play M1");
    EXPECT_EQ(at.Back("Ada", 0), "");
    EXPECT_EQ(at.actions(), 0);
    EXPECT_EQ(Hand(at.state(), 0), "M1 M1 M1");
    for (const int to : {0, 5})
      EXPECT_EQ(at.Back("Ada", to), takebacks == Takebacks::Turn ? "error.table.no-takebacks"
                                                                 : "error.table.nothing-back");
  }
}

TEST(TableBack, NotAtAllIfSoAgreed) {
  Sitting at = Military(WithTakebacks(2, Takebacks::Never));
  at.Act("Ada", "play M1");
  EXPECT_EQ(at.Back("Ada", 0), "error.table.no-takebacks");
}

TEST(TableBack, OthersMovesOnlyByConsent) {
  Sitting at = Military(WithTakebacks(3, Takebacks::Ask));
  at.Act("Ada", "play M1");
  EXPECT_EQ(at.Back("Bob", 0), "");
  EXPECT_EQ(at.actions(), 1);
  EXPECT_EQ(at.Back("Ada", 0), "") << "which is free";
  at.Act("Ada", "play M1");
  at.Back("Bob", 0);
  EXPECT_EQ(at.Answers("Bob", true), "error.table.not-asked");
  EXPECT_EQ(at.Answers("Eve", true), "error.table.not-seated");
  at.Answers("Ada", true);
  EXPECT_EQ(at.actions(), 1);
  at.Answers("Cyd", true);
  EXPECT_EQ(at.actions(), 0);
  EXPECT_FALSE(at.table.question());
}

TEST(TableBack, AYesIsForTheQuestionThatItWasGivenTo) {
  Sitting at = Military();
  at.Act("Ada", "play M1");
  ASSERT_EQ(at.Back("Bob", 0), "");
  const int64_t first = at.table.question()->number;
  EXPECT_EQ(at.Tell("Ada")["table"]["question"]["n"], first);
  ASSERT_EQ(at.Answers("Ada", false), "");
  ASSERT_EQ(at.Back("Bob", 0), "") << "he asks again";
  EXPECT_EQ(at.Do("Ada", Answer{first, true}), "error.table.not-asked");
  EXPECT_EQ(at.actions(), 1);
  EXPECT_EQ(at.Do("Ada", Answer{at.table.question()->number, true}), "");
  EXPECT_EQ(at.actions(), 0);
}

TEST(TableBack, ANoEndsTheQuestion) {
  Sitting at = Military(WithTakebacks(3, Takebacks::Ask));
  at.Act("Ada", "play M1");
  at.Back("Bob", 0);
  EXPECT_EQ(at.Back("Cyd", 0), "error.table.asked");
  at.Answers("Ada", false);
  EXPECT_FALSE(at.table.question());
  EXPECT_EQ(at.Answers("Cyd", true), "error.table.not-asked");
  EXPECT_EQ(at.Back("Cyd", 0), "");
}

TEST(TableBack, WithinTheTurnOnlyMeansNeverByConsent) {
  Sitting at = Military(WithTakebacks(2, Takebacks::Turn));
  at.Act("Ada", "play M1");
  EXPECT_EQ(at.Back("Bob", 0), "error.table.no-takebacks");
}

TEST(TableBack, AQuestionLapsesWhenTheGameGoesOn) {
  Sitting at = Military();
  at.Act("Ada", "play M1");
  at.Back("Bob", 0);
  at.Do("Ada", Say{"no", ""});
  EXPECT_TRUE(at.table.question());
  at.Act("Ada", "end");
  EXPECT_FALSE(at.table.question());
  EXPECT_EQ(at.Answers("Ada", true), "error.table.not-asked");
}

TEST(TableBack, AQuestionToBotsIsAnsweredAtOnce) {
  Sitting at;
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1", 0b10);
  at.Act("Ada", "play M1, end");
  EXPECT_EQ(at.Back("Ada", 0), "error.table.revealed") << "a card was drawn";
}

TEST(TableBack, NeverPastACardThatWasDrawn) {
  Sitting at = Military();
  at.Act("Ada", "play M1");
  at.Act("Ada", "end");
  EXPECT_EQ(at.table.barrier(), 2);
  for (const int to : {0, 1}) EXPECT_EQ(at.Back("Ada", to), "error.table.revealed");
  EXPECT_EQ(at.Back("Bob", 2), "error.table.nothing-back");
}

TEST(TableBack, NeverPastABreakthrough) {
  Sitting at;
  at.Begin(kScienceAndReligion);
  at.Act("Ada", "play S1");
  at.Act("Ada", "breakthrough");
  at.Act("Ada", "discard M1, discard M1");
  for (const int to : {0, 1}) EXPECT_EQ(at.Back("Ada", to), "error.table.revealed");
  EXPECT_EQ(at.Back("Ada", 3), "");
  EXPECT_EQ(at.Back("Ada", 2), "");
  EXPECT_EQ(at.state().choice.left, 5);
}

TEST(TableBack, NeverPastAnInquisitionOrACardGiven) {
  Sitting at;
  at.Begin("R1 R1 R1 E1 E1 S1");
  at.Act("Ada", "play R1");
  at.Act("Ada", "inquisition 1");
  EXPECT_EQ(at.Back("Ada", 1), "error.table.revealed");
  at.Act("Ada", "give R1");
  EXPECT_EQ(at.Back("Ada", 2), "error.table.revealed");
}

// Whatever anybody has newly seen cannot be taken back, in any game.
void ExpectBarriers(civ::Setup setup, uint64_t seed, int& barriers) {
  const Deal deal = DealFromSeed(For(2 + static_cast<int>(seed % 3), setup).config, seed);
  Sitting at(For(deal.config.players, setup));
  at.Begin({deal.deck.Span().begin(), deal.deck.Span().end()});
  Random random(seed);
  while (at.table.status() == Status::Running) {
    const State before = at.state();
    if (const int round = at.table.DraftRound(); round > 0) {
      for (Seat seat = 0; seat < before.config.players; ++seat)
        at.Do(kNames[seat], command::Pick{round, Cards(before.packs[seat]).First()});
    } else {
      const Action action = Choose(Policy::EffectHappy, before, Legal(before), random);
      ASSERT_EQ(at.Do(kNames[before.seat], command::Act{at.table.number(), {action}}), "");
    }
    const Action last = at.table.actions().back();
    const bool gives = last.NamesCard() && last.verb() == Verb::Give;
    if (before.step != Step::Draft && before.deck_size == at.state().deck_size && !gives) continue;
    ++barriers;
    ASSERT_EQ(at.table.barrier(), at.actions()) << NameOf(last);
  }
}

TEST(TableBack, NeverPastAnythingThatWasSeen) {
  int barriers = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    ExpectBarriers(civ::Setup::Basic, seed, barriers);
    ExpectBarriers(civ::Setup::Draft, seed, barriers);
  }
  EXPECT_GT(barriers, 1000);
}

}  // namespace
}  // namespace civ::sitting::taking_back
