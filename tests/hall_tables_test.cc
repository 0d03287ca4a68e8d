// The hall: tables that end, go on, are looked back at, listed, renamed, closed and unloaded.
#include <numeric>
#include <span>
#include <thread>

#include "civ/analysis/analysis.h"
#include "civ/notation/record.h"
#include "tests/hall_world.h"

namespace civ::hall {
namespace {

// ---- Rematch, closing, unloading

// Plays until somebody resigns.
void End(Two& two) { EXPECT_TRUE(two.ben.Does({{"type", "resign"}})); }

TEST(Hall, ARematchGoesOnAtANewTable) {
  World world;
  Two two(world);
  EXPECT_EQ(two.ada.Error({{"type", "rematch"}}), "error.table.not-now");
  End(two);
  two.ada.Post({{"type", "rematch"}, {"id", "1"}});
  two.ben.Post({{"type", "rematch"}, {"id", "2"}});  // both want it
  world.Settle();
  const std::string next = two.ada.Now().table["rematch"];
  EXPECT_EQ(two.ben.Now().table["rematch"], next);
  EXPECT_EQ(two.ben.client->Last("refused")["error"]["args"]["table"], next);
  Player ada(world, next, kAda);
  EXPECT_EQ(ada.Now().seat, 1);  // one further
  EXPECT_EQ(ada.Now().table["chairs"][0]["person"]["id"], "p_ben");
  EXPECT_EQ(ada.Now().table["chairs"][0]["bot"], nullptr);
  EXPECT_EQ(ada.Now().table["host"], "p_ada");
  EXPECT_EQ(ada.status(), "waiting");
  EXPECT_EQ(world.hall->figures().tables, 2u);
}

TEST(Hall, ARematchThatIsNotStoredIsNone) {
  World world;
  Two two(world);
  End(two);
  world.store.fails = true;
  EXPECT_EQ(two.ada.Error({{"type", "rematch"}}), "error.store");
  EXPECT_EQ(world.hall->figures().tables, 1u);
  world.store.fails = false;
  EXPECT_TRUE(two.ada.Does({{"type", "rematch"}}));
}

TEST(Hall, ARematchIsOneAppendOrNone) {
  World world;
  Two two(world);
  End(two);
  const auto tables = [&] {
    Json mine;
    world.hall->TablesOf(kAda.id, [&](const auto& tables) { mine = Json::parse(*tables); });
    world.Settle();
    return mine.size();
  };
  world.store.refuses = R"("type":"rematch")";
  EXPECT_EQ(two.ada.Error({{"type", "rematch"}}), "error.store");
  EXPECT_EQ(tables(), 1u) << "no table is left that nobody was sent to";
  world.store.refuses = R"("type":"create")";
  EXPECT_EQ(two.ada.Error({{"type", "rematch"}}), "error.store");
  EXPECT_FALSE(two.ada.Now().table.contains("rematch"));
  world.store.refuses.clear();
  const int appends = world.store.appends;
  EXPECT_TRUE(two.ada.Does({{"type", "rematch"}}));
  EXPECT_EQ(world.store.appends, appends + 1);
  EXPECT_EQ(tables(), 2u);
  Expected<Json> summary = Error{};
  world.hall->Summary(two.table, [&](Expected<Json> answer) { summary = std::move(answer); });
  EXPECT_EQ((*summary)["rematch"], two.ada.Now().table["rematch"]) << "lists say it, too";
}

TEST(Hall, WhatIsOverIsUnloadedAndLoadedAgain) {
  World world;
  Two two(world);
  End(two);
  const Json before = world.HelloFor(two.table, kAda);
  two.ada.Connect();
  world.Pass(120'000);
  EXPECT_EQ(world.hall->figures().tables, 1u);  // somebody is there
  two.ada.Disconnect();
  two.ben.Disconnect();
  world.Pass(59'000);
  EXPECT_EQ(world.hall->figures().tables, 1u);
  world.Pass(2'000);
  EXPECT_EQ(world.hall->figures().tables, 0u);

  two.ada.known = {};
  two.ada.client = std::make_shared<TestClient>();
  two.ada.Connect();
  EXPECT_EQ(two.ada.client->Last("hello"), before);
  EXPECT_TRUE(two.ada.Does(Say("again")));
  two.ada.Disconnect();
  world.Pass(61'000);
  EXPECT_EQ(world.hall->figures().tables, 0u);
  Expected<Json> summary = Error{};
  world.hall->Summary(two.table, [&](Expected<Json> answer) { summary = std::move(answer); });
  Expected<std::string> record = Error{};
  world.hall->RecordOf(two.table,
                       [&](Expected<std::string> answer) { record = std::move(answer); });
  world.Settle();
  EXPECT_EQ((*summary)["status"], "over");
  EXPECT_TRUE(record);
  world.Pass(61'000);
  EXPECT_EQ(world.hall->figures().tables, 0u);
}

// The table is over, nobody is there any more, and only the store has it.
void EndAndUnload(World& world, Two& two) {
  End(two);
  two.ada.Disconnect();
  two.ben.Disconnect();
  world.Pass(61'000);
  ASSERT_EQ(world.hall->figures().tables, 0u);
}

TEST(Hall, CommandsWaitForATableThatIsBeingLoaded) {
  World world;
  Two two(world);
  EndAndUnload(world, two);
  const auto client = std::make_shared<TestClient>();
  const Hall::ClientId id = world.hall->Enter(two.table, kAda, 0, client);
  world.hall->Receive(id, R"({"type":"say","text":"early","id":"1"})");
  EXPECT_TRUE(client->heard.empty());
  world.Settle();
  EXPECT_EQ(client->heard[0]["type"], "hello");
  EXPECT_EQ(client->Last("ack")["id"], "1");
}

// Replaying a long log takes its time, and others play on meanwhile.
TEST(Hall, LogsAreReplayedElsewhere) {
  World world;
  Two two(world);
  EndAndUnload(world, two);
  std::vector<Hall::Hooks::Work> works;
  Hall hall(world.store, world.bus, world.pool.get(), Quick(),
            {[&] { return world.time; },
             [](size_t count) { return std::string(count, 'x'); },
             {},
             [&](Hall::Hooks::Work work) { works.push_back(std::move(work)); }});
  const auto client = std::make_shared<TestClient>();
  hall.Enter(two.table, kAda, 0, client);
  world.Settle();
  ASSERT_EQ(works.size(), 1u);
  EXPECT_TRUE(client->heard.empty());
  std::function<void()> loaded;
  std::thread([&] { loaded = works[0](); }).join();
  EXPECT_TRUE(client->heard.empty());
  loaded();
  EXPECT_EQ(client->Count("hello"), 1u);
}

TEST(Hall, ATableThatCannotBeReadNowIsNotUnknown) {
  World world;
  Two two(world);
  EndAndUnload(world, two);
  const auto client = std::make_shared<TestClient>();
  std::string summary, record, own;
  const auto ask = [&] {
    world.hall->Enter(two.table, kAda, 0, client);
    const auto note = [](std::string& key) {
      return [&key](const auto& answer) { key = answer ? "" : answer.error().key; };
    };
    world.hall->Summary(two.table, note(summary));
    world.hall->RecordOf(two.table, note(record));
    world.hall->TablesOf(kAda.id, note(own));
    world.Settle();
  };
  world.store.fails = true;
  ask();
  EXPECT_EQ(client->closed, "error.store");
  for (const std::string& key : {summary, record, own}) EXPECT_EQ(key, "error.store");
  world.store.fails = false;
  ask();
  EXPECT_EQ(client->Last("hello")["type"], "hello");
  for (const std::string& key : {summary, record, own}) EXPECT_EQ(key, "");
}

TEST(Hall, UnknownTablesAreUnknown) {
  World world;
  for (const std::string table : {"", "x", "../../etc", "aaaaaaaaaaaaaaaa"}) {
    const auto client = std::make_shared<TestClient>();
    const Hall::ClientId id = world.hall->Enter(table, kAda, 0, client);
    world.hall->Receive(id, R"({"type":"say","text":"early","id":"1"})");
    std::string key;
    world.hall->Summary(table, [&](const Expected<Json>& answer) { key = answer.error().key; });
    world.Settle();
    EXPECT_EQ(client->closed, "error.table.unknown");
    EXPECT_EQ(key, "error.table.unknown");
    world.hall->Leave(id);
  }
  EXPECT_EQ(world.hall->figures().tables, 0u);
  EXPECT_EQ(world.hall->figures().clients, 0u);
}

TEST(Hall, RecordsAreForFinishedGames) {
  World world;
  Two two(world);
  std::string key;
  world.hall->RecordOf(two.table, [&](const Expected<std::string>& answer) {
    key = answer ? "" : answer.error().key;
  });
  EXPECT_EQ(key, "error.table.running");
}

TEST(Hall, FinishedGamesAreJudgedOnceEach) {
  World world;
  const auto ask = [&](const std::string& table) {
    std::string told = "nothing";
    world.hall->AnalysisOf(table, kAda.id, [&](const Expected<std::optional<std::string>>& found) {
      told = found ? found->value_or("waits") : found.error().key;
    });
    return told;
  };
  std::vector<std::string> tables;
  for (int i = 0; i < Store::kMostAskedOfOne + 2; ++i) {
    Two two(world);
    tables.push_back(two.table);
    EXPECT_EQ(ask(two.table), "error.table.running");
    EXPECT_TRUE(two.Deciding().Does(two.Move()));
    EXPECT_TRUE(two.ada.Does({{"type", "resign"}}));
  }
  EXPECT_EQ(ask(tables[0]), "waits");
  EXPECT_EQ(ask(tables[0]), "waits");
  ASSERT_TRUE(world.Until([&] { return ask(tables[0]) != "waits"; }));
  std::string record;
  world.hall->RecordOf(tables[0], [&](const Expected<std::string>& text) { record = *text; });
  const Record game = std::get<Record>(ReadRecord(record));
  EXPECT_EQ(ask(tables[0]), ToJson(game, Analyze(game, {})).dump());
  for (int i = 1; i <= Store::kMostAskedOfOne; ++i)
    EXPECT_EQ(ask(tables[static_cast<size_t>(i)]), "waits");
  EXPECT_EQ(ask(tables.back()), "error.too-many-requests");
  EXPECT_TRUE(world.Until([&] { return ask(tables.back()).starts_with('{'); }));
}

TEST(Hall, LooksBackOnlyAtWhatHasHappenedAndMayBeSeen) {
  World world;
  TableOptions options;
  options.spectators = false;
  Two two(world, options);
  EXPECT_TRUE(two.Deciding().Does(two.Move()));
  const auto past = [&](const std::string& table, const Person& person, size_t actions) {
    std::string key = "?", story = "?";
    const auto into = [](std::string& to) {
      return [&to](const Expected<std::string>& text) { to = text ? "" : text.error().key; };
    };
    world.hall->PastOf(table, person, actions, into(key));
    world.hall->StoryOf(table, person, actions, into(story));
    world.Settle();
    EXPECT_EQ(key, story);
    return key;
  };
  EXPECT_EQ(past(two.table, kAda, 0), "");
  EXPECT_EQ(past(two.table, kAda, 1), "");
  EXPECT_EQ(past(two.table, kAda, 2), "error.table.no-moment");
  EXPECT_EQ(past(two.table, kEve, 0), "error.table.no-spectators");
  EXPECT_EQ(past("nothing", kAda, 0), "error.table.unknown");
  EXPECT_EQ(past(world.Open(kCleo), kCleo, 0), "error.table.no-moment");
}

// Games are long, and others wait for the hall.
TEST(Hall, LooksBackWhereNobodyWaitsForIt) {
  World world;
  Two two(world);
  int answers = 0;
  const auto answer = [&](const Expected<std::string>& text) { answers += text ? 1 : 0; };
  world.holds_work = true;
  world.hall->PastOf(two.table, kAda, 0, answer);
  world.hall->StoryOf(two.table, kAda, {}, answer);
  world.Settle();
  EXPECT_TRUE(two.Deciding().Does(two.Move()));
  EXPECT_EQ(answers, 0);
  ASSERT_EQ(world.held_work.size(), 2u);
  for (const Hall::Hooks::Work& work : world.held_work) work()();
  EXPECT_EQ(answers, 2);
}

// Without what the game itself makes more of: cards on the table and in the discard pile.
size_t SizeOfHello(World& world, const std::string& table, const Person& person) {
  Json hello = world.HelloFor(table, person);
  for (const char* part : {"tables", "discard"}) hello["game"]["view"].erase(part);
  return hello.dump().size();
}

TEST(Hall, AHelloDoesNotGrowWithTheGame) {
  World world;
  const std::string table = world.Open(kAda, For(4));
  std::vector<std::unique_ptr<Player>> players;
  for (const Person& person : {kAda, kBen, kCleo, kDan})
    players.push_back(std::make_unique<Player>(world, table, person));
  for (int seat = 1; seat < 4; ++seat) ASSERT_TRUE(players[seat]->Does(Sit(seat)));
  ASSERT_TRUE(players[0]->Does(kStart));
  for (const auto& player : players) ASSERT_TRUE(player->Does(Contribution('a')));
  Random random(3);
  std::vector<size_t> sizes;
  for (bool plays = true; plays;) {
    plays = false;
    for (const auto& player : players)
      if (player->Plays(random)) {
        plays = true;
        sizes.push_back(SizeOfHello(world, table, kEve));
      }
  }
  ASSERT_GT(sizes.size(), 150u);
  EXPECT_LT(*std::ranges::max_element(sizes), 5'000u);
  // Turns differ, so it is what it comes to on the average: after 30 moves and at the end.
  const auto mean = [](std::span<const size_t> some) {
    return std::accumulate(some.begin(), some.end(), size_t{0}) / some.size();
  };
  const std::span all(sizes);
  EXPECT_LT(mean(all.last(60)), mean(all.subspan(30, 60)) + 300);
  std::string story;
  world.hall->StoryOf(table, kEve, {}, [&](const Expected<std::string>& text) { story = *text; });
  world.Settle();
  EXPECT_EQ(Json::parse(story)["log"].size(), players[0]->Now().actions);
}

std::string NameAt(Player& player, size_t seat) {
  return player.Now().table["chairs"][seat]["person"]["name"];
}

TEST(Hall, ARenameReachesTheChairsThatAreTaken) {
  World world;
  Two two(world);
  const std::string waiting = world.Open(kBen);
  Player watcher(world, two.table, kEve), cleo(world, waiting, kCleo);
  const int64_t builds = two.ada.Now().n;
  world.hall->Rename({kBen.id, "Benjamin"});
  world.Settle();
  for (Player* player : {&two.ada, &two.ben, &watcher}) {
    EXPECT_EQ(NameAt(*player, 1), "Benjamin");
    EXPECT_EQ(player->client->Last("rename")["person"]["name"], "Benjamin");
  }
  EXPECT_EQ(NameAt(cleo, 0), "Benjamin");
  EXPECT_TRUE(two.ben.Does(Say("It is me")));
  EXPECT_EQ(two.ada.client->Last("say")["person"]["name"], "Benjamin");
  Json move = two.Move();
  move["builds"] = builds;  // nobody's move is too late for it
  EXPECT_TRUE(two.Deciding().Does(move));
  const int appends = world.store.appends;
  world.hall->Rename({kBen.id, "Benjamin"});  // as it is
  world.hall->Rename({kDan.id, "Daniel"});    // who is not here
  world.Settle();
  EXPECT_EQ(world.store.appends, appends);
  world.Restart();
  EXPECT_EQ(world.HelloFor(two.table, kAda)["table"]["chairs"][1]["person"]["name"], "Benjamin");
}

TEST(Hall, ARenameHasItsShareOfALogAndChangesNothingThatIsOver) {
  HallOptions options = Quick();
  options.most_stored_of_one = 3;
  World world(options);
  Two two(world);
  for (int i = 0; i < 10; ++i) world.hall->Rename({kBen.id, "Ben " + std::to_string(i)});
  world.Settle();
  EXPECT_EQ(NameAt(two.ada, 1), "Ben 1");  // sitting down was the first
  EXPECT_TRUE(two.ben.Does({{"type", "resign"}}));
  world.hall->Rename({kAda.id, "Adele"});
  world.Settle();
  EXPECT_EQ(NameAt(two.ben, 0), "Ada");
}

TEST(Hall, ListsTables) {
  World world;
  TableOptions hidden = For(2);
  hidden.listed = false;
  const std::string secret = world.Open(kAda, hidden);
  Two two(world);
  world.time += 1;
  const std::string waiting = world.Open(kAda);
  EXPECT_EQ(world.hall->Lobby().size(), 2u);
  EXPECT_EQ(world.hall->Lobby()[0]["id"], waiting);
  EXPECT_EQ(world.hall->Lobby()[1]["id"], two.table);
  Json own;
  world.hall->TablesOf("p_ben", [&](const auto& tables) { own = Json::parse(*tables); });
  world.Settle();
  EXPECT_EQ(own.size(), 1u);
  End(two);
  EXPECT_EQ(world.hall->Lobby().size(), 1u);
  world.hall->TablesOf("p_ada", [&](const auto& tables) { own = Json::parse(*tables); });
  world.Settle();
  ASSERT_EQ(own.size(), 3u);
  EXPECT_EQ(own[0]["id"], waiting);
  EXPECT_EQ(own[1]["id"], secret);
  EXPECT_EQ(own[2]["status"], "over");
}

TEST(Hall, ListsNoTableAtWhichNobodySits) {
  World world;
  Player ada(world, world.Open(kAda), kAda);
  EXPECT_EQ(world.hall->Lobby().size(), 1u);
  EXPECT_TRUE(ada.Does({{"type", "stand"}}));
  EXPECT_TRUE(ada.Does({{"type", "seat-bot"}, {"seat", 1}, {"bot", "level1"}}));
  EXPECT_EQ(world.hall->Lobby().size(), 0u);
  EXPECT_TRUE(ada.Does(Sit(0)));
  EXPECT_EQ(world.hall->Lobby().size(), 1u);
}

TEST(Hall, LimitsTables) {
  HallOptions options = Quick();
  options.most_tables = 3;
  options.most_tables_of_one = 2;
  World world(options);
  world.hall->Open(kAda, {}, [](const Expected<std::string>& id) { EXPECT_TRUE(id); });
  world.hall->Open(
      kAda, {}, [](const Expected<std::string>& id) { EXPECT_TRUE(id); });  // neither is stored yet
  EXPECT_EQ(world.TryOpen(kAda).error().key, "error.tables.yours");
  const std::string ben = world.Open(kBen);
  EXPECT_EQ(world.TryOpen(kCleo).error().key, "error.tables.full");
  EXPECT_FALSE(world.hall->Close(ben, "closing.admin"));
  world.Settle();
  EXPECT_TRUE(world.TryOpen(kCleo));
}

TEST(Hall, ClosesTables) {
  World world;
  Two two(world);
  EXPECT_FALSE(world.hall->Close(two.table, "closing.admin"));
  world.Settle();
  EXPECT_EQ(two.ada.client->Last("close")["why"], "closing.admin");
  EXPECT_EQ(two.ada.status(), "closed");
  EXPECT_TRUE(world.hall->Close(two.table, "closing.admin"));
  EXPECT_TRUE(world.hall->Close("aaaaaaaaaaaaaaaa", "closing.admin"));
  EXPECT_EQ(world.Restart().tables, 0u);
}

TEST(Hall, GamesThatNobodyPlaysAreClosed) {
  HallOptions options = Quick();
  options.idle_game = 1'000'000;
  World world(options);
  TableOptions patient;
  patient.absence = 0;
  Two two(world, patient);
  world.Pass(900'000);
  EXPECT_EQ(two.ada.status(), "running");
  world.Pass(200'000);
  EXPECT_EQ(two.ada.status(), "closed");
}

TEST(Hall, TablesThatNeverStartAreClosed) {
  HallOptions options = Quick();
  options.idle_table = 100'000;
  World world(options);
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  world.Pass(90'000);
  EXPECT_TRUE(ada.Does(SeatBot(1)));
  world.Pass(99'000);
  EXPECT_EQ(ada.status(), "waiting");
  world.Pass(1'000);
  EXPECT_EQ(ada.status(), "closed");
}

TEST(Hall, TalkKeepsNoTableOpen) {
  HallOptions options = Quick();
  options.idle_table = 100'000;
  World world(options);
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  for (int i = 0; i < 9; ++i) {
    world.Pass(10'000);
    EXPECT_TRUE(ada.Does(Say("still here")));
  }
  EXPECT_EQ(ada.status(), "waiting");
  world.Pass(10'000);
  EXPECT_EQ(ada.status(), "closed");
}

TEST(Hall, OnlySoManyEndedTablesStayInMemory) {
  HallOptions options = Quick();
  options.most_ended = 2;
  World world(options);
  std::vector<std::string> tables;
  for (int i = 0; i < 5; ++i) {
    tables.push_back(world.Open(kAda));
    EXPECT_FALSE(world.hall->Close(tables.back(), "closing.admin"));
    world.Settle();
  }
  Player eve(world, tables[0], kEve);  // who is there stays
  const std::string open = world.Open(kAda);
  world.Pass(1'000);
  EXPECT_EQ(world.hall->figures().tables, 3u);  // two that are over, and the open one
  for (const std::string& table : tables)
    world.hall->Summary(table, [](const Expected<Json>& summary) { EXPECT_TRUE(summary); });
  world.Settle();
  EXPECT_EQ(world.hall->figures().tables, 6u);
  world.Pass(1'000);
  EXPECT_EQ(world.hall->figures().tables, 3u);
  EXPECT_EQ(eve.client->closed, "");
  EXPECT_TRUE(eve.Does(Say("still here")));
}

// Reading and writing them again would cost too much: pages ask every few seconds.
TEST(Hall, OnesOwnTablesAreToldAsTheyAreStored) {
  World world;
  world.store.MemoryStore::Append("t1", 0, {"{}"}, {"t1", true, "{ \"id\" : 1 }", {"p_ada"}}, 0,
                                  [](Stored) {});
  world.store.MemoryStore::Append("t2", 0, {"{}"}, {"t2", false, "{ \"id\" : 2 }", {"p_ada"}}, 0,
                                  [](Stored) {});
  std::string own, none;
  world.hall->TablesOf("p_ada", [&](const auto& tables) { own = *tables; });
  world.hall->TablesOf("p_ben", [&](const auto& tables) { none = *tables; });
  world.Settle();
  EXPECT_EQ(own, "[{ \"id\" : 1 },{ \"id\" : 2 }]");
  EXPECT_EQ(none, "[]");
}

TEST(Hall, StopsWhenAllIsStored) {
  World world;
  Two two(world);
  two.ada.Post({{"type", "say"}, {"text", "x"}, {"id", "last"}});
  bool stopped = false;
  world.hall->Stop([&] { stopped = true; });
  EXPECT_FALSE(stopped);
  two.ben.Post({{"type", "say"}, {"text", "x"}, {"id", "late"}});
  EXPECT_EQ(two.ben.client->Last("refused")["error"]["key"], "closing.restart");
  world.Settle();
  EXPECT_TRUE(stopped);
  EXPECT_EQ(two.ada.client->Last("ack")["id"], "last");
  EXPECT_EQ(two.ada.client->closed, "closing.restart");
  EXPECT_EQ(two.ben.client->closed, "closing.restart");
  EXPECT_EQ(world.TryOpen(kAda).error().key, "closing.restart");
  Player eve(world, two.table, kEve);
  EXPECT_EQ(eve.client->closed, "closing.restart");
}

TEST(Hall, AnswersThatComeTooLateAreNobodys) {
  World world;
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  EXPECT_TRUE(ada.Does(SeatBot(1, "level8")) && ada.Does(kStart) && ada.Does(Contribution('1')));
  const size_t heard = ada.client->heard.size();
  ada.Post(Say("x"));
  world.Restart();  // with an append and perhaps a thought under way
  world.Settle();
  EXPECT_EQ(ada.client->heard.size(), heard);
}

}  // namespace
}  // namespace civ::hall
