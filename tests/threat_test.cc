// Who could win by Hegemony with the next turn: what is found can be done, and what can be done is
// found.
#include "civ/view/threat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "civ/bots/certain.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/view/turn.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

// The same table in the turn of a seat.
State TurnOfSeat(const State& state, Seat seat) {
  State turn = state;
  if (TurnOf(state) == seat) return turn;
  turn.seat = seat;
  turn.step = Step::Play;
  turn.permanent = turn.given_up = 0;
  turn.choice = kNoChoice;
  return turn;
}

// Does what the search has found.
void ExpectWin(State state, Seat seat, Domain domain) {
  const std::vector<Action> way = WayToHegemony(state, domain);
  ASSERT_FALSE(way.empty());
  for (const Action action : way) {
    ASSERT_TRUE(Legal(state).Contains(action)) << NameOf(action);
    ASSERT_EQ(state.seat, seat);
    ASSERT_TRUE(action == kEnd || !IsUnseen(action));
    if (action == kEnd) {
      EXPECT_GE(state.Count(seat, domain), HegemonyNeed(state, seat, domain));
    }
    Apply(state, action);
  }
}

// All that can be done in the rest of a turn, without drawing or taking cards unseen.
class EveryWay {
 public:
  explicit EveryWay(Domain domain) : domain_(domain) {}

  // Nothing if there are too many positions.
  std::optional<bool> Reach(const State& state) {
    const bool reached = Explore(state);
    return left_ > 0 ? std::optional(reached) : std::nullopt;
  }

 private:
  bool Explore(const State& state) {
    if (state.step == Step::Effects &&
        state.Count(state.seat, domain_) >= HegemonyNeed(state, state.seat, domain_))
      return true;
    const std::string_view bytes(reinterpret_cast<const char*>(&state), sizeof state);
    if (left_ == 0 || !seen_.emplace(bytes).second) return false;
    --left_;
    for (const Action key : Keys(Legal(state))) {
      if (key == kEnd || IsUnseen(key)) continue;
      State after = state;
      Apply(after, Oldest(Legal(state), key));
      if (after.seat == state.seat && after.step != Step::Over && Explore(after)) return true;
    }
    return false;
  }

  const Domain domain_;
  int left_ = 3000;
  std::set<std::string> seen_;
};

// The search leaves out what cannot help. Hands are made of the Domain and of one other, so that
// there are many wins to be found, by levels that one's own cards reach as well.
TEST(Threats, AreFoundWhereverThereIsAWay) {
  int reached = 0, by_level = 0;
  uint32_t number = 0;
  ForPositions(23, [&](const Game& game) {
    if (game.state.turn == 0 || game.state.step == Step::Over) return;
    State state = TurnOfSeat(game.state, game.state.seat);
    if (state.step != Step::Play && state.step != Step::Effects) return;
    const Seat seat = state.seat;
    for (int d = 0; d < kDomains; ++d) {
      const auto domain = static_cast<Domain>(d);
      const int lack = HegemonyNeed(state, seat, domain) - state.Count(seat, domain);
      if (lack < 1 || lack > 4) continue;
      state.hands[seat] = {};
      for (int k = 0, other = ++number % kKinds; k < kKinds; ++k)
        if (const auto kind = static_cast<Kind>(k); k == other || DomainOf(kind) == domain)
          state.hands[seat] += Cards(kind);
      const std::optional<bool> can = EveryWay(domain).Reach(state);
      if (!can) continue;
      EXPECT_EQ(!WayToHegemony(state, domain).empty(), *can)
          << NameOf(domain) << ' ' << ToJson(state).dump();
      reached += *can;
      by_level += *can && lack == 3;
    }
  });
  EXPECT_GT(reached, 100);
  EXPECT_GT(by_level, 10);
}

// Calls show(hand) for every hand that the viewer may take the seat's to be.
void ForHands(const View& view, Seat seat, const std::function<void(Cards)>& show) {
  std::vector<Age> backs;
  const Holding& hand = view.hands[seat];
  for (const Age age : {Age::I, Age::II, Age::III})
    backs.insert(backs.end(),
                 hand.backs[static_cast<size_t>(age) - 1] - size_t(hand.cards.Of(age).Count()),
                 age);
  std::array<int8_t, kKinds> left = UnseenIn(view);
  const std::function<void(size_t, Cards)> fill = [&](size_t back, Cards cards) {
    if (back == backs.size()) return show(cards);
    for (size_t k = 0; k < kKinds; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (AgeOf(kind) != backs[back] || left[k] <= 0) continue;
      --left[k];
      fill(back + 1, cards + Cards(kind));
      ++left[k];
    }
  };
  fill(0, hand.cards);
}

