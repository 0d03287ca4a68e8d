// Which states are refused, and why: single changes to states that are right.
#include "civ/rules/check.h"

#include <gtest/gtest.h>

#include "civ/notation/notation.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {

void PrintTo(Fault fault, std::ostream* out) { *out << "fault " << static_cast<int>(fault); }

namespace {

template <class Change>
Fault FaultOf(State state, Change change) {
  EXPECT_EQ(Check(state), Fault::None) << "before the change";
  change(state);
  return Check(state);
}

// Three players, seat 1 to play, all kinds of things on the table; six cards in the deck, two of
// Age II on top.
State Rich() {
  State state = EmptyState({.players = 3, .first = 2});
  Cards rest;
  for (int k = 0; k < kKinds; ++k)
    rest += Cards(static_cast<Kind>(k), kCopies[static_cast<size_t>(k)]);
  const auto use = [&](std::string_view cards) {
    rest -= CardsOf(cards);
    return CardsOf(cards);
  };
  use("M1 R1 C1 M2 R2 C2 M3 U3 C3");  // the box
  state.hands[0] = use("M1 M2 U3");
  state.hands[1] = use("R1 E2");
  state.hands[2] = use("S1 C3 C3 U3");
  const char* tables[] = {"M1 M1 R2 C3 C3", "E1 E1 S2 U3", "C1 R1"};
  for (Seat seat = 0; seat < 3; ++seat) {
    use(tables[seat]);
    for (const Kind kind : ListOf(tables[seat])) AddToTable(state, seat, kind);
  }
  use("E1 E3 U3 U3");
  LayEmbargo(state, {{0, 1, static_cast<uint8_t>(Domain::Military)}, Kind::E1});
  LayEmbargo(state, {{2, 0, static_cast<uint8_t>(Domain::Utopia)}, Kind::E3});
  state.democracies[state.democracy_count++] = {1, 2, static_cast<uint8_t>(Domain::Economy)};
  state.democracies[state.democracy_count++] = {0, 2, static_cast<uint8_t>(Domain::Culture)};
  use("M2 S2 M3 E3 S3 U3");
  state.SetDeck(ListOf("M2 S2 M3 E3 S3 U3"));
  state.discard = rest;
  state.coin = {0, 2, Domain::Science};
  state.turn = 33;
  state.last_draw = 32;
  state.seat = 1;
  state.step = Step::Play;
  return state;
}

State RichEffects() {
  State state = Rich();
  state.step = Step::Effects;
  state.permanent = Bit(Domain::Religion) | Bit(Domain::Science);
  state.given_up = Bit(Domain::Military);
  state.hand_size = 5;
  return state;
}

TEST(CheckStates, TheTable) {
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.config.players = 1; }), Fault::Config);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.config.players = 0; }), Fault::Config);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.config.players = 5; }), Fault::Config);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.config.first = 3; }), Fault::Config);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.config.teams = true; }), Fault::Config);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.config.players = 2; }) == Fault::None, false);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.config.players = 4; }) == Fault::None, false);
}

TEST(CheckStates, CardsLaidFaceDown) {
  for (const auto& wrong : {FaceDown{0, 0, 0}, FaceDown{3, 0, 0}, FaceDown{0, 3, 0},
                            FaceDown{0, 1, 6}, FaceDown{0, 1, 7}}) {
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.democracies[1] = wrong; }), Fault::FaceDown);
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { static_cast<FaceDown&>(s.embargoes[1]) = wrong; }),
              Fault::FaceDown);
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.democracies[0] = wrong; }), Fault::FaceDown);
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { static_cast<FaceDown&>(s.embargoes[0]) = wrong; }),
              Fault::FaceDown);
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.democracies[2] = wrong; }), Fault::None)
        << "beyond the last";
  }
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.embargoes[0].card = Kind::S1; }), Fault::FaceDown);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.democracies[1] = {2, 0, 5}; }), Fault::None);
}

