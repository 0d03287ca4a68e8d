// Rules, section 10, and rulings 13, 14 and 20: what each seat knows, and what its view says.
#include <gtest/gtest.h>

#include "civ/notation/notation.h"
#include "tests/support.h"

namespace civ::test {
namespace {

// The cards of a hand that an observer is certain of.
std::string Known(const Game& game, size_t hand, Seat observer) {
  return Text(ViewOf(game, observer).hands[hand].cards);
}

// --- Views ---------------------------------------------------------------------------------------

Json WithoutHiddenParts(Json state_or_view) {
  for (const auto field : {"deck", "hands", "packs", "choice"}) state_or_view[field] = nullptr;
  return state_or_view;
}

TEST(Section10Knowledge, EverythingButDeckHandsPacksAndChoiceIsPublic) {
  State state = Position(3)
                    .Hand("E1 E2")
                    .Table("C1 M1 R1")
                    .Embargo(1, "M")
                    .Democracy(2, "S")
                    .Discard("S1")
                    .Seat(1)
                    .Table("R1 R1 R1")
                    .Effects();
  Do(state, "copy holy-book, inquisition 1");
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator})
    EXPECT_EQ(WithoutHiddenParts(ToJson(ViewOf(state, viewer))), WithoutHiddenParts(ToJson(state)));
}

TEST(Section10Knowledge, OfTheDeckTheNumberOfCardsAndTheAgeOnTopAreSeen) {
  const State state = Position(2).Deck("R2 U3 U3").Effects();
  for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator})
    EXPECT_EQ(Field(ViewOf(state, viewer), "deck"), R"({"count":3,"top":2})");
}

TEST(Section10Knowledge, AnEmptyDeckHasNoTop) {
  EXPECT_EQ(Field(ViewOf(Position(2).Deck("").Effects(), 0), "deck"), R"({"count":0,"top":null})");
}

TEST(Section10Knowledge, TheOwnHandIsSeenAndOfOtherHandsTheBacks) {
  const State state = Position(2).Hand("R1 S2").Seat(1).Hand("M1 C1 C2 U3").Effects();
  EXPECT_EQ(Field(ViewOf(state, 0), "hands"),
            R"([{"cards":["R1","S2"]},{"backs":[1,1,2,3],"known":[]}])");
  EXPECT_EQ(Field(ViewOf(state, 1), "hands"),
            R"([{"backs":[1,2],"known":[]},{"cards":["M1","C1","C2","U3"]}])");
}

TEST(Section10Knowledge, ASpectatorSeesTheBacksOfAllHands) {
  const State state = Position(2).Hand("R1 S2").Seat(1).Hand("U3").Effects();
  EXPECT_EQ(Field(ViewOf(state, kSpectator), "hands"),
            R"([{"backs":[1,2],"known":[]},{"backs":[3],"known":[]}])");
}

State TwoDraft() {
  return New({.players = 2, .setup = Setup::Draft}, DeckFrom(2, "M1 M1 R1 R1 E1 E1 S1 S1"));
}

TEST(Section10Knowledge, TheOwnPackIsSeenAndOfOtherPacksTheBacks) {
  EXPECT_EQ(Field(ViewOf(TwoDraft(), 0), "packs"),
            R"([{"cards":["M1","M1","R1","R1"]},{"backs":[1,1,1,1]}])");
  EXPECT_EQ(Field(ViewOf(TwoDraft(), 1), "packs"),
            R"([{"backs":[1,1,1,1]},{"cards":["E1","E1","S1","S1"]}])");
  EXPECT_EQ(Field(ViewOf(TwoDraft(), kSpectator), "packs"),
            R"([{"backs":[1,1,1,1]},{"backs":[1,1,1,1]}])");
}

TEST(Section10Knowledge, ACardKeptInTheDraftIsNotSeenByOthers) {
  Game game(TwoDraft());
  Do(game, "keep M1, keep E1");
  EXPECT_EQ(Field(ViewOf(game, 0), "hands"), R"([{"cards":["M1"]},{"backs":[1],"known":[]}])");
}

