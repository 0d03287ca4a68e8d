// The hall: those who come back, and a server that does, know everything.
#include <map>

#include "civ/server/hall.h"
#include "tests/hall_world.h"

namespace civ::hall {
namespace {

TEST(Hall, CatchingUpEqualsHavingBeenThere) {
  World world;
  TableOptions options = For(2, Setup::Draft);
  options.clock = TimeControl{100, 1000, 10};
  Two two(world, options);
  Player ever(world, two.table, kEve);
  Random random(5);
  // After every event: everybody who knew the table at any earlier number comes back.
  std::vector<std::pair<Person, Known>> then;
  for (int i = 0; i < 60 && two.ada.status() == "running"; ++i) {
    for (Player* player : {&two.ada, &two.ben, &ever})
      then.emplace_back(player->person, player->Now());
    EXPECT_TRUE(i % 7 != 3 || two.ada.Does(Say("…")));
    world.time += 1234;
    if (!two.ada.Plays(random)) two.ben.Plays(random);
  }
  size_t told_all = 0;
  for (const auto& [person, known] : then) {
    Player player(world, two.table, person);
    player.Disconnect();
    player.known = known;
    player.Connect();
    told_all += player.client->Count("hello");
    ExpectUpToDate(world, two.table, player);
    const Known& now = person.id == "p_ada"   ? two.ada.Now()
                       : person.id == "p_ben" ? two.ben.Now()
                                              : ever.Now();
    EXPECT_EQ(player.Now().view, now.view);
    EXPECT_EQ(player.Now().n, now.n);
  }
  EXPECT_GT(told_all, 0u);
  EXPECT_LT(told_all, then.size());  // those who missed little were told just that
}

TEST(Hall, NothingMissedIsNothingTold) {
  World world;
  Two two(world);
  two.ada.Now();
  two.ada.Disconnect();
  two.ada.Connect();
  EXPECT_EQ(two.ada.client->heard.size(), 1u);
  EXPECT_EQ(two.ada.client->heard[0]["type"], "presence");
  two.ada.Disconnect();
  two.ada.known.n = 1'000'000;  // has seen what never was
  two.ada.Connect();
  EXPECT_EQ(two.ada.client->heard[0]["type"], "hello");
}

TEST(Hall, WhatWasSeenCountsAcrossARestart) {
  World world;
  Two two(world, For(2, Setup::Draft));
  Player ever(world, two.table, kEve);
  Random random(5);
  std::vector<std::pair<Person, Known>> then;
  for (int i = 0; i < 40 && two.ada.status() == "running"; ++i) {
    for (Player* player : {&two.ada, &two.ben, &ever})
      then.emplace_back(player->person, player->Now());
    if (!two.ada.Plays(random)) two.ben.Plays(random);
  }
  const auto last = [&] { return two.ada.Now().n; };
  const Known ada = two.ada.Now(), ben = two.ben.Now(), eve = ever.Now();
  world.Restart();
  size_t told_all = 0;
  for (const auto& [person, known] : then) {
    Player player(world, two.table, person);
    player.Disconnect();
    player.known = known;
    player.Connect();
    // Who has missed little is told just that; what was seen then is the same as before.
    const int64_t missed = last() - known.n;
    EXPECT_TRUE(missed > 8 || player.client->Count("hello") == 0) << missed;
    told_all += player.client->Count("hello");
    const Known& now = person.id == "p_ada" ? ada : person.id == "p_ben" ? ben : eve;
    EXPECT_EQ(player.Now().view, now.view);
    EXPECT_EQ(player.Now().n, now.n);
    ExpectUpToDate(world, two.table, player);
  }
  EXPECT_GT(told_all, 0u);
  world.Pass(61'000);  // a while later nobody is expected back, but who has missed nothing
  two.ada.Connect();
  EXPECT_EQ(two.ada.client->Count("hello"), 0u);
  two.ben.known.n -= 1;
  two.ben.Connect();
  EXPECT_EQ(two.ben.client->Count("hello"), 1u);
}

TEST(Hall, ThoseWhoComeBackAreSpread) {
  HallOptions options = Quick();
  options.returns = 1;  // each second
  World world(options);
  Two two(world);
  Player eve(world, two.table, kEve);
  EXPECT_EQ(two.ada.client->Last("presence")["spread"], 3000);
  EXPECT_EQ(eve.client->Last("presence")["spread"], 3000);
  eve.Disconnect();
  two.ada.Post({{"type", "ping"}});
  EXPECT_EQ(two.ada.client->Last("pong")["spread"], 2000);
}

TEST(Hall, RebuildsEveryTable) {
  World world;
  Random random(1);
  std::vector<std::unique_ptr<Two>> tables;
  TableOptions clocked = For(2);
  clocked.clock = TimeControl{60, 100, 5};
  for (const TableOptions& options : {For(2), For(2, Setup::Draft), clocked})
    tables.push_back(std::make_unique<Two>(world, options));
  const std::string waiting = world.Open(kCleo, For(4, Setup::Basic, true));
  for (const auto& two : tables)
    for (int i = 0; i < 9; ++i) {
      if (!two->ada.Plays(random)) two->ben.Plays(random);
      EXPECT_TRUE(two->ben.Does(Say("x")));
    }
  std::map<std::pair<std::string, std::string>, Json> before;
  const auto each = [&](const std::function<void(const std::string&, const Person&)>& look) {
    for (const Person& person : {kAda, kBen, kEve}) {
      for (const auto& two : tables) look(two->table, person);
      look(waiting, person);
    }
  };
  each([&](const std::string& table, const Person& person) {
    before[{table, person.id}] = world.HelloFor(table, person);
  });
  const Json lobby = world.hall->Lobby();
  EXPECT_EQ(lobby.size(), 4u);
  const Hall::Rebuilt rebuilt = world.Restart();
  EXPECT_EQ(rebuilt.tables, 4u);
  EXPECT_TRUE(rebuilt.put_aside.empty());
  each([&](const std::string& table, const Person& person) {
    EXPECT_EQ((before[{table, person.id}]), world.HelloFor(table, person));
  });
  EXPECT_EQ(world.hall->Lobby(), lobby);
}

TEST(Hall, PutsAsideWhatItCannotRead) {
  World world;
  const std::string good = world.Open(kAda), bad = world.Open(kAda);
  world.store.Append(bad, 1, {R"({"type":"deal","at":0})"}, {bad, true, "{}", {}}, 0,
                     [](Stored) {});
  world.Settle();
  const Hall::Rebuilt rebuilt = world.Restart();
  EXPECT_EQ(rebuilt.tables, 1u);
  ASSERT_EQ(rebuilt.put_aside.size(), 1u);
  EXPECT_EQ(rebuilt.put_aside[0].first, bad);
  EXPECT_TRUE(world.Restart().put_aside.empty());
  EXPECT_TRUE(world.HelloFor(bad, kAda).is_null());
}

TEST(Hall, WhateverHappensEverybodyKnowsIt) {
  int actions = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    World world;
    Random random(seed);
    const auto one_of = [&](auto... choices) {
      return std::array{choices...}[random.Below(sizeof...(choices))];
    };
    TableOptions options = For(one_of(2, 3, 4), one_of(Setup::Basic, Setup::Draft));
    options.takeover = "random";
    options.absence = 30;
    if (seed % 2 == 0) options.clock = TimeControl{20, 60, 2};
    const std::string table = world.Open(kAda, options);
    std::vector<std::unique_ptr<Player>> players;
    for (const Person& person : {kAda, kBen, kCleo, kDan, kEve, kAda})
      players.push_back(std::make_unique<Player>(world, table, person));
    players[0]->Connect();  // the last one has taken over
    for (int step = 0; step < 400; ++step) {
      Player& player = *players[random.Below(static_cast<uint32_t>(players.size()))];
      Player& another = *players[random.Below(static_cast<uint32_t>(players.size()))];
      const int seat = static_cast<int>(random.Below(4));
      const int64_t n = player.Now().n;
      switch (random.Below(step < 40 ? 5 : 24)) {
        case 0:
        case 1: player.Post(Sit(seat)); break;
        case 2: players[0]->Post(SeatBot(seat)); break;
        case 3: player.Post({{"type", one_of("stand", "start", "rematch")}}); break;
        case 4:
          players[0]->Post({{"type", one_of("unseat", "start", "start")}, {"seat", seat}});
          break;
        case 5: player.Post(Say("…")); break;
        case 6:
          player.Post({{"type", "mute"}, {"whom", another.person.id}, {"on", one_of(true, false)}});
          break;
        case 7: world.store.fails = random.Below(6) == 0; break;
        case 8: player.Post(Contribution('5')); break;
        case 9: player.Post({{"type", "take-back"}, {"builds", n}, {"to", step / 4}}); break;
        case 10: player.Post(Answer(player, random.Below(4) > 0)); break;
        case 11:
          player.Post({{"type", random.Below(4) == 0 ? one_of("resign", "abandon") : "return"}});
          break;
        case 12:
        case 13:
          player.Now();
          player.Disconnect();
          if (random.Below(4) > 0) player.Connect();
          break;
        case 15: world.Pass(one_of(500, 3'000, 9'000)); break;
        default:
          world.store.fails = false;
          world.Settle();
          if (player.connected()) player.Plays(random);
      }
      if (step % 10 == 0) world.Settle();
    }
    world.store.fails = false;
    world.Settle();
    for (const auto& player : players) {
      player->Now();
      player->Disconnect();
      player->Connect();
      ExpectUpToDate(world, table, *player);
    }
    if (!players[0]->Now().actions.is_null()) actions += players[0]->Now().actions.get<int>();
    // What is beside the log is forgotten: mutes, and what spectators said.
    const auto hello = [&](const Person& person) {
      Json told = world.HelloFor(table, person);
      told["you"].erase("muted");
      told.erase("chat");
      return told;
    };
    // Until it is a person's turn: a bot could decide between the two looks.
    const auto waits_for_bot = [&] {
      const Json told = hello(players[0]->person);
      if (told["table"]["status"] != "running") return false;
      const Json& chairs = told["table"]["chairs"];
      const Json& view = told["game"]["view"];
      if (view["step"] != "draft") return !chairs[view["seat"].get<size_t>()]["bot"].is_null();
      for (size_t seat = 0; seat < chairs.size(); ++seat)
        if (!chairs[seat]["bot"].is_null() && told["table"]["draft"]["picked"][seat] == false)
          return true;
      return false;
    };
    EXPECT_TRUE(world.Until([&] { return !waits_for_bot(); }));
    std::vector<Json> before;
    for (const auto& player : players) before.push_back(hello(player->person));
    world.Restart();
    for (size_t i = 0; i < players.size(); ++i) EXPECT_EQ(hello(players[i]->person), before[i]);
  }
  EXPECT_GT(actions, 20);  // about 200; bots decide when they like
}

}  // namespace
}  // namespace civ::hall