TEST(CheckStates, EveryCardIsThereOnce) {
  const auto lose = [](Cards& cards) { cards -= Cards(cards.First()); };
  for (Seat seat = 0; seat < 3; ++seat) {
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { lose(s.hands[seat]); }), Fault::Cards);
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { RemoveFromTable(s, seat, s.tables[seat].First()); }),
              Fault::Cards);
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.packs[seat] = CardsOf("M1"); }), Fault::Cards);
  }
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.hands[3] = CardsOf("C1"); }), Fault::Cards);
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { lose(s.discard); }), Fault::Cards);
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.discard += CardsOf("M2"); }), Fault::Cards);
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.centre = CardsOf("M1"); }), Fault::Cards);
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.deck_size--; }), Fault::Cards);
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.embargo_count = 1; }), Fault::Cards);
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.democracy_count = 1; }), Fault::Cards);
  // As many of each Age, but one kind too often: its last copy is in the box, and one more is
  // nowhere.
  for (const char* change : {"R1 C1", "M2 C2", "S3 C3", "S3 U3"}) {
    const std::vector<Kind> kinds = ListOf(change);
    State state = Rich();
    Cards all;
    for (int k = 0; k < kKinds; ++k)
      all += Cards(static_cast<Kind>(k), kCopies[static_cast<size_t>(k)]);
    int tries = 0;
    for (; Check(state) == Fault::None && tries < 5; ++tries) {
      ASSERT_GT(state.discard[kinds[0]], 0);
      state.discard = state.discard - Cards(kinds[0]) + Cards(kinds[1]);
    }
    EXPECT_EQ(Check(state), Fault::Cards);
    EXPECT_EQ(tries, 2) << "one copy came from the box: " << change;
  }
  EXPECT_EQ(
      FaultOf(Rich(), [&](State& s) { s.discard = s.discard - CardsOf("M1") + CardsOf("M2"); }),
      Fault::Cards);
}

TEST(CheckStates, TheDeckIsInTheOrderOfTheAges) {
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.SetDeck(ListOf("S2 M2 U3 S3 E3 M3")); }), Fault::None);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.SetDeck(ListOf("M2 M3 S2 E3 S3 U3")); }),
            Fault::DeckOrder);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.SetDeck(ListOf("M3 M2 S2 E3 S3 U3")); }),
            Fault::DeckOrder);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.SetDeck(ListOf("M2 M3 E3 S3 U3 S2")); }),
            Fault::DeckOrder);
}

TEST(CheckStates, EffectsUsed) {
  EXPECT_EQ(FaultOf(RichEffects(), [](State& s) { s.permanent |= 0x40; }), Fault::Used);
  EXPECT_EQ(FaultOf(RichEffects(), [](State& s) { s.given_up |= 0x80; }), Fault::Used);
  EXPECT_EQ(FaultOf(RichEffects(), [](State& s) { s.given_up |= Bit(Domain::Culture); }),
            Fault::Used);
  EXPECT_EQ(FaultOf(RichEffects(), [](State& s) { s.permanent |= Bit(Domain::Culture); }),
            Fault::None);
  EXPECT_EQ(FaultOf(RichEffects(),
                    [](State& s) {
                      s.permanent = Bit(Domain::Culture);
                      s.hand_size = 3;
                    }),
            Fault::Used);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.permanent = Bit(Domain::Military); }), Fault::Used);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.given_up = Bit(Domain::Military); }), Fault::Used);
}

TEST(CheckStates, TheHandSize) {
  for (int size = 0; size < 10; ++size) {
    const auto set = [=](State& s) { s.hand_size = static_cast<uint8_t>(size); };
    EXPECT_EQ(FaultOf(RichEffects(), set), size == 5 || size == 7 ? Fault::None : Fault::HandSize);
    EXPECT_EQ(FaultOf(Rich(), set), size == 3 ? Fault::None : Fault::HandSize);
  }
}

TEST(CheckStates, TheCoin) {
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.coin = {}; }), Fault::None);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.coin = {2, 0, Domain::Utopia}; }), Fault::None);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.coin.owner = 3; }), Fault::Coin);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.coin.seat = 3; }), Fault::Coin);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.coin.seat = kNone; }), Fault::Coin);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.coin.seat = 0; }), Fault::Coin);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.coin.domain = Domain::Culture; }), Fault::Coin);
}

TEST(CheckStates, LastDrawAndClosing) {
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.last_draw = 33; }), Fault::None);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.last_draw = 34; }), Fault::LastDraw);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.closing = 1; }), Fault::Closing);
  const auto empty = [](Edition edition, int closing) {
    return FaultOf(Rich(), [=](State& s) {
      s.config.edition = edition;
      for (int i = 0; i < s.deck_size; ++i) s.discard += Cards(s.DeckCard(i));
      s.deck_size = 0;
      s.closing = static_cast<Seat>(closing);
    });
  };
  for (const Edition edition : {Edition::En, Edition::Fr, Edition::Es, Edition::Ro})
    for (const int closing : {0, 1, 2, 3, 255})
      EXPECT_EQ(empty(edition, closing), closing == 1 ? Fault::None : Fault::Closing);
  for (const int closing : {0, 1, 2, 3, 255})
    EXPECT_EQ(empty(Edition::Pt, closing), closing < 3 ? Fault::None : Fault::Closing);
}