TEST(Section10Knowledge, PacksPassedInTheDraftAreNotRemembered) {
  Game game(TwoDraft());
  Do(game, "keep M1, keep E1, keep E1, keep M1, keep R1, keep S1");
  for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator})
    EXPECT_EQ(Known(game, 1 - viewer % 2, viewer), "");
}

TEST(Section10Knowledge, TheCentreIsSeenByAll) {
  State state = TwoDraft();
  Do(state, "keep M1, keep E1, keep E1, keep M1, keep R1, keep S1");
  for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator}) {
    EXPECT_EQ(Field(ViewOf(state, viewer), "centre"), R"(["R1","S1"])");
    EXPECT_EQ(Field(ViewOf(state, viewer), "packs"), "null");
  }
}

TEST(Ruling13, BacksArePublicInEveryHandAndOnTopOfTheDeck) {
  const View view =
      ViewOf(Position(3).Seat(1).Hand("M1 U3").Seat(2).Hand("S2").Deck("E3").Effects(), 0);
  EXPECT_EQ(Field(view, "hands"),
            R"([{"cards":[]},{"backs":[1,3],"known":[]},{"backs":[2],"known":[]}])");
  EXPECT_EQ(Field(view, "deck"), R"({"count":1,"top":3})");
}

TEST(Ruling14, EverybodyKnowsWhatFaceDownCardsAre) {
  const State state = Position(3).Embargo(1, "M", "E2", 2).Democracy(1, "S", 0).Effects();
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator}) {
    EXPECT_EQ(Field(ViewOf(state, viewer), "embargoes"),
              R"([{"seat":1,"domain":"M","by":2,"card":"E2"}])");
    EXPECT_EQ(Field(ViewOf(state, viewer), "democracies"), R"([{"seat":1,"domain":"S","by":0}])");
  }
}

TEST(Ruling20, TheHandOfThePartnerStaysHidden) {
  const State state = Position(4).Teams().Seat(2).Hand("M1 M2").Effects();
  EXPECT_EQ(Text(ViewOf(state, 0).hands[2].cards), "");
}

// --- Cards that are known in other hands ---------------------------------------------------------

TEST(Section10Knowledge, ACardTakenFromAPlayAreaIsKnownToEverybody) {
  Game game(Position(3).Hand("M1 M1").Table("S1 S1 S1 C2").Effects());
  Do(game, "experiment, take C2, play M1");
  for (const Seat observer : {Seat{1}, Seat{2}, kSpectator})
    EXPECT_EQ(Known(game, 0, observer), "C2");
  EXPECT_EQ(Field(ViewOf(game, 1), "hands"),
            R"([{"backs":[1,2],"known":["C2"]},{"cards":[]},{"backs":[],"known":[]}])");
}

TEST(Section10Knowledge, ACardTakenFromTheDiscardPileIsKnownToEverybody) {
  Game game(Position(3).Hand("M1").Table("U3 U3 U3").Discard("C2").Effects());
  Do(game, "oligarchy, recover C2");
  for (const Seat observer : {Seat{1}, Seat{2}, kSpectator})
    EXPECT_EQ(Known(game, 0, observer), "C2");
}

TEST(Section10Knowledge, CardsDrawnAreNotKnown) {
  Game game(Position(2).Effects());
  Do(game, "end");
  EXPECT_EQ(Known(game, 0, 1), "");
}

TEST(Section10Knowledge, WhatIsKnownStaysKnownInLaterTurns) {
  Game game(Position(2).Hand("M1").Table("U3 U3 U3").Discard("C2").Seat(1).Hand("R1").Effects());
  Do(game, "oligarchy, recover C2, end, play R1, end, play M1, end");
  EXPECT_EQ(Known(game, 0, 1), "C2");
}

// Seat 0 has taken two Military cards that everybody knows, and holds one more.
Game TwoKnown() {
  Game game(Position(3)
                .Hand("M1 R1")
                .Table("U3 U3 U3 U3 U3 E1 E1 E1 M2 M2 M2")
                .Discard("M1 M1")
                .Effects());
  Do(game, "republic, recover M1, recover M1");
  return game;
}

