// Rules, section 3: a turn.
#include <gtest/gtest.h>

#include "tests/support.h"

namespace civ::test {
namespace {

TEST(Section3Turn, StepOneIsToPlayOneCardFromHandIntoThePlayArea) {
  State state = Position(2).Hand("M1 E1 U3").Play();
  EXPECT_EQ(LegalNames(state), "play M1, play E1, play U3");
  Do(state, "play E1");
  EXPECT_EQ(Hand(state, 0), "M1 U3");
  EXPECT_EQ(Table(state, 0), "E1");
}

TEST(Section3Turn, NoSecondCardIsPlayed) {
  State state = Position(2).Hand("M1 E1").Play();
  Do(state, "play E1");
  EXPECT_EQ(LegalNames(state, "play"), "");
}

TEST(Section3Turn, WhoHasAPlayableCardMustPlay) {
  EXPECT_EQ(LegalNames(Position(2).Hand("M1 E1").Embargo(0, "M").Play()), "play E1");
}

TEST(Section3Turn, WhoHasAnEmptyHandMustSkip) {
  State state = Position(2).Play();
  EXPECT_EQ(LegalNames(state), "skip");
  Do(state, "skip");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section3Turn, WhoHasOnlyEmbargoedCardsMustSkip) {
  State state = Position(2).Hand("M1 M2").Embargo(0, "M").Play();
  EXPECT_EQ(LegalNames(state), "skip");
  Do(state, "skip");
  EXPECT_EQ(Hand(state, 0), "M1 M2");
}

TEST(Section3Turn, EffectsMayBeUsedInAnyOrderOrNotAtAll) {
  const State state = Position(2).Hand("M1").Table("M1 M1 M1 R1").Effects();
  EXPECT_EQ(LegalNames(state), "assassination, attack M, attack R, inquisition 1, end");
  for (const auto actions :
       {"end", "assassination, discard M1, attack M, inquisition 1", "inquisition 1, attack M"}) {
    State other = state;
    Do(other, actions);
  }
}

TEST(Section3Turn, APermanentAndADiscardEffectOfOneDomainMayBothBeUsed) {
  State state = Position(2).Hand("M1").Table("M1 M1 M1").Effects();
  Do(state, "assassination, discard M1, attack M");
  EXPECT_EQ(Field(state, "used"), R"({"permanent":["M"],"discard":["M"]})");
}

TEST(Section3Turn, ADomainHasOnePermanentEffectATurn) {
  State state = Position(2).Hand("M1 E1 E1").Table("M1 M1 M1 M1 M1 R1 R1 R1").Effects();
  Do(state, "assassination, discard E1");
  EXPECT_FALSE(May(state, "assassination"));
  EXPECT_TRUE(May(state, "holy-book"));
}

TEST(Section3Turn, ADomainHasOneDiscardEffectATurn) {
  State state = Position(2).Table("M1 M1 M1 M1 S1").Effects();
  Do(state, "attack M");
  EXPECT_EQ(LegalNames(state, "attack"), "");
  EXPECT_TRUE(May(state, "breakthrough"));
}

TEST(Section3Turn, UsedEffectsAreFreeAgainInTheNextTurn) {
  State state = Position(2)
                    .Hand("C1 C1 C1 C1")
                    .Table("R1 R1 R1 M1 M1 M1 M1")
                    .Seat(1)
                    .Hand("C2 C2 C2")
                    .Effects();
  Do(state, "holy-book, attack M, end, play C2, end, play C1, holy-book, attack M");
  EXPECT_EQ(Field(state, "used"), R"({"permanent":["R"],"discard":["M"]})");
}

TEST(Section3Turn, OneEffectIsFinishedBeforeTheNextBegins) {
  State state = Position(2).Hand("M1 E1 E1").Table("M1 M1 M1 M1 M1 R1 R1 R1").Effects();
  Do(state, "purge, discard M1");
  EXPECT_EQ(LegalNames(state), "discard E1");
}

TEST(Section3Turn, StepThreeDrawsUpToThreeCards) {
  State state = Position(2).Hand("U3").Deck("M1 E1 S1 C1").Effects();
  Do(state, "end");
  EXPECT_EQ(Hand(state, 0), "M1 E1 U3");
  EXPECT_EQ(Field(state, "deck"), R"(["S1","C1"])");
  EXPECT_EQ(Field(state, "lastDraw"), "1");
}

TEST(Section3Turn, FewerCardsAreDrawnWhenTheDeckRunsOut) {
  State state = Position(2).Deck("M1 E1").Effects();
  Do(state, "end");
  EXPECT_EQ(Hand(state, 0), "M1 E1");
}

TEST(Section3Turn, WhoHasMoreCardsDrawsNothingAndDiscardsNothing) {
  State state = Position(2).Hand("M1 M1 M1 E1 U3").Effects();
  Do(state, "end");
  EXPECT_EQ(Hand(state, 0), "M1 M1 M1 E1 U3");
  EXPECT_EQ(Discard(state), "");
  EXPECT_EQ(Field(state, "lastDraw"), "0");
}

TEST(Section3Turn, TheNextSeatClockwiseFollows) {
  State state = Position(3).First(2).Turn(2).Effects();
  Do(state, "end");
  EXPECT_EQ(Field(state, "seat") + Field(state, "turn") + Field(state, "step"), "02\"play\"");
}

TEST(Section3Turn, TheAgeOfACardNeverChangesWhatItDoes) {
  const State state = Position(2).Hand("C1").Table("M1 M2 M3").Seat(1).Table("E3").Effects();
  EXPECT_EQ(LegalNames(state), "assassination, attack M, end");
}

}  // namespace
}  // namespace civ::test
