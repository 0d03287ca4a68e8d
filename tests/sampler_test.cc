// The sampler, and all other chance, against full enumeration: every assignment of unseen cards to
// unseen places has its exact probability, and a chi-square test compares. Seeds are fixed, so a
// run never fails by chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "civ/view/sample.h"
#include "tests/plain.h"
#include "tests/support.h"

namespace civ::test {
namespace {

using Distribution = std::map<std::string, double>;  // outcome to probability
using Counts = std::map<std::string, int>;

// Fails if the counts are too unlikely: chi-square at about one in a million, outcomes expected
// less than five times taken together. Outcomes that cannot be fail at once.
void ExpectDistributed(const Distribution& expected, const Counts& counts) {
  double sum = 0;
  for (const auto& [outcome, probability] : expected) sum += probability;
  ASSERT_GT(sum, 0);
  int samples = 0;
  for (const auto& [outcome, count] : counts) {
    samples += count;
    ASSERT_TRUE(expected.contains(outcome)) << "impossible: " << outcome;
  }
  double chi = 0, rare_expected = 0, rare_count = 0;
  int bins = 0;
  const auto add = [&](double wanted, double found) {
    chi += (found - wanted) * (found - wanted) / wanted;
    ++bins;
  };
  for (const auto& [outcome, probability] : expected) {
    const double wanted = probability / sum * samples;
    const double found = counts.contains(outcome) ? counts.at(outcome) : 0;
    if (wanted >= 5) {
      add(wanted, found);
    } else {
      rare_expected += wanted;
      rare_count += found;
    }
  }
  if (rare_expected >= 5) add(rare_expected, rare_count);
  ASSERT_GT(bins, 1);
  const double freedom = bins - 1, spread = 2 / (9 * freedom);
  // Wilson and Hilferty.
  const double limit = freedom * std::pow(1 - spread + 4.75 * std::sqrt(spread), 3);
  EXPECT_LT(chi, limit) << bins << " bins, " << samples << " samples";
}

TEST(Sampler, HasNoGameThatFitsWhatCannotBe) {
  View view = MakeView(Position(2).Hand("M1").Play(), {}, 0);
  Random random(1);
  EXPECT_TRUE(GameThatFits(view, random));
  view.hands[1].backs[0] = 60;  // more than there are
  EXPECT_FALSE(GameThatFits(view, random));
}

// --- Every state that fits a view ----------------------------------------------------------------

// Unseen cards that lie together: some of one Age in a hand or a pack, or one place in the deck.
struct Places {
  enum Where { Hand, Pack, Deck } where;
  Seat seat;
  Age age;
  int count;
};

struct Unseen {
  std::array<int, kKinds> left{};  // cards nobody has shown
  std::vector<Places> places;      // and where they may lie; the rest is in the box
};

void Take(Unseen& unseen, Cards cards) {
  for (int k = 0; k < kKinds; ++k)
    unseen.left[static_cast<size_t>(k)] -= cards[static_cast<Kind>(k)];
}

Unseen UnseenOf(const State& state, const View& view, bool with_deck) {
  Unseen unseen;
  for (int k = 0; k < kKinds; ++k)
    unseen.left[static_cast<size_t>(k)] = kCopies[static_cast<size_t>(k)];
  Take(unseen, view.discard);
  Take(unseen, view.centre);
  Take(unseen, Cards(Kind::U3, view.democracy_count));
  for (int i = 0; i < view.embargo_count; ++i)
    Take(unseen, Cards(view.embargoes[static_cast<size_t>(i)].card));
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    Take(unseen, view.tables[seat]);
    Take(unseen, view.hands[seat].cards);
    Take(unseen, view.packs[seat].cards);
    for (const Age age : {Age::I, Age::II, Age::III}) {
      const auto hidden = [&](const Holding& holding) {
        return holding.backs[static_cast<size_t>(age) - 1] - holding.cards.Of(age).Count();
      };
      if (hidden(view.hands[seat]) > 0)
        unseen.places.push_back({Places::Hand, seat, age, hidden(view.hands[seat])});
      if (hidden(view.packs[seat]) > 0)
        unseen.places.push_back({Places::Pack, seat, age, hidden(view.packs[seat])});
    }
  }
  for (int i = state.deck_size - 1; with_deck && i >= 0; --i)
    unseen.places.push_back({Places::Deck, 0, AgeOf(state.DeckCard(i)), 1});
  return unseen;
}

double Choose(int n, int k) {
  double ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

// A way to put the unseen cards, as far as it has got.
struct Dealt {
  std::array<Cards, kMaxSeats> hands, packs;
  std::vector<Kind> deck;
};

// Calls found(dealt, probability) for every way.
template <class Found>
void Enumerate(Unseen& unseen, size_t place, const Dealt& dealt, double probability, Found found) {
  if (place == unseen.places.size()) return found(dealt, probability);
  const Places& here = unseen.places[place];
  int of_age = 0;
  for (int k = 0; k < kKinds; ++k)
    of_age += AgeOf(static_cast<Kind>(k)) == here.age ? unseen.left[static_cast<size_t>(k)] : 0;
  // All multisets of the right size, kind by kind.
  const auto choose = [&](auto&& self, int kind, int missing, Cards chosen, double ways) -> void {
    if (missing == 0) {
      Dealt next = dealt;
      if (here.where == Places::Hand) next.hands[here.seat] += chosen;
      if (here.where == Places::Pack) next.packs[here.seat] += chosen;
      if (here.where == Places::Deck) next.deck.push_back(chosen.First());
      return Enumerate(unseen, place + 1, next, probability * ways / Choose(of_age, here.count),
                       found);
    }
    if (kind == kKinds) return;
    int& left = unseen.left[static_cast<size_t>(kind)];
    const bool right_age = AgeOf(static_cast<Kind>(kind)) == here.age;
    const int most = right_age ? std::min(missing, left) : 0;
    const int had = left;
    for (int n = 0; n <= most; ++n) {
      left = had - n;
      self(self, kind + 1, missing - n,
           n == 0 ? chosen : chosen + Cards(static_cast<Kind>(kind), n), ways * Choose(had, n));
    }
    left = had;
  };
  choose(choose, 0, here.count, Cards(), 1);
}

// What a state has where the viewer does not see. Without the deck: hands and packs alone.
std::string Hidden(const State& state, bool with_deck) {
  std::string text;
  for (Seat seat = 0; seat < state.config.players; ++seat)
    text += "| " + Text(state.hands[seat]) + " / " + Text(state.packs[seat]) + " ";
  for (int i = state.deck_size - 1; with_deck && i >= 0; --i)
    text += " " + Text(Cards(state.DeckCard(i)));
  return text;
}

// Whether the choice under way could have come about with these hands.
bool ChoiceIsPossible(State& state, bool from_is_hidden) {
  if (state.step != Step::Choose) return true;
  const Choice& choice = state.choice;
  if (choice.verb == Verb::Give) {
    const Cards given = state.hands[choice.target];
    const uint8_t last = given.Empty() ? kNone : static_cast<uint8_t>(given.Last());
    if (from_is_hidden) state.choice.from = last;
    if (choice.from != last) return false;
  }
  if (choice.verb == Verb::Play && choice.from == kNone) {
    int playable = 0;
    for (int k = 0; k < kKinds; ++k) {
      const auto kind = static_cast<Kind>(k);
      bool embargoed = false;
      for (int i = 0; i < state.embargo_count; ++i)
        embargoed |=
            state.embargoes[static_cast<size_t>(i)].seat == state.seat &&
            state.embargoes[static_cast<size_t>(i)].domain == static_cast<int>(DomainOf(kind));
      if (!embargoed) playable += state.hands[state.seat][kind];
    }
    const bool second_level =
        choice.effect == Effect::Monopoly || choice.effect == Effect::Research;
    if (choice.left != std::min(second_level ? 2 : 1, playable)) return false;
  }
  return std::ranges::any_of(AllActions(),
                             [&](Action action) { return MayPlainly(state, action); });
}

Distribution AllThatFit(const State& state, const View& view, bool with_deck) {
  Unseen unseen = UnseenOf(state, view, with_deck);
  Distribution distribution;
  Enumerate(unseen, 0, {}, 1, [&](const Dealt& dealt, double probability) {
    State full = state;
    for (Seat seat = 0; seat < state.config.players; ++seat) {
      full.hands[seat] = view.hands[seat].cards + dealt.hands[seat];
      full.packs[seat] = view.packs[seat].cards + dealt.packs[seat];
    }
    if (with_deck) full.SetDeck(dealt.deck);
    if (ChoiceIsPossible(full, view.viewer != state.seat))
      distribution[Hidden(full, with_deck)] += probability;
  });
  return distribution;
}

void ExpectSampledRight(const Game& game, Seat viewer, bool with_deck, size_t outcomes_at_least,
                        int samples = 25'000) {
  SCOPED_TRACE(int{viewer});
  const View view = MakeView(game.state, game.knowledge, viewer);
  const Distribution expected = AllThatFit(game.state, view, with_deck);
  EXPECT_GE(expected.size(), outcomes_at_least) << "not much of a test";
  EXPECT_TRUE(expected.contains(Hidden(game.state, with_deck)))
      << "the truth is not among what is possible";
  Counts counts;
  Random random(12345);
  for (int i = 0; i < samples; ++i) {
    const std::optional<State> sampled = Sample(view, random);
    ASSERT_TRUE(sampled);
    counts[Hidden(*sampled, with_deck)]++;
  }
  ExpectDistributed(expected, counts);
}

// A game from a position, after these actions.
Game After(const State& position, std::string_view actions) {
  Game game(position);
  if (!actions.empty()) Do(game, actions);
  return game;
}

// --- Positions -----------------------------------------------------------------------------------

// Late in a game: few cards are unseen, and those not named lie in the discard pile. It is seat 0's
// turn.
State Late(const std::vector<const char*>& hands, const std::vector<const char*>& tables,
           std::string_view deck, std::string_view box, Step step = Step::Effects) {
  State state = EmptyState({.players = static_cast<uint8_t>(hands.size())});
  Cards rest;
  for (int k = 0; k < kKinds; ++k)
    rest += Cards(static_cast<Kind>(k), kCopies[static_cast<size_t>(k)]);
  rest -= CardsOf(box);
  for (size_t seat = 0; seat < hands.size(); ++seat)
    rest -= state.hands[seat] = CardsOf(hands[seat]);
  for (size_t seat = 0; seat < tables.size(); ++seat)
    for (const Kind kind : ListOf(tables[seat])) {
      AddToTable(state, static_cast<Seat>(seat), kind);
      rest -= Cards(kind);
    }
  state.SetDeck(ListOf(deck));
  rest -= CardsOf(deck);
  state.discard = rest;
  state.turn = 1;
  state.step = step;
  return state;
}

constexpr const char* kBox = "M1 R1 E1 M2 S2 C2 M3 C3 U3";

TEST(Sampler, LateWithABox) {
  const State state = Late({"M3 U3", "E3 S3"}, {}, "C3 U3", kBox, Step::Play);
  for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator})
    ExpectSampledRight(After(state, ""), viewer, true, 30);
}

