// Why an action is not legal.
#include "civ/rules/why.h"

#include <gtest/gtest.h>

#include <set>

#include "civ/notation/notation.h"
#include "tests/generate.h"
#include "tests/plain.h"
#include "tests/support.h"

namespace civ {

// For messages of tests.
void PrintTo(const Reason& reason, std::ostream* out) {
  *out << NameOf(reason.why) << " " << int{reason.number} << " " << NameOf(reason.domain);
}

}  // namespace civ

namespace civ::test {
namespace {

Reason WhyNot(const State& state, std::string_view action) {
  return civ::WhyNot(state, *ParseAction(action));
}

TEST(WhyNot, SaysLegalForExactlyTheLegalActions) {
  std::vector<Action> all;
  for (const std::string& name : AllActionNames()) all.push_back(*ParseAction(name));
  for (const Config& config : AllConfigs())
    for (uint64_t seed = 0; seed < 3; ++seed)
      PlayGame(config, seed, [&](const Game& game) {
        const ActionSet legal = Legal(game.state);
        for (const Action action : all)
          ASSERT_EQ(civ::WhyNot(game.state, action).why == Why::Legal, legal.Contains(action))
              << NameOf(action) << ToJson(game.state);
      });
}

// Whether the card that an action names is where it says.
bool IsThere(const State& state, Action action) {
  const Seat seat = state.seat;
  const auto in = [&](Cards cards) { return cards[action.kind()] > 0; };
  const auto has = [&](Cards cards) { return !cards.Of(action.domain()).Empty(); };
  switch (action.verb()) {
    case Verb::Keep: return in(state.packs[seat]);
    case Verb::Claim: return has(state.centre);
    case Verb::Take: return in(state.tables[seat]);
    case Verb::Remove: return has(state.tables[seat]);
    case Verb::Recover: return in(state.discard);
    default: return in(state.hands[seat]);
  }
}

// Whether what is said against an action is so.
bool IsTrue(const State& state, Action action, const Reason& reason) {
  const Seat seat = state.seat;
  const auto count = [&](Seat of) { return state.Count(of, reason.domain); };
  const auto needed = [&] {
    return Threshold(state.config.players,
                     LevelOf(action.effect()) == 1 ? Mark::Level1 : Mark::Level2);
  };
  const auto others = [&](auto is) {
    int found = 0;
    for (Seat other = 0; other < state.config.players; ++other) found += other != seat && is(other);
    return found;
  };
  switch (reason.why) {
    case Why::Legal: return true;
    case Why::Over: return state.step == Step::Over;
    case Why::Step: return state.step != Step::Choose;
    case Why::Verb: return state.step == Step::Choose;
    case Why::NotThere: return !IsThere(state, action);
    case Why::Embargoed:
      return IsThere(state, action) && (state.Embargoed(seat) & Bit(reason.domain)) != 0;
    case Why::OutOfOrder: return IsThere(state, action) && state.choice.from != kNone;
    case Why::TooFewAfter: return IsThere(state, action) && reason.number == state.choice.left;
    case Why::CanPlay: return action == kSkip && !Legal(state).Contains(kSkip);
    case Why::Used: return ((state.permanent | state.given_up) & Bit(reason.domain)) != 0;
    case Why::CopyUsed: return (state.permanent & Bit(Domain::Culture)) != 0;
    case Why::NeedsCards: return reason.number > 0 && count(seat) + reason.number == needed();
    case Why::NoCultureLead: return others([&](Seat of) { return count(of) >= count(seat); }) > 0;
    case Why::NobodyHasIt: return others([&](Seat of) { return count(of) >= needed(); }) == 0;
    case Why::OwnsIt: return count(seat) >= needed();
    case Why::HandTooSmall: return state.hands[seat].Count() < reason.number;
    case Why::TableTooSmall: return state.tables[seat].Count() < reason.number;
    case Why::DiscardTooSmall: return state.discard.Count() < reason.number;
    case Why::NoCardToGiveUp: return count(seat) == 0;
    case Why::NothingToAttack: return count(seat) <= (reason.domain == Domain::Military ? 1 : 0);
    case Why::OwnSeat: return action.seat() == seat;
    case Why::NoSuchSeat: return action.seat() >= state.config.players;
    case Why::NothingThere: return count(action.seat()) == 0;
  }
  return false;
}

TEST(WhyNot, IsTrue) {
  ForPositions(1, [](const Game& game) {
    for (const Action action : AllActions()) {
      const Reason reason = civ::WhyNot(game.state, action);
      ASSERT_TRUE(IsTrue(game.state, action, reason))
          << NameOf(action) << ' ' << NameOf(reason.why) << ' ' << ToJson(game.state);
    }
  });
}

TEST(WhyNot, HasAnotherNameForEveryReason) {
  std::set<std::string_view> names;
  for (int why = 0; why <= static_cast<int>(Why::NothingThere); ++why)
    names.insert(NameOf(static_cast<Why>(why)));
  EXPECT_EQ(names.size(), static_cast<size_t>(Why::NothingThere) + 1);
  EXPECT_FALSE(names.contains(""));
}

TEST(WhyNot, Legal) { EXPECT_EQ(WhyNot(Position(2).Effects(), "end"), (Reason{Why::Legal})); }

TEST(WhyNot, Over) {
  State state = Position(2).Turn(1).Deck("").Effects();
  Do(state, "end");
  for (const auto action : {"end", "play M1", "attack M"})
    EXPECT_EQ(WhyNot(state, action), (Reason{Why::Over})) << action;
}

TEST(WhyNot, Step) {
  for (const auto action :
       {"end", "purge", "attack M", "keep M1", "claim M", "discard M1", "give M1"})
    EXPECT_EQ(WhyNot(Position(2).Hand("M1").Play(), action), (Reason{Why::Step})) << action;
  for (const auto action :
       {"play M1", "skip", "keep M1", "claim M", "discard M", "take M1", "recover M1"})
    EXPECT_EQ(WhyNot(Position(2).Hand("M1").Effects(), action), (Reason{Why::Step})) << action;
  for (const auto action : {"play M1", "skip", "claim M", "end"})
    EXPECT_EQ(WhyNot(New({.setup = Setup::Draft}, DeckFrom(2, "")), action), (Reason{Why::Step}))
        << action;
}

TEST(WhyNot, Verb) {
  State state = Position(2).Hand("R1 R1").Table("M1 M1 M1 E1 E1 E1").Effects();
  Do(state, "assassination");
  for (const auto action : {"end", "attack M", "play R1", "discard M", "take M1", "skip"})
    EXPECT_EQ(WhyNot(state, action), (Reason{Why::Verb})) << action;
  Do(state, "discard R1, development, discard E");
  for (const auto action : {"end", "skip", "discard R1", "discard E"})
    EXPECT_EQ(WhyNot(state, action), (Reason{Why::Verb})) << action;
}

TEST(WhyNot, NotThere) {
  EXPECT_EQ(WhyNot(Position(2).Hand("M1").Play(), "play S2"),
            (Reason{Why::NotThere, 0, Domain::Science}));
  State state = Position(2).Table("E1 E1 E1").Effects();
  Do(state, "development");
  EXPECT_EQ(WhyNot(state, "discard U"), (Reason{Why::NotThere, 0, Domain::Utopia}));
}

TEST(WhyNot, Embargoed) {
  EXPECT_EQ(WhyNot(Position(2).Hand("M1 R1").Embargo(0, "M").Play(), "play M1"),
            (Reason{Why::Embargoed, 0, Domain::Military}));
}

TEST(WhyNot, OutOfOrder) {
  State state = Position(2).Hand("M1 R1 R2").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "purge, discard R1");
  EXPECT_EQ(WhyNot(state, "discard M1"), (Reason{Why::OutOfOrder, 0, Domain::Military}));
}

TEST(WhyNot, TooFewAfter) {
  State state = Position(2).Hand("M1 R1 R2").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "purge");
  EXPECT_EQ(WhyNot(state, "discard R2"), (Reason{Why::TooFewAfter, 2, Domain::Religion}));
}