TEST(CheckStates, TurnAndSeat) {
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.turn = s.last_draw = 0; }), Fault::Turn);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.step = Step::Draft; }), Fault::Turn);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.step = Step::Claim; }), Fault::Turn);
  for (const int seat : {0, 2, 3, 255})
    EXPECT_EQ(FaultOf(Rich(), [=](State& s) { s.seat = static_cast<Seat>(seat); }), Fault::Seat);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.turn = 34; }), Fault::Seat);
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.turn = 36; }), Fault::None);
  // Packs and a centre belong to the draft; the cards are those of the discard pile.
  const auto from_discard = [](State& s) {
    s.discard -= CardsOf("M1");
    return CardsOf("M1");
  };
  EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.centre = from_discard(s); }), Fault::Packs);
  for (Seat seat = 0; seat < kMaxSeats; ++seat)
    EXPECT_EQ(FaultOf(Rich(), [&](State& s) { s.packs[seat] = from_discard(s); }), Fault::Packs);
}

TEST(CheckStates, TheEnd) {
  EXPECT_EQ(FaultOf(Rich(), [](State& s) { s.step = Step::Over; }), Fault::Seat);
  const auto over = [](auto change) {
    return FaultOf(Rich(), [&](State& s) {
      s.step = Step::Over;
      s.seat = kNone;
      change(s);
    });
  };
  EXPECT_EQ(over([](State&) {}), Fault::NotOver);
  // Ruling 11: the seat before the First Player had its turn, and 20 rounds were idle.
  EXPECT_EQ(over([](State& s) { s.turn = 93; }), Fault::None);
  EXPECT_EQ(over([](State& s) { s.turn = 92; }), Fault::NotOver);
  EXPECT_EQ(over([](State& s) { s.turn = 94; }), Fault::NotOver);
  EXPECT_EQ(over([](State& s) { s.turn = 93, s.last_draw = 34; }), Fault::NotOver);
  // Hegemony of the one whose turn it was, and of nobody else.
  const auto hegemony = [&](Seat seat) {
    return over([=](State& s) {
      for (int i = 0; i < 7; ++i) {
        const Kind kind = s.discard.Of(Domain::Science).First();
        s.discard -= Cards(kind);
        AddToTable(s, seat, kind);
      }
    });
  };
  EXPECT_EQ(hegemony(0), Fault::NotOver);
  EXPECT_EQ(hegemony(1), Fault::None);
  EXPECT_EQ(hegemony(2), Fault::NotOver);
  // The deck is empty, and the last seat had its turn.
  const auto closed = [&](int turn) {
    return over([=](State& s) {
      for (int i = 0; i < s.deck_size; ++i) s.discard += Cards(s.DeckCard(i));
      s.deck_size = 0;
      s.closing = 1;
      s.turn = static_cast<uint16_t>(turn);
    });
  };
  EXPECT_EQ(closed(33), Fault::None);
  EXPECT_EQ(closed(34), Fault::NotOver);
  EXPECT_EQ(closed(35), Fault::NotOver);
}