// Of a hand that is not known some may win: all that it may be are tried. (Of larger hands, wins
// that need two cards of Culture besides the Domain are not found.)
TEST(Threats, OfUnknownHandsAreFoundWhereSomeHandWins) {
  constexpr int kMostUnknown = 2;
  int reached = 0, with_help = 0;
  ForPositions(1, [&](const Game& game) {
    const State& state = game.state;
    if (state.turn == 0 || state.step != Step::Play || state.deck_size < 10) return;
    const Seat viewer = state.Next(state.seat), seat = state.seat;
    const View view = ViewOf(game, viewer);
    const int unknown = state.hands[seat].Count() - view.hands[seat].cards.Count();
    if (unknown < 1 || unknown > kMostUnknown) return;
    State turn{};
    static_cast<Public&>(turn) = view;
    const Domains found = Reachable(view, seat, false);
    for (int d = 0; d < kDomains; ++d) {
      const auto domain = static_cast<Domain>(d);
      bool can = false, can_alone = false;
      ForHands(view, seat, [&](Cards hand) {
        turn.hands[seat] = hand;
        if (can_alone || WayToHegemony(turn, domain).empty()) return;
        can = true;
        can_alone = (hand - view.hands[seat].cards).Of(domain).Count() == unknown;
      });
      EXPECT_EQ((found & Bit(domain)) != 0, can) << NameOf(domain) << ' ' << ToJson(view).dump();
      reached += can;
      with_help += can && !can_alone;
    }
  });
  EXPECT_GT(reached, 50);
  EXPECT_GT(with_help, 10);
}

// Searches of a turn know a position by this number, and where to look for it by its first bits.
TEST(HashOfATurn, TellsPositionsApartAndSpreadsThem) {
  constexpr double kSlots = 4096;
  std::map<uint64_t, ActionSet> legal;
  std::set<uint64_t> slots;
  ForPositions(5, [&](const Game& game) {
    if (game.state.turn < 4 || game.state.step == Step::Over) return;
    const auto [at, is_new] = legal.emplace(HashOf(game.state), Legal(game.state));
    slots.insert(at->first >> 52);
    EXPECT_EQ(at->second.Bits(), Legal(game.state).Bits()) << ToJson(game.state).dump();
  });
  const double expected = kSlots * (1 - std::exp(-static_cast<double>(legal.size()) / kSlots));
  EXPECT_GT(legal.size(), 5000u);
  EXPECT_NEAR(static_cast<double>(slots.size()), expected, 0.03 * expected) << legal.size();
}

