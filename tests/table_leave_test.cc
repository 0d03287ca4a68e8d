// Who leaves a table or stays away, and clocks.
#include <gtest/gtest.h>

#include "tests/sitting.h"

namespace civ::sitting::leaving {
namespace {

using namespace command;
using std::string;

// --- Leaving -------------------------------------------------------------------------------------

TEST(TableLeave, OfTwoTheOtherWins) {
  for (const bool resigns : {true, false}) {
    Sitting at;
    at.Begin();
    EXPECT_EQ(resigns ? at.Do("Ada", Resign{}) : at.Do("Ada", Abandon{}), "");
    EXPECT_EQ(at.table.status(), Status::Over);
    EXPECT_EQ(WonBy(at), R"({"winners":[1],"by":"forfeit"})");
    EXPECT_EQ(at.table.LeftBy(0), resigns ? Left::Resigned : Left::Abandoned);
  }
}

TEST(TableLeave, ABotWinsAgainstWhoLeaves) {
  Sitting at;
  at.Begin("", 0b10);
  at.Do("Ada", Resign{});
  EXPECT_EQ(WonBy(at), R"({"winners":[1],"by":"forfeit"})");
}

TEST(TableLeave, OfThreeABotPlaysOn) {
  Sitting at(For(3));
  at.Begin("M1 M1 M1");
  EXPECT_EQ(at.Do("Ada", Resign{}), "");
  EXPECT_EQ(at.table.status(), Status::Running);
  EXPECT_EQ(Chairs(at), "Ada/level4 Bob Cyd");
  EXPECT_EQ(at.Tell("Bob")["table"]["chairs"][0]["left"], "resigned");
  EXPECT_EQ(at.table.Host(), "p_Bob");
  EXPECT_EQ(at.table.SeatOf("p_Ada"), kSpectator);
  EXPECT_EQ(at.Act("Ada", "play M1"), "error.table.not-seated");
  EXPECT_EQ(at.Bot(0, "play M1"), "");
  EXPECT_EQ(at.Do("Ada", Resign{}), "error.table.not-seated");
  EXPECT_EQ(at.Do("Bob", Resign{}), "");
  EXPECT_EQ(WonBy(at), R"({"winners":[2],"by":"forfeit"})");
}

TEST(TableLeave, WhenTheLastPersonGoesTheBotsHaveWon) {
  Sitting at(For(3));
  at.Begin("", 0b110);
  at.Do("Ada", Abandon{});
  EXPECT_EQ(WonBy(at), R"({"winners":[1,2],"by":"forfeit"})");
  EXPECT_TRUE(std::holds_alternative<Record>(ReadRecord(at.table.ToRecord().Dump())));
}

TEST(TableLeave, ATeamLosesWhenBothHaveLeft) {
  Sitting at(For(4, Setup::Basic, true));
  at.Begin();
  at.Do("Ada", Resign{});
  at.Do("Bob", Resign{});
  EXPECT_EQ(at.table.status(), Status::Running);
  at.Do("Cyd", Resign{});
  EXPECT_EQ(WonBy(at), R"({"winners":[1,3],"by":"forfeit"})");
}

TEST(TableLeave, TheTakeoverBotIsTheOneThatWasAgreed) {
  TableOptions options = For(3);
  options.takeover = "level1";
  Sitting at(options);
  at.Begin();
  at.Do("Bob", Abandon{});
  EXPECT_EQ(ChairOf(at, 1), "Bob/level1");
}

TEST(TableLeave, BackOnlyIfAllAgree) {
  Sitting at(For(4));
  at.Begin();
  EXPECT_EQ(at.Do("Dan", Return{}), "error.table.not-now");
  at.Do("Dan", Resign{});
  EXPECT_EQ(at.Do("Eve", Return{}), "error.table.not-now");
  EXPECT_EQ(at.Do("Dan", Return{}), "");
  EXPECT_EQ(at.Answers("Dan", true), "error.table.not-seated");
  at.Answers("Ada", true);
  at.Answers("Bob", true);
  EXPECT_TRUE(at.table.LeftBy(3));
  at.Answers("Cyd", true);
  EXPECT_FALSE(at.table.LeftBy(3));
  EXPECT_EQ(ChairOf(at, 3), "Dan");
  EXPECT_EQ(at.table.SeatOf("p_Dan"), 3);
}

// Whoever comes later is told it, too; what is taken back takes nothing of it away.
TEST(TableLeave, IsNotedWithReturnsAndWhatWasTakenBack) {
  Sitting at(WithTakebacks(3, Takebacks::Ask));
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  const auto notes = [&] {
    return Json::parse(TellAll(at.table, {"p_Eve", "Eve"}))["table"].value("notes", Json()).dump();
  };
  EXPECT_EQ(notes(), "null");
  at.Act("Ada", "play M1");
  at.Do("Cyd", Resign{});
  EXPECT_EQ(notes(), R"([{"at":1,"type":"leave","seat":2,"why":"resigned"}])");
  at.Back("Ada", 0);
  at.Do("Cyd", Return{});
  at.Answers("Ada", true);
  at.Answers("Bob", true);
  EXPECT_EQ(notes(),
            R"([{"at":0,"type":"leave","seat":2,"why":"resigned"},{"at":0,"type":"back","seat":0},)"
            R"({"at":0,"type":"return","seat":2}])");
  for (int i = 0; i < 30; ++i) {
    at.Act("Ada", "play M1");
    at.Back("Ada", 0);
  }
  EXPECT_EQ(at.table.notes().size(), Table::kNotesKept);
}

TEST(TableLeave, OneNoIsEnough) {
  Sitting at(For(3));
  at.Begin();
  at.Do("Cyd", Resign{});
  at.Do("Cyd", Return{});
  at.Answers("Ada", true);
  at.Answers("Bob", false);
  EXPECT_FALSE(at.table.question());
  EXPECT_TRUE(at.table.LeftBy(2));
}

TEST(TableLeave, WhoLeavesIsNotWaitedForByAQuestion) {
  Sitting at(For(4));
  at.Begin("M1 M1 M1");
  at.Do("Dan", Resign{});
  at.Do("Dan", Return{});
  at.Answers("Ada", true);
  at.Answers("Bob", true);
  EXPECT_EQ(at.Do("Cyd", Resign{}), "");
  EXPECT_FALSE(at.table.LeftBy(3)) << "all who play have agreed";
}

TEST(TableLeave, AQuestionGoesWithWhoAsked) {
  Sitting at(For(3));
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  at.Act("Ada", "play M1");
  at.Back("Bob", 0);
  ASSERT_TRUE(at.table.question());
  at.Do("Bob", Resign{});
  EXPECT_FALSE(at.table.question());
}

TEST(TableLeave, InTheDraftThePickStays) {
  Sitting at(For(3, Setup::Draft));
  at.Begin("M1 M1 R1 R1 E1 E1 S1 S1 C1 C1 C1 C1");
  at.Pick("Ada", 1, "M1");
  at.Do("Ada", Resign{});
  EXPECT_TRUE(at.table.BotTurns().empty());
  at.Pick("Bob", 1, "E1");
  at.Do("Cyd", Say{"wait", ""});
  at.Pick("Cyd", 1, "C1");
  EXPECT_EQ(at.table.DraftRound(), 2);
  EXPECT_EQ(at.table.BotTurns().size(), 1u);
}

TEST(TableLeave, AbsenceCountsOnlyForWhoHasToDecide) {
  TableOptions options = For(3);
  options.absence = 10;
  Sitting at(options);
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  const int64_t dealt = at.now;
  at.absent = {dealt - 500, dealt - 500, std::nullopt, std::nullopt};
  EXPECT_EQ(at.table.NextDue(at.absent), dealt + 10'000) << "from when it is one's turn";
  at.now = dealt + 9'999;
  EXPECT_EQ(at.Due(), "");
  at.absent[0] = dealt + 3'000;
  EXPECT_EQ(at.table.NextDue(at.absent), dealt + 13'000) << "from when one is away";
  at.now = dealt + 13'000;
  EXPECT_EQ(at.Due(), "leave");
  EXPECT_EQ(at.table.LeftBy(0), Left::Absent);
  EXPECT_EQ(at.table.NextDue(at.absent), std::nullopt) << "a bot decides";
}

TEST(TableLeave, AbsenceCanBeForEver) {
  TableOptions options;
  options.absence = 0;
  Sitting at(options);
  at.Begin();
  at.absent[0] = at.now;
  EXPECT_EQ(at.table.NextDue(at.absent), std::nullopt);
  at.now += 1'000'000'000;
  EXPECT_EQ(at.Due(), "");
}

TEST(TableLeave, AllWhoAreAbsentInTheDraftLeaveUntilOneSideIsLeft) {
  TableOptions options = For(3, Setup::Draft);
  options.absence = 10;
  Sitting at(options);
  at.Begin();
  at.absent = {at.now, at.now, std::nullopt, std::nullopt};
  at.now += 10'000;
  EXPECT_EQ(at.Due(), "leave leave forfeit");
  EXPECT_EQ(WonBy(at), R"({"winners":[2],"by":"forfeit"})");
}

// --- Clocks --------------------------------------------------------------------------------------

string ClockOf(const Sitting& at, size_t seat) {
  return std::to_string(at.table.clocks()[seat].turn) + "+" +
         std::to_string(at.table.clocks()[seat].bank);
}

TEST(TableClock, FirstTheTurnsOwnTimeThenTheBank) {
  Sitting at(WithClock(2, 10, 30, 0));
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  EXPECT_EQ(ClockOf(at, 0), "10000+30000");
  EXPECT_TRUE(at.table.ClockRuns(0));
  EXPECT_FALSE(at.table.ClockRuns(1));
  at.now += 5'000;
  at.Act("Ada", "play M1");
  EXPECT_EQ(ClockOf(at, 0), "6000+30000") << "one turn, one time, and a free second";
  at.now += 10'000;
  at.Do("Bob", Say{"hm", ""});
  EXPECT_EQ(ClockOf(at, 0), "0+26000");
  EXPECT_EQ(ClockOf(at, 1).substr(ClockOf(at, 1).find('+')), "+30000") << "others are not charged";
  at.Act("Ada", "end");
  EXPECT_EQ(ClockOf(at, 1), "10000+30000");
  EXPECT_TRUE(at.table.ClockRuns(1));
  at.now += 1'000;
  at.Act("Bob", "play M1, end");
  EXPECT_EQ(ClockOf(at, 0), "10000+26000") << "a new turn has its own time again";
}

TEST(TableClock, AFinishedTurnAddsToTheBank) {
  Sitting at(WithClock(2, 10, 30, 5));
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  at.Act("Ada", "play M1");
  EXPECT_EQ(at.table.clocks()[0].bank, 30'000);
  at.Act("Ada", "end");
  EXPECT_EQ(at.table.clocks()[0].bank, 35'000);
  EXPECT_EQ(at.table.clocks()[1].bank, 30'000);
}

TEST(TableClock, ATurnTakenBackAddsNothing) {
  Sitting at(WithClock(2, 10, 30, 5, civ::Setup::Draft));
  at.Begin("M1 M1 R1 R1 E1 E1 S1 S1");
  for (int round = 1; round <= 3; ++round)
    for (Seat seat = 0; seat < 2; ++seat)
      at.Do(kNames[seat], command::Pick{round, Cards(at.state().packs[seat]).First()});
  for (const char* who : {"Bob", "Ada"}) at.Act(who, test::LegalNames(at.state()).substr(0, 7));
  ASSERT_EQ(at.state().turn, 1);
  ASSERT_EQ(at.Back("Bob", 6), "");
  ASSERT_EQ(at.Answers("Ada", true), "");
  ASSERT_EQ(at.state().step, Step::Claim);
  EXPECT_EQ(at.table.clocks()[0].bank, 30'000);
  EXPECT_EQ(at.table.clocks()[1].bank, 30'000);
}

TEST(TableClock, WhoHasNoTimeLeftHasLeftAtThatMoment) {
  Sitting at(WithClock(2, 10, 30, 0));
  at.Begin();
  const int64_t end = at.now + 41'000;
  EXPECT_EQ(at.table.NextDue({}), end);
  at.now = end - 1;
  EXPECT_EQ(at.Due(), "");
  at.Do("Bob", Say{"?", ""});
  EXPECT_EQ(at.table.NextDue({}), end);
  at.now = end;
  EXPECT_EQ(at.Act("Ada", "play M1"), "error.table.time");
  EXPECT_EQ(at.Due(), "leave forfeit");
  EXPECT_EQ(at.table.LeftBy(0), Left::OutOfTime);
}

TEST(TableClock, AMoveInTheLastMomentCounts) {
  Sitting at(WithClock(2, 10, 0, 0));
  at.Begin("M1 M1 M1");
  at.now += 10'999;
  EXPECT_EQ(at.Act("Ada", "play M1"), "");
  EXPECT_EQ(ClockOf(at, 0), "1+0");
}

TEST(TableClock, InTheDraftEverybodysRunsUntilTheyHavePicked) {
  Sitting at(WithClock(2, 10, 30, 5, Setup::Draft));
  at.Begin("M1 M1 R1 R1 E1 E1 S1 S1");
  EXPECT_TRUE(at.table.ClockRuns(0) && at.table.ClockRuns(1));
  at.now += 5'000;
  at.Pick("Bob", 1, "E1");
  EXPECT_FALSE(at.table.ClockRuns(1));
  at.now += 12'000;
  at.Pick("Bob", 1, "S1");
  EXPECT_EQ(ClockOf(at, 0), "0+24000");
  EXPECT_EQ(ClockOf(at, 1), "6000+30000");
  at.Pick("Ada", 1, "M1");
  EXPECT_EQ(ClockOf(at, 0), "10000+24000") << "each round has its own time";
  EXPECT_EQ(ClockOf(at, 1), "10000+30000");
}

TEST(TableClock, EachDecisionBeginsWithAFreeSecond) {
  Sitting at(WithClock(2, 10, 30, 0));
  at.Begin("M1 M1 M1 M1 M1 M1 M1 M1");
  at.now += 600;
  at.Do("Bob", Say{"hm", ""});
  EXPECT_EQ(at.table.clocks()[0].free, 400);
  at.now += 400;
  at.Act("Ada", "play M1");
  EXPECT_EQ(ClockOf(at, 0), "10000+30000");
  EXPECT_EQ(at.Tell("Bob")["clock"]["seats"][0]["free"], 0) << "nor again within one's own turn";
  at.now += 1'000;
  at.Act("Ada", "end");
  EXPECT_EQ(ClockOf(at, 0), "9000+30000");
  at.now += 1'000;
  at.Act("Bob", "play M1");
  EXPECT_EQ(ClockOf(at, 1), "10000+30000") << "it was for hearing of what Ada did";
  at.Back("Bob", at.actions() - 1);
  at.now += 1'000;
  at.Act("Bob", "play M1");
  EXPECT_EQ(ClockOf(at, 1), "9000+30000") << "taking back makes no time";
}

// Somebody takes four seconds of ten to claim, and takes that back: what is left of the turn's
// time.
int64_t LeftOfATurnThatComesBack(int rules) {
  const TableOptions options = WithClock(2, 10, 30, 0, civ::Setup::Draft);
  Sitting at(options);
  at.table = Table();
  at.Happen(event::Create{options, PersonCalled("Ada"), {{PersonCalled("Ada"), ""}, {}}, rules});
  at.Begin("M1 M1 R1 R1 E1 E1 S1 S1");
  for (int round = 1; round <= 3; ++round)
    for (Seat seat = 0; seat < 2; ++seat)
      at.Do(kNames[seat], command::Pick{round, Cards(at.state().packs[seat]).First()});
  at.now += 5'000;  // the first of them is free
  EXPECT_EQ(at.Act("Bob", test::LegalNames(at.state()).substr(0, 7)), "");
  EXPECT_EQ(at.Back("Bob", 6), "");
  EXPECT_EQ(at.Answers("Ada", true), "");
  EXPECT_TRUE(at.table.ClockRuns(1));
  EXPECT_EQ(at.table.clocks()[1].free, 1'000);
  return at.table.clocks()[1].turn;
}

TEST(TableClock, ADecisionThatComesBackWithinATurnHasNoNewTurnTime) {
  EXPECT_EQ(LeftOfATurnThatComesBack(2), 6'000);
  EXPECT_EQ(LeftOfATurnThatComesBack(1), 10'000) << "games of earlier versions lose nothing";
}

TEST(TableClock, ALogOfAnEarlierVersionKeepsItsRules) {
  const Event old = *EventFromText(
      R"({"type":"create","at":5,"options":{"players":2},"by":{"id":"a","name":"Ada"},)"
      R"("chairs":[{"person":null,"bot":null},{"person":null,"bot":null}]})");
  EXPECT_EQ(std::get<event::Create>(old.body).clock_rules, 1);
  const Sitting at;
  EXPECT_EQ(std::get<event::Create>(EventFromText(ToText(at.log[0]))->body).clock_rules, 2);
}

TEST(TableClock, BotsHaveNone) {
  Sitting at(WithClock(2, 10, 30, 0));
  at.Begin("M1 M1 M1 R1 R1 R1", 0b10);
  at.Act("Ada", "play M1, end");
  EXPECT_FALSE(at.table.ClockRuns(1));
  EXPECT_EQ(at.table.NextDue({}), std::nullopt);
  at.now += 1'000'000;
  EXPECT_EQ(at.Due(), "");
  EXPECT_EQ(at.Bot(1, "play R1"), "");
  EXPECT_EQ(at.table.clocks()[1].bank, 30'000);
}

TEST(TableClock, ToldWhenSomebodyLeavesOrReturns) {
  Sitting at(WithClock(3, 10, 30, 0));
  at.Begin();
  Table before = at.table;
  at.Do("Ada", Resign{});
  EXPECT_EQ(
      Json::parse(TellEvent(before, at.log.back(), at.table, 1))["clock"]["seats"][0]["running"],
      false);
  at.Do("Ada", Return{});
  at.Answers("Bob", true);
  before = at.table;
  at.Answers("Cyd", true);
  ASSERT_EQ(NameOf(at.log.back().body), "return");
  EXPECT_EQ(
      Json::parse(TellEvent(before, at.log.back(), at.table, 1))["clock"]["seats"][0]["running"],
      true);
  EXPECT_EQ(ClockOf(at, 0), "10000+30000");
}

}  // namespace
}  // namespace civ::sitting::leaving