TEST(Sampler, LateWithHandsOfSeveralAges) {
  const State state = Late({"M1", "R1 S2 E3", "M2 R2"}, {}, "C3", kBox, Step::Play);
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator})
    ExpectSampledRight(After(state, ""), viewer, false, 20);
}

TEST(Sampler, WithFourThereIsNoBox) {
  const State state = Late({"M1", "R1 S2 E3", "M2 R2 M3", "C2 C3"}, {}, "M3 C3", "", Step::Play);
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, Seat{3}, kSpectator})
    ExpectSampledRight(After(state, ""), viewer, true, 8);
}

TEST(Sampler, KnownCardsStayWhereTheyAre) {
  // Seat 0 takes cards that all have seen, and plays one of them.
  const State state = Late({"M2 M3", "R2 C3", ""}, {"S1 S1 S1 S2 S2 E3"}, "U3 M3", kBox);
  const Game game = After(state, "research, take S2, take E3, play M2, play E3");
  EXPECT_EQ(Text(game.knowledge.known[0][1]), "S2");
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator})
    ExpectSampledRight(game, viewer, true, 15);
  const Game later = After(state, "research, take S2, take E3, play S2, play E3");
  EXPECT_EQ(Text(later.knowledge.known[0][1]), "");
  ExpectSampledRight(later, 1, true, 30);
}