// Bots ask in the midst of their searches: what cannot lead there is not looked at. A looser bound
// would look at more positions than these.
TEST(Threats, AreFoundByLookingAtFewPositions) {
  int asked = 0, looked = 0, found = 0;
  ForPositions(37, [&](const Game& game) {
    if (game.state.turn == 0 || game.state.step == Step::Over) return;
    const State state = TurnOfSeat(game.state, game.state.seat);
    int positions = 1'000'000;
    found += CanReachHegemony(state, positions);
    looked += 1'000'000 - positions;
    ++asked;
  });
  EXPECT_GT(found, 100);
  EXPECT_LE(looked, 43'920) << "in " << asked << " positions";
}

// How it is said to be done is a way to do it, and none needs fewer effects.
TEST(Threats, SayHow) {
  int found = 0;
  ForPositions(31, [&](const Game& game) {
    const State& state = game.state;
    if (state.turn == 0 || state.step == Step::Over) return;
    for (Seat seat = 0; seat < state.config.players; ++seat)
      for (Seat viewer = 0; viewer < state.config.players; ++viewer) {
        const std::optional<Threat> threat = ThreatOf(ViewOf(game, viewer), seat);
        if (!threat) continue;
        const std::vector<Action> way = WayOf(ViewOf(game, viewer), seat, *threat);
        const auto effects = [](const std::vector<Action>& actions) {
          return std::ranges::count_if(actions, [](Action one) { return !one.NamesCard(); });
        };
        State turn{};  // as the viewer sees it
        static_cast<Public&>(turn) = ViewOf(game, viewer);
        turn = TurnOfSeat(turn, seat);
        turn.hands[seat] = ViewOf(game, viewer).hands[seat].cards;  // what is known suffices
        for (int d = 0; threat->proven && d < kDomains; ++d)
          if (const std::vector<Action> other = WayToHegemony(turn, static_cast<Domain>(d));
              (threat->domains >> d & 1) != 0 && !other.empty()) {
            EXPECT_LT(effects(way), effects(other));  // the end of the turn is one of those
          }
        for (int d = 0; threat->proven && d < kDomains; ++d)
          if ((threat->domains >> d & 1) != 0) {
            // In a Domain that is asked for.
            State won = turn;
            for (const Action action :
                 WayOf(ViewOf(game, viewer), seat, {Bit(static_cast<Domain>(d)), true}))
              Apply(won, action);
            EXPECT_GE(won.Count(seat, static_cast<Domain>(d)),
                      HegemonyNeed(won, seat, static_cast<Domain>(d)));
          }
        for (const Action action : way) {
          if (!threat->proven) break;  // with a hand that is made up
          ASSERT_TRUE(Legal(turn).Contains(action)) << NameOf(action);
          Apply(turn, action);
        }
        if (threat->proven) {
          ASSERT_TRUE(Legal(turn).Contains(kEnd));
          EXPECT_NE(HegemonyOf(turn, seat), kNone);
        }
        ++found;
      }
  });
  EXPECT_GT(found, 100);
}

// What is proven can be done, however little of the hand is known; and what the search of the bots
// finds, who know the hand, is seen by everybody.
TEST(Threats, AreThereAndAreFound) {
  Certainty certainty;
  int proven = 0, possible = 0, wins = 0;
  ForPositions(29, [&](const Game& game) {
    const State& state = game.state;
    if (state.turn == 0 || state.step == Step::Over || state.deck_size == 0) return;
    for (Seat seat = 0; seat < state.config.players; ++seat) {
      const State turn = TurnOfSeat(state, seat);
      const std::optional<Threat> own = ThreatOf(ViewOf(game, seat), seat);
      for (int d = 0; own && d < kDomains; ++d)
        if (const auto domain = static_cast<Domain>(d); (own->domains & Bit(domain)) != 0)
          ExpectWin(turn, seat, domain);
      ASSERT_TRUE(!own || own->proven);
      // In a last turn a Majority would count as well, and after it there are no threats.
      const bool may_be_last = state.deck_size <= 7 || EndsAfterDraw(turn, seat);
      const bool wins_surely = !may_be_last && certainty.Win(turn, Legal(turn));
      wins += wins_surely;
      for (Seat viewer = 0; viewer <= kSpectator; ++viewer) {
        if (viewer >= state.config.players && viewer != kSpectator) continue;
        const std::optional<Threat> threat = ThreatOf(ViewOf(game, viewer), seat);
        EXPECT_TRUE(own || !threat || !threat->proven)
            << ToJson(state).dump() << " seat " << int{seat} << " seen by " << int{viewer};
        EXPECT_TRUE(threat || !wins_surely)
            << ToJson(state).dump() << " seat " << int{seat} << " seen by " << int{viewer};
        EXPECT_EQ(Threatens(ViewOf(game, viewer), seat, false), threat.has_value());
        EXPECT_EQ(Threatens(ViewOf(game, viewer), seat, true), threat && threat->proven);
        if (threat) ++(threat->proven ? proven : possible);
      }
    }
  });
  EXPECT_GT(proven, 100);
  EXPECT_GT(possible, 100);
  EXPECT_GT(wins, 100);
}

TEST(Threats, EndWithTheLastTurn) {
  // The coming draw takes the last card; seat 2, or the First Player next after it, would win.
  const auto position = [](int first, int turn, const char* hand) {
    return Position(3)
        .First(first)
        .Turn(turn)
        .Deck("U3")
        .Seat(turn)
        .Hand(hand)
        .Seat((turn + 1) % 3)
        .Table("R1 R1 R1 R1 R1 R1")
        .Hand("R2");
  };
  const auto threatens = [](const State& state, Seat seat) {
    return ThreatOf(MakeView(state, {}, seat), seat).has_value();
  };
  for (const int first : {0, 1, 2}) {
    const int last = (first + 2) % 3;
    const auto next = static_cast<Seat>(first);
    EXPECT_FALSE(threatens(position(first, last, "M1 M1").Effects(), next));
    EXPECT_FALSE(threatens(position(first, last, "M1 M1 M1").Play(), next));
    EXPECT_TRUE(threatens(position(first, last, "M1 M1 M1").Effects(), next));
    // After a draw earlier in the round there is a turn for everybody up to the First Player.
    EXPECT_TRUE(
        threatens(position(first, first, "M1").Effects(), static_cast<Seat>((first + 1) % 3)));
    // In the Portuguese edition everybody has one more.
    EXPECT_TRUE(threatens(position(first, last, "M1 M1").In("pt").Effects(), next));
  }
}

// Cards that must be discarded before the turn can end may be any that are left, even if those are
// all of one Domain.
TEST(Threats, HandsThatAreMadeUpHaveAllTheirCards) {
  State state = Position(3)
                    .Table("R1 R1 R1 R1 R1 R1 R1 M2 M2 M2")
                    .Hand("M1")
                    .Deck("M1 M1 M1 M3 M3 M3")
                    .Effects();
  Do(state, "assassination");
  EXPECT_EQ(ThreatOf(MakeView(state, {}, 1), 0), (Threat{Bit(Domain::Religion), false}));
  for (int k = 0; k < kKinds; ++k)
    for (const auto kind = static_cast<Kind>(k);
         DomainOf(kind) != Domain::Military &&
         UnseenIn(MakeView(state, {}, 1))[static_cast<size_t>(k)] > 0;)
      state.discard += Cards(kind);
  EXPECT_EQ(ThreatOf(MakeView(state, {}, 1), 0), (Threat{Bit(Domain::Religion), false}));
}

// An Attack brings cards into the discard pile that can be picked and played at once.
TEST(Threats, CountCardsThatAnAttackBrings) {
  const State state = Position(4)
                          .Seat(0)
                          .Table("S1 S1 S1 S1 S2 S2 U3 U3 U3 U3 E1 E1 E1 E1 M1")
                          .Hand("C1")
                          .Seat(1)
                          .Table("S2")
                          .Play();
  ExpectWin(state, 0, Domain::Science);
}

TEST(Threats, CountWhatCanBeBehindTheBacks) {
  const auto threat = [](const Position& position, Seat viewer, Seat seat) {
    return ThreatOf(MakeView(position.Play(), {}, viewer), seat);
  };
  const Position six = Position(3).Seat(1).Table("R1 R1 R1 R1 R1 R1").Hand("R1");
  EXPECT_EQ(threat(six, 1, 1), (Threat{Bit(Domain::Religion), true}));
  EXPECT_EQ(threat(six, 0, 1), (Threat{Bit(Domain::Religion), false}));
  EXPECT_EQ(threat(six, 0, 0), std::nullopt);
  EXPECT_EQ(threat(Position(3).Seat(1).Table("S1 S1 S1 S1 S2 S2").Hand("S3"), 0, 1),
            (Threat{Bit(Domain::Science), false}));
  // No Religion is of Age III; all of Age I are elsewhere; an embargo; a Utopia card.
  EXPECT_EQ(threat(Position(3).Seat(1).Table("R1 R1 R1 R1 R1 R1").Hand("M3"), 0, 1), std::nullopt);
  EXPECT_EQ(
      threat(Position(3).Seat(1).Table("R1 R1 R1 R1 R1 R1").Hand("M1").Discard("R1 R1"), 0, 1),
      std::nullopt);
  EXPECT_EQ(threat(Position(six).Embargo(1, "R", "E1", 0), 1, 1), std::nullopt);
  EXPECT_EQ(threat(Position(six).Democracy(1, "R", 0), 1, 1), std::nullopt);
  // Two are missing: with Development there can be two plays.
  const Position five = Position(3).Seat(1).Table("R1 R1 R1 R1 R1 E1 E1 E1").Hand("R1 M1");
  EXPECT_EQ(threat(five, 1, 1), std::nullopt);
  EXPECT_EQ(threat(five, 0, 1), (Threat{Bit(Domain::Religion), false}));
  // One is missing and none can be in hand, but Oligarchy picks it: whatever the hand is.
  const Position picks =
      Position(3).Seat(1).Table("R1 R1 R1 R1 R1 R1 U3 U3 U3 E1 E1 E1").Hand("M3").Discard("R1");
  EXPECT_EQ(threat(picks, 0, 1), (Threat{Bit(Domain::Religion), true}));
  // A card that takes the lead in Culture lets copy Monopoly: three plays instead of one.
  const Position copies = Position(3)
                              .Seat(0)
                              .Table("E1 E1 E1 E2 E2")
                              .Seat(1)
                              .Table("R1 R1 R1 R1 R1 M1 M1")
                              .Hand("C1 R2 R2");
  EXPECT_EQ(threat(copies, 1, 1), (Threat{Bit(Domain::Religion), true}));
  EXPECT_EQ(threat(copies, 0, 1), (Threat{Bit(Domain::Religion), false}));
  // It may lie behind the back that can be no Religion.
  EXPECT_EQ(threat(Position(copies).Seat(1).Hand("C3 R2 R2"), 0, 1),
            (Threat{Bit(Domain::Religion), false}));
}

}  // namespace
}  // namespace civ::test
