// A table, rule by rule: who may do what when, and what follows.
#include <gtest/gtest.h>

#include "tests/sitting.h"

namespace civ::sitting::by_rule {
namespace {

using namespace command;
using std::string;
using test::Hand;

// --- Before the game -----------------------------------------------------------------------------

TEST(TableBefore, ItsMakerSitsOnTheFirstChair) {
  const Sitting at(For(3));
  EXPECT_EQ(Chairs(at), "Ada - -");
  EXPECT_EQ(at.table.status(), Status::Waiting);
  EXPECT_TRUE(at.table.IsHost("p_Ada"));
}

TEST(TableBefore, GivenChairsAreTaken) {
  std::vector<Chair> chairs(2);
  chairs[0].bot = "level2";
  chairs[1].person = PersonCalled("Ada");
  Sitting at;
  at.Take(Table::Open(For(2), PersonCalled("Ada"), chairs, 5));
  EXPECT_EQ(Chairs(at), "level2 Ada");
}

TEST(TableBefore, ThereAreAsManyChairsAsPlayersAndEachHasOneOwner) {
  EXPECT_EQ(Table::Open(For(3), PersonCalled("Ada"), std::vector<Chair>(2), 0).error().key,
            "error.table.chairs");
  std::vector<Chair> both(2);
  both[0] = {PersonCalled("Ada"), "level1"};
  EXPECT_EQ(Table::Open(For(2), PersonCalled("Ada"), both, 0).error().key, "error.table.chairs");
}

TEST(TableBefore, AnybodySitsOnAFreeChair) {
  Sitting at(For(3));
  EXPECT_EQ(at.Do("Bob", Sit{2}), "");
  EXPECT_EQ(at.Do("Cyd", Sit{2}), "error.table.seat-taken");
  EXPECT_EQ(at.Do("Cyd", Sit{3}), "error.table.no-seat");
  EXPECT_EQ(at.Do("Cyd", Sit{0}), "error.table.seat-taken");
  EXPECT_EQ(Chairs(at), "Ada - Bob");
}

TEST(TableBefore, WhoSitsMayChangeChairsAndStandUp) {
  Sitting at(For(3));
  at.Do("Bob", Sit{1});
  EXPECT_EQ(at.Do("Bob", Sit{2}), "");
  EXPECT_EQ(Chairs(at), "Ada - Bob");
  EXPECT_EQ(at.Do("Bob", Sit{2}), "error.table.seat-taken");
  EXPECT_EQ(at.Do("Bob", Sit{0}), "error.table.seat-taken");
  EXPECT_EQ(Chairs(at), "Ada - Bob");
  EXPECT_EQ(at.Do("Bob", Stand{}), "");
  EXPECT_EQ(at.Do("Bob", Stand{}), "error.table.not-seated");
  EXPECT_EQ(Chairs(at), "Ada - -");
}

TEST(TableBefore, WhoAbandonsStandsUp) {
  Sitting at;
  at.Do("Bob", Sit{1});
  EXPECT_EQ(at.Do("Bob", Abandon{}), "");
  EXPECT_EQ(Chairs(at), "Ada -");
}

TEST(TableBefore, TheHostPassesOnWithTheChairAndComesBackWithIt) {
  Sitting at(For(3));
  at.Do("Bob", Sit{1});
  at.Do("Ada", Stand{});
  EXPECT_EQ(at.table.Host(), "p_Bob");
  EXPECT_EQ(at.Do("Ada", SeatBot{0, "level1"}), "error.table.not-host");
  EXPECT_EQ(at.Do("Bob", SeatBot{0, "level1"}), "");
  at.Do("Ada", Sit{2});
  EXPECT_EQ(at.table.Host(), "p_Ada");
  at.Do("Ada", Stand{});
  at.Do("Bob", Stand{});
  EXPECT_EQ(at.table.Host(), "p_Ada") << "nobody sits";
}

TEST(TableBefore, TheHostSeatsAndSendsAway) {
  Sitting at(For(4));
  EXPECT_EQ(at.Do("Bob", SeatBot{1, "level1"}), "error.table.not-host");
  EXPECT_EQ(at.Do("Ada", SeatBot{1, "level1"}), "");
  EXPECT_EQ(at.Do("Ada", SeatBot{1, "level2"}), "error.table.seat-taken");
  EXPECT_EQ(at.Do("Ada", SeatBot{0, "level2"}), "error.table.seat-taken");
  EXPECT_EQ(at.Do("Bob", Sit{1}), "error.table.seat-taken");
  at.Do("Bob", Sit{2});
  EXPECT_EQ(at.Do("Bob", Unseat{1}), "error.table.not-host");
  EXPECT_EQ(at.Do("Ada", Unseat{1}), "");
  EXPECT_EQ(at.Do("Ada", Unseat{1}), "error.table.seat-empty");
  EXPECT_EQ(at.Do("Ada", Unseat{2}), "");
  EXPECT_EQ(Chairs(at), "Ada - - -");
}

TEST(TableBefore, TheHostStartsWhenAllChairsAreTaken) {
  Sitting at;
  EXPECT_EQ(at.Do("Ada", Start{}), "error.table.empty-seats");
  at.Do("Bob", Sit{1});
  EXPECT_EQ(at.Do("Bob", Start{}), "error.table.not-host");
  EXPECT_EQ(at.Do("Ada", Start{}), "");
  EXPECT_EQ(at.table.status(), Status::Dealing);
  EXPECT_EQ(at.Do("Ada", Start{}), "error.table.started");
  for (const char* who : {"Ada", "Bob"}) EXPECT_EQ(at.Do(who, Stand{}), "error.table.started");
  EXPECT_EQ(at.Do("Ada", Unseat{1}), "error.table.started");
  EXPECT_EQ(at.Do("Bob", Sit{0}), "error.table.started");
  EXPECT_EQ(at.Do("Cyd", Sit{0}), "error.table.started");
}

TEST(TableBefore, SomebodyMustPlay) {
  Sitting at;
  at.Do("Ada", SeatBot{1, "level1"});
  at.Do("Ada", Unseat{0});
  at.Do("Ada", SeatBot{0, "level1"});
  EXPECT_EQ(at.Do("Ada", Start{}), "error.table.no-people");
}

TEST(TableBefore, NothingOfAGameGoes) {
  Sitting at;
  at.Do("Bob", Sit{1});
  EXPECT_EQ(at.Act("Ada", "end"), "error.table.not-now");
  EXPECT_EQ(at.Pick("Ada", 1, "M1"), "error.table.not-now");
  EXPECT_NE(at.Back("Ada", 0), "");
  EXPECT_EQ(at.Do("Ada", Resign{}), "error.table.not-now");
  EXPECT_EQ(at.Do("Ada", Contribute{SecretOf('1')}), "error.table.not-now");
  EXPECT_EQ(at.Do("Ada", Rematch{}), "error.table.not-now");
  EXPECT_EQ(at.Do("Ada", Return{}), "error.table.not-now");
  EXPECT_EQ(at.Answers("Ada", true), "error.table.not-now");
}

// --- The deal ------------------------------------------------------------------------------------

Sitting Dealing() {
  Sitting at(For(3));
  at.Do("Bob", Sit{1});
  at.Do("Ada", SeatBot{2, "level1"});
  at.Do("Ada", Start{});
  return at;
}

TEST(TableDeal, ComesWithTheLastPersonsNumber) {
  Sitting at = Dealing();
  EXPECT_EQ(at.Do("Cyd", Contribute{SecretOf('1')}), "error.table.not-seated");
  EXPECT_EQ(at.Do("Ada", Contribute{"12"}), "error.table.random");
  EXPECT_EQ(at.Do("Ada", Contribute{SecretOf('A')}), "error.table.random");
  EXPECT_EQ(at.Do("Ada", Contribute{SecretOf('1')}), "");
  EXPECT_EQ(at.Do("Ada", Contribute{SecretOf('2')}), "error.table.contributed");
  EXPECT_EQ(at.table.status(), Status::Dealing);
  EXPECT_EQ(at.Do("Bob", Contribute{SecretOf('2')}), "");
  ASSERT_EQ(at.table.status(), Status::Running);
  const Deal deal = FairDeal(For(3).config, SecretOf('a'), {SecretOf('1'), SecretOf('2'), "", ""});
  EXPECT_EQ(at.state().config.first, deal.config.first);
  const auto cards = deal.deck.Span();
  EXPECT_EQ(at.table.ToRecord().deck, std::vector(cards.begin(), cards.end()));
  EXPECT_EQ(at.Do("Ada", Contribute{SecretOf('1')}), "error.table.not-now");
}

TEST(TableDeal, WaitsForNumbersSoLongAndNoLonger) {
  Sitting at = Dealing();
  const int64_t end = at.now + Table::kContributionWait;
  EXPECT_EQ(at.table.NextDue({}), end);
  at.now = end - 1;
  EXPECT_EQ(at.Do("Ada", Contribute{SecretOf('1')}), "");
  EXPECT_EQ(at.Due(), "");
  EXPECT_EQ(at.table.NextDue({}), end);
  at.now = end;
  EXPECT_EQ(at.Due(), "deal");
  EXPECT_EQ(at.table.randoms()[0], SecretOf('1'));
  EXPECT_EQ(at.table.randoms()[1], "");
}

TEST(TableDeal, NeedsTheSecretThatWasCommittedTo) {
  Sitting at;
  at.Do("Bob", Sit{1});
  EXPECT_EQ(at.Happen(event::Commit{SecretOf('a'), HashOf(SecretOf('b'))}), "error.table.secret");
  EXPECT_EQ(at.Happen(event::Commit{"a", HashOf("a")}), "error.table.secret");
  EXPECT_EQ(at.table.Do(PersonCalled("Ada"), {"", Start{}}, at.now).error().key,
            "error.table.secret")
      << "no secret was given";
}

// --- Moves ---------------------------------------------------------------------------------------

TEST(TableAct, TheDecidingSeatActsOneOrSeveral) {
  Sitting at;
  at.Begin(kScienceAndReligion);
  EXPECT_EQ(at.Act("Bob", "play R1"), "error.table.not-your-turn");
  EXPECT_EQ(at.Act("Eve", "play S1"), "error.table.not-seated");
  EXPECT_EQ(at.Act("Ada", "play S1, end"), "");
  EXPECT_EQ(at.state().seat, 1);
  EXPECT_EQ(at.Act("Ada", "play S1"), "error.table.not-your-turn");
  EXPECT_EQ(at.Act("Bob", "play R1"), "");
  EXPECT_EQ(at.Act("Bob", "end"), "");
}

TEST(TableAct, NobodyActsForTheNext) {
  Sitting at;
  at.Begin(kScienceAndReligion);
  EXPECT_EQ(at.Act("Ada", "play S1, end, play R1"), "error.table.not-your-turn");
  EXPECT_EQ(at.actions(), 0);
}

TEST(TableAct, AnIllegalOneIsRefusedWithItsReason) {
  Sitting at;
  at.Begin(kScienceAndReligion);
  EXPECT_EQ(at.Act("Ada", "play M1"),
            "why." + string(NameOf(WhyNot(at.state(), *ParseAction("play M1")).why)));
  EXPECT_EQ(at.Act("Ada", "play S1, holy-book"), "why.needs-cards");
  EXPECT_EQ(at.actions(), 0) << "all of them or none";
}

TEST(TableAct, NoActionIsNone) {
  Sitting at;
  at.Begin();
  EXPECT_EQ(at.Do("Ada", command::Act{at.table.number(), {}}), "error.table.not-now");
  EXPECT_EQ(at.Do("Bob", command::Act{at.table.number(), {}}), "error.table.not-now");
}

// Else one could try what comes next without having done what shows it: a refusal would tell.
TEST(TableAct, NothingFollowsAtOnceUponWhatIsShown) {
  Sitting at;
  at.Begin(kScienceAndReligion);
  EXPECT_EQ(at.Act("Ada", "play S1, breakthrough, discard M1"), "error.table.revealed");
  EXPECT_EQ(at.Act("Ada", "play S1, breakthrough, discard C1"), "error.table.revealed");
  EXPECT_EQ(at.actions(), 0);
  EXPECT_EQ(at.Act("Ada", "play S1, breakthrough"), "");
  EXPECT_EQ(at.Act("Ada", "discard M1, discard M1, discard M1, discard M1, discard M1, end"), "");
  EXPECT_EQ(at.Act("Bob", "play R1, inquisition 0, give R1"), "error.table.revealed");
  EXPECT_EQ(at.Act("Bob", "play R1, inquisition 0"), "");
}

TEST(TableAct, OnlyTheGameMakesAMoveStale) {
  TableOptions options = For(3);
  options.clock = TimeControl{60, 60, 0};
  Sitting at(options);
  at.Begin();
  const int64_t seen = at.table.number();
  at.now += 500;
  at.Do("Bob", Say{"hm", ""});
  at.Do("Eve", Say{"hm", ""});
  at.Do("Bob", Mute{"p_Eve", true});
  at.Do("Cyd", Resign{});
  at.Do("Cyd", Return{});
  at.Answers("Ada", true);
  ASSERT_EQ(at.table.number(), seen + 4) << "spectators and mutes leave no event";
  EXPECT_EQ(at.ActOn(seen, "Ada", "play M1"), "");
  EXPECT_EQ(at.ActOn(seen, "Ada", "end"), "error.stale");
  EXPECT_EQ(at.ActOn(seen + 5, "Ada", "end"), "");
}

TEST(TableAct, TakingBackMakesAMoveStaleAndAskingDoesNot) {
  Sitting at;
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  at.Act("Ada", "play M1");
  const int64_t seen = at.table.number();
  at.Back("Ada", 0);
  EXPECT_EQ(at.ActOn(seen, "Ada", "play M1"), "error.stale");
  at.Act("Ada", "play M1");
  const int64_t later = at.table.number();
  EXPECT_EQ(at.Back("Bob", 0), "");
  ASSERT_TRUE(at.table.question());
  EXPECT_EQ(at.ActOn(later, "Ada", "end"), "");
}

TEST(TableAct, WhatNobodyHasSeenYetIsStaleToo) {
  Sitting at;
  at.Begin();
  EXPECT_EQ(at.ActOn(at.table.number() + 1, "Ada", "play M1"), "error.stale");
}

TEST(TableAct, BotsActForTheirOwnSeatOnWhatThereIs) {
  Sitting at;
  at.Begin("M1 M1 M1 R1 R1 R1", 0b10);
  EXPECT_TRUE(at.table.BotTurns().empty());
  EXPECT_EQ(at.Bot(1, "play R1"), "error.table.not-your-turn");
  EXPECT_EQ(at.Bot(0, "play M1"), "error.stale") << "a person sits there";
  at.Act("Ada", "play M1, end");
  ASSERT_EQ(at.table.BotTurns().size(), 1u);
  EXPECT_EQ(at.table.BotTurns()[0].seat, 1);
  EXPECT_EQ(at.table.BotTurns()[0].bot, "level1");
  EXPECT_EQ(at.Take(at.table.BotActs(1, at.table.number() - 1, *ParseAction("play R1"), at.now)),
            "error.stale");
  EXPECT_EQ(at.Bot(1, "play E1"), "why.not-there");
  EXPECT_EQ(at.Bot(1, "play R1"), "");
  at.Do("Ada", Say{"quick!", ""});
  EXPECT_EQ(at.Take(at.table.BotActs(1, at.table.number() - 1, kEnd, at.now)), "")
      << "talk makes nothing stale";
}

// --- The draft -----------------------------------------------------------------------------------

// Packs: Ada M1 M1 R1 R1, Bob E1 E1 S1 S1.
Sitting Draft(TableOptions options = For(2, Setup::Draft)) {
  Sitting at(options);
  at.Begin("M1 M1 R1 R1 E1 E1 S1 S1");
  return at;
}

TEST(TableDraft, EverybodyPicksAtOnceInAnyOrder) {
  Sitting at = Draft();
  EXPECT_EQ(at.table.Deciding(), 0b11u);
  EXPECT_EQ(at.Pick("Bob", 1, "E1"), "");
  EXPECT_EQ(at.table.Deciding(), 0b01u);
  EXPECT_EQ(at.actions(), 0);
  EXPECT_EQ(at.Pick("Ada", 1, "M1"), "");
  EXPECT_EQ(at.table.DraftRound(), 2);
  EXPECT_EQ(at.actions(), 2);
  EXPECT_EQ(Hand(at.state(), 0), "M1");
  EXPECT_EQ(Hand(at.state(), 1), "E1");
}

TEST(TableDraft, APickMayBeReplacedUntilTheRoundCloses) {
  Sitting at = Draft();
  at.Pick("Ada", 1, "M1");
  EXPECT_EQ(at.Pick("Ada", 1, "R1"), "");
  at.Pick("Bob", 1, "E1");
  EXPECT_EQ(Hand(at.state(), 0), "R1");
  EXPECT_EQ(at.Pick("Ada", 1, "M1"), "error.table.round") << "the round that is meant is over";
}

TEST(TableDraft, OthersDoNotHearThatAPickWasReplaced) {
  Sitting at = Draft();
  Table before = at.table;
  const auto hears = [&](const string& who) {
    return MayHear(before, at.log.back(), at.table, PersonCalled(who));
  };
  at.Pick("Ada", 1, "M1");
  EXPECT_TRUE(hears("Ada") && hears("Bob") && hears("Eve"));
  before = at.table;
  at.Pick("Ada", 1, "R1");
  EXPECT_TRUE(hears("Ada"));
  EXPECT_FALSE(hears("Bob") || hears("Eve"));
}

TEST(TableDraft, OnlyACardOfTheOwnPack) {
  Sitting at = Draft();
  EXPECT_EQ(at.Pick("Ada", 1, "E1"), "error.table.not-in-pack");
  EXPECT_EQ(at.Pick("Ada", 2, "M1"), "error.table.round");
  EXPECT_EQ(at.Pick("Eve", 1, "M1"), "error.table.not-seated");
  EXPECT_EQ(at.Act("Ada", "keep M1"), "error.table.draft");
}

TEST(TableDraft, EverybodySeesThemselvesAsTheOneWhoChooses) {
  for (const int players : {2, 3, 4}) {
    Sitting at(For(players, Setup::Draft));
    at.Begin("M1 M1 M1 M1 R1 R1 R1 R1 E1 E1 E1 E1 S1 S1 S1 S1");
    for (int round = 1; round <= 3; ++round) {
      for (Seat seat = 0; seat < players; ++seat) {
        const View view = at.table.ViewFor(seat);
        EXPECT_EQ(view.seat, seat);
        const ActionSet legal = Legal(view);
        EXPECT_FALSE(legal.Empty());
        const Cards pack = at.state().packs[seat];
        for (const Action action : legal)
          EXPECT_TRUE(action.verb() == Verb::Keep && pack[action.kind()] > 0);
        const Json told = at.Tell(kNames[seat])["game"]["view"];
        EXPECT_TRUE(static_cast<bool>(ViewFromJson(told)));
      }
      for (Seat seat = 0; seat < players; ++seat)
        EXPECT_EQ(at.Do(kNames[seat], command::Pick{round, Cards(at.state().packs[seat]).First()}),
                  "");
    }
    EXPECT_EQ(at.state().step, Step::Claim);
    EXPECT_EQ(at.table.DraftRound(), 0);
    EXPECT_EQ(at.table.barrier(), 3 * players) << "what was seen in the draft is not taken back";
  }
}

TEST(TableDraft, BotsPickToo) {
  Sitting at(For(2, Setup::Draft));
  at.Begin("M1 M1 R1 R1 E1 E1 S1 S1", 0b10);
  EXPECT_EQ(at.table.BotTurns().size(), 1u);
  EXPECT_EQ(at.Bot(1, "keep E1"), "");
  EXPECT_TRUE(at.table.BotTurns().empty());
  EXPECT_EQ(at.Pick("Ada", 1, "M1"), "");
  EXPECT_EQ(at.table.DraftRound(), 2);
}

TEST(TableDraft, PicksMakeNothingStaleButTheEndOfARoundDoes) {
  Sitting at(For(2, Setup::Draft));
  at.Begin("M1 M1 R1 R1 E1 E1 S1 S1", 0b10);
  const int64_t seen = at.table.number();
  at.Pick("Ada", 1, "M1");
  EXPECT_EQ(at.Take(at.table.BotActs(1, seen, *ParseAction("keep E1"), at.now)), "");
  EXPECT_EQ(at.Take(at.table.BotActs(1, seen, *ParseAction("keep R1"), at.now)), "error.stale");
}

TEST(TableDraft, APickIsToldToItsOwnerOnly) {
  Sitting at = Draft();
  const Table before = at.table;
  at.Pick("Ada", 1, "M1");
  const auto told = [&](Seat viewer) {
    return Json::parse(TellEvent(before, at.log.back(), at.table, viewer));
  };
  EXPECT_EQ(told(0)["card"], "M1");
  EXPECT_FALSE(told(1).contains("card"));
  EXPECT_FALSE(told(kSpectator).contains("card"));
  EXPECT_EQ(told(1)["table"]["draft"]["picked"], Json({true, false}));
  EXPECT_EQ(at.Tell("Ada")["you"]["pick"], "M1");
  EXPECT_FALSE(at.Tell("Bob")["you"].contains("pick"));
}

TEST(TableDraft, NothingIsTakenBackInIt) {
  Sitting at = Draft();
  at.Pick("Ada", 1, "M1");
  at.Pick("Bob", 1, "E1");
  EXPECT_EQ(at.Back("Ada", 0), "error.table.nothing-back");
}

// --- In lists ------------------------------------------------------------------------------------

string Waits(const Sitting& at) { return TellSummary("t", at.table)["waits"].dump(); }

TEST(TableList, SaysForWhomTheGameWaits) {
  Sitting at(For(3));
  EXPECT_EQ(Waits(at), "[]") << "for anybody";
  at.Do("Bob", Sit{1});
  at.Do("Ada", SeatBot{2, "level1"});
  at.Do("Ada", Start{});
  EXPECT_EQ(Waits(at), "[0,1]") << "a bot has no number";
  at.Do("Bob", Contribute{SecretOf('b')});
  EXPECT_EQ(Waits(at), "[0]");
  at.Do("Ada", Contribute{SecretOf('c')});
  EXPECT_EQ(Waits(at), "[" + std::to_string(at.state().seat) + "]");
  at.Do("Ada", Resign{});
  at.Do("Bob", Resign{});
  EXPECT_EQ(Waits(at), "[]");
}

TEST(TableList, InTheDraftItWaitsForAllWhoHaveNotPicked) {
  Sitting at(For(3, Setup::Draft));
  at.Begin();
  EXPECT_EQ(Waits(at), "[0,1,2]");
  EXPECT_EQ(at.Pick("Bob", 1, NameOf(Legal(at.table.ViewFor(1))[0].kind())), "");
  EXPECT_EQ(Waits(at), "[0,2]");
}

TEST(TableList, SaysWhenItLastChanged) {
  Sitting at(For(2, Setup::Draft));
  const auto changed = [&] { return TellSummary("t", at.table)["changed"].get<int64_t>(); };
  EXPECT_EQ(changed(), 1000);
  at.now = 2000;
  at.Do("Eve", Say{"anybody here?", ""});
  at.Do("Eve", Mute{"p_Ada", true});
  EXPECT_EQ(changed(), 1000);
  at.now = 3000;
  at.Begin();
  EXPECT_EQ(changed(), 3000);
  at.now = 4000;
  const ActionSet cards = Legal(at.table.ViewFor(0));
  EXPECT_EQ(at.Pick("Ada", 1, NameOf(cards[0].kind())), "");
  EXPECT_EQ(changed(), 4000);
  at.now = 5000;
  EXPECT_EQ(at.Pick("Ada", 1, NameOf(cards[1].kind())), "");
  EXPECT_EQ(changed(), 4000) << "that a pick was replaced is not for others";
}

// --- Talk ----------------------------------------------------------------------------------------

string Heard(const Sitting& at, const string& who) {
  string all;
  const Json told = at.Tell(who);
  for (const Json& line : told["chat"])
    all += (all.empty() ? "" : " ") + line.value("text", line.value("phrase", "?"));
  return all;
}

TEST(TableTalk, PlayersAreHeardByAllAndSpectatorsByTheirLikeUntilTheEnd) {
  Sitting at;
  at.Begin();
  at.Do("Ada", Say{"one", ""});
  at.Do("Eve", Say{"two", ""});
  at.Do("Bob", Say{"", "hello"});
  EXPECT_EQ(Heard(at, "Ada"), "one hello");
  EXPECT_EQ(Heard(at, "Eve"), "one two hello");
  EXPECT_EQ(Heard(at, "Fay"), "one two hello");
  at.Do("Ada", Resign{});
  EXPECT_EQ(Heard(at, "Bob"), "one two hello");
  EXPECT_EQ(at.Do("Eve", Say{"four", ""}), "");
  EXPECT_EQ(Heard(at, "Bob"), "one two hello four");
}

TEST(TableTalk, WhoIsMutedIsNotHeardByWhoMuted) {
  Sitting at;
  at.Begin();
  EXPECT_EQ(at.Do("Ada", Mute{"p_Ada", true}), "error.table.no-such-person");
  const int64_t number = at.table.number();
  EXPECT_EQ(at.Do("Ada", Mute{"p_Bob", true}), "");
  EXPECT_EQ(at.table.number(), number) << "nobody else's business";
  const auto hears = [&](const string& who) {
    return MayHear(at.table, at.log.back(), at.table, PersonCalled(who), at.asides);
  };
  at.Do("Bob", Say{"one", ""});
  EXPECT_FALSE(hears("Ada"));
  EXPECT_TRUE(hears("Bob") && hears("Eve"));
  EXPECT_EQ(Heard(at, "Ada"), "");
  EXPECT_EQ(Heard(at, "Eve"), "one");
  EXPECT_EQ(at.Tell("Ada")["you"]["muted"], Json({"p_Bob"}));
  EXPECT_EQ(at.Tell("Bob")["you"]["muted"], Json::array());
  at.Do("Ada", Mute{"p_Bob", false});
  at.Do("Bob", Say{"two", ""});
  EXPECT_EQ(Heard(at, "Ada"), "one two");
}

TEST(TableTalk, AMuteInALogOfAnEarlierVersionCounts) {
  Sitting at;
  at.Begin();
  EXPECT_EQ(at.Happen(event::Mute{"p_Ada", "p_Bob", true}), "");
  EXPECT_EQ(at.Happen(event::Mute{"p_Ada", "p_Eve", true}), "");
  EXPECT_EQ(at.Happen(event::Mute{"p_Ada", "p_Eve", false}), "");
  at.asides = Asides(at.table);
  EXPECT_EQ(at.Tell("Ada")["you"]["muted"], Json({"p_Bob"}));
}

TEST(TableTalk, SpectatorsAreInNoLog) {
  EXPECT_EQ(Sitting().Take(Sitting().table.Do(PersonCalled("Eve"), {"", Say{"hm", ""}}, 5)),
            "error.table.not-seated");
  EXPECT_NE(Sitting().Take(Sitting().table.Do(PersonCalled("Ada"), {"", Mute{"p_Eve", true}}, 5)),
            "");
}

TEST(TableTalk, NobodyCanKeepOthersFromMuting) {
  Sitting at;
  at.Begin();
  EXPECT_EQ(at.Do("Ada", Mute{"p_Bob", true}), "");
  for (int i = 0; i < 2'000; ++i) at.Do("Eve" + std::to_string(i), Mute{"p_Ada", true});
  EXPECT_EQ(at.Tell("Ada")["you"]["muted"], Json({"p_Bob"})) << "nor push out theirs";
  EXPECT_EQ(at.Tell("Eve0")["you"]["muted"], Json::array());
  EXPECT_EQ(at.Tell("Eve1999")["you"]["muted"], Json({"p_Ada"}));
  for (int i = 0; i < 200; ++i) at.Do("Eve", Mute{"p_" + std::to_string(i), true});
  EXPECT_EQ(at.Do("Eve", Mute{"p_200", true}), "error.table.too-many-mutes");
  EXPECT_EQ(at.Do("Ada", Mute{"p_Eve", true}), "");
}

TEST(TableTalk, TheLastLinesAreKeptAndSpectatorsDoNotPushOutPlayers) {
  Sitting at;
  at.Begin();
  at.Do("Ada", Say{"first", ""});
  for (int i = 0; i < 50; ++i) at.Do("Eve", Say{"s", ""});
  EXPECT_EQ(Heard(at, "Bob"), "first");
  for (int i = 0; i < 50; ++i) at.Do("Ada", Say{std::to_string(i), ""});
  const Json chat = at.Tell("Bob")["chat"];
  ASSERT_EQ(chat.size(), Table::kChatKept);
  EXPECT_EQ(chat.back()["text"], "49");
  EXPECT_EQ(chat.back()["n"], at.table.number());
}

TEST(TableTalk, IsReadOnlyIfItIsShortEnoughToBeKept) {
  const auto read = [](const string& text) {
    string id;
    const Expected<Command> command =
        CommandFromText(Json{{"type", "say"}, {"id", "x"}, {"text", text}}.dump(), id);
    return command ? "" : command.error().key;
  };
  string longest;
  for (size_t i = 0; i < kLongestSay; ++i) longest += "\xF0\x9F\x90\xA2";  // a turtle
  EXPECT_EQ(read(longest), "");
  EXPECT_EQ(read(longest + "x"), "error.too-long");
  EXPECT_EQ(read(""), "error.missing");
  Sitting at;
  ASSERT_EQ(at.Do("Ada", Say{longest, ""}), "");
  EXPECT_TRUE(static_cast<bool>(EventFromText(ToText(at.log.back()))))
      << "what is stored can be read again";
}

TEST(TableTalk, LinesOfSpectatorsHaveTheirPlaceBetweenEvents) {
  Sitting at;
  at.Begin();
  at.Do("Ada", Say{"one", ""});
  const int64_t number = at.table.number();
  for (int i = 0; i < 3; ++i) at.Do("Eve", Say{"s", ""});
  at.Do("Ada", Say{"two", ""});
  const Json chat = at.Tell("Eve")["chat"];
  ASSERT_EQ(chat.size(), 5u);
  EXPECT_EQ(chat[0]["n"], number);
  for (size_t i = 1; i < 5; ++i)
    EXPECT_LT(chat[i - 1]["n"].get<double>(), chat[i]["n"].get<double>());
  EXPECT_EQ(chat[4]["n"], number + 1);
}

// --- Nothing ------------------------------------------------------------------------------------

TEST(TableNothing, WhatChangesNothingIsNoEvent) {
  Sitting draft(For(2, Setup::Draft));
  draft.Begin("M1 M1 R1 R1 E1 E1 S1 S1");
  EXPECT_EQ(draft.Pick("Ada", 1, "M1"), "");
  const int64_t picked = draft.table.number();
  EXPECT_EQ(draft.Pick("Ada", 1, "M1"), "");
  EXPECT_EQ(draft.table.number(), picked);

  Sitting at(For(3));
  at.Begin();
  ASSERT_EQ(at.Act("Ada", "play M1"), "");
  EXPECT_EQ(at.Back("Bob", 0), "");
  const int64_t asked = at.table.number();
  EXPECT_EQ(at.Back("Bob", 0), "");
  EXPECT_EQ(at.table.question()->number, asked);
  EXPECT_EQ(at.Answers("Ada", true), "");
  EXPECT_EQ(at.Answers("Ada", true), "");
  EXPECT_EQ(at.table.number(), asked + 1);
}

TEST(TableNothing, HoweverOftenPeopleSitDownThereIsRoomForAGame) {
  Sitting at;
  while (at.table.number() < Table::kMostEvents / 2)
    ASSERT_EQ(at.Do("Eve", at.table.SeatOf("p_Eve") == kSpectator ? CommandBody(Sit{1}) : Stand{}),
              "");
  at.Do("Eve", Stand{});
  EXPECT_EQ(at.Do("Eve", Sit{1}), "error.table.full");
  EXPECT_EQ(at.Do("Ada", SeatBot{1, "level1"}), "");
  EXPECT_EQ(at.Do("Ada", Start{}), "");
}

// --- The end -------------------------------------------------------------------------------------

TEST(TableEnd, NothingGoesButTalkAndOneRematch) {
  Sitting at(For(3));
  at.Begin();
  at.Do("Cyd", Resign{});
  at.Do("Ada", Resign{});
  ASSERT_EQ(at.table.status(), Status::Over);
  EXPECT_EQ(at.Act("Bob", "play M1"), "error.table.not-now");
  EXPECT_NE(at.Back("Bob", 0), "");
  EXPECT_EQ(at.Pick("Bob", 1, "M1"), "error.table.not-now");
  EXPECT_EQ(at.Do("Bob", Resign{}), "error.table.not-now");
  EXPECT_EQ(at.Do("Bob", Abandon{}), "error.table.not-now");
  EXPECT_EQ(at.Do("Ada", Return{}), "error.table.not-now");
  EXPECT_EQ(at.Answers("Bob", true), "error.table.not-now");
  EXPECT_EQ(at.Do("Bob", Stand{}), "error.table.started");
  EXPECT_EQ(at.Do("Bob", Start{}), "error.table.started");
  EXPECT_EQ(at.Do("Eve", Sit{0}), "error.table.started");
  EXPECT_EQ(at.Take(at.table.CloseBy("host", at.now)), "error.table.not-now");
  EXPECT_EQ(at.Bot(0, "play M1"), "error.table.not-now");
  EXPECT_EQ(at.table.NextDue({}), std::nullopt);
  EXPECT_EQ(at.Do("Bob", Say{"gg", ""}), "");
  EXPECT_EQ(at.Do("Bob", Mute{"p_Ada", true}), "");
  EXPECT_EQ(at.Do("Eve", Rematch{}), "error.table.not-seated");
  EXPECT_EQ(at.Do("Ada", Rematch{}), "") << "also who has left";
  EXPECT_EQ(at.table.rematch(), "next");
  EXPECT_EQ(at.Do("Bob", Rematch{}), "error.table.rematch");
}

TEST(TableEnd, AClosedTableHasNoWinnerAndNoRematch) {
  for (const bool begun : {false, true}) {
    Sitting at;
    if (begun) at.Begin();
    EXPECT_EQ(at.Take(at.table.CloseBy("idle", at.now)), "");
    EXPECT_EQ(at.table.status(), Status::Closed);
    EXPECT_EQ(at.table.close_reason(), "idle");
    EXPECT_TRUE(at.table.Result().is_null());
    EXPECT_EQ(at.Do("Ada", Rematch{}), "error.table.not-now");
    EXPECT_EQ(at.Do("Bob", Sit{1}), "error.table.started");
    EXPECT_EQ(at.Do("Ada", Say{"oh", ""}), "");
    EXPECT_EQ(at.Take(at.table.CloseBy("idle", at.now)), "error.table.not-now");
    if (begun) {
      EXPECT_EQ(at.Tell("Ada")["table"]["deal"]["secret"], at.table.secret());
    }
  }
}

TEST(TableEnd, TheSecretIsToldWithIt) {
  Sitting at;
  at.Begin();
  EXPECT_FALSE(at.Tell("Ada")["table"]["deal"].contains("secret"));
  at.Do("Ada", Resign{});
  EXPECT_EQ(at.Tell("Ada")["table"]["deal"]["secret"], SecretOf('a'));
}

TEST(TableEnd, ARefusalNamesTheIdTheNumberAndTheReason) {
  EXPECT_EQ(TellRefused("7", 3, {"error.stale", {}}),
            R"({"type":"refused","id":"7","n":3,"error":{"key":"error.stale","args":{}}})");
  EXPECT_EQ(TellStored("7", 3), R"({"type":"ack","id":"7","n":3})");
}

// --- Who may look --------------------------------------------------------------------------------

TEST(TableWatch, WithoutSpectatorsOnlyThoseWhoPlay) {
  TableOptions options = For(3);
  options.spectators = false;
  Sitting at(options);
  EXPECT_TRUE(at.table.MayWatch("p_Eve")) << "before the game they may want to sit";
  at.Begin();
  EXPECT_FALSE(at.table.MayWatch("p_Eve"));
  at.Do("Cyd", Resign{});
  EXPECT_TRUE(at.table.MayWatch("p_Cyd"));
}

}  // namespace
}  // namespace civ::sitting::by_rule
