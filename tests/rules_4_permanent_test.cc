// Rules, section 4: permanent effects and Inspiration.
#include <gtest/gtest.h>

#include "tests/support.h"

namespace civ::test {
namespace {

// Level 1 is available from `one` cards on and level 2 from `two`, in each Domain that has levels.
void ExpectLevels(int players, int one, int two) {
  struct Column {
    const char *card, *level1, *level2;
  };
  for (const auto& [card, level1, level2] : {Column{"M1 ", "assassination", "purge"},
                                             {"R1 ", "holy-book", "divine-right"},
                                             {"E3 ", "development", "monopoly"},
                                             {"S2 ", "experiment", "research"},
                                             {"U3 ", "oligarchy", "republic"}}) {
    std::string table;
    for (int count = 0; count <= 6; ++count, table += card) {
      const State state = Position(players).Hand("C3 C3").Table(table).Discard("C1 C1").Effects();
      EXPECT_EQ(May(state, level1), count >= one) << count << " " << card;
      EXPECT_EQ(May(state, level2), count >= two) << count << " " << card;
    }
  }
}

TEST(Section4Permanent, WithTwoPlayersLevelOneNeedsThreeCardsAndLevelTwoFive) {
  ExpectLevels(2, 3, 5);
}
TEST(Section4Permanent, WithThreePlayersLevelOneNeedsThreeCardsAndLevelTwoFive) {
  ExpectLevels(3, 3, 5);
}
TEST(Section4Permanent, WithFourPlayersLevelOneNeedsTwoCardsAndLevelTwoFour) {
  ExpectLevels(4, 2, 4);
}

TEST(Section4Permanent, WhoCanUseLevelTwoMayUseLevelOneInsteadButNeverBoth) {
  State state = Position(2).Hand("E1 E1 E1").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "assassination, discard E1");
  EXPECT_FALSE(May(state, "purge"));
}

TEST(Section4Permanent, AssassinationDiscardsOneCardFromHand) {
  State state = Position(2).Hand("M1 E2 U3").Table("M1 M1 M1").Effects();
  Do(state, "assassination");
  EXPECT_EQ(LegalNames(state), "discard M1, discard E2, discard U3");
  Do(state, "discard E2");
  EXPECT_EQ(Hand(state, 0), "M1 U3");
  EXPECT_EQ(Discard(state), "E2");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section4Permanent, PurgeDiscardsTwoCardsFromHand) {
  State state = Position(2).Hand("M1 E2 U3").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "purge, discard M1, discard U3");
  EXPECT_EQ(Hand(state, 0), "E2");
  EXPECT_EQ(Discard(state), "M1 U3");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section4Permanent, HolyBookMakesTheHandSizeFiveThisTurn) {
  State state = Position(2).Hand("M1 M1").Table("R1 R1 R1").Effects();
  Do(state, "holy-book, end");
  EXPECT_EQ(state.hands[0].Count(), 5);
}

TEST(Section4Permanent, DivineRightMakesTheHandSizeSevenThisTurn) {
  State state = Position(2).Hand("M1 M1").Table("R1 R1 R1 R1 R1").Effects();
  Do(state, "divine-right, end");
  EXPECT_EQ(state.hands[0].Count(), 7);
}

TEST(Section4Permanent, DevelopmentDiscardsOneFromThePlayAreaThenPlaysOneFromHand) {
  State state = Position(2).Hand("M1 U3").Table("E1 E1 E1 S1").Effects();
  Do(state, "development");
  EXPECT_EQ(LegalNames(state), "discard E, discard S");
  Do(state, "discard S");
  EXPECT_EQ(LegalNames(state), "play M1, play U3");
  Do(state, "play U3");
  EXPECT_EQ(Table(state, 0) + " | " + Hand(state, 0) + " | " + Discard(state),
            "E1 E1 E1 U3 | M1 | S1");
}