TEST(Sampler, FaceDownCardsAreSeen) {
  const State state = Late({"M1 E1", "R1 E1", ""}, {"E2 U3", "M1"}, "E3 U3", kBox);
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator})
    ExpectSampledRight(After(state, "embargo 1 M, democracy 1 M"), viewer, true, 20);
}

// The user of an Inquisition, its target, and two kinds of bystander.
TEST(Sampler, InTheMiddleOfAnInquisition) {
  const State state = Late({"M1 E2", "R1 M2 S2", "C2"}, {"R1"}, "U3", kBox);
  for (const char* actions :
       {"inquisition 1", "inquisition 1, give M1", "inquisition 1, give M1, give R1",
        "inquisition 1, give R1, give M2", "inquisition 1, give M1, give R1, give S2"})
    for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator}) {
      SCOPED_TRACE(actions);
      ExpectSampledRight(After(state, actions), viewer, false, viewer < 2 ? 3 : 10);
    }
}

// A game that was loaded has forgotten what was known, and the last card given is then all that is
// known of the hand.
TEST(Sampler, InTheMiddleOfAnInquisitionThatWasLoaded) {
  const State state = Late({"M1 E2", "R1 M2 S2", "C2"}, {"R1"}, "U3", kBox);
  Game game = After(state, "inquisition 1, give M1, give M2");
  game.knowledge = {};
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator})
    ExpectSampledRight(game, viewer, false, 3);
}