TEST(Section10Knowledge, OneKnownCardOfAKindThatIsPlayedIsNoLongerKnown) {
  Game game = TwoKnown();
  Do(game, "development, discard E, play M1");
  for (const Seat observer : {Seat{1}, Seat{2}, kSpectator})
    EXPECT_EQ(Known(game, 0, observer), "M1");
}

TEST(Section10Knowledge, OneKnownCardOfAKindThatIsDiscardedIsNoLongerKnown) {
  Game game = TwoKnown();
  Do(game, "assassination, discard M1");
  for (const Seat observer : {Seat{1}, Seat{2}, kSpectator})
    EXPECT_EQ(Known(game, 0, observer), "M1");
}

TEST(Section10Knowledge, CardsOfAnotherKindThatArePlayedOrDiscardedChangeNothing) {
  Game game = TwoKnown();
  Do(game, "assassination, discard R1");
  EXPECT_EQ(Known(game, 0, 1), "M1 M1");
}

TEST(Section10Knowledge, ACardDiscardedFromThePlayAreaIsNotOneOfTheHand) {
  Game game = TwoKnown();
  Do(game, "attack M");
  EXPECT_EQ(Known(game, 0, 1), "M1 M1");
}

// --- Inquisition ---------------------------------------------------------------------------------

// It is seat 0's turn. Everybody knows C2 in the hand of seat 1, M2 in that of seat 2 and S2 in
// that of seat 0. Seat 0 holds E2 S2, seat 1 M1 M1 C2.
Game BeforeInquisition() {
  Game game(Position(3)
                .First(1)
                .Discard("M2 S2 C2")
                .Seat(0)
                .Hand("E1 E2")
                .Table("R1 U3 U3 U3")
                .Seat(1)
                .Hand("M1 M1")
                .Table("U3 U3 U3")
                .Seat(2)
                .Hand("R2 R2 R2")
                .Table("U3 U3 U3")
                .Effects());
  Do(game,
     "oligarchy, recover C2, end, play R2, oligarchy, recover M2, end, play E1, oligarchy, recover "
     "S2");
  return game;
}

TEST(Section10Knowledge, AfterAnInquisitionTheOneWhoUsedItKnowsTheOtherHandExactly) {
  Game game = BeforeInquisition();
  Do(game, "inquisition 1, give M1, give E2, give S2");
  EXPECT_EQ(Hand(game.state, 1), "M1 E2 S2");
  EXPECT_EQ(Known(game, 1, 0), "M1 E2 S2");
}

TEST(Section10Knowledge, TheOtherKnowsWhatTheyKnewBeforePlusTheirFormerHandLessTheCardsGivenBack) {
  Game game = BeforeInquisition();
  Do(game, "inquisition 1");
  EXPECT_EQ(Known(game, 0, 1), "M1 M1 S2 C2");
  Do(game, "give M1, give E2, give S2");
  EXPECT_EQ(Known(game, 0, 1), "M1 C2");
}

TEST(Section10Knowledge, EverybodyElseKnowsNothingMoreOfTheTwoHands) {
  Game game = BeforeInquisition();
  EXPECT_EQ(Known(game, 0, 2) + " " + Known(game, 1, kSpectator), "S2 C2");
  Do(game, "inquisition 1");
  for (const Seat observer : {Seat{2}, kSpectator})
    EXPECT_EQ(Known(game, 0, observer) + Known(game, 1, observer), "");
  Do(game, "give M1, give E2, give S2");
  for (const Seat observer : {Seat{2}, kSpectator})
    EXPECT_EQ(Known(game, 0, observer) + Known(game, 1, observer), "");
}

TEST(Section10Knowledge, AnInquisitionChangesNothingAboutOtherHands) {
  Game game = BeforeInquisition();
  Do(game, "inquisition 1, give M1, give M1, give E2");
  for (const Seat observer : {Seat{0}, Seat{1}, kSpectator})
    EXPECT_EQ(Known(game, 2, observer), "M2");
}