TEST(Section4Permanent, MonopolyDiscardsTwoThenPlaysTwo) {
  State state = Position(2).Hand("M1 S1 U3").Table("E1 E1 E1 E3 E3 C1").Effects();
  Do(state, "monopoly, discard E, discard C, play M1, play U3");
  EXPECT_EQ(Table(state, 0) + " | " + Hand(state, 0) + " | " + Discard(state),
            "M1 E1 E1 E3 E3 U3 | S1 | E1 C1");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section4Permanent, ExperimentTakesOneIntoHandThenPlaysOne) {
  State state = Position(2).Hand("M1").Table("S1 S1 S1 C1").Effects();
  Do(state, "experiment");
  EXPECT_EQ(LegalNames(state), "take S1, take C1");
  Do(state, "take C1");
  EXPECT_EQ(LegalNames(state), "play M1, play C1");
  Do(state, "play M1");
  EXPECT_EQ(Table(state, 0) + " | " + Hand(state, 0) + " | " + Discard(state),
            "M1 S1 S1 S1 | C1 | ");
}

TEST(Section4Permanent, ResearchTakesTwoThenPlaysTwo) {
  State state = Position(2).Hand("M1").Table("S1 S1 S1 S2 S2 C1").Effects();
  Do(state, "research, take C1, take S2, play M1, play C1");
  EXPECT_EQ(Table(state, 0) + " | " + Hand(state, 0), "M1 S1 S1 S1 C1 S2 | S2");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section4Permanent, OligarchyTakesOneCardOfChoiceFromTheDiscardPile) {
  State state = Position(2).Hand("M1").Table("U3 U3 U3").Discard("M1 S1 C2").Effects();
  Do(state, "oligarchy");
  EXPECT_EQ(LegalNames(state), "recover M1, recover S1, recover C2");
  Do(state, "recover C2");
  EXPECT_EQ(Hand(state, 0) + " | " + Discard(state), "M1 C2 | M1 S1");
}

TEST(Section4Permanent, RepublicTakesTwoCardsOfChoiceFromTheDiscardPile) {
  State state = Position(2).Table("U3 U3 U3 U3 U3").Discard("M1 S1 C2").Effects();
  Do(state, "republic, recover M1, recover C2");
  EXPECT_EQ(Hand(state, 0) + " | " + Discard(state), "M1 C2 | S1");
  EXPECT_EQ(Field(state, "step"), "\"effects\"");
}

TEST(Section4Permanent, CultureHasNoLevels) {
  EXPECT_EQ(LegalNames(
                Position(2).Hand("M1 M1 M1").Table("C1 C1 C1 C1 C2 C2").Discard("E1 E1").Effects()),
            "end");
}

// "One way to write each set": the sets are those of the rules, each can be named in one order
// only.

TEST(OneWayToWriteEachSet, CardsAreNamedInCardOrderWithRepeats) {
  State state = Position(2).Hand("M1 E1 E1 M2").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "purge, discard E1");
  EXPECT_EQ(LegalNames(state), "discard E1, discard M2");
}

TEST(OneWayToWriteEachSet, ACardThatWouldLeaveTooFewIsNotLegal) {
  const State state = Position(2).Hand("M1 E1 M2").Table("M1 M1 M1 M1 M1").Effects();
  State last_single = state,
        last_double = Position(2).Hand("M1 M2 M2").Table("M1 M1 M1 M1 M1").Effects();
  Do(last_single, "purge");
  Do(last_double, "purge");
  EXPECT_EQ(LegalNames(last_single), "discard M1, discard E1");
  EXPECT_EQ(LegalNames(last_double), "discard M1, discard M2");
}

TEST(OneWayToWriteEachSet, DomainsAreNamedInDomainOrderWithRepeats) {
  State state = Position(2).Hand("M1").Table("M2 E1 E1 E1 E1 E2 C1").Effects();
  Do(state, "monopoly");
  EXPECT_EQ(LegalNames(state),
            "discard M, discard E");  // after the one Culture card nothing would be left
  Do(state, "discard E");
  EXPECT_EQ(LegalNames(state), "discard E, discard C");
}