// Cards are named in order, so the last one discarded tells what is left.
TEST(Sampler, InTheMiddleOfABreakthrough) {
  const State state = Late({"M2 E2", "C3"}, {"S1"}, "M2 S2 M3 C3 U3 U3", kBox);
  for (const char* actions :
       {"breakthrough", "breakthrough, discard M2", "breakthrough, discard E2, discard S2",
        "breakthrough, discard M2, discard M2, discard E2, discard C3"})
    for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator}) {
      SCOPED_TRACE(actions);
      ExpectSampledRight(After(state, actions), viewer, false, 3);
    }
}

TEST(Sampler, InTheMiddleOfAPurge) {
  const State state = Late({"M2 E2 C2", "C3"}, {"M1 M1 M1 M1 M1"}, "M3", kBox);
  for (const char* actions : {"purge", "purge, discard E2"})
    for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator})
      ExpectSampledRight(After(state, actions), viewer, true, 8);
}

// "Then play": as many as can be played, and what an embargo blocks cannot.
TEST(Sampler, InTheMiddleOfAThenUnderAnEmbargo) {
  const auto position = [](const char* hand) {
    State state =
        Late({hand, "E2", ""}, {"E1 E1 E1 E2 C1", "M1"}, "U3", "M1 R1 E1 M2 R2 C2 M3 C3 E3");
    state.discard -= CardsOf("E3");
    LayEmbargo(state, {{0, 1, static_cast<uint8_t>(Domain::Military)}, Kind::E3});
    return state;
  };
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator}) {
    const size_t least = viewer == 0 ? 3 : 4;
    ExpectSampledRight(After(position("M2 C2"), "development, discard C"), viewer, false, least);
    ExpectSampledRight(After(position("M2"), "development, discard C"), viewer, false,
                       2);  // plays none: nothing is asked
  }
  const auto monopoly = [&](const char* hand, const char* actions) {
    State state = position(hand);
    state.discard -= CardsOf("E2");
    AddToTable(state, 0, Kind::E2);
    return After(state, actions);
  };
  for (const Seat viewer : {Seat{0}, Seat{1}, Seat{2}, kSpectator}) {
    const size_t least = 2;
    ExpectSampledRight(monopoly("M2 C2", "monopoly, discard E, discard C"), viewer, false,
                       least);  // plays one of two
    ExpectSampledRight(monopoly("R2 C2", "monopoly, discard E, discard C"), viewer, false,
                       least);  // plays both
    ExpectSampledRight(monopoly("M2 R2 C2", "monopoly, discard E, discard C, play R2"), viewer,
                       false, least);
  }
}