TEST(Section10Knowledge, CardsAreGivenBackAndKnownOneByOne) {
  Game game = BeforeInquisition();
  Do(game, "inquisition 1, give M1");
  EXPECT_EQ(Known(game, 1, 0) + " | " + Known(game, 0, 1), "M1 | M1 S2 C2");
  Do(game, "give M1");
  EXPECT_EQ(Known(game, 1, 0) + " | " + Known(game, 0, 1), "M1 M1 | S2 C2");
}

TEST(Section10Knowledge, AnInquisitionThatTookNoCardChangesNothing) {
  Game game(Position(3).Table("R1 U3 U3 U3").Discard("S2").Effects());
  Do(game, "oligarchy, recover S2, inquisition 1");
  for (const Seat observer : {Seat{1}, Seat{2}, kSpectator})
    EXPECT_EQ(Known(game, 0, observer), "S2");
}

TEST(Section10Knowledge, WhatComesToLightAfterAnInquisitionIsKnownToEverybodyAgain) {
  Game game = BeforeInquisition();
  Do(game, "inquisition 1, give M1, give M1, give C2, end, play M1, oligarchy, recover R1");
  EXPECT_EQ(Known(game, 1, 2), "R1");
  EXPECT_EQ(Known(game, 1, 0), "M1 R1 C2");
}

TEST(Section10Knowledge, WhileCardsAreGivenOnlyTheDecidingSeatSeesTheLastOneNamed) {
  Game game = BeforeInquisition();
  Do(game, "inquisition 1, give M1");
  EXPECT_EQ(Field(ViewOf(game, 0), "choice"),
            R"({"effect":"inquisition","verb":"give","left":2,"from":"M1","target":1})");
  for (const Seat observer : {Seat{1}, Seat{2}, kSpectator})
    EXPECT_EQ(Field(ViewOf(game, observer), "choice"),
              R"({"effect":"inquisition","verb":"give","left":2,"from":null,"target":1})");
}

TEST(Section10Knowledge, WhileOtherCardsAreNamedEverybodySeesTheLastOne) {
  Game game(Position(2).Hand("R1 R1").Table("M1 M1 M1 M1 M1").Effects());
  Do(game, "purge, discard R1");
  for (const Seat observer : {Seat{0}, Seat{1}, kSpectator})
    EXPECT_EQ(Field(ViewOf(game, observer), "choice"),
              R"({"effect":"purge","verb":"discard","left":1,"from":"R1","target":null})");
}

// --- The log -------------------------------------------------------------------------------------

std::string Logged(const State& before, std::string_view action, Seat viewer) {
  return NameFor(before, *ParseAction(action), viewer);
}

TEST(HiddenNotation, AKeptCardIsItsBackForAllButItsOwner) {
  EXPECT_EQ(Logged(TwoDraft(), "keep M1", 0), "keep M1");
  EXPECT_EQ(Logged(TwoDraft(), "keep M1", 1), "keep ?1");
  EXPECT_EQ(Logged(TwoDraft(), "keep M1", kSpectator), "keep ?1");
}

TEST(HiddenNotation, AGivenCardIsItsBackForAllButTheTwoSeatsOfTheInquisition) {
  Game game = BeforeInquisition();
  Do(game, "inquisition 1");
  EXPECT_EQ(Logged(game.state, "give E2", 0), "give E2");
  EXPECT_EQ(Logged(game.state, "give E2", 1), "give E2");
  EXPECT_EQ(Logged(game.state, "give E2", 2), "give ?2");
  EXPECT_EQ(Logged(game.state, "give E2", kSpectator), "give ?2");
}

TEST(HiddenNotation, EverythingElseIsWrittenInFullForEverybody) {
  const State state = Position(2).Effects();
  for (const std::string& name : AllActionNames()) {
    const bool hidden = name.starts_with("keep") || name.starts_with("give");
    EXPECT_EQ(Logged(state, name, 1) == name, !hidden) << name;
    EXPECT_EQ(Logged(state, name, kSpectator) == name, !hidden) << name;
  }
}

}  // namespace
}  // namespace civ::test
