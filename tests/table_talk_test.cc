// Talk about pacts at a table: who may say what when, what is kept, told and recorded.
#include <gtest/gtest.h>

#include "civ/notation/talk.h"
#include "civ/table/import.h"
#include "tests/sitting.h"

namespace civ::sitting {
namespace {

using std::string;

Talk Truce(unsigned to, uint8_t rounds = 2) {
  return {.kind = TalkKind::Truce, .to = static_cast<uint8_t>(to), .rounds = rounds};
}
Talk Reply(TalkKind kind, uint16_t id) { return {.kind = kind, .id = id}; }

string Says(Sitting& at, const string& who, const Talk& talk) {
  return at.Do(who, command::Talk{talk});
}
// What the deciding seat may do, as it is written.
string AnyAction(const Sitting& at) { return NameOf(Legal(at.state())[0]); }
// Does it for that seat, a person's.
void Goes(Sitting& at) { ASSERT_EQ(at.Act(kNames[at.state().seat], AnyAction(at)), ""); }

// Ada and Bob have a truce.
Sitting WithTruce() {
  Sitting at(For(3));
  at.Begin();
  EXPECT_EQ(Says(at, "Ada", Truce(0b010)), "");
  EXPECT_EQ(Says(at, "Bob", Reply(TalkKind::Yes, 1)), "");
  return at;
}

TEST(TableTalk, AnOfferIsAnsweredAndBindsTwo) {
  const Sitting at = WithTruce();
  ASSERT_EQ(at.table.pacts().pacts.size(), 1u);
  EXPECT_TRUE(at.table.pacts().pacts[0].Binds(0));
  EXPECT_TRUE(at.table.pacts().pacts[0].Binds(1));
  EXPECT_EQ(at.table.said().size(), 2u);
  EXPECT_EQ(NameOf(at.log.back().body), "talk");
}

TEST(TableTalk, ChangesNothingElse) {
  Sitting at(For(3));
  at.Begin();
  const int64_t builds = at.table.number(), changed = at.table.changed_at();
  at.now += 5'000;
  ASSERT_EQ(Says(at, "Bob", Truce(0b101)), "");
  EXPECT_EQ(at.table.changed_at(), changed);
  EXPECT_EQ(at.table.bots_number(), builds);
  ASSERT_EQ(Says(at, "Ada", Reply(TalkKind::Yes, 1)), "");
  EXPECT_EQ(at.ActOn(builds, "Ada", AnyAction(at)), "");
}

TEST(TableTalk, TheClockGoesOnAsItWould) {
  TableOptions options = For(3);
  options.clock = TimeControl{60, 0, 0};
  Sitting silent(options), talking(options);
  for (Sitting* at : {&silent, &talking}) {
    at->Begin();
    at->now += 7'000;
  }
  ASSERT_EQ(Says(talking, "Ada", Truce(0b010)), "");
  for (Sitting* at : {&silent, &talking}) {
    at->now += 2'000;
    ASSERT_EQ(at->Do("Ada", command::Say{"hm", ""}), "");
  }
  EXPECT_EQ(silent.table.clocks()[0].Left(), talking.table.clocks()[0].Left());
}

TEST(TableTalk, OnlyWhoPlaysSaysIt) {
  Sitting at(For(3));
  EXPECT_EQ(Says(at, "Ada", Truce(0b010)), "error.table.not-now");  // waiting
  at.Begin();
  EXPECT_EQ(Says(at, "Eve", Truce(0b010)), "error.table.not-seated");
  EXPECT_EQ(Says(at, "Ada", Truce(0b010)), "");
  EXPECT_EQ(at.Do("Ada", command::Resign{}), "");
  EXPECT_EQ(Says(at, "Ada", Truce(0b100)), "error.table.not-seated");
  EXPECT_EQ(at.Do("Bob", command::Resign{}), "");
  ASSERT_EQ(at.table.status(), Status::Over);
  EXPECT_EQ(Says(at, "Cyd", Truce(0b010)), "error.table.not-now");
}

TEST(TableTalk, NothingIsSaidWhileCardsAreDealtOrDrafted) {
  Sitting at(For(3, Setup::Draft));
  EXPECT_EQ(at.Do("Bob", command::Sit{1}), "");
  EXPECT_EQ(at.Do("Cyd", command::Sit{2}), "");
  EXPECT_EQ(at.Do("Ada", command::Start{}), "");
  EXPECT_EQ(Says(at, "Ada", Truce(0b010)), "error.table.not-now");
  EXPECT_EQ(at.Happen(event::Deal{0, DeckFrom(3, "")}), "");
  EXPECT_EQ(Says(at, "Ada", Truce(0b010)), "error.table.talk");
}

TEST(TableTalk, TwoHaveNothingToOfferAndPartnersOnlySignal) {
  Sitting two(For(2));
  two.Begin();
  EXPECT_EQ(Says(two, "Ada", Truce(0b010)), "error.table.talk");
  EXPECT_FALSE(two.table.HasTalk());
  Sitting teams(For(4, Setup::Basic, true));
  teams.Begin();
  EXPECT_EQ(Says(teams, "Ada", Truce(0b010)), "error.table.talk");
  const Talk signal = {.kind = TalkKind::Signal, .domain = Domain::Science};
  EXPECT_EQ(Says(teams, "Ada", signal), "");
  EXPECT_EQ(Says(teams, "Ada", signal), "error.table.talk");
}

TEST(TableTalk, ATableMayBeWithoutPacts) {
  TableOptions options = For(3);
  options.pacts = false;
  Sitting at(options);
  at.Begin("", 0b100);
  EXPECT_EQ(Says(at, "Ada", Truce(0b010)), "error.table.no-pacts");
  EXPECT_FALSE(at.table.HasTalk());
  EXPECT_FALSE(at.Tell("Ada").contains("pacts"));
}

TEST(TableTalk, AWarningIsTrueWhenItIsMade) {
  Sitting at(For(3));
  at.Begin();
  const Talk untrue = {.kind = TalkKind::Warn, .about = 1, .domain = Domain::Science};
  EXPECT_EQ(Says(at, "Ada", untrue), "error.table.talk");
  EXPECT_EQ(at.Happen(event::Talk{0, untrue}), "") << "a log is believed";
}

TEST(TableTalk, AFloodIsRefusedAndChangesNothing) {
  Sitting at(For(4));
  at.Begin();
  int said = 0;
  for (int round = 0; round < 3; ++round)
    for (const Talk& talk : at.table.pacts().Possible(at.state(), 0, at.table.ThreatsNow())) {
      const int64_t number = at.table.number();
      const Diplomacy before = at.table.pacts();
      const string wrong = Says(at, "Ada", talk);
      if (wrong.empty()) {
        ++said;
        continue;
      }
      EXPECT_EQ(wrong, "error.table.talk");
      EXPECT_EQ(at.table.number(), number);
      EXPECT_EQ(at.table.pacts(), before);
    }
  EXPECT_GE(said, 3);
  EXPECT_LE(said, 6);
}

TEST(TableTalk, WhatIsSaidOutlivesWhatIsTakenBack) {
  Sitting at(For(3));
  at.Begin();
  Goes(at);
  const int before = at.actions();
  ASSERT_EQ(Says(at, "Bob", Truce(0b001)), "");
  ASSERT_EQ(at.table.said()[0].at, before);
  ASSERT_GT(before, at.table.barrier());
  ASSERT_EQ(at.Back("Ada", before - 1), "");
  EXPECT_EQ(at.table.said()[0].at, before - 1);
  EXPECT_EQ(at.table.pacts(), FoldTalk(at.table.States(), at.table.actions(), at.table.said()));
  EXPECT_EQ(Says(at, "Ada", Reply(TalkKind::Yes, 1)), "");
}

// An offer that has no place any more keeps its number, so that no answer is one to another.
TEST(TableTalk, AnAnswerStaysOneToItsOffer) {
  Sitting at(For(3));
  at.Begin();
  const std::vector<State> states = at.table.States();
  const auto fold = [&](uint16_t answered) {
    const std::vector<Said> talk = {{0, 0, Truce(0b010)},
                                    {0, 0, Truce(0b010)},  // again: it cannot be said
                                    {0, 2, Truce(0b010)},
                                    {0, 1, Reply(TalkKind::Yes, answered)}};
    return FoldTalk(states, {}, talk).pacts;
  };
  EXPECT_TRUE(fold(2).empty());
  ASSERT_EQ(fold(3).size(), 1u);
  EXPECT_EQ(fold(3)[0].seats, (std::array<Seat, 2>{2, 1}));
}

TEST(TableTalk, ABotSpeaksAndActsInOneChange) {
  Sitting at(For(3));
  at.Begin("", 0b010);
  ASSERT_EQ(Says(at, "Ada", Truce(0b110)), "");
  while (at.state().seat == 0) Goes(at);
  const auto acts = [&](const Talk& say) {
    return at.table.BotActs(1, at.table.number(), Legal(at.state())[0], at.now, say);
  };
  const Expected<Change> unsayable = acts(Reply(TalkKind::Yes, 7));
  ASSERT_TRUE(unsayable);
  EXPECT_EQ(unsayable->events.size(), 1u);
  const Expected<Change> change = acts(Reply(TalkKind::Yes, 1));
  ASSERT_TRUE(change);
  ASSERT_EQ(change->events.size(), 2u);
  EXPECT_EQ(NameOf(change->events[0].body), "talk");
  EXPECT_EQ(NameOf(change->events[1].body), "act");
  EXPECT_EQ(change->tables[1].pacts().pacts.size(), 1u);
}

// Else it might break what it has offered itself.
TEST(TableTalk, ABotThinksAnewOnceAPactIsMade) {
  Sitting at(For(3));
  at.Begin("", 0b010);
  while (at.state().seat == 0) Goes(at);
  const auto acts = [&](int64_t builds, std::optional<Talk> say = std::nullopt) {
    return at.Take(at.table.BotActs(1, builds, Legal(at.state())[0], at.now, say));
  };
  ASSERT_EQ(acts(at.table.number(), Truce(0b001)), "");
  ASSERT_EQ(at.state().seat, 1);
  const int64_t seen = at.table.number();
  ASSERT_EQ(Says(at, "Ada", Truce(0b100)), "");
  ASSERT_EQ(Says(at, "Ada", Reply(TalkKind::Yes, 1)), "");
  EXPECT_EQ(acts(seen), "error.stale");
  EXPECT_EQ(acts(at.table.number()), "");
}

TEST(TableTalk, ABotThatTakesOverSpeaks) {
  Sitting at = WithTruce();
  ASSERT_EQ(at.Do("Ada", command::Abandon{}), "");
  const Expected<Change> change = at.table.BotActs(0, at.table.number(), Legal(at.state())[0],
                                                   at.now, Reply(TalkKind::GiveUp, 2));
  ASSERT_TRUE(change);
  ASSERT_EQ(change->events.size(), 2u);
  EXPECT_EQ(change->tables[0].pacts().pacts[0].given_up, 0);
}

// --- Telling -------------------------------------------------------------------------------------

TEST(TableTalk, EverybodyIsToldTheSame) {
  Sitting at(For(3));
  at.Begin();
  EXPECT_FALSE(at.Tell("Ada").contains("pacts")) << "nothing was said";
  const Table before = at.table;
  ASSERT_EQ(Says(at, "Ada", Truce(0b110)), "");
  const Json pacts = ToJson(at.table.pacts());
  for (const char* who : {"Ada", "Bob", "Cyd", "Eve"}) EXPECT_EQ(at.Tell(who)["pacts"], pacts);
  for (const Seat viewer : {Seat{0}, Seat{2}, kSpectator})
    EXPECT_EQ(Json::parse(TellEvent(before, at.log.back(), at.table, viewer)),
              (Json{{"type", "talk"},
                    {"n", at.table.number()},
                    {"seat", 0},
                    {"talk", {{"say", "truce"}, {"to", {1, 2}}, {"rounds", 2}}},
                    {"pacts", pacts}}));
}

TEST(TableTalk, AMuteHidesNoPact) {
  Sitting at(For(3));
  at.Begin();
  ASSERT_EQ(at.Do("Bob", command::Mute{"p_Ada", true}), "");
  const Table before = at.table;
  ASSERT_EQ(Says(at, "Ada", Truce(0b010)), "");
  EXPECT_TRUE(MayHear(before, at.log.back(), at.table, PersonCalled("Bob"), at.asides));
}

TEST(TableTalk, WhatActionsDoToPactsIsTold) {
  Sitting at(For(3));
  at.Begin();
  ASSERT_EQ(Says(at, "Ada", Truce(0b010)), "");
  bool told = false;
  for (int turn = at.state().turn; at.state().turn < turn + 4;) {  // then the offer lapses
    const Table before = at.table;
    Goes(at);
    const Json message = Json::parse(TellEvent(before, at.log.back(), at.table, 2));
    EXPECT_EQ(message.contains("pacts"), before.pacts() != at.table.pacts());
    if (message.contains("pacts")) {
      EXPECT_EQ(message["pacts"], ToJson(at.table.pacts()));
      told = true;
    }
  }
  EXPECT_TRUE(told);
  EXPECT_TRUE(at.table.pacts().offers.empty());
}

// Who has broken faith with whom stays known; not how often.
TEST(TableTalk, WhatIsToldOfPactsDoesNotGrowWithTheGame) {
  Diplomacy pacts;
  for (uint16_t i = 0; i < 500; ++i) {
    const Pact pact = {
        .id = i, .kind = TalkKind::Truce, .seats = {0, static_cast<Seat>(1 + i % 2)}};
    pacts.broken.push_back({pact, static_cast<Seat>(i % 3 == 0 ? 0 : pact.seats[1]), kEnd, i});
    pacts.news.push_back({News::Breach, i, 0, {}, pact, kEnd});
  }
  const Json json = ToJson(pacts);
  EXPECT_EQ(json["news"].size(), kNewsKept);
  EXPECT_EQ(json["broken"].size(), 4u);
  const Expected<Diplomacy> read = DiplomacyFromJson(json, {.players = 3});
  ASSERT_TRUE(read);
  for (Seat by = 0; by < 3; ++by)
    for (Seat other = 0; other < 3; ++other)
      EXPECT_EQ(read->HasBroken(by, other), pacts.HasBroken(by, other));
}

// --- Records -------------------------------------------------------------------------------------

TEST(TableTalk, ARecordHasWhatWasSaid) {
  Sitting silent(For(3));
  silent.Begin();
  EXPECT_FALSE(silent.table.ToRecord().comments.contains("talk"));
  Sitting at = WithTruce();
  Goes(at);
  ASSERT_EQ(Says(at, "Cyd", Truce(0b011, 1)), "");
  ASSERT_EQ(at.Do("Ada", command::Resign{}), "");
  ASSERT_EQ(at.Do("Bob", command::Resign{}), "");
  const auto record = ReadRecord(at.table.ToRecord().Dump());
  ASSERT_TRUE(std::holds_alternative<Record>(record));
  EXPECT_EQ(TalkIn(std::get<Record>(record)), at.table.said());

  const std::vector<string> names = {"Ada", "Bob", "Cyd"};
  const Expected<Table> imported = Table::FromLog(LogOf(std::get<Record>(record), names, 0));
  ASSERT_TRUE(imported) << imported.error().key;
  EXPECT_EQ(imported->said(), at.table.said());
  EXPECT_EQ(imported->pacts(), at.table.pacts());
}

// Of talk that does not fit its game what fits before it is taken; comments are free-form.
TEST(TableTalk, ARecordIsImportedWhateverItsCommentsSay) {
  Sitting at = WithTruce();
  ASSERT_EQ(at.Do("Ada", command::Resign{}), "");
  ASSERT_EQ(at.Do("Bob", command::Resign{}), "");
  const std::vector<string> names = {"Ada", "Bob", "Cyd"};
  Record record = at.table.ToRecord();
  const auto said = [&] { return Table::FromLog(LogOf(record, names, 0))->said().size(); };
  record.comments["talk"].push_back({{"at", 0}, {"seat", 1}, {"say", "yes"}, {"offer", 9}});
  EXPECT_EQ(said(), 2u);
  record.comments["talk"] = "they said nothing";
  EXPECT_EQ(said(), 0u);
}

}  // namespace
}  // namespace civ::sitting
