// Rules, section 8: rulings 1 to 10.
#include <gtest/gtest.h>

#include "tests/support.h"

namespace civ::test {
namespace {

constexpr auto kEffects = "\"effects\"";

// --- 1: effects that cannot be carried out in full -----------------------------------------------

TEST(Ruling01, AssassinationNeedsAHandCardAndPurgeTwo) {
  const auto legal = [](const char* hand) {
    return LegalNames(Position(4).Hand(hand).Table("M1 M1 M1 M1").Effects());
  };
  EXPECT_EQ(legal(""), "attack M, end");
  EXPECT_EQ(legal("E1"), "assassination, attack M, end");
  EXPECT_EQ(legal("E1 E1"), "assassination, purge, attack M, end");
}

TEST(Ruling01, OligarchyNeedsACardInTheDiscardPileAndRepublicTwo) {
  const auto legal = [](const char* pile) {
    return LegalNames(Position(4).Table("U3 U3 U3 U3").Discard(pile).Effects());
  };
  EXPECT_EQ(legal(""), "end");
  EXPECT_EQ(legal("E1"), "oligarchy, end");
  EXPECT_EQ(legal("E1 E1"), "oligarchy, republic, end");
}

TEST(Ruling01, DevelopmentAndExperimentNeedACardInThePlayAreaMonopolyAndResearchTwo) {
  const auto copies = [](const char* table) {
    return LegalNames(Position(4).Table(table).Seat(1).Table("E1 E1 E1 E1 S1 S1 S1 S1").Effects(),
                      "copy");
  };
  EXPECT_EQ(copies("C1"), "copy development, copy experiment");
  EXPECT_EQ(copies("C1 M1"), "copy development, copy experiment, copy monopoly, copy research");
}

TEST(Ruling01, ACopiedEffectMustBePossibleInFullToo) {
  const State state = Position(4)
                          .Hand("M1")
                          .Table("C1")
                          .Discard("R1")
                          .Seat(1)
                          .Table("M1 M1 M1 M1 U3 U3 U3 U3")
                          .Effects();
  EXPECT_EQ(LegalNames(state, "copy"), "copy assassination, copy oligarchy");
}

TEST(Ruling01, WithOnePlayableCardMonopolyPlaysOne) {
  State state = Position(4).Hand("M1").Table("E1 E1 E1 E1").Effects();
  Do(state, "monopoly, discard E, discard E");
  EXPECT_EQ(Field(state, "choice"),
            R"({"effect":"monopoly","verb":"play","left":1,"from":null,"target":null})");
  Do(state, "play M1");
  EXPECT_EQ(Field(state, "step"), kEffects);
}

TEST(Ruling01, WithNoPlayableCardMonopolyPlaysNone) {
  State state = Position(4).Table("E1 E1 E1 E1").Effects();
  Do(state, "monopoly, discard E, discard E");
  EXPECT_EQ(Field(state, "step"), kEffects);
}

TEST(Ruling01, WithNoPlayableCardDevelopmentPlaysNone) {
  State state = Position(4).Hand("M1").Table("E1 E1").Embargo(0, "M").Effects();
  Do(state, "development, discard E");
  EXPECT_EQ(Field(state, "step"), kEffects);
  EXPECT_EQ(Hand(state, 0), "M1");
}

TEST(Ruling01, ResearchPlaysAsFarAsPossible) {
  State state = Position(4).Hand("R1").Table("S1 S1 S1 S2").Embargo(0, "S").Effects();
  Do(state, "research, take S1, take S2");
  EXPECT_EQ(LegalNames(state), "play R1");
  Do(state, "play R1");
  EXPECT_EQ(Field(state, "step"), kEffects);
}

TEST(Ruling01, ExperimentPlaysNothingIfAllCardsAreEmbargoed) {
  State state = Position(4).Table("S1 S1").Embargo(0, "S").Effects();
  Do(state, "experiment, take S1");
  EXPECT_EQ(Field(state, "step"), kEffects);
}

TEST(Ruling01, WhatFollowsThenMustBeDoneWherePossible) {
  State state = Position(4).Hand("M1 R1").Table("E1 E1").Effects();
  Do(state, "development, discard E");
  EXPECT_EQ(LegalNames(state), "play M1, play R1");
}

TEST(Ruling01, WhatFollowsThenHoldsForACopyToo) {
  State state = Position(4).Hand("M1").Table("C1 C1").Seat(1).Table("E1 E1 E1 E1").Effects();
  Do(state, "copy monopoly, discard C, discard C");
  EXPECT_EQ(LegalNames(state), "play M1");
}

// --- 2: which of several cards of one Domain -----------------------------------------------------

TEST(Ruling02, ACardFromTheHandIsChosenExactly) {
  State state = Position(2).Hand("M1 M2 M3").Table("M1 M1 M1").Effects();
  Do(state, "assassination");
  EXPECT_EQ(LegalNames(state), "discard M1, discard M2, discard M3");
}

TEST(Ruling02, ACardTakenFromThePlayAreaIntoTheHandIsChosenExactly) {
  State state = Position(2).Table("S1 S2 S3").Effects();
  Do(state, "experiment");
  EXPECT_EQ(LegalNames(state), "take S1, take S2, take S3");
}

TEST(Ruling02, ACardTakenFromTheDiscardPileIsChosenExactly) {
  State state = Position(2).Table("U3 U3 U3").Discard("M1 M2 M3").Effects();
  Do(state, "oligarchy");
  EXPECT_EQ(LegalNames(state), "recover M1, recover M2, recover M3");
}

TEST(Ruling02, ACardGivenBackIsChosenExactly) {
  State state = Position(2).Hand("M1 M2").Table("R1").Seat(1).Hand("M3").Effects();
  Do(state, "inquisition 1");
  EXPECT_EQ(LegalNames(state), "give M1, give M2, give M3");
}

TEST(Ruling02, AnAttackDiscardsTheOldestAgeFirst) {
  State state = Position(2).Table("M1 M2 E2 E3").Seat(1).Table("E1 E3").Effects();
  Do(state, "attack E");
  EXPECT_EQ(Table(state, 0) + " | " + Table(state, 1), "M2 E3 | E3");
  EXPECT_EQ(Discard(state), "M1 E1 E2");
}

TEST(Ruling02, DevelopmentDiscardsTheOldestAgeFirst) {
  State state = Position(2).Table("E1 E2 E3").Effects();
  Do(state, "development, discard E");
  EXPECT_EQ(Discard(state), "E1");
}

TEST(Ruling02, MonopolyDiscardsTheTwoOldest) {
  State state = Position(4).Table("E1 E2 E3 E3").Effects();
  Do(state, "monopoly, discard E, discard E");
  EXPECT_EQ(Discard(state), "E1 E2");
}

TEST(Ruling02, InquisitionGivesUpTheOldest) {
  State state = Position(2).Table("R1 R2").Effects();
  Do(state, "inquisition 1");
  EXPECT_EQ(Table(state, 0), "R2");
}

TEST(Ruling02, BreakthroughGivesUpTheOldest) {
  State state = Position(2).Table("S2 S3").Deck("").Effects();
  Do(state, "breakthrough");
  EXPECT_EQ(Table(state, 0), "S3");
}

TEST(Ruling02, EmbargoLaysTheOldest) {
  State state = Position(2).Table("E2 E3").Seat(1).Table("M1").Effects();
  Do(state, "embargo 1 M");
  EXPECT_EQ(Field(state, "embargoes"), R"([{"seat":1,"domain":"M","by":0,"card":"E2"}])");
}

// --- 3 to 5: what may be aimed at ----------------------------------------------------------------

TEST(Ruling03, EmbargoDemocracyAndInquisitionNeverAimAtOneself) {
  const State state = Position(3).Turn(1).Seat(1).Table("R1 E1 U3 M1").Effects();
  for (const auto action : {"inquisition 1", "embargo 1 M", "democracy 1 M"})
    EXPECT_FALSE(May(state, action)) << action;
}

TEST(Ruling04, InquisitionMayAimAtAnEmptyHand) {
  State state = Position(2).Hand("M1").Table("R1").Effects();
  Do(state, "inquisition 1");
  EXPECT_EQ(Field(state, "step"), kEffects);
  EXPECT_EQ(Hand(state, 0) + " | " + Discard(state), "M1 | R1");
}

TEST(Ruling04, BreakthroughMayBeUsedOnAnEmptyDeck) {
  State state = Position(2).Hand("M1").Table("S1").Deck("").Effects();
  Do(state, "breakthrough");
  EXPECT_EQ(Field(state, "step"), kEffects);
  EXPECT_EQ(Hand(state, 0) + " | " + Table(state, 0), "M1 | ");
}

TEST(Ruling04, EmbargoMayAimAtSomeoneWhoHasNoTurnLeft) {
  State state = Position(2).Turn(1).Deck("").Table("M1").Seat(1).Table("E1").Effects();
  Do(state, "embargo 0 M, end");
  EXPECT_EQ(Field(state, "embargoes"), R"([{"seat":0,"domain":"M","by":1,"card":"E1"}])");
  EXPECT_EQ(Won(state), "0 by majority 1:0");
}

TEST(Ruling04, AttackMayBeUsedWhenNobodyElseHasTheDomain) {
  State state = Position(2).Table("M1 E1").Seat(1).Table("C1").Effects();
  Do(state, "attack E");
  EXPECT_EQ(Table(state, 0) + " | " + Table(state, 1) + " | " + Discard(state), " | C1 | M1 E1");
}

TEST(Ruling05, AttackNeedsACardOfTheDomainAfterTheMilitaryCardIsGivenUp) {
  const auto attacks = [](const char* table) {
    return LegalNames(Position(2).Table(table).Seat(1).Table("M1 E1 C1").Effects(), "attack");
  };
  EXPECT_EQ(attacks("M1"), "");
  EXPECT_EQ(attacks("M1 E1"), "attack E");
  EXPECT_EQ(attacks("M1 M2"), "attack M");
}

// --- 6 and 7: embargoes and Democracy ------------------------------------------------------------

TEST(Ruling06, AnEmbargoStopsPlayingByDevelopment) {
  State state = Position(4).Hand("M1 R1").Table("E1 E1").Embargo(0, "M").Effects();
  Do(state, "development, discard E");
  EXPECT_EQ(LegalNames(state), "play R1");
}

TEST(Ruling06, AnEmbargoStopsPlayingByMonopoly) {
  State state = Position(4).Hand("M1 R1 R1").Table("E1 E1 E2 E2").Embargo(0, "M").Effects();
  Do(state, "monopoly, discard E, discard E");
  EXPECT_EQ(LegalNames(state), "play R1");
}

TEST(Ruling06, AnEmbargoStopsPlayingByExperiment) {
  State state = Position(4).Hand("M1 R1").Table("S1 S1").Embargo(0, "M").Effects();
  Do(state, "experiment, take S1");
  EXPECT_EQ(LegalNames(state), "play R1, play S1");
}

TEST(Ruling06, AnEmbargoStopsPlayingByResearch) {
  State state = Position(4).Hand("R1").Table("M1 S1 S1 S1 S1").Embargo(0, "M").Effects();
  Do(state, "research, take M1, take S1");
  EXPECT_EQ(LegalNames(state), "play R1");
  Do(state, "play R1");
  EXPECT_EQ(LegalNames(state), "play S1");
}

TEST(Ruling06, AnEmbargoStopsPlayingByACopy) {
  State state =
      Position(4).Hand("M1 R1").Table("C1").Embargo(0, "M").Seat(1).Table("E1 E1").Effects();
  Do(state, "copy development, discard C");
  EXPECT_EQ(LegalNames(state), "play R1");
}

TEST(Ruling06, AnEmbargoDoesNotStopTheEffectsOfTheDomain) {
  const State state = Position(2).Hand("M1").Table("M1 M1 M1").Embargo(0, "M").Effects();
  EXPECT_EQ(LegalNames(state), "assassination, attack M, end");
}

TEST(Ruling06, AnEmbargoDoesNotStopInspiration) {
  EXPECT_TRUE(May(Position(2).Table("C1").Embargo(0, "C").Seat(1).Table("R1 R1 R1").Effects(),
                  "copy holy-book"));
}

TEST(Ruling06, SeveralEmbargoesMayLieOnOnePlayer) {
  const State state = Position(3)
                          .Hand("M1 R1 S1")
                          .Embargo(0, "M", "E1", 1)
                          .Embargo(0, "R", "E2", 2)
                          .Embargo(1, "S", "E3")
                          .Play();
  EXPECT_EQ(LegalNames(state), "play S1");
}

TEST(Ruling06, AllEmbargoesOnAPlayerLeaveTogetherAtTheEndOfTheTurn) {
  State state = Position(3)
                    .Embargo(0, "M", "E1", 1)
                    .Embargo(1, "M", "E2", 0)
                    .Embargo(0, "M", "E3", 2)
                    .Effects();
  Do(state, "end");
  EXPECT_EQ(Discard(state), "E1 E3");
  EXPECT_EQ(Field(state, "embargoes"), R"([{"seat":1,"domain":"M","by":0,"card":"E2"}])");
}

TEST(Ruling07, AnEmbargoStaysWhenTheDomainUnderItBecomesEmpty) {
  State state =
      Position(2).Hand("R1 R1 R1").Table("E1 M1 M1").Seat(1).Hand("M1 R1 R1").Table("M1").Effects();
  Do(state, "embargo 1 M, attack M, end");
  EXPECT_EQ(Table(state, 1), "");
  EXPECT_EQ(LegalNames(state), "play R1");
}

TEST(Ruling07, ADemocracyCardStaysWhenTheDomainUnderItBecomesEmpty) {
  State state = Position(2).Table("U3 M1 M1").Seat(1).Table("M1").Effects();
  Do(state, "democracy 1 M, attack M");
  EXPECT_EQ(Table(state, 1), "");
  EXPECT_EQ(HegemonyNeed(state, 1, Domain::Military), 9);
}

// --- 8 to 10: copies, and when cards are counted -------------------------------------------------

TEST(Ruling08, WhoOwnsLevelOneMayCopyLevelTwoOnly) {
  const State state = Position(2).Table("C1 R1 R1 R1").Seat(1).Table("R1 R1 R1 R1 R2").Effects();
  EXPECT_EQ(LegalNames(state, "copy"), "copy divine-right");
}

TEST(Ruling08, WhoOwnsLevelTwoMayCopyNeither) {
  const State state =
      Position(2).Table("C1 R1 R1 R1 R1 R1").Seat(1).Table("R1 R1 R1 R2 R2").Effects();
  EXPECT_EQ(LegalNames(state, "copy"), "");
}

TEST(Ruling08, WhoOwnsNeitherMayCopyLevelOneOrTwo) {
  const State state = Position(2).Table("C1 R1 R1").Seat(1).Table("R1 R1 R1 R2 R2").Effects();
  EXPECT_EQ(LegalNames(state, "copy"), "copy holy-book, copy divine-right");
}

TEST(Ruling08, ItDoesNotMatterWhetherTheOtherPlayerCouldUseIt) {
  EXPECT_TRUE(May(Position(2).Hand("M1").Table("C1").Seat(1).Table("M1 M1 M1").Effects(),
                  "copy assassination"));  // with no hand
}

TEST(Ruling08, ItDoesNotMatterWhetherTheOtherPlayerUsedIt) {
  State state = Position(2).Turn(1).Hand("M1 M1").Table("C1").Seat(1).Table("R1 R1 R1").Effects();
  Do(state, "holy-book, end, play M1");
  EXPECT_TRUE(May(state, "copy holy-book"));
}

TEST(Ruling09, ACopyUsesUpThePermanentEffectOfItsDomainAndOfCulture) {
  State state = Position(2)
                    .Table("C1 R1 R1 R1")
                    .Hand("M1")
                    .Seat(1)
                    .Table("R1 R1 R1 R1 R2 M1 M1 M1")
                    .Effects();
  Do(state, "copy divine-right");
  EXPECT_EQ(Field(state, "used"), R"({"permanent":["R","C"],"discard":[]})");
  EXPECT_EQ(LegalNames(state), "inquisition 1, end");
}

TEST(Ruling09, WhoUsedThePermanentEffectOfADomainMayNotCopyOneOfIt) {
  State state = Position(2)
                    .Table("C1 R1 R1 R1")
                    .Hand("M1")
                    .Seat(1)
                    .Table("R1 R1 R1 R1 R2 M1 M1 M1")
                    .Effects();
  Do(state, "holy-book");
  EXPECT_EQ(LegalNames(state, "copy"), "copy assassination");
}

TEST(Ruling09, ACopyDoesNotUseUpDiscardEffects) {
  State state = Position(2).Table("C1 M1 M1").Hand("E1").Seat(1).Table("M1 M1 M1").Effects();
  Do(state, "copy assassination, discard E1");
  EXPECT_TRUE(May(state, "attack M"));
}

TEST(Ruling10, CardsAreCountedJustBeforeTheEffect) {
  State state = Position(2).Hand("R1").Table("R1 R1").Play();
  Do(state, "play R1");
  EXPECT_TRUE(May(state, "holy-book"));
  Do(state, "inquisition 1");
  EXPECT_FALSE(May(state, "holy-book"));
}

TEST(Ruling10, HolyBookHoldsForTheTurnEvenIfItsCardsAreLost) {
  State state = Position(2).Table("R1 R1 R1").Effects();
  Do(state, "holy-book, inquisition 1, end");
  EXPECT_EQ(state.hands[0].Count(), 5);
}

TEST(Ruling10, ACopyHoldsEvenIfTheLeadInCultureIsLost) {
  State state = Position(2).Table("C1 M1").Seat(1).Table("R1 R1 R1 R1 R2").Effects();
  Do(state, "copy divine-right, attack C, end");
  EXPECT_EQ(state.hands[0].Count(), 7);
}

TEST(Ruling10, HolyBookHoldsForItsTurnOnly) {
  State state = Position(2).Table("R1 R1 R1").Hand("M1 M1 M1 M1").Effects();
  Do(state, "holy-book, end");
  EXPECT_EQ(Field(state, "handSize"), "3");
  Do(state, "skip, end, play M1, end");
  EXPECT_EQ(state.hands[0].Count(),
            4);  // five, less the one played: more than three, so nothing is drawn
  EXPECT_EQ(state.hands[1].Count(), 3);
}

}  // namespace
}  // namespace civ::test
