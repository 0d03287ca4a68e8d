// Rules, sections 1 and 2: the cards, the deck, the deal, the draft.
#include <gtest/gtest.h>

#include <set>

#include "civ/notation/notation.h"
#include "tests/support.h"

namespace civ::test {
namespace {

int Copies(std::string_view card) { return kCopies[static_cast<size_t>(*ParseKind(card))]; }

TEST(Section1Cards, FifteenKindsExistInTheNumbersOfTheTable) {
  EXPECT_EQ(std::vector({Copies("M1"), Copies("R1"), Copies("E1"), Copies("S1"), Copies("C1")}),
            std::vector({8, 8, 4, 4, 4}));
  EXPECT_EQ(std::vector({Copies("M2"), Copies("R2"), Copies("E2"), Copies("S2"), Copies("C2")}),
            std::vector({8, 8, 4, 8, 4}));
  EXPECT_EQ(std::vector({Copies("M3"), Copies("E3"), Copies("S3"), Copies("C3"), Copies("U3")}),
            std::vector({4, 8, 8, 8, 16}));
  for (const auto missing : {"R3", "U1", "U2"}) EXPECT_FALSE(ParseKind(missing)) << missing;
}

TEST(Section1Cards, ThereAre104OfThem) {
  int all = 0;
  for (const int copies : kCopies) all += copies;
  EXPECT_EQ(all, 104);
}

TEST(Section1Cards, CardOrderIsByAgeThenDomain) {
  std::string order;
  for (int k = 0; k < kKinds; ++k) order += std::string(NameOf(static_cast<Kind>(k))) + " ";
  EXPECT_EQ(order, "M1 R1 E1 S1 C1 M2 R2 E2 S2 C2 M3 E3 S3 C3 U3 ");
}

TEST(Section1Cards, TheBackShowsOnlyTheAge) {
  for (const auto& [card, age] : {std::pair{"C1", Age::I},
                                  {"M2", Age::II},
                                  {"C2", Age::II},
                                  {"M3", Age::III},
                                  {"U3", Age::III}})
    EXPECT_EQ(AgeOf(*ParseKind(card)), age) << card;
}

// --- Set-up --------------------------------------------------------------------------------------

Deck Shuffled(int players, uint64_t seed) {
  Random random(seed);
  return ShuffledDeck(players, random);
}

std::vector<int> CardsPerAge(const Deck& deck) {
  std::vector<int> counts(3);
  for (const Kind kind : deck.Span()) counts[static_cast<size_t>(AgeOf(kind)) - 1]++;
  return counts;
}

TEST(Section2Setup, WithTwoOrThreePlayersThreeCardsOfEachAgeStayInTheBox) {
  for (const int players : {2, 3})
    EXPECT_EQ(CardsPerAge(Shuffled(players, 1)), std::vector({25, 29, 41}));
}

TEST(Section2Setup, WithFourPlayersAllCardsAreUsed) {
  EXPECT_EQ(CardsPerAge(Shuffled(4, 1)), std::vector({28, 32, 44}));
}

TEST(Section2Setup, TheCardsInTheBoxAreRandom) {
  std::set<std::string> decks;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Cards cards;
    const Deck deck = Shuffled(2, seed);
    for (const Kind kind : deck.Span()) cards += Cards(kind);
    decks.insert(Text(cards));
  }
  EXPECT_GT(decks.size(), 15u);
}

TEST(Section2Setup, TheAgesAreStackedWithTheFirstOnTop) {
  for (int players = 2; players <= 4; ++players) {
    const Deck deck = Shuffled(players, 1);
    EXPECT_TRUE(std::ranges::is_sorted(deck.Span(), {}, AgeOf));
    EXPECT_TRUE(IsDeck(players, deck.Span()));
  }
}

TEST(Section2Setup, EachAgeIsShuffled) {
  EXPECT_NE(ToJson(Shuffled(4, 1).Span()), ToJson(Shuffled(4, 2).Span()));
}

TEST(Section2Setup, TheFirstPlayerIsRandom) {
  std::set<int> first;
  for (uint64_t seed = 0; seed < 50; ++seed)
    first.insert(DealFromSeed({.players = 4}, seed).config.first);
  EXPECT_EQ(first, (std::set{0, 1, 2, 3}));
}

TEST(Section2Setup, InTheBasicGameEachTakesTheTopThreeCardsFromTheFirstPlayerClockwise) {
  const State state = New({.players = 3, .first = 1}, DeckFrom(3, "M1 M1 R1 E1 E1 E1 S1 S1 C1"));
  EXPECT_EQ(Hand(state, 1), "M1 M1 R1");
  EXPECT_EQ(Hand(state, 2), "E1 E1 E1");
  EXPECT_EQ(Hand(state, 0), "S1 S1 C1");
  EXPECT_EQ(state.deck_size, 95 - 9);
}

TEST(Section2Setup, TheFirstPlayerHasTheFirstTurn) {
  const State state = New({.players = 3, .first = 1}, DeckFrom(3, ""));
  EXPECT_EQ(Field(state, "seat") + Field(state, "turn") + Field(state, "step"), "11\"play\"");
}

TEST(Section2Setup, TheCoinLiesBesideTheDeck) {
  EXPECT_EQ(Field(New({}, DeckFrom(2, "")), "coin"), "null");
}

// --- Draft ---------------------------------------------------------------------------------------

// Seat 1 begins and has the Military pack, seat 2 the Religion pack, seat 0 the one of Economy and
// Science.
State ThreeDraft() {
  return New({.players = 3, .setup = Setup::Draft, .first = 1},
             DeckFrom(3, "M1 M1 M1 M1 R1 R1 R1 R1 E1 E1 S1 S1"));
}
constexpr auto kFirstRound = "keep M1, keep R1, keep E1";
// Seat 1 has got the pack of seat 0, and so on.
constexpr auto kSecondRound = "keep E1, keep M1, keep R1";

TEST(Section2Draft, EachTakesAPackOfFourFromTheFirstPlayerClockwise) {
  EXPECT_EQ(Field(ThreeDraft(), "packs"),
            R"([["E1","E1","S1","S1"],["M1","M1","M1","M1"],["R1","R1","R1","R1"]])");
}

TEST(Section2Draft, OneCardOfTheOwnPackIsKept) {
  State state = ThreeDraft();
  EXPECT_EQ(LegalNames(state), "keep M1");
  Do(state, "keep M1, keep R1");
  EXPECT_EQ(LegalNames(state), "keep E1, keep S1");
}

TEST(Section2Draft, AKeptCardIsInTheHandAtOnce) {
  State state = ThreeDraft();
  Do(state, "keep M1");
  EXPECT_EQ(Hand(state, 1), "M1");
  EXPECT_EQ(Field(state, "packs"),
            R"([["E1","E1","S1","S1"],["M1","M1","M1"],["R1","R1","R1","R1"]])");
}

TEST(Section2Draft, ThreeCardsArePassedToTheLeftWhenAllHaveKept) {
  State state = ThreeDraft();
  Do(state, kFirstRound);
  EXPECT_EQ(Field(state, "packs"), R"([["R1","R1","R1"],["E1","S1","S1"],["M1","M1","M1"]])");
  EXPECT_EQ(Field(state, "seat"), "1");
}

TEST(Section2Draft, ThenTwoCardsArePassedToTheLeft) {
  State state = ThreeDraft();
  Do(state, kFirstRound);
  Do(state, kSecondRound);
  EXPECT_EQ(Field(state, "packs"), R"([["M1","M1"],["R1","R1"],["S1","S1"]])");
}

TEST(Section2Draft, OfTheLastTwoOneIsKeptAndTheOtherLaidInTheCentre) {
  State state = ThreeDraft();
  Do(state, kFirstRound);
  Do(state, kSecondRound);
  Do(state, "keep R1, keep S1, keep M1");
  EXPECT_EQ(Field(state, "centre"), R"(["M1","R1","S1"])");
  EXPECT_EQ(Field(state, "packs"), "null");
}

State ThreeClaims() {
  State state = ThreeDraft();
  Do(state, kFirstRound);
  Do(state, kSecondRound);
  Do(state, "keep R1, keep S1, keep M1");
  return state;
}

TEST(Section2Draft, TheCentreIsClaimedFromTheFirstPlayersRightCounterClockwise) {
  State state = ThreeClaims();
  EXPECT_EQ(Field(state, "seat"), "0");
  EXPECT_EQ(LegalNames(state), "claim M, claim R, claim S");
  Do(state, "claim R");
  EXPECT_EQ(Field(state, "seat"), "2");
  EXPECT_EQ(LegalNames(state), "claim M, claim S");
  Do(state, "claim S");
  EXPECT_EQ(Field(state, "seat"), "1");
}

TEST(Section2Draft, AClaimedCardGoesToThePlayArea) {
  State state = ThreeClaims();
  Do(state, "claim R");
  EXPECT_EQ(Table(state, 0), "R1");
}

TEST(Section2Draft, EveryoneStartsWithThreeCardsInHandAndOneInThePlayArea) {
  State state = ThreeClaims();
  Do(state, "claim R, claim S, claim M");
  for (int seat = 0; seat < 3; ++seat)
    EXPECT_EQ(Hand(state, seat).size() + Table(state, seat).size(), 8u + 2u);
  EXPECT_EQ(Field(state, "seat") + Field(state, "turn") + Field(state, "step"), "11\"play\"");
  EXPECT_EQ(state.deck_size, 95 - 12);
}

}  // namespace
}  // namespace civ::test