TEST(CheckStates, TheDraft) {
  for (const Config& config : AllConfigs()) {
    if (config.setup != Setup::Draft) continue;
    Random random(7);
    const Deck deck = ShuffledDeck(config.players, random);
    Config seated = config;
    seated.first = 1;
    State state = New(seated, deck.Span());
    for (; state.turn == 0; Apply(state, Legal(state)[0])) {
      const Seat me = state.seat;
      const Fault wrong_seat = FaultOf(state, [&](State& s) { s.seat = s.Next(me); });
      EXPECT_EQ(wrong_seat, Fault::Draft);
      EXPECT_EQ(FaultOf(state, [&](State& s) { s.seat = s.config.players; }), Fault::Seat);
      EXPECT_EQ(FaultOf(state, [&](State& s) { s.seat = kNone; }), Fault::Seat);
      EXPECT_EQ(FaultOf(state, [&](State& s) { s.config.setup = Setup::Basic; }), Fault::Draft);
      EXPECT_EQ(FaultOf(state, [&](State& s) { s.coin = {0, 1, Domain::Military}; }), Fault::Draft);
      EXPECT_EQ(
          FaultOf(state,
                  [&](State& s) { s.step = s.step == Step::Draft ? Step::Claim : Step::Draft; }),
          Fault::Draft);
      // A card from the deck, so that all are still there, where it does not belong.
      const auto with_top = [&](auto put) {
        return FaultOf(state, [&](State& s) {
          const Kind top = s.DeckCard(s.deck_size - 1);
          s.deck_size--;
          put(s, top);
        });
      };
      EXPECT_EQ(with_top([](State& s, Kind kind) { s.discard += Cards(kind); }), Fault::Draft);
      EXPECT_EQ(with_top([](State& s, Kind kind) { s.centre = Cards(s.centre) + Cards(kind); }),
                Fault::Draft);
      for (Seat seat = 0; seat < config.players; ++seat) {
        EXPECT_EQ(with_top([=](State& s, Kind kind) { s.hands[seat] += Cards(kind); }),
                  Fault::Draft);
        EXPECT_EQ(with_top([=](State& s, Kind kind) {
                    s.packs[seat] = Cards(s.packs[seat]) + Cards(kind);
                  }),
                  Fault::Draft);
        EXPECT_EQ(with_top([=](State& s, Kind kind) { AddToTable(s, seat, kind); }), Fault::Draft);
      }
      // Face-down cards, from the bottom of the deck, which is of Age III.
      const auto from_bottom = [&](Domain domain, auto put) {
        return FaultOf(state, [&](State& s) {
          std::vector<Kind> cards;
          Kind taken{};
          for (int i = s.deck_size - 1; i >= 0; --i) cards.push_back(s.DeckCard(i));
          for (size_t i = cards.size(); i-- > 0;)
            if (DomainOf(cards[i]) == domain) {
              taken = cards[i];
              cards.erase(cards.begin() + static_cast<long>(i));
              break;
            }
          s.SetDeck(cards);
          put(s, taken);
        });
      };
      EXPECT_EQ(from_bottom(Domain::Utopia,
                            [](State& s, Kind) { s.democracies[s.democracy_count++] = {0, 1, 0}; }),
                Fault::Draft);
      EXPECT_EQ(from_bottom(Domain::Economy,
                            [](State& s, Kind kind) { LayEmbargo(s, {{0, 1, 0}, kind}); }),
                Fault::Draft);
    }
  }
}

// Who has kept three cards has no pack any more.
TEST(CheckStates, NoFourthCardIsKept) {
  Random random(7);
  State state = New({.players = 2, .setup = Setup::Draft}, ShuffledDeck(2, random).Span());
  while (state.step == Step::Draft) Apply(state, Legal(state)[0]);
  EXPECT_EQ(FaultOf(state,
                    [](State& s) {
                      // The two cards of the centre, back in packs.
                      s.step = Step::Draft;
                      s.seat = s.config.first;
                      Cards centre = s.centre;
                      for (Seat seat = 0; seat < 2; ++seat) {
                        const Kind kind = centre.First();
                        centre -= Cards(kind);
                        s.packs[seat] = Cards(kind);
                      }
                      s.centre = {};
                    }),
            Fault::Draft);
}

// --- Choices -------------------------------------------------------------------------------------

