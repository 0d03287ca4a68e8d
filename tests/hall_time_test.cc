// The hall: what happens when the store fails, people leave, clocks run out, and bots act.
#include "tests/hall_world.h"

namespace civ::hall {
namespace {

// ---- The store

TEST(Hall, WhatIsNotStoredHasNotHappened) {
  World world;
  Two two(world);
  const Json before = world.HelloFor(two.table, kEve);
  const Json move = two.Move();
  world.store.fails = true;
  EXPECT_EQ(two.Deciding().Error(move), "error.store");
  EXPECT_EQ(two.Other().Error(Say("x")), "error.store");
  EXPECT_EQ(world.HelloFor(two.table, kEve), before);
  EXPECT_EQ(two.Other().client->Count("act"), 0u);
  EXPECT_EQ(world.TryOpen(kAda).error().key, "error.store");
  EXPECT_EQ(world.hall->figures().failed, 3u);
  world.store.fails = false;
  EXPECT_TRUE(two.Deciding().Does(move));
}

TEST(Hall, EverybodyWhoWaitsIsAnsweredWhenTheStoreFails) {
  World world;
  Two two(world);
  world.store.fails = true;
  for (int i = 0; i < 5; ++i)
    (i % 2 == 0 ? two.ada : two.ben)
        .Post({{"type", "say"}, {"text", "x"}, {"id", std::to_string(i)}});
  world.Settle();
  EXPECT_EQ(two.ada.client->Count("refused") + two.ben.client->Count("refused"), 5u);
}

TEST(Hall, BotsAndClocksGoOnWhenTheStoreDoesAgain) {
  World world;
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  EXPECT_TRUE(ada.Does(SeatBot(1)) && ada.Does(kStart));
  world.store.fails = true;
  EXPECT_EQ(ada.Error(Say("x")), "error.store");
  const int beats = world.store.beats;
  for (int i = 0; i < 100; ++i) {
    world.hall->Tick();
    world.Settle();
    world.time += 100;
  }
  EXPECT_GE(world.store.beats, beats + 8);   // tried again
  EXPECT_LE(world.store.beats, beats + 11);  // but not all the time
  EXPECT_EQ(ada.status(), "dealing");
  world.store.fails = false;
  world.Pass(8000);
  EXPECT_EQ(ada.status(), "running");
}

TEST(Hall, BotsTryAgainWhenTheStoreHasFailed) {
  World world;
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  EXPECT_TRUE(ada.Does(SeatBot(1)) && ada.Does(kStart));
  world.store.refuses = R"("type":"act","at":)";
  EXPECT_TRUE(ada.Does(Contribution('2')));
  const auto bot_acted = [&] {
    return std::ranges::any_of(ada.client->heard, [](const Json& message) {
      return message["type"] == "act" && message["seat"] == 1;
    });
  };
  const auto nudge = [&] {
    world.time += 500;
    world.inbox.Put([&] { world.hall->Tick(); });
  };
  if (ViewFromJson(ada.Now().view)->seat == 0) {  // her turn first
    world.store.refuses = R"("seat":1)";
    Random random(1);
    while (ada.Plays(random)) {}
  }
  ASSERT_TRUE(world.Until([&] { return nudge(), world.store.refusals >= 3; }));
  EXPECT_FALSE(bot_acted());
  world.store.refuses.clear();
  EXPECT_TRUE(world.Until([&] { return nudge(), bot_acted(); }));
}

TEST(Hall, GoesOnFromWhatSomebodyElseHasWritten) {
  World world;
  Two two(world);
  const int64_t number = two.ada.Now().n;
  const std::string said = ToText({world.time, event::Say{kBen, Seat{1}, "from elsewhere", ""}});
  world.store.Append(two.table, number, {said}, {two.table, true, "{}", {}}, world.time,
                     [](Stored) {});
  world.Settle();
  EXPECT_TRUE(two.ada.Does(Say("x")));
  ASSERT_EQ(two.ben.client->Count("say"), 2u);
  EXPECT_EQ(two.ada.client->Last("say")["n"], number + 2);
  EXPECT_EQ(two.ben.client->heard.at(two.ben.client->heard.size() - 2)["text"], "from elsewhere");
}

TEST(Hall, LogsTheCommandWithAllThatItCauses) {
  World world;
  Two two(world);
  // The lines that were logged of a command, by their names; every line is of it.
  const auto lines = [&](Player& player, Json message, const std::string& id) {
    world.logged.clear();
    message["id"] = id;
    player.Ask(message);
    std::vector<std::string> events;
    for (const Json& line : world.logged) {
      EXPECT_EQ(line.value("command", ""), id) << line;
      EXPECT_TRUE(line.contains("table")) << line;
      events.push_back(line["event"]);
    }
    return events;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines(two.ada, Say("x"), "c1"), Lines{"command.stored"});
  EXPECT_EQ(lines(two.ada, {{"type", "start"}}, "c2"), Lines{"command.refused"});
  world.store.fails = true;
  EXPECT_EQ(lines(two.ada, Say("y"), "c3"), (Lines{"store.failed", "command.refused"}));
  world.store.fails = false;
  world.Pass(2'000);
  EXPECT_EQ(lines(two.ada, {{"type", "resign"}}, "c4"), (Lines{"table.ended", "command.stored"}));
  EXPECT_EQ(lines(two.ben, {{"type", "rematch"}}, "c5"), (Lines{"table.opened", "command.stored"}));
  // What nobody has asked for is of no command.
  world.logged.clear();
  world.Open(kEve);
  ASSERT_EQ(world.logged.size(), 1u);
  EXPECT_FALSE(world.logged[0].contains("command")) << world.logged[0];
}

// ---- Leaving and coming back

TEST(Hall, TellsWhoIsHere) {
  World world;
  Two two(world);
  EXPECT_EQ(two.ada.client->Last("presence"), Json({{"type", "presence"},
                                                    {"seats", {true, true}},
                                                    {"watching", 0},
                                                    {"now", world.time},
                                                    {"spread", 1}}));
  const size_t told = two.ada.client->Count("presence");
  two.ben.Connect();
  EXPECT_EQ(two.ada.client->Count("presence"), told);  // Ben was there all the time
  two.ben.Disconnect();
  EXPECT_EQ(two.ada.client->Last("presence")["seats"], Json({true, false}));
  Player eve(world, two.table, kEve);
  EXPECT_EQ(two.ada.client->Last("presence")["watching"], 1);
  EXPECT_EQ(eve.client->heard.back(), two.ada.client->Last("presence"));
}

TEST(Hall, ABotTakesOverForWhoLeavesAndGivesBack) {
  World world;
  TableOptions options = For(3);
  options.takeover = "random";
  const std::string table = world.Open(kAda, options);
  Player ada(world, table, kAda), ben(world, table, kBen), cleo(world, table, kCleo);
  EXPECT_TRUE(ben.Does(Sit(1)) && cleo.Does(Sit(2)) && ada.Does(kStart));
  for (Player* player : {&ada, &ben, &cleo}) EXPECT_TRUE(player->Does(Contribution('0')));
  EXPECT_TRUE(ben.Does({{"type", "abandon"}}));
  EXPECT_EQ(ada.Now().table["chairs"][1]["left"], "abandoned");
  EXPECT_EQ(ben.Error({{"type", "act"}, {"builds", ben.Now().n}, {"actions", {"end"}}}),
            "error.table.not-seated");
  ExpectUpToDate(world, table, ben);  // sees what spectators see
  Random random(2);
  EXPECT_TRUE(world.Until([&] {
    if (ada.Plays(random) || cleo.Plays(random)) world.inbox.Put([] {});  // go on
    return std::ranges::any_of(ada.client->heard, [](const Json& message) {
      return message["type"] == "act" && message["seat"] == 1;
    });
  }));
  EXPECT_EQ(ben.Error({{"type", "return"}}), "none") << ben.status();
  EXPECT_TRUE(ada.Does(Answer(ada, true)));
  EXPECT_TRUE(cleo.Does(Answer(cleo, true)));
  EXPECT_EQ(ben.Now().seat, 1);
  ExpectUpToDate(world, table, ben);
}

TEST(Hall, WhoIsAbsentTooLongHasLeft) {
  World world;
  TableOptions options = For(2);
  options.absence = 100;
  Two two(world, options);
  Player& gone = two.Deciding();
  world.Pass(1'000'000);  // both are there: nothing happens
  EXPECT_EQ(two.Other().status(), "running");
  gone.Disconnect();
  world.Pass(99'000);
  gone.Connect();
  gone.Disconnect();
  world.Pass(99'000);
  EXPECT_EQ(two.Other().status(), "running");
  world.Pass(2'000);
  EXPECT_EQ(two.Other().status(), "over");
  EXPECT_EQ(two.Other().client->Last("leave")["why"], "absent");
}

TEST(Hall, ARestartIsNobodysAbsence) {
  World world;
  TableOptions options = For(2);
  options.absence = 100;
  Two two(world, options);
  two.ada.Disconnect();
  two.ben.Disconnect();
  world.Pass(60'000);
  world.Restart();
  Player eve(world, two.table, kEve);
  world.Pass(99'000);
  EXPECT_EQ(eve.status(), "running");
  world.Pass(2'000);
  EXPECT_EQ(eve.status(), "over");
}

TEST(Hall, ClocksRunOut) {
  World world;
  TableOptions options = For(2);
  options.clock = TimeControl{10, 20, 0};
  Two two(world, options);
  world.Pass(30'000);  // with the free second
  EXPECT_EQ(two.ada.status(), "running");
  world.Pass(1'000);
  EXPECT_EQ(two.ada.status(), "over");
  EXPECT_EQ(two.ada.client->Last("leave")["why"], "time");
}

TEST(Hall, ASlowStoreCostsNobodysTime) {
  World world;
  TableOptions options = For(2);
  options.clock = TimeControl{10, 0, 0};
  Two two(world, options);
  Player& mover = two.Deciding();
  world.time += 9'000;
  two.Other().Post(Say("x"));  // is being stored
  mover.Post(two.Move());
  world.time += 9'000;
  world.hall->Tick();
  world.Settle();
  EXPECT_EQ(mover.client->Count("act"), 1u);
  EXPECT_EQ(mover.status(), "running");
}

TableOptions TenSeconds() {
  TableOptions options = For(2);
  options.clock = TimeControl{10, 0, 0};
  return options;
}

TEST(Hall, AMoveThatTheStoreDidNotTakeCountsFromItsArrival) {
  World world;
  Two two(world, TenSeconds());
  Player& mover = two.Deciding();
  Json move = two.Move();
  move["id"] = "m1";
  world.time += 10'900;  // in the last moment
  world.store.fails = true;
  EXPECT_EQ(mover.Error(move), "error.store");
  world.Pass(60'000);
  EXPECT_EQ(mover.Error(move), "error.store");
  world.store.fails = false;
  world.Pass(5'000);
  EXPECT_EQ(mover.status(), "running") << "nobody loses by an outage";
  EXPECT_TRUE(mover.Does(move));
  EXPECT_EQ(mover.client->Count("act"), 1u);
}

TEST(Hall, WhoDoesNotSendAMoveAgainLosesOnTime) {
  World world;
  Two two(world, TenSeconds());
  Json move = two.Move();
  move["id"] = "m1";
  world.time += 10'900;
  world.store.fails = true;
  EXPECT_EQ(two.Deciding().Error(move), "error.store");
  world.store.fails = false;
  world.Pass(10'000);
  EXPECT_EQ(two.ada.status(), "running");
  world.Pass(10'000);
  EXPECT_EQ(two.ada.status(), "over");
}

TEST(Hall, TimeStandsStillWhileTheStoreDoes) {
  World world;
  Two two(world, TenSeconds());
  Player& mover = two.Deciding();
  Json move = two.Move();
  move["id"] = "m1";
  world.time += 9'000;
  world.store.holds = true;
  mover.Post(move);
  const int64_t begin = world.hall->Now();
  world.Pass(60'000);
  EXPECT_EQ(world.hall->Now(), begin + 500);
  world.store.GoOn();
  world.Settle();
  EXPECT_EQ(mover.client->Count("ack"), 3u) << "two before, and the move";
  EXPECT_EQ(mover.Now().clock["at"], begin);
  EXPECT_EQ(world.hall->Now(), begin + 500) << "so the free second is not used up";
  world.Pass(1'000);
  EXPECT_EQ(world.hall->Now(), begin + 1'500) << "and goes on";
  EXPECT_EQ(mover.status(), "running");
}

TEST(Hall, TimeStandsStillWhileNothingIsStoredButTheTime) {
  World world;
  Two two(world, TenSeconds());
  world.store.fails = true;
  world.Pass(60'000);
  EXPECT_EQ(two.ada.status(), "running");
  world.store.fails = false;
  world.Pass(20'000);
  EXPECT_EQ(two.ada.status(), "over");
}

TEST(Hall, TheDismissedAreNotHeardAnyMore) {
  World world;
  Two two(world);
  Player second(world, world.Open(kBen), kAda);
  two.ben.Post(Say("first"));
  two.ada.Post(Say("second"));  // waits for the first
  world.hall->Dismiss("p_ada");
  world.Settle();
  EXPECT_EQ(two.ada.client->closed, "closing.session");
  EXPECT_EQ(second.client->closed, "closing.session");
  EXPECT_EQ(two.ben.client->Count("say"), 1u);
  EXPECT_EQ(two.ben.client->Last("presence")["seats"], Json({false, true}));
  two.ada.Post(Say("third"));
  world.Settle();
  EXPECT_EQ(two.ben.client->Count("say"), 1u);
}

TEST(Hall, OneSessionOfAPersonIsDismissed) {
  World world;
  Two two(world);
  const auto phone = std::make_shared<TestClient>(), desk = std::make_shared<TestClient>();
  const Hall::ClientId here = world.hall->Enter(two.table, kAda, 0, phone, 1);
  world.hall->Enter(world.Open(kCleo), kAda, 0, desk, 2);
  two.ben.Post(Say("first"));
  world.hall->Receive(here, Say("second").dump());  // waits for the first
  world.hall->Dismiss("p_ada", 2);
  EXPECT_EQ(desk->closed, "closing.session");
  world.Settle();
  EXPECT_EQ(phone->closed, "");
  EXPECT_EQ(two.ben.client->Count("say"), 2u);
  two.ben.Post(Say("third"));
  world.hall->Receive(here, Say("fourth").dump());
  world.hall->Dismiss("p_ada", 1);
  world.Settle();
  EXPECT_EQ(phone->closed, "closing.session");
  EXPECT_EQ(two.ben.client->Count("say"), 3u);
}

TEST(Hall, NoSpectatorsWhereTheyAreNotWanted) {
  World world;
  TableOptions options = For(2);
  options.spectators = false;
  const std::string table = world.Open(kAda, options);
  Player ada(world, table, kAda), eve(world, table, kEve);
  EXPECT_EQ(eve.client->closed, "");  // she might sit down
  EXPECT_TRUE(ada.Does(SeatBot(1)) && ada.Does(kStart));
  EXPECT_EQ(eve.client->closed, "error.table.no-spectators");
  Player again(world, table, kEve);
  EXPECT_EQ(again.client->closed, "error.table.no-spectators");
  EXPECT_TRUE(again.client->heard.empty());
}

// Nobody knows yet who plays there, and those who came first must not keep them out.
TEST(Hall, ACrowdKeepsNobodyFromATableThatIsBeingLoaded) {
  HallOptions options = Quick();
  options.most_watching = 2;
  World world(options);
  Two two(world);
  EXPECT_TRUE(two.ben.Does({{"type", "resign"}}));
  two.ada.Disconnect();
  two.ben.Disconnect();
  world.Pass(61'000);
  ASSERT_EQ(world.hall->figures().tables, 0u);
  std::vector<std::shared_ptr<TestClient>> crowd;
  for (int i = 0; i < 5; ++i) {
    crowd.push_back(std::make_shared<TestClient>());
    world.hall->Enter(two.table, {"p_" + std::to_string(i), "Crowd"}, 0, crowd.back());
  }
  const auto ada = std::make_shared<TestClient>();
  world.hall->Enter(two.table, kAda, 0, ada);
  world.Settle();
  EXPECT_EQ(ada->closed, "");
  EXPECT_EQ(ada->Count("hello"), 1u);
  for (size_t i = 0; i < crowd.size(); ++i)
    EXPECT_EQ(crowd[i]->closed, i < 2 ? "" : "error.table.crowded") << i;
}

TEST(Hall, PlayersDoNotCountAsACrowd) {
  HallOptions options = Quick();
  options.most_watching = 1;
  World world(options);
  Two two(world);
  Player eve(world, two.table, kEve), dan(world, two.table, kDan);
  EXPECT_EQ(eve.client->closed, "");
  EXPECT_EQ(dan.client->closed, "error.table.crowded");
}

TEST(Hall, LimitsClients) {
  HallOptions options = Quick();
  options.most_watching = 2;
  World world(options);
  Two two(world);
  const std::string table = two.table;
  const Person fay = {"p_fay", "Fay"};
  Player fay_here(world, table, fay), cleo(world, table, kCleo), dan(world, table, kDan),
      again(world, table, fay);
  EXPECT_EQ(cleo.client->closed, "");
  EXPECT_EQ(dan.client->closed, "error.table.crowded");
  EXPECT_EQ(again.client->closed, "");  // in the place of the other
  Player ada(world, table, kAda);       // who plays gets in
  EXPECT_EQ(ada.client->closed, "");
}

// Who has been invited comes later than those who fill the room.
TEST(Hall, ACrowdKeepsNobodyFromAFreeChair) {
  HallOptions options = Quick();
  options.most_watching = 2;
  World world(options);
  const std::string table = world.Open(kAda);
  Player cleo(world, table, kCleo), dan(world, table, kDan), ben(world, table, kBen);
  EXPECT_EQ(ben.client->closed, "");
  EXPECT_EQ(cleo.client->closed, "error.table.crowded");
  EXPECT_EQ(dan.client->closed, "");
  EXPECT_TRUE(ben.Does(Sit(1)));
  Player eve(world, table, kEve), fay(world, table, {"p_fay", "Fay"});
  EXPECT_EQ(eve.client->closed, "");
  EXPECT_EQ(fay.client->closed, "error.table.crowded");  // no chair is free any more
}

// ---- Bots

TEST(Hall, BotsLeavePeopleTheTimeToSee) {
  HallOptions options = Quick();
  options.bot_pause = 600;
  World world(options);
  const std::string table = world.Open(kAda, For(4));
  Player ada(world, table, kAda);
  for (int seat = 1; seat < 4; ++seat) EXPECT_TRUE(ada.Does(SeatBot(seat)));
  EXPECT_TRUE(ada.Does(kStart) && ada.Does(Contribution('3')));
  Random random(4);
  const int64_t begin = world.time;
  const auto by_bots = [&] {
    return std::ranges::count_if(ada.client->heard, [](const Json& message) {
      return message["type"] == "act" && message["seat"] != 0;
    });
  };
  EXPECT_TRUE(world.Until([&] {
    ada.Plays(random);
    world.time += 50;
    world.inbox.Put([&] { world.hall->Tick(); });
    return by_bots() >= 9;
  }));
  EXPECT_GE(world.time - begin, by_bots() * 600);
}

TEST(Hall, BotsAnswerOffersWhenTheyDecide) {
  World world;
  const std::string table = world.Open(kAda, For(3));
  Player ada(world, table, kAda), eve(world, table, kEve);
  EXPECT_TRUE(ada.Does(SeatBot(1, "level3")) && ada.Does(SeatBot(2)) && ada.Does(kStart) &&
              ada.Does(Contribution('3')));
  const Json offer = {{"type", "talk"},
                      {"talk", {{"say", "truce"}, {"to", {1, 2}}, {"rounds", 1}}}};
  EXPECT_TRUE(world.Until([&] { return ada.Now().view["seat"] == 0; }));
  EXPECT_TRUE(ada.Does(offer));
  EXPECT_EQ(ada.Error(offer), "error.table.talk");
  EXPECT_EQ(eve.Error(offer), "error.table.not-seated");
  Random random(4);
  EXPECT_TRUE(world.Until([&] {
    while (ada.Plays(random)) {}
    return eve.client->Count("talk") > 1;
  }));
  const Json answer = eve.client->Last("talk");
  EXPECT_EQ(answer["seat"], 1) << "level1 is silent";
  EXPECT_TRUE(answer["talk"]["say"] == "yes" || answer["talk"]["say"] == "no") << answer;
  EXPECT_EQ(answer["pacts"]["news"].size(), 2u);
  EXPECT_EQ(ada.client->Last("talk"), answer);
  EXPECT_EQ(world.HelloFor(table, kBen)["pacts"]["news"][1], answer["pacts"]["news"][1]);
}

TEST(Hall, TalkAboutPactsIsAPersonsShare) {
  HallOptions options = Quick();
  options.changes = {1, 1e9};
  World world(options);
  const std::string table = world.Open(kAda, For(3));
  Player ada(world, table, kAda), ben(world, table, kBen), cleo(world, table, kCleo);
  EXPECT_TRUE(ben.Does(Sit(1)) && cleo.Does(Sit(2)) && ada.Does(kStart));
  world.Pass(Table::kContributionWait);
  const auto offer = [](int to) {
    return Json{{"type", "talk"}, {"talk", {{"say", "truce"}, {"to", {to}}, {"rounds", 1}}}};
  };
  EXPECT_TRUE(ada.Does(offer(1)));
  const int64_t number = ada.Now().n;
  EXPECT_EQ(ada.Error(offer(2)), "error.table.share");
  EXPECT_EQ(ada.Now().n, number);
  EXPECT_EQ(cleo.client->Count("talk"), 1u);
}

TEST(Hall, BotsThinkAgainWhenTheTableHasGoneOn) {
  World world;
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  EXPECT_TRUE(ada.Does(SeatBot(1)) && ada.Does(kStart) && ada.Does(Contribution('4')));
  Random random(4);
  int backs = 0;
  EXPECT_TRUE(world.Until([&] {
    while (ada.Plays(random)) {
      // Taken back where that is allowed, after the bot was asked.
      const Json back = {
          {"type", "take-back"}, {"builds", ada.Now().n}, {"to", ada.Now().actions.get<int>() - 1}};
      if (backs < 3 && ada.Does(back)) ++backs;
    }
    return ada.status() == "over";
  }));
  ExpectUpToDate(world, table, ada);
}

}  // namespace
}  // namespace civ::hall