TEST(OneWayToWriteEachSet, TheLastDomainMayBeNamedFirstIfItHasTwoCards) {
  State state = Position(2).Table("E1 E1 E1 E1 E2 C1 C3").Effects();
  Do(state, "monopoly, discard C");
  EXPECT_EQ(LegalNames(state), "discard C");
}

TEST(OneWayToWriteEachSet, TheOrderBeginsAnewWhenTheVerbChanges) {
  State state = Position(2).Hand("M1").Table("S1 S1 S1 S2 S2 C3").Effects();
  Do(state, "research, take S2, take C3");
  EXPECT_EQ(Field(state, "choice"),
            R"({"effect":"research","verb":"play","left":2,"from":null,"target":null})");
  EXPECT_EQ(LegalNames(state), "play M1, play S2");
}

// --- Inspiration ---------------------------------------------------------------------------------

TEST(Section4Inspiration, NeedsNoNumberOfCultureCards) {
  EXPECT_TRUE(May(Position(3).Table("C1").Seat(1).Table("R1 R1 R1").Effects(), "copy holy-book"));
}

TEST(Section4Inspiration, NeedsStrictlyMoreCultureThanEachOtherPlayer) {
  const auto may = [](const char* own, const char* left, const char* right) {
    return May(Position(3)
                   .Table(own)
                   .Seat(1)
                   .Table(std::string("R1 R1 R1") + left)
                   .Seat(2)
                   .Table(right)
                   .Effects(),
               "copy holy-book");
  };
  EXPECT_FALSE(may("", "", ""));
  EXPECT_FALSE(may("C1", " C1", ""));
  EXPECT_FALSE(may("C1", "", "C1"));
  EXPECT_FALSE(may("C1 C1", " C1", "C1 C2"));
  EXPECT_TRUE(may("C1 C1", " C1", "C2"));
}

TEST(Section4Inspiration, CopiesWhatAnotherPlayerHasAvailableAndNothingElse) {
  const State state = Position(3)
                          .Hand("M1 M1")
                          .Table("C1 C1")
                          .Discard("M1 M1")
                          .Seat(1)
                          .Table("R1 R1 R1 E1 E1")
                          .Seat(2)
                          .Table("S1 S1 S1 S2 S2")
                          .Effects();
  EXPECT_EQ(LegalNames(state, "copy"), "copy holy-book, copy experiment, copy research");
}

TEST(Section4Inspiration, CopiesEachOfTheTenEffects) {
  for (const auto& [table, copies] : {std::pair{"M1 M1 M1 M1", "copy assassination, copy purge"},
                                      {"R1 R1 R1 R1", "copy holy-book, copy divine-right"},
                                      {"E1 E1 E1 E1", "copy development, copy monopoly"},
                                      {"S1 S1 S1 S1", "copy experiment, copy research"},
                                      {"U3 U3 U3 U3", "copy oligarchy, copy republic"}}) {
    const State state =
        Position(4).Hand("M1 M1").Table("C1 C1").Discard("M2 M2").Seat(2).Table(table).Effects();
    EXPECT_EQ(LegalNames(state, "copy"), copies);
  }
}

TEST(Section4Inspiration, ACopiedEffectDoesWhatItDoesAndStandsUnderItsOwnName) {
  State state = Position(2).Hand("M1 E1").Table("C1").Seat(1).Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "copy purge");
  EXPECT_EQ(Field(state, "choice"),
            R"({"effect":"purge","verb":"discard","left":2,"from":null,"target":null})");
  Do(state, "discard M1, discard E1");
  EXPECT_EQ(Discard(state), "M1 E1");
}

TEST(Section4Inspiration, IsUsedOnceATurn) {
  State state = Position(2).Hand("M1").Table("C1 C1").Seat(1).Table("M1 M1 M1 R1 R1 R1").Effects();
  Do(state, "copy holy-book");
  EXPECT_EQ(LegalNames(state, "copy"), "");
}