TEST(WhyNot, CanPlay) {
  EXPECT_EQ(WhyNot(Position(2).Hand("M1").Play(), "skip"), (Reason{Why::CanPlay}));
}

TEST(WhyNot, Used) {
  State state =
      Position(2).Table("C1 R1 R1 R1 M1 M1 M1 M1").Seat(1).Table("R1 R1 R1 R1 R1").Effects();
  Do(state, "holy-book, attack M");
  EXPECT_EQ(WhyNot(state, "holy-book"), (Reason{Why::Used, 0, Domain::Religion}));
  EXPECT_EQ(WhyNot(state, "copy divine-right"), (Reason{Why::Used, 0, Domain::Religion}));
  EXPECT_EQ(WhyNot(state, "attack M"), (Reason{Why::Used, 0, Domain::Military}));
}

TEST(WhyNot, CopyUsed) {
  State state = Position(2).Hand("M1").Table("C1").Seat(1).Table("R1 R1 R1 M1 M1 M1").Effects();
  Do(state, "copy holy-book");
  EXPECT_EQ(WhyNot(state, "copy assassination"), (Reason{Why::CopyUsed, 0, Domain::Culture}));
}

TEST(WhyNot, NeedsCards) {
  const State state = Position(2).Table("R1 R1").Effects();
  EXPECT_EQ(WhyNot(state, "holy-book"), (Reason{Why::NeedsCards, 1, Domain::Religion}));
  EXPECT_EQ(WhyNot(state, "divine-right"), (Reason{Why::NeedsCards, 3, Domain::Religion}));
  EXPECT_EQ(WhyNot(state, "republic"), (Reason{Why::NeedsCards, 5, Domain::Utopia}));
}