TEST(Sampler, InTheMiddleOfAResearch) {
  const State state = Late({"M2", "C3"}, {"S1 S1 S1 S2 S2 E2"}, "M3", kBox);
  for (const char* actions : {"research", "research, take E2", "research, take E2, take S2",
                              "research, take E2, take S2, play M2"})
    for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator}) {
      SCOPED_TRACE(actions);
      ExpectSampledRight(After(state, actions), viewer, true, 3);
    }
}

TEST(Sampler, Packs) {
  const std::vector<Kind> deck = DeckFrom(2, "M1 R1 E1 S1 C1 M1 M1 R1");
  const State state = New({.players = 2, .setup = Setup::Draft}, deck);
  for (const char* actions : {"", "keep R1", "keep R1, keep M1", "keep R1, keep M1, keep R1",
                              "keep R1, keep M1, keep R1, keep M1, keep E1, keep C1"})
    for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator}) {
      SCOPED_TRACE(actions);
      ExpectSampledRight(After(state, actions), viewer, false, 15);
    }
}

// Far too many states to enumerate, but any one place can be.
TEST(Sampler, EveryPlaceOfALargeDeckIsFair) {
  Random deal(3);
  const Deck deck = ShuffledDeck(3, deal);
  const State state = New({.players = 3}, deck.Span());
  const View view = MakeView(state, {}, 1);
  Unseen unseen = UnseenOf(state, view, false);
  Random random(4);
  std::map<int, Counts> counts;
  for (int i = 0; i < 20'000; ++i) {
    const State sampled = *Sample(view, random);
    for (const int place : {state.deck_size - 1, state.deck_size - 2, 70, 69, 45, 40, 1, 0})
      counts[place][Text(Cards(sampled.DeckCard(place)))]++;
  }
  for (const auto& [place, found] : counts) {
    SCOPED_TRACE(place);
    Distribution expected;
    for (int k = 0; k < kKinds; ++k)
      if (AgeOf(static_cast<Kind>(k)) == AgeOf(state.DeckCard(place)))
        expected[Text(Cards(static_cast<Kind>(k)))] = unseen.left[static_cast<size_t>(k)];
    ExpectDistributed(expected, found);
  }
}

// --- What no state fits --------------------------------------------------------------------------

TEST(Sampler, NothingFitsAContradiction) {
  const State state = Late({"M3 U3", "E3 S3"}, {}, "C3 U3", kBox, Step::Play);
  const View view = MakeView(state, {}, 0);
  Random random(1);
  ASSERT_TRUE(Sample(view, random));
  const auto refused = [&](auto change) {
    View wrong = view;
    change(wrong);
    return !Sample(wrong, random);
  };
  EXPECT_TRUE(refused([](View& v) { v.deck_size++; }));
  EXPECT_TRUE(refused([](View& v) { v.deck_size--; }));
  EXPECT_TRUE(refused([](View& v) { v.deck_top = 2; }));
  EXPECT_TRUE(refused([](View& v) { v.deck_top = 0; }));
  EXPECT_TRUE(refused([](View& v) { v.hands[1].backs[2]++; }));
  EXPECT_TRUE(refused([](View& v) { v.hands[1].backs[0]++; }));
  EXPECT_TRUE(refused(
      [](View& v) { v.hands[1].cards = CardsOf("U3 U3 U3"); }));  // more known than there are backs
  EXPECT_TRUE(
      refused([](View& v) { v.hands[1].cards = CardsOf("M2"); }));  // known, but of another Age
  EXPECT_TRUE(refused([](View& v) { v.discard += CardsOf("M3"); }));
  EXPECT_TRUE(refused([](View& v) { v.discard += Cards(Kind::U3, 16); }));
}

// --- Chance --------------------------------------------------------------------------------------

