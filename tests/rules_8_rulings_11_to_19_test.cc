// Rules, section 8: rulings 11 to 19. Those on what is known, 13 and 20, are in knowledge_test.cc.
#include <gtest/gtest.h>

#include "tests/support.h"

namespace civ::test {
namespace {

// --- 11: games that never end --------------------------------------------------------------------

// The turn of this number ends, with full hands; the last card left the deck in turn `last_draw`.
std::string WonAfter(int players, int turn, int last_draw) {
  Position position(players);
  for (int seat = 0; seat < players; ++seat) position.Seat(seat).Hand("M2 M2");
  State state = position.Seat((turn - 1) % players)
                    .Hand("R1 R1 R1")
                    .TurnNumber(turn)
                    .LastDraw(last_draw)
                    .Effects();
  Do(state, "end");
  return Won(state);
}

TEST(Ruling11, TheGameEndsWithMajorityAfterTwentyTurnsOfEveryPlayerWithoutACardLeavingTheDeck) {
  EXPECT_EQ(WonAfter(2, 40, 0), "0 1 by majority 0:0");
  EXPECT_EQ(WonAfter(3, 60, 0), "0 1 2 by majority 0:0:0");
  EXPECT_EQ(WonAfter(4, 80, 0), "0 1 2 3 by majority 0:0:0:0");
}

TEST(Ruling11, NineteenTurnsOfEveryPlayerAreNotEnough) {
  EXPECT_EQ(WonAfter(2, 38, 0), "not over");
  EXPECT_EQ(WonAfter(3, 57, 0), "not over");
  EXPECT_EQ(WonAfter(4, 76, 0), "not over");
}

TEST(Ruling11, ADrawInTheFirstOfTheTwentyRoundsIsOneTooLate) {
  EXPECT_EQ(WonAfter(3, 90, 30), "0 1 2 by majority 0:0:0");
  EXPECT_EQ(WonAfter(3, 90, 31), "not over");
}

TEST(Ruling11, TheGameEndsOnlyWhenTheFirstPlayerWouldBeNext) {
  EXPECT_EQ(WonAfter(3, 91, 29), "not over");
  EXPECT_EQ(WonAfter(3, 92, 29), "not over");
  EXPECT_EQ(WonAfter(3, 93, 29), "0 1 2 by majority 0:0:0");
}

TEST(Ruling11, ACardDrawnInStepThreeBeginsTheCountAnew) {
  State state = Position(2).TurnNumber(40).Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "not over");
  EXPECT_EQ(Field(state, "lastDraw"), "40");
}

TEST(Ruling11, ACardDrawnByBreakthroughBeginsTheCountAnew) {
  State state = Position(2).TurnNumber(40).Seat(1).Hand("R1 R1 R1").Table("S1").Effects();
  Do(state, "breakthrough, discard M1, discard M1, discard M1, discard M1, discard M1, end");
  EXPECT_EQ(Won(state), "not over");
}

TEST(Ruling11, IsForeseenUnlessTheTurnWillDraw) {
  const State state = Position(2).TurnNumber(40).Seat(1).Effects();
  EXPECT_EQ(ClosingAfterTurn(state, 3), 1);
  EXPECT_EQ(ClosingAfterTurn(state, 2), kNone);
}

TEST(Ruling11, HegemonyIsStillCheckedFirst) {
  State state = Position(2)
                    .TurnNumber(40)
                    .Seat(1)
                    .Hand("R1 R1 R1")
                    .Table("M1 M1 M1 M1 M1 M1 M1 M1")
                    .Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "1 by hegemony in M");
}

// --- 12: the end of a turn -----------------------------------------------------------------------

constexpr auto kHegemony = "M1 M1 M1 M1 M1 M1 M1 M1";

TEST(Ruling12, CardsAreDrawnBeforeHegemonyEndsTheGame) {
  State state = Position(2).Table(kHegemony).Deck("E3 S3 U3 U3").Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "0 by hegemony in M");
  EXPECT_EQ(Hand(state, 0), "E3 S3 U3");
}

TEST(Ruling12, EmbargoesOnThePlayerAreDiscardedBeforeHegemonyEndsTheGame) {
  State state = Position(2).Hand("R1 R1 R1").Table(kHegemony).Embargo(0, "M").Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "0 by hegemony in M");
  EXPECT_EQ(Field(state, "embargoes") + " " + Discard(state), "[] E1");
}

TEST(Ruling12, EmbargoesOnThePlayerAreDiscardedBeforeTheGameEndsWithMajority) {
  State state = Position(2).TurnNumber(40).Seat(1).Hand("R1 R1 R1").Embargo(1, "M").Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "0 1 by majority 0:0");
  EXPECT_EQ(Field(state, "embargoes") + " " + Discard(state), "[] E1");
}

TEST(Ruling12, EmbargoesOnOthersStayWhenTheGameIsOver) {
  State state = Position(2).Hand("R1 R1 R1").Table(kHegemony).Embargo(1, "M").Effects();
  Do(state, "end");
  EXPECT_EQ(Field(state, "embargoes"), R"([{"seat":1,"domain":"M","by":0,"card":"E1"}])");
}

TEST(Ruling12, HegemonyComesBeforeTheEndOfTheGame) {
  State state =
      Position(2).Turn(1).Deck("").Table("R1 E1 S1 C1 U3").Seat(1).Table(kHegemony).Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "1 by hegemony in M");
}