TEST(WhyNot, NoCultureLead) {
  EXPECT_EQ(
      WhyNot(Position(2).Table("C1").Seat(1).Table("C1 R1 R1 R1").Effects(), "copy holy-book"),
      (Reason{Why::NoCultureLead, 0, Domain::Culture}));
}

TEST(WhyNot, NobodyHasIt) {
  EXPECT_EQ(WhyNot(Position(2).Table("C1").Seat(1).Table("R1 R1").Effects(), "copy holy-book"),
            (Reason{Why::NobodyHasIt, 0, Domain::Religion}));
}

TEST(WhyNot, OwnsIt) {
  EXPECT_EQ(WhyNot(Position(2).Table("C1 R1 R1 R1").Seat(1).Table("R1 R1 R1").Effects(),
                   "copy holy-book"),
            (Reason{Why::OwnsIt, 0, Domain::Religion}));
}

TEST(WhyNot, HandTooSmall) {
  EXPECT_EQ(WhyNot(Position(2).Table("M1 M1 M1").Effects(), "assassination"),
            (Reason{Why::HandTooSmall, 1, Domain::Military}));
  EXPECT_EQ(WhyNot(Position(2).Hand("E1").Table("M1 M1 M1 M1 M1").Effects(), "purge"),
            (Reason{Why::HandTooSmall, 2, Domain::Military}));
}

TEST(WhyNot, TableTooSmall) {
  const State state = Position(4).Table("C1").Seat(1).Table("E1 E1 E1 E1 S1 S1 S1 S1").Effects();
  EXPECT_EQ(WhyNot(state, "copy monopoly"), (Reason{Why::TableTooSmall, 2, Domain::Economy}));
  EXPECT_EQ(WhyNot(state, "copy research"), (Reason{Why::TableTooSmall, 2, Domain::Science}));
}

TEST(WhyNot, DiscardTooSmall) {
  EXPECT_EQ(WhyNot(Position(2).Table("U3 U3 U3").Effects(), "oligarchy"),
            (Reason{Why::DiscardTooSmall, 1, Domain::Utopia}));
  EXPECT_EQ(WhyNot(Position(2).Table("U3 U3 U3 U3 U3").Discard("M1").Effects(), "republic"),
            (Reason{Why::DiscardTooSmall, 2, Domain::Utopia}));
}

TEST(WhyNot, NoCardToGiveUp) {
  const State state = Position(2).Seat(1).Hand("M1").Table("M1").Effects();
  for (const auto& [action, domain] : {std::pair{"attack M", Domain::Military},
                                       {"inquisition 1", Domain::Religion},
                                       {"embargo 1 M", Domain::Economy},
                                       {"breakthrough", Domain::Science},
                                       {"democracy 1 M", Domain::Utopia}})
    EXPECT_EQ(WhyNot(state, action), (Reason{Why::NoCardToGiveUp, 0, domain})) << action;
}

TEST(WhyNot, NothingToAttack) {
  const State state = Position(2).Table("M1").Seat(1).Table("E1").Effects();
  EXPECT_EQ(WhyNot(state, "attack E"), (Reason{Why::NothingToAttack, 0, Domain::Economy}));
  EXPECT_EQ(WhyNot(state, "attack M"), (Reason{Why::NothingToAttack, 0, Domain::Military}));
}

TEST(WhyNot, OwnSeat) {
  const State state = Position(2).Table("R1 E1 U3").Effects();
  for (const auto action : {"inquisition 0", "embargo 0 R", "democracy 0 R"})
    EXPECT_EQ(WhyNot(state, action), (Reason{Why::OwnSeat})) << action;
}

TEST(WhyNot, NoSuchSeat) {
  const State state = Position(2).Table("R1 E1 U3").Effects();
  for (const auto action : {"inquisition 2", "embargo 3 R", "democracy 2 R"})
    EXPECT_EQ(WhyNot(state, action), (Reason{Why::NoSuchSeat})) << action;
}

TEST(WhyNot, NothingThere) {
  const State state = Position(2).Table("E1 U3").Seat(1).Table("M1").Effects();
  for (const auto action : {"embargo 1 S", "democracy 1 S"})
    EXPECT_EQ(WhyNot(state, action), (Reason{Why::NothingThere, 0, Domain::Science})) << action;
}

}  // namespace
}  // namespace civ::test
