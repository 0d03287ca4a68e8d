// Rules, sections 6 and 7: the end of the game, teams.
#include <gtest/gtest.h>

#include "tests/support.h"

namespace civ::test {
namespace {

constexpr auto kSeven = "M1 M1 M1 M1 M1 M1 M1", kEight = "M1 M1 M1 M1 M1 M1 M1 M1",
               kNine = "M1 M1 M1 M1 M1 M1 M1 M1 M2";

TEST(Section6Hegemony, WithTwoPlayersEightCardsOfOneDomainWin) {
  EXPECT_EQ(WonAtTheEnd(Position(2).Table(kSeven)), "not over");
  EXPECT_EQ(WonAtTheEnd(Position(2).Table(kEight)), "0 by hegemony in M");
}

TEST(Section6Hegemony, WithThreePlayersSevenCardsWin) {
  EXPECT_EQ(WonAtTheEnd(Position(3).Table("M1 M1 M1 M1 M1 M1")), "not over");
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(kSeven)), "0 by hegemony in M");
}

TEST(Section6Hegemony, WithFourPlayersSevenCardsWin) {
  EXPECT_EQ(WonAtTheEnd(Position(4).Table("M1 M1 M1 M1 M1 M1")), "not over");
  EXPECT_EQ(WonAtTheEnd(Position(4).Table(kSeven)), "0 by hegemony in M");
}

TEST(Section6Hegemony, EveryDomainCounts) {
  for (const auto& [table, result] : {std::pair{"R1 R1 R1 R1 R2 R2 R2", "R"},
                                      {"E1 E1 E2 E3 E3 E3 E3", "E"},
                                      {"S1 S1 S2 S2 S3 S3 S3", "S"},
                                      {"C1 C1 C2 C3 C3 C3 C3", "C"},
                                      {"U3 U3 U3 U3 U3 U3 U3", "U"}})
    EXPECT_EQ(WonAtTheEnd(Position(3).Table(table)), std::string("0 by hegemony in ") + result);
}

TEST(Section6Hegemony, IsCheckedAtTheEndOfTheOwnTurnOnly) {
  State state = Position(3).Seat(1).Table(kSeven).Effects();
  Do(state, "end");
  EXPECT_EQ(Won(state), "not over");
  Do(state, "skip, end");
  EXPECT_EQ(Won(state), "1 by hegemony in M");
}

TEST(Section6Hegemony, CardsLostDuringTheTurnDoNotCount) {
  State state = Position(3).Table(kSeven).Effects();
  Do(state, "attack M, end");
  EXPECT_EQ(Won(state), "not over");
}

TEST(Section6Hegemony, EachUtopiaCardOnTheDomainAsksForOneMore) {
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(kSeven).Democracy(0, "M")), "not over");
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(kEight).Democracy(0, "M")), "0 by hegemony in M");
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(kEight).Democracy(0, "M").Democracy(0, "M", 2)),
            "not over");
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(kNine).Democracy(0, "M").Democracy(0, "M", 2)),
            "0 by hegemony in M");
}

TEST(Section6Hegemony, UtopiaCardsOnAnotherDomainOrPlayerDoNotMatter) {
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(kSeven).Democracy(0, "R").Democracy(1, "M")),
            "0 by hegemony in M");
}

TEST(Section6Hegemony, OfSeveralDomainsTheFirstThatQualifiesIsNamed) {
  const std::string both = std::string(kSeven) + " R1 R1 R1 R1 R1 R1 R1";
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(both)), "0 by hegemony in M");
  EXPECT_EQ(WonAtTheEnd(Position(3).Table(both).Democracy(0, "M")), "0 by hegemony in R");
}

// --- Majority ------------------------------------------------------------------------------------

TEST(Section6Majority, WhenStepThreeDrawsTheLastCardTheRoundIsPlayedOutWithoutDrawing) {
  State state =
      Position(3).Hand("M1 M1").Deck("U3").Seat(1).Hand("M1").Seat(2).Hand("M1").Effects();
  Do(state, "end, play M1, end");
  EXPECT_EQ(Hand(state, 1), "");
  EXPECT_EQ(Won(state), "not over");
  Do(state, "play M1, end");
  EXPECT_EQ(Won(state), "1 2 by majority 0:1:1");
}