// Seat 0 in the middle of an effect: everything but what the position allows is refused.
TEST(CheckStates, ChoicesThatCannotBe) {
  const State position =
      Position(3)
          .Table("M1 M1 M1 M1 M1 E1 E1 E1 E1 E2 S1 S1 S1 S2 S2 R1 U3 U3 U3 U3 U3")
          .Hand("M2 R2 C2 U3")
          .Seat(1)
          .Table("M1 C1")
          .Hand("R1 R2")
          .Discard("C1 C2")
          .Effects();
  for (const char* actions : {"assassination",
                              "purge",
                              "purge, discard M2",
                              "development",
                              "development, discard M",
                              "monopoly",
                              "monopoly, discard E",
                              "monopoly, discard E, discard U",
                              "monopoly, discard E, discard U, play R2",
                              "experiment",
                              "experiment, take E1",
                              "research",
                              "research, take M1",
                              "research, take M1, take U3",
                              "research, take M1, take U3, play M2",
                              "oligarchy",
                              "republic",
                              "republic, recover C1",
                              "inquisition 1",
                              "inquisition 1, give R1",
                              "breakthrough",
                              "breakthrough, discard M1"}) {
    SCOPED_TRACE(actions);
    State state = position;
    Do(state, actions);
    ASSERT_EQ(state.step, Step::Choose);
    const Choice right = state.choice;
    const auto with = [&](auto change) {
      return FaultOf(state, [&](State& s) { change(s.choice); });
    };
    const bool level_two = LevelOf(right.effect) == 2 && IsPermanent(right.effect);
    EXPECT_EQ(with([](Choice& c) { c.left = 0; }), Fault::Choice);
    EXPECT_EQ(with([](Choice& c) { c.left = 60; }), Fault::Choice);
    if (right.effect != Effect::Inquisition && right.effect != Effect::Breakthrough) {
      EXPECT_EQ(with([](Choice& c) { c.left++; }), Fault::Choice);
    }
    if (right.effect == Effect::Breakthrough) {
      EXPECT_EQ(with([](Choice& c) { c.left = static_cast<uint8_t>(c.from == kNone ? 6 : 5); }),
                Fault::Choice);
    }
    for (const Effect effect :
         {Effect::Assassination, Effect::Purge, Effect::HolyBook, Effect::DivineRight,
          Effect::Development, Effect::Monopoly, Effect::Experiment, Effect::Research,
          Effect::Oligarchy, Effect::Republic, Effect::Attack, Effect::Inquisition, Effect::Embargo,
          Effect::Breakthrough, Effect::Democracy})
      if (effect != right.effect) {
        EXPECT_EQ(with([=](Choice& c) { c.effect = effect; }), Fault::Choice) << NameOf(effect);
      }
    for (const Verb verb : {Verb::Play, Verb::Keep, Verb::Discard, Verb::Take, Verb::Recover,
                            Verb::Give, Verb::Remove, Verb::Claim}) {
      const bool then = verb == Verb::Play &&
                        (right.verb == Verb::Remove || right.verb == Verb::Take) &&
                        right.from == kNone;
      const bool before =
          right.verb == Verb::Play && right.from == kNone &&
          verb == (DomainOf(right.effect) == Domain::Economy ? Verb::Remove : Verb::Take);
      const bool between =
          right.from != kNone && IsPermanent(right.effect) &&
          (DomainOf(right.effect) == Domain::Economy || DomainOf(right.effect) == Domain::Science);
      if (verb == right.verb || then || before || between) continue;
      EXPECT_EQ(with([=](Choice& c) { c.verb = verb; }), Fault::Choice) << NameOf(verb);
    }
    if (right.effect == Effect::Inquisition) {
      EXPECT_EQ(with([](Choice& c) { c.target = 0; }), Fault::Choice);
      EXPECT_EQ(with([](Choice& c) { c.target = 3; }), Fault::Choice);
      EXPECT_EQ(with([](Choice& c) { c.target = kNone; }), Fault::Choice);
      EXPECT_EQ(with([](Choice& c) { c.from = c.from == kNone ? 1 : kNone; }), Fault::Choice);
    } else if (right.from == kNone && !level_two && right.effect != Effect::Breakthrough) {
      EXPECT_EQ(with([](Choice& c) { c.from = 0; }), Fault::Choice)
          << "of one card none was named before";
    }
    // The effect was not used this turn.
    EXPECT_EQ(FaultOf(state,
                      [&](State& s) {
                        s.permanent = s.given_up = 0;
                        s.hand_size = 3;
                      }),
              Fault::Choice);
  }
}