// Seat 0 leads by two Culture cards and copies Holy Book, which seats 1 and 2 have.
Position Inspired() {
  return Position(3)
      .Hand("M1 M1")
      .Table("C1 C1")
      .Seat(1)
      .Table("R1 R1 R1 M2 M2")
      .Seat(2)
      .Table("R2 R2 R2 M2");
}

TEST(Section4Inspiration, TheCoinIsLaidOnTheCopiedDomainOfTheNearestSeatClockwiseThatHasIt) {
  State state = Inspired().Effects();
  Do(state, "copy holy-book");
  EXPECT_EQ(Field(state, "coin"), R"({"owner":0,"seat":1,"domain":"R"})");
  State round_the_table =
      Position(3).Turn(1).Seat(1).Table("C1").Seat(0).Table("R1 R1 R1").Effects();
  Do(round_the_table, "copy holy-book");
  EXPECT_EQ(Field(round_the_table, "coin"), R"({"owner":1,"seat":0,"domain":"R"})");
}

TEST(Section4Inspiration, TheCoinLiesOnWhoHasTheLevelThatIsCopied) {
  State state =
      Position(3).Table("C1").Seat(1).Table("R1 R1 R1").Seat(2).Table("R2 R2 R2 R2 R2").Effects();
  Do(state, "copy divine-right");
  EXPECT_EQ(Field(state, "coin"), R"({"owner":0,"seat":2,"domain":"R"})");
}

TEST(Section4Inspiration, TheCoinGoesBackWhenTheOwnersNextTurnBegins) {
  State state = Inspired().Seat(1).Hand("M2 M2 M2").Seat(2).Hand("M2 M2").Effects();
  Do(state, "copy holy-book, end, play M2, end, play M2");
  EXPECT_EQ(Field(state, "coin"), R"({"owner":0,"seat":1,"domain":"R"})");
  Do(state, "end");
  EXPECT_EQ(Field(state, "coin"), "null");
}

TEST(Section4Inspiration, TheCoinGoesBackWhenAnotherPlayerHasAsManyCultureCards) {
  State state = Position(2)
                    .Turn(1)
                    .Seat(0)
                    .Table("C1")
                    .Seat(1)
                    .Table("R1 R1 R1")
                    .Hand("C1")
                    .Coin(0, 1, "R")
                    .Play();
  Do(state, "play C1");
  EXPECT_EQ(Field(state, "coin"), "null");
}

TEST(Section4Inspiration, TheCoinGoesBackWhenItsOwnerLosesTheLeadInTheSameTurn) {
  State state = Position(2).Hand("M1").Table("C1").Seat(1).Table("S1 S1 S1").Effects();
  Do(state, "copy experiment");
  EXPECT_EQ(Field(state, "coin"), R"({"owner":0,"seat":1,"domain":"S"})");
  Do(state, "take C1");
  EXPECT_EQ(Field(state, "coin"), "null");
  Do(state, "play C1");
  EXPECT_EQ(Field(state, "coin"), "null");
}

TEST(Section4Inspiration, TheCoinStaysWhenItsOwnerStillLeads) {
  State state = Position(2)
                    .Turn(1)
                    .Seat(0)
                    .Table("C1 C1")
                    .Seat(1)
                    .Table("R1 R1 R1")
                    .Hand("C1")
                    .Coin(0, 1, "R")
                    .Play();
  Do(state, "play C1");
  EXPECT_EQ(Field(state, "coin"), R"({"owner":0,"seat":1,"domain":"R"})");
}

TEST(Section4Inspiration, TheCoinStaysWhenTheCopiedDomainIsLost) {
  State state =
      Position(2).Turn(1).Seat(0).Table("C1").Seat(1).Table("S1").Coin(0, 1, "S").Effects();
  Do(state, "breakthrough, discard M1, discard M1, discard M1, discard M1, discard M1");
  EXPECT_EQ(Field(state, "coin"), R"({"owner":0,"seat":1,"domain":"S"})");
}

}  // namespace
}  // namespace civ::test