TEST(Section6Majority, WhenBreakthroughDrawsTheLastCardTheRoundIsPlayedOut) {
  State state = Position(3).Table("S1").Deck("U3 U3").Effects();
  Do(state, "breakthrough");
  EXPECT_EQ(Field(state, "closing"), "2");
  Do(state, "discard U3, discard U3, end, skip, end");
  EXPECT_EQ(Won(state), "not over");
  Do(state, "skip, end");
  EXPECT_EQ(Won(state), "0 1 2 by majority 0:0:0");
}

TEST(Section6Majority, WhenTheLastPlayerOfTheRoundDrawsTheLastCardTheGameEndsAtOnce) {
  EXPECT_EQ(WonAtTheEnd(Position(3).Turn(2).Deck("U3").Seat(0).Table("M1")), "0 by majority 1:0:0");
}

TEST(Section6Majority, TheRoundEndsBeforeTheFirstPlayerWhoeverThatIs) {
  State state = Position(3).First(1).Deck("U3").Effects();
  Do(state, "end");
  EXPECT_EQ(Field(state, "closing"), "0");
}

TEST(Section6Majority, WhileCardsAreLeftTheGameGoesOn) {
  EXPECT_EQ(WonAtTheEnd(Position(3).Turn(2).Deck("U3 U3 U3 U3")), "not over");
}

// Does the least that can be done with the rest of a turn.
State AfterTurn(State state) {
  const int turn = state.turn;
  while (state.turn == turn && state.step != Step::Over)
    Apply(state, state.step == Step::Effects ? kEnd : Legal(state)[0]);
  return state;
}

TEST(Section6Majority, WhatTheEndOfATurnBringsIsKnownBeforeIt) {
  int ended = 0, closed = 0;
  uint64_t seed = 0;
  std::vector<Config> configs;
  for (int i = 0; i < 3; ++i)
    for (const Config& config : AllConfigs()) configs.push_back(config);
  for (const Config& config : configs)
    PlayGame(config, ++seed, [&](const Game& game) {
      const State& state = game.state;
      if (state.turn == 0 || state.step == Step::Over || state.Embargoed(state.seat) != 0) return;
      const int held = state.hands[state.seat].Count();
      const State after = AfterTurn(state);
      EXPECT_EQ(CardsToDraw(state, held), state.deck_size - after.deck_size);
      if (after.step == Step::Over && Result(after).hegemony) return;
      const Seat closing = ClosingAfterTurn(state, held);
      EXPECT_EQ(closing == state.seat, after.step == Step::Over);
      if (after.step != Step::Over) {
        EXPECT_EQ(closing, after.closing);
      }
      ended += closing == state.seat;
      closed += state.closing == kNone && closing != kNone;
    });
  EXPECT_GT(ended, 100);
  EXPECT_GT(closed, 100);
}

TEST(Section6Majority, WhoHasNoCardToPlayByAnEffectDrawsAllTheSame) {
  State state = Position(2).Table("E1 E1 E1 M1").Effects();
  Do(state, "development");
  EXPECT_EQ(CardsToDraw(state, 0), 3);
  EXPECT_EQ(CardsToDraw(state, 1), 3);
  EXPECT_EQ(CardsToDraw(state, 2), 2);
}

TEST(Section6Majority, EachDomainGivesAPointToThePlayerWithTheMostCardsOfIt) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1 M1 R1 R1 S1", "M1 R1 E1 C1", "U3"})), "0 by majority 3:2:1");
}

TEST(Section6Majority, EachOfThoseWhoTieForMostGetsThePoint) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1 M1", "M1 M2 E1", "M1"})), "1 by majority 1:2:0");
}

TEST(Section6Majority, MostPointsWin) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"U3 U3 U3 U3", "M1 R1"})), "1 by majority 1:2");
}