TEST(CheckStates, AChoiceNeedsTheCardsItAsksFor) {
  // An empty hand, play area or discard pile.
  const auto asks = [](const Position& position, Choice choice, Domains permanent,
                       Domains given_up) {
    State state = position.Effects();
    EXPECT_EQ(Check(state), Fault::None);
    state.step = Step::Choose;
    state.choice = choice;
    state.permanent = permanent;
    state.given_up = given_up;
    return Check(state);
  };
  const Domains military = Bit(Domain::Military), economy = Bit(Domain::Economy),
                science = Bit(Domain::Science), utopia = Bit(Domain::Utopia);
  EXPECT_EQ(asks(Position(2), {Effect::Assassination, Verb::Discard, 1, kNone, kNone}, military, 0),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2).Hand("M1"), {Effect::Assassination, Verb::Discard, 1, kNone, kNone},
                 military, 0),
            Fault::None);
  EXPECT_EQ(
      asks(Position(2).Hand("M1"), {Effect::Purge, Verb::Discard, 2, kNone, kNone}, military, 0),
      Fault::Choice);
  EXPECT_EQ(
      asks(Position(2).Hand("M1"),
           {Effect::Purge, Verb::Discard, 1, static_cast<uint8_t>(Kind::M2), kNone}, military, 0),
      Fault::Choice);
  EXPECT_EQ(
      asks(Position(2).Hand("M2"),
           {Effect::Purge, Verb::Discard, 1, static_cast<uint8_t>(Kind::M2), kNone}, military, 0),
      Fault::None);
  EXPECT_EQ(asks(Position(2), {Effect::Development, Verb::Remove, 1, kNone, kNone}, economy, 0),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2), {Effect::Monopoly, Verb::Remove, 2, kNone, kNone}, economy, 0),
            Fault::Choice);
  EXPECT_EQ(
      asks(Position(2).Table("C1"), {Effect::Monopoly, Verb::Remove, 2, kNone, kNone}, economy, 0),
      Fault::Choice);
  EXPECT_EQ(asks(Position(2).Table("C1 C2"), {Effect::Monopoly, Verb::Remove, 2, kNone, kNone},
                 economy, 0),
            Fault::None);
  EXPECT_EQ(asks(Position(2).Table("C1"),
                 {Effect::Monopoly, Verb::Remove, 1, static_cast<uint8_t>(Domain::Utopia), kNone},
                 economy, 0),
            Fault::Choice);
  EXPECT_EQ(
      asks(Position(2).Table("M1"), {Effect::Research, Verb::Take, 2, kNone, kNone}, science, 0),
      Fault::Choice);
  EXPECT_EQ(asks(Position(2).Discard("M1"), {Effect::Republic, Verb::Recover, 2, kNone, kNone},
                 utopia, 0),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2).Discard("M1 M1"), {Effect::Republic, Verb::Recover, 2, kNone, kNone},
                 utopia, 0),
            Fault::None);
  EXPECT_EQ(
      asks(Position(2).Hand("M1"), {Effect::Monopoly, Verb::Play, 2, kNone, kNone}, economy, 0),
      Fault::Choice);
  EXPECT_EQ(
      asks(Position(2).Hand("M1"), {Effect::Monopoly, Verb::Play, 1, kNone, kNone}, economy, 0),
      Fault::None);
  EXPECT_EQ(
      asks(Position(2).Hand("M1 R1"), {Effect::Monopoly, Verb::Play, 1, kNone, kNone}, economy, 0),
      Fault::Choice);
  EXPECT_EQ(asks(Position(2).Hand("M1 R1").Embargo(0, "R"),
                 {Effect::Monopoly, Verb::Play, 1, kNone, kNone}, economy, 0),
            Fault::None);
  EXPECT_EQ(asks(Position(2).Hand("M1 R1").Embargo(0, "R"),
                 {Effect::Monopoly, Verb::Play, 2, kNone, kNone}, economy, 0),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2).Hand("M1").Embargo(0, "M"),
                 {Effect::Development, Verb::Play, 1, kNone, kNone}, economy, 0),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2).Hand("M1 M1 M1 M1"),
                 {Effect::Breakthrough, Verb::Discard, 5, kNone, kNone}, 0, science),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2).Hand("M1 M1 M1 M1 R1"),
                 {Effect::Breakthrough, Verb::Discard, 5, kNone, kNone}, 0, science),
            Fault::None);
  EXPECT_EQ(asks(Position(2).Hand("M1 M1"), {Effect::Inquisition, Verb::Give, 2, kNone, 1}, 0,
                 Bit(Domain::Religion)),
            Fault::None);
  EXPECT_EQ(asks(Position(2).Hand("M1 M1"), {Effect::Inquisition, Verb::Give, 3, kNone, 1}, 0,
                 Bit(Domain::Religion)),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2).Hand("M1 M1").Seat(1).Hand("M1"),
                 {Effect::Inquisition, Verb::Give, 2, kNone, 1}, 0, Bit(Domain::Religion)),
            Fault::Choice);
  EXPECT_EQ(asks(Position(2).Hand("M1 R1").Seat(1).Hand("M1"),
                 {Effect::Inquisition, Verb::Give, 2, 0, 1}, 0, Bit(Domain::Religion)),
            Fault::None);
  EXPECT_EQ(asks(Position(2).Hand("M1 R1").Seat(1).Hand("M1"),
                 {Effect::Inquisition, Verb::Give, 2, 1, 1}, 0, Bit(Domain::Religion)),
            Fault::Choice);
}

}  // namespace
}  // namespace civ::test
