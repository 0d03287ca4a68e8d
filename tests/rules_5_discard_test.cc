// Rules, section 5: discard effects.
#include <gtest/gtest.h>

#include "civ/notation/json.h"
#include "tests/support.h"

namespace civ::test {
namespace {

TEST(Section5DiscardEffects, AttackDiscardsAMilitaryCardAndOneOfTheDomainFromEachPlayArea) {
  State state =
      Position(3).Table("M1 E1 E1").Seat(1).Table("E2 C1").Seat(2).Table("E3 E3").Effects();
  Do(state, "attack E");
  EXPECT_EQ(Table(state, 0) + " | " + Table(state, 1) + " | " + Table(state, 2), "E1 | C1 | E3");
  EXPECT_EQ(Discard(state), "M1 E1 E2 E3");
}

TEST(Section5DiscardEffects, AttackSparesPlayersWhoHaveNoCardOfTheDomain) {
  State state = Position(3).Table("M1 E1").Seat(1).Table("M1 C1").Seat(2).Table("E3").Effects();
  Do(state, "attack E");
  EXPECT_EQ(Table(state, 1), "M1 C1");
}

TEST(Section5DiscardEffects, AttackOnMilitaryCostsTheAttackerTwo) {
  State state = Position(2).Table("M1 M1 M1").Seat(1).Table("M1 M1").Effects();
  Do(state, "attack M");
  EXPECT_EQ(Table(state, 0) + " | " + Table(state, 1), "M1 | M1");
}

TEST(Section5DiscardEffects, AttackMayChooseAnyDomainThatTheAttackerHas) {
  EXPECT_EQ(LegalNames(Position(2).Table("M1 M1 R1 C1").Seat(1).Table("E1 U3").Effects(), "attack"),
            "attack M, attack R, attack C");
}

TEST(Section5DiscardEffects, InquisitionTakesTheWholeHandOfAnotherPlayer) {
  State state = Position(3).Hand("M1 E1").Table("R1").Seat(2).Hand("S1 U3").Effects();
  EXPECT_EQ(LegalNames(state, "inquisition"), "inquisition 1, inquisition 2");
  Do(state, "inquisition 2");
  EXPECT_EQ(Hand(state, 0) + " | " + Hand(state, 2), "M1 E1 S1 U3 | ");
  EXPECT_EQ(Table(state, 0) + " | " + Discard(state), " | R1");
}

TEST(Section5DiscardEffects, InquisitionGivesBackAsManyCardsAsWereTakenAnyFromHand) {
  State state = Position(3).Hand("M1 E1").Table("R1").Seat(2).Hand("S1 U3").Effects();
  Do(state, "inquisition 2");
  EXPECT_EQ(LegalNames(state),
            "give M1, give E1, give S1");  // two are wanted, and after U3 nothing would be left
  Do(state, "give E1, give S1");
  EXPECT_EQ(Hand(state, 0) + " | " + Hand(state, 2), "M1 U3 | E1 S1");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section5DiscardEffects, TheGivenCardsMoveOneByOne) {
  State state = Position(3).Hand("M1 E1").Table("R1").Seat(2).Hand("S1 U3").Effects();
  Do(state, "inquisition 2, give M1");
  EXPECT_EQ(Hand(state, 0) + " | " + Hand(state, 2), "E1 S1 U3 | M1");
  EXPECT_EQ(Field(state, "choice"),
            R"({"effect":"inquisition","verb":"give","left":1,"from":"M1","target":2})");
}

TEST(Section5DiscardEffects, EmbargoIsLaidOnADomainOfAnotherPlayerWhoHasACardThere) {
  State state = Position(3).Table("E1").Seat(1).Table("M1 C1").Seat(2).Table("U3").Effects();
  EXPECT_EQ(LegalNames(state, "embargo"), "embargo 1 M, embargo 1 C, embargo 2 U");
  Do(state, "embargo 1 C");
  EXPECT_EQ(Field(state, "embargoes"), R"([{"seat":1,"domain":"C","by":0,"card":"E1"}])");
  EXPECT_EQ(Table(state, 0) + " | " + Discard(state), " | ");
}

TEST(Section5DiscardEffects, EmbargoStopsTheNextTurnThatThePlayerTakes) {
  State state = Position(3)
                    .Table("E1")
                    .Hand("R1 R1 R1")
                    .Seat(1)
                    .Hand("M1 M1 M1")
                    .Seat(2)
                    .Hand("M1 C1 C1")
                    .Table("M1")
                    .Effects();
  Do(state, "embargo 2 M, end");
  EXPECT_EQ(LegalNames(state), "play M1");  // seat 1 is not meant
  Do(state, "play M1, end");
  EXPECT_EQ(LegalNames(state), "play C1");
}

TEST(Section5DiscardEffects, EmbargoGoesToTheDiscardPileAtTheEndOfThatTurn) {
  State state =
      Position(2).Table("E1").Hand("R1 R1 R1").Seat(1).Hand("M1 C1 C1").Table("M1").Effects();
  Do(state, "embargo 1 M, end, play C1");
  EXPECT_EQ(Discard(state), "");
  Do(state, "end");
  EXPECT_EQ(Discard(state), "E1");
  Do(state, "play R1, end");
  EXPECT_TRUE(May(state, "play M1"));
}

TEST(Section5DiscardEffects, BreakthroughDrawsFiveThenDiscardsFiveFromHand) {
  State state = Position(2).Hand("M1 U3").Table("S1").Deck("R1 E1 C1 C1 C1 R2").Effects();
  const int pile = state.discard.Count();
  Do(state, "breakthrough");
  EXPECT_EQ(Hand(state, 0) + " | " + Field(state, "deck"), "M1 R1 E1 C1 C1 C1 U3 | [\"R2\"]");
  EXPECT_EQ(LegalNames(state), "discard M1, discard R1, discard E1");
  Do(state, "discard M1, discard E1, discard C1, discard C1, discard U3");
  EXPECT_EQ(Hand(state, 0), "R1 C1");
  EXPECT_EQ(state.discard.Count(), pile + 6);
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section5DiscardEffects, BreakthroughDrawsAllIfFewerAndDiscardsAsMany) {
  State state = Position(2).Hand("M1").Table("S1").Deck("C3 U3").Effects();
  Do(state, "breakthrough, discard M1, discard U3");
  EXPECT_EQ(Hand(state, 0), "C3");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section5DiscardEffects, DemocracyIsLaidOnADomainOfAnotherPlayerWhoHasACardThere) {
  State state = Position(3).Table("U3").Seat(1).Table("M1 C1").Seat(2).Table("U3").Effects();
  EXPECT_EQ(LegalNames(state, "democracy"), "democracy 1 M, democracy 1 C, democracy 2 U");
  Do(state, "democracy 2 U");
  EXPECT_EQ(Field(state, "democracies"), R"([{"seat":2,"domain":"U","by":0}])");
  EXPECT_EQ(Table(state, 0) + " | " + Discard(state), " | ");
}

TEST(Section5DiscardEffects, DemocracyLiesForTheRestOfTheGame) {
  State state =
      Position(2).Table("U3").Hand("R1 R1 R1").Seat(1).Table("M1").Hand("R2 R2 R2").Effects();
  Do(state, "democracy 1 M, end, play R2, end, play R1, end, play R2, end, play R1, end");
  EXPECT_EQ(Field(state, "democracies"), R"([{"seat":1,"domain":"M","by":0}])");
}

TEST(Section5DiscardEffects, AllUtopiaCardsMayLieThere) {
  Position position = Position(4).Table("U3").Seat(1).Table("M1");
  for (int laid = 1; laid < 16; ++laid) position.Democracy(1, "M");
  State state = position.Effects();
  Do(state, "democracy 1 M");
  EXPECT_EQ(HegemonyNeed(state, 1, Domain::Military), 7 + 16);
  const auto again = StateFromJson(Json::parse(ToJson(state).dump()));
  ASSERT_TRUE(again);
  EXPECT_EQ(ToJson(*again), ToJson(state));
}

TEST(Section5DiscardEffects, CultureHasNone) {
  EXPECT_EQ(LegalNames(Position(2).Table("C1 C1 C1").Seat(1).Hand("M1").Table("M1").Effects()),
            "end");
}

}  // namespace
}  // namespace civ::test