TEST(Section6Majority, HandsDoNotCount) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1", ""}).Seat(1).Hand("R1 E1 S1")), "0 by majority 1:0");
}

TEST(Section6Majority, TiesAreBrokenByUtopiaFirst) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"C1 C1", "U3"})), "1 by majority 1:1");
}
TEST(Section6Majority, ThenByCulture) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"S1 S1", "C1"})), "1 by majority 1:1");
}
TEST(Section6Majority, ThenByScience) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"E1 E1", "S1"})), "1 by majority 1:1");
}
TEST(Section6Majority, ThenByEconomy) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"R1 R1", "E1"})), "1 by majority 1:1");
}
TEST(Section6Majority, ThenByReligion) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1 M1", "R1"})), "1 by majority 1:1");
}
TEST(Section6Majority, ThenByMilitary) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1 E1 S1", "M1 M1 E1 S1", "M1 M1 M1"})), "1 by majority 2:2:1");
}

TEST(Section6Majority, OnlyTheLeadersAreCompared) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"C1 C1 M1", "S1 S1 E1", "U3"})), "0 by majority 2:2:1");
}

// --- Teams ---------------------------------------------------------------------------------------

TEST(Section7Teams, HegemonyOfOneWinsForBoth) {
  EXPECT_EQ(WonAtTheEnd(Position(4).Teams().Table(kSeven)), "0 2 by hegemony in M");
  EXPECT_EQ(WonAtTheEnd(Position(4).Teams().Turn(1).Seat(1).Table(kSeven)), "1 3 by hegemony in M");
}

TEST(Section7Teams, CardsOfPartnersAreNotAddedForHegemony) {
  EXPECT_EQ(WonAtTheEnd(Position(4).Teams().Table("M1 M1 M1 M1").Seat(2).Table("M1 M1 M1 M1")),
            "not over");
}

TEST(Section7Teams, ADomainGivesATeamAPointIfOneMemberHasTheMost) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1 M1", "M1 M1 M1", "M1 M1", "E1"}).Teams()),
            "1 3 by majority 0:2");
}

TEST(Section7Teams, ADomainNeverGivesATeamTwoPoints) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1", "R1", "M1", "E1"}).Teams()), "1 3 by majority 1:2");
}

TEST(Section7Teams, InATieAcrossTheTeamsBothGetThePoint) {
  EXPECT_EQ(WonAtTheEnd(LastTurn({"M1", "", "E1", "M1"}).Teams()), "0 2 by majority 2:1");
}

TEST(Section7Teams, LevelsAreThoseOfFourPlayers) {
  EXPECT_TRUE(May(Position(4).Teams().Table("R1 R1").Effects(), "holy-book"));
  EXPECT_TRUE(May(Position(4).Teams().Table("R1 R1 R1 R1").Effects(), "divine-right"));
}

TEST(Section7Teams, AnAttackHitsThePartnerToo) {
  State state = Position(4).Teams().Table("M1 E1").Seat(2).Table("E2").Effects();
  Do(state, "attack E");
  EXPECT_EQ(Table(state, 2), "");
}

TEST(Section7Teams, InquisitionEmbargoAndDemocracyMayAimAtThePartner) {
  const State state = Position(4).Teams().Table("R1 E1 U3").Seat(2).Table("M1").Effects();
  EXPECT_TRUE(May(state, "inquisition 2"));
  EXPECT_EQ(LegalNames(state, "embargo") + ", " + LegalNames(state, "democracy"),
            "embargo 2 M, democracy 2 M");
}

TEST(Section7Teams, InspirationMayCopyFromThePartner) {
  EXPECT_TRUE(
      May(Position(4).Teams().Table("C1").Seat(2).Table("R1 R1").Effects(), "copy holy-book"));
}

TEST(Section7Teams, InspirationNeedsMoreCultureThanThePartnerToo) {
  EXPECT_FALSE(
      May(Position(4).Teams().Table("C1").Seat(2).Table("C1 R1 R1").Effects(), "copy holy-book"));
}

}  // namespace
}  // namespace civ::test