TEST(Ruling12, TheCoinOfTheNextPlayerReturnsOnlyIfThereIsANextTurn) {
  const Position position = Position(2).Turn(1).Table("C1").Coin(0, 1, "R");
  State goes_on = position.Effects(), over = Position(position).Deck("").Effects();
  Do(goes_on, "end");
  Do(over, "end");
  EXPECT_EQ(Field(goes_on, "coin"), "null");
  EXPECT_EQ(Field(over, "coin"), R"({"owner":0,"seat":1,"domain":"R"})");
}

TEST(Ruling12, WhenTheGameIsOverNobodyDecidesAndEverythingElseStaysAsItWas) {
  State state = Position(2).Hand("E1").Table(std::string(kHegemony) + " R1 R1 R1").Effects();
  Do(state, "holy-book, end");
  EXPECT_EQ(Field(state, "seat") + Field(state, "step") + LegalNames(state), "null\"over\"");
  EXPECT_EQ(Field(state, "turn") + Field(state, "handSize") + Field(state, "used"),
            R"(15{"permanent":["R"],"discard":[]})");
}

// --- 14 to 16 ------------------------------------------------------------------------------------

TEST(Ruling14, FaceDownCardsCountForNothingAtMajority) {
  State state =
      Position(2).Turn(1).Deck("").Embargo(0, "M").Democracy(0, "M").Democracy(1, "U").Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "0 1 by majority 0:0");
}

TEST(Ruling14, FaceDownCardsCountForNoLevel) {
  State state = Position(4).Table("U3 U3").Discard("M1").Seat(1).Table("M1").Effects();
  EXPECT_TRUE(May(state, "oligarchy"));
  Do(state, "democracy 1 M");
  EXPECT_FALSE(May(state, "oligarchy"));
}

TEST(Ruling14, FaceDownCardsCannotBeDiscardedByAnAttack) {
  State state = Position(2)
                    .Table("M1 E1 U3")
                    .Embargo(0, "M", "E2")
                    .Democracy(1, "U")
                    .Seat(1)
                    .Table("E1")
                    .Effects();
  Do(state, "attack E");
  EXPECT_EQ(Discard(state), "M1 E1 E1");
  EXPECT_EQ(Field(state, "embargoes"), R"([{"seat":0,"domain":"M","by":1,"card":"E2"}])");
}

TEST(Ruling14, FaceDownCardsCannotBeTaken) {
  State state = Position(2)
                    .Table("S1 S1 S1")
                    .Embargo(0, "M")
                    .Democracy(0, "U")
                    .Embargo(1, "M", "E2")
                    .Effects();
  Do(state, "experiment");
  EXPECT_EQ(LegalNames(state), "take S1");
}

TEST(Ruling15, TheCoinIsAReminderOnly) {
  const Position position =
      Position(3).Hand("M1").Table("C1").Seat(1).Table("R1 R1 R1").Seat(2).Table("R2 R2 R2");
  EXPECT_EQ(LegalNames(Position(position).Coin(0, 1, "R").Effects()),
            LegalNames(position.Effects()));
  EXPECT_EQ(LegalNames(Position(position).Turn(1).Coin(0, 1, "R").Effects()),
            LegalNames(Position(position).Turn(1).Effects()));
}

TEST(Ruling16, WhenBreakthroughDrawsTheLastCardTheTurnGoesOnAsUsual) {
  State state = Position(2).Table("M1 M1 S1").Deck("U3").Effects();
  Do(state, "breakthrough, discard U3, attack M, end");
  EXPECT_EQ(Hand(state, 0), "");
  EXPECT_EQ(Field(state, "seat") + Field(state, "closing") + Won(state), "11not over");
}

TEST(Ruling16, EvenInTheLastTurnOfTheRound) {
  State state = Position(2).Turn(1).Deck("U3").Seat(1).Table("M1 M1 S1").Effects();
  Do(state, "breakthrough, discard U3");
  EXPECT_EQ(Won(state), "not over");
  EXPECT_TRUE(May(state, "attack M"));
  Do(state, "end");
  EXPECT_EQ(Won(state), "1 by majority 0:1");
}

// --- 17 to 19: Majority --------------------------------------------------------------------------

TEST(Ruling17, ADomainThatNobodyHasGivesNoPoint) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"", ""})), "0 1 by majority 0:0");
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1", "", "", ""}).Teams()), "0 2 by majority 1:0");
}

TEST(Ruling18, EachTieBreakDropsThoseWhoHaveFewerAndWhoIsOutStaysOut) {
  // One point each. Utopia drops seat 2, who has the most Culture; of the other two seat 0 has
  // more.
  EXPECT_EQ(WonAtTheEnd(LastTurn({"U3 C1 C1", "U3 C2", "C3 C3 C3"})), "0 by majority 1:1:1");
}

TEST(Ruling18, WhoIsTiedToTheEndSharesTheVictory) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1 S1", "M1 S1", "M1 S1"})), "0 1 2 by majority 2:2:2");
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1 M1 S1", "M1", "M2 M2 S3"})), "0 2 by majority 2:0:2");
}

TEST(Ruling19, TeamsTiedOnPointsCompareTheirSummedCardsInTheSameOrder) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"U3 U3 M1", "U3 U3 U3", "U3 U3", ""}).Teams()),
            "0 2 by majority 1:1");
  EXPECT_EQ(WonAtTheEnd(LastTurn({"C1 S1 S1", "C1", "C1", "C1 M1"}).Teams()),
            "0 2 by majority 2:2");
}

TEST(Ruling19, TeamsTiedToTheEndShareTheVictory) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1", "", "", "M1"}).Teams()), "0 1 2 3 by majority 1:1");
}

}  // namespace
}  // namespace civ::test
