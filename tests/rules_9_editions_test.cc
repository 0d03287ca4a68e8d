// Rules, section 9: where the editions differ, and where they do not.
#include <gtest/gtest.h>

#include "civ/notation/notation.h"
#include "tests/support.h"

namespace civ::test {
namespace {

constexpr std::array kEditions = {"en", "fr", "ro", "es", "pt"};

// The seats that claim a centre card, in order; seat 1 is First Player of three.
std::string ClaimOrder(const char* edition) {
  State state =
      New({.players = 3, .setup = Setup::Draft, .edition = *ParseEdition(edition), .first = 1},
          DeckFrom(3, "M1 M1 M1 M1 M1 M1 M1 M1"));
  std::string order;
  for (int kept = 0; kept < 9; ++kept) Apply(state, Legal(state)[0]);
  for (int claimed = 0; claimed < 3; ++claimed, Apply(state, Legal(state)[0]))
    order += Field(state, "seat");
  return order;
}

TEST(Section9Editions, InEnFrRoAndPtTheCentreIsClaimedFromTheFirstPlayersRightCounterClockwise) {
  for (const auto edition : {"en", "fr", "ro", "pt"})
    EXPECT_EQ(ClaimOrder(edition), "021") << edition;
}

TEST(Section9Editions, InEsTheCentreIsClaimedFromTheFirstPlayerClockwise) {
  EXPECT_EQ(ClaimOrder("es"), "120");
}

TEST(Section9Editions, InEveryEditionTheFirstPlayerHasTheFirstTurnAfterTheDraft) {
  for (const auto edition : kEditions) {
    State state =
        New({.players = 3, .setup = Setup::Draft, .edition = *ParseEdition(edition), .first = 1},
            DeckFrom(3, ""));
    for (int kept_or_claimed = 0; kept_or_claimed < 12; ++kept_or_claimed)
      Apply(state, Legal(state)[0]);
    EXPECT_EQ(Field(state, "seat") + Field(state, "step"), "1\"play\"") << edition;
  }
}

// The seats that have a turn after this one of three has drawn the last card. Seat 0 is First
// Player.
std::string TurnsAfterTheLastCard(const char* edition, int seat, bool by_breakthrough) {
  State state = Position(3).In(edition).Turn(seat).Deck("U3").Seat(seat).Table("S1").Effects();
  Do(state, by_breakthrough ? "breakthrough, discard U3, end" : "end");
  std::string seats;
  for (; state.step != Step::Over && seats.size() < 9; Do(state, "skip, end"))
    seats += Field(state, "seat");
  return seats;
}

TEST(Section9Editions, InEnFrRoAndEsTheTurnsGoOnUntilTheFirstPlayerWouldBeNext) {
  for (const auto edition : {"en", "fr", "ro", "es"})
    for (const bool by_breakthrough : {false, true}) {
      EXPECT_EQ(TurnsAfterTheLastCard(edition, 0, by_breakthrough), "12") << edition;
      EXPECT_EQ(TurnsAfterTheLastCard(edition, 1, by_breakthrough), "2") << edition;
      EXPECT_EQ(TurnsAfterTheLastCard(edition, 2, by_breakthrough), "") << edition;
    }
}

TEST(Section9Editions, InPtEveryPlayerButTheOneWhoDrewTheLastCardHasOneMoreTurn) {
  for (const bool by_breakthrough : {false, true}) {
    EXPECT_EQ(TurnsAfterTheLastCard("pt", 0, by_breakthrough), "12");
    EXPECT_EQ(TurnsAfterTheLastCard("pt", 1, by_breakthrough), "20");
    EXPECT_EQ(TurnsAfterTheLastCard("pt", 2, by_breakthrough), "01");
  }
}

// Where the coin of seat 0 lies when seat 1 has played a Culture card.
std::string CoinAfterCulture(const char* edition, const char* owner, const char* other) {
  State state = Position(2)
                    .In(edition)
                    .Turn(1)
                    .Table(owner)
                    .Coin(0, 1, "R")
                    .Seat(1)
                    .Hand("C1")
                    .Table(other)
                    .Play();
  Do(state, "play C1");
  return Field(state, "coin");
}

TEST(Section9Editions, InEnFrEsAndPtTheCoinGoesBackWhenAnotherCultureCountEqualsTheOwners) {
  for (const auto edition : {"en", "fr", "es", "pt"})
    EXPECT_EQ(CoinAfterCulture(edition, "C1", ""), "null") << edition;
}

TEST(Section9Editions, InRoTheCoinStaysWhenAnotherCultureCountEqualsTheOwners) {
  EXPECT_EQ(CoinAfterCulture("ro", "C1", ""), R"({"owner":0,"seat":1,"domain":"R"})");
}

TEST(Section9Editions, InRoTheCoinGoesBackWhenAnotherCultureCountPassesTheOwners) {
  EXPECT_EQ(CoinAfterCulture("ro", "C1", "C1"), "null");
}

TEST(Section9Editions, InRoTheCoinStaysWhenItsOwnerFallsBackToATie) {
  State state = Position(2).In("ro").Hand("M1").Table("C1").Seat(1).Table("S1 S1 S1").Effects();
  Do(state, "copy experiment, take C1");
  EXPECT_EQ(Field(state, "coin"), R"({"owner":0,"seat":1,"domain":"S"})");
}

TEST(Section9Editions, InEveryEditionTheCoinGoesBackWhenTheOwnersTurnBegins) {
  for (const auto edition : kEditions) {
    State state = Position(2).In(edition).Turn(1).Table("C1").Coin(0, 1, "R").Effects();
    Do(state, "end");
    EXPECT_EQ(Field(state, "coin"), "null") << edition;
  }
}

TEST(Section9Editions, InEveryEditionInspirationNeedsStrictlyMoreCulture) {
  for (const auto edition : kEditions)
    EXPECT_EQ(LegalNames(Position(2).In(edition).Table("C1").Seat(1).Table("C1 R1 R1 R1").Effects(),
                         "copy"),
              "")
        << edition;
}

TEST(Section9Editions, InEveryEditionDemocracyAndEmbargoNeedACardThereAndAimAtAnotherPlayer) {
  for (const auto edition : kEditions) {
    const State state = Position(2).In(edition).Table("E1 U3").Seat(1).Table("M1").Effects();
    EXPECT_EQ(LegalNames(state), "end, embargo 1 M, democracy 1 M") << edition;
  }
}

TEST(Section9Editions, InEveryEditionAttackHitsTheAttackerOnce) {
  for (const auto edition : kEditions) {
    State state = Position(2).In(edition).Table("M1 E1 E1").Seat(1).Table("E1").Effects();
    Do(state, "attack E");
    EXPECT_EQ(Table(state, 0), "E1") << edition;
  }
}

TEST(Section9Editions, InEveryEditionTheLevelsOfADomainAreNotMixed) {
  for (const auto edition : kEditions) {
    State state = Position(2).In(edition).Table("R1 R1 R1 R1 R1").Effects();
    Do(state, "holy-book");
    EXPECT_FALSE(May(state, "divine-right")) << edition;
  }
}

TEST(Section9Editions, InEveryEditionATieInADomainGivesAPointOnlyToThoseWhoTie) {
  for (const auto edition : kEditions) {
    State state = Position(3)
                      .In(edition)
                      .Turn(2)
                      .Deck("")
                      .Closing(2)
                      .Table("M1")
                      .Seat(1)
                      .Table("M1")
                      .Effects();
    Do(state, "end");
    EXPECT_EQ(Won(state), "0 1 by majority 1:1:0") << edition;
  }
}

}  // namespace
}  // namespace civ::test