TEST(Chance, BelowIsUniform) {
  for (const uint32_t n : {1u, 2u, 3u, 5u, 6u, 44u, 1000u}) {
    Random random(n);
    Counts counts;
    Distribution expected;
    for (uint32_t i = 0; i < n; ++i) expected[std::to_string(i)] = 1;
    for (int i = 0; i < 50'000; ++i) counts[std::to_string(random.Below(n))]++;
    if (n > 1)
      ExpectDistributed(expected, counts);
    else
      EXPECT_EQ(counts["0"], 50'000);
  }
}

// Multiplication alone would favour some numbers here by a third.
TEST(Chance, BelowIsUniformForLargeNumbers) {
  constexpr uint32_t n = 3u << 30;
  Random random(1);
  Counts counts;
  for (int i = 0; i < 60'000; ++i) counts[std::to_string(random.Below(n) % 3)]++;
  ExpectDistributed({{"0", 1}, {"1", 1}, {"2", 1}}, counts);
}

TEST(Chance, EveryOrderIsAsLikely) {
  Random random(2);
  Distribution expected;
  Counts counts;
  std::string all = "abcde";
  do expected[all] = 1;
  while (std::ranges::next_permutation(all).found);
  for (int i = 0; i < 60'000; ++i) {
    std::string items = "abcde";
    random.Shuffle(std::span<char>(items));
    counts[items]++;
  }
  EXPECT_EQ(expected.size(), 120u);
  ExpectDistributed(expected, counts);
}

TEST(Chance, DecksArePossible) {
  for (int players = 2; players <= 4; ++players) {
    Random random(9);
    for (int i = 0; i < 500; ++i) {
      const Deck deck = ShuffledDeck(players, random);
      EXPECT_EQ(deck.size, players == 4 ? 104 : 95);
      EXPECT_TRUE(IsDeck(players, deck.Span()));
    }
  }
}

// Every card may be in every place of its Age, and in the box.
TEST(Chance, DecksAreFair) {
  for (const int players : {2, 4}) {
    const int of_first = players == 4 ? 28 : 25, of_second = players == 4 ? 32 : 29;
    std::map<int, Counts> counts;
    Counts missing;
    Random random(11);
    for (int i = 0; i < 20'000; ++i) {
      const Deck deck = ShuffledDeck(players, random);
      for (const int place : {0, 1, of_first - 1, of_first, of_first + of_second - 1,
                              of_first + of_second, deck.size - 2, deck.size - 1})
        counts[place][Text(Cards(deck.cards[static_cast<size_t>(place)]))]++;
    }
    for (const auto& [place, found] : counts) {
      SCOPED_TRACE(place);
      Distribution expected;
      const Age age = place < of_first ? Age::I : place < of_first + of_second ? Age::II : Age::III;
      for (int k = 0; k < kKinds; ++k)
        if (AgeOf(static_cast<Kind>(k)) == age)
          expected[Text(Cards(static_cast<Kind>(k)))] = kCopies[static_cast<size_t>(k)];
      ExpectDistributed(expected, found);
    }
  }
}

// Seeds that follow each other: First Player and first card, and those of the next seed.
TEST(Chance, NeighbouringSeedsHaveNothingInCommon) {
  Distribution expected;
  Counts counts;
  std::string last;
  for (uint64_t seed = 0; seed < 60'000; ++seed) {
    const Deal deal = DealFromSeed({.players = 4}, seed);
    const std::string now = std::to_string(deal.config.first) + Text(Cards(deal.deck.cards[0]));
    if (!last.empty()) counts[last + now]++;
    last = now;
  }
  const auto each = [](auto call) {
    for (int first = 0; first < 4; ++first)
      for (int k = 0; k < 5; ++k)
        call(std::to_string(first) + Text(Cards(static_cast<Kind>(k))),
             kCopies[static_cast<size_t>(k)]);
  };
  each([&](const std::string& one, int weight) {
    each([&](const std::string& two, int other) { expected[one + two] = weight * other; });
  });
  ExpectDistributed(expected, counts);
}

TEST(Chance, ASeedIsADeal) {
  for (const Config& config : AllConfigs()) {
    const Deal deal = DealFromSeed(config, 77), again = DealFromSeed(config, 77),
               other = DealFromSeed(config, 78);
    EXPECT_EQ(deal.config, again.config);
    EXPECT_EQ(deal.deck.cards, again.deck.cards);
    EXPECT_NE(deal.deck.cards, other.deck.cards);
    EXPECT_LT(deal.config.first, config.players);
    EXPECT_TRUE(IsDeck(config.players, deal.deck.Span()));
  }
}

}  // namespace
}  // namespace civ::test
