// The hall: whole games, chairs, commands and talk.
#include "civ/server/hall.h"

#include <map>

#include "civ/notation/record.h"
#include "tests/hall_world.h"

namespace civ::hall {
namespace {

// ---- Whole games

struct Players {
  int players, persons;
  Setup setup;
  bool teams;
};
class WholeGame : public testing::TestWithParam<Players> {};

TEST_P(WholeGame, IsPlayedToItsEnd) {
  const auto [players, persons, setup, teams] = GetParam();
  World world;
  const std::string table = world.Open(kAda, For(players, setup, teams));
  std::vector<std::unique_ptr<Player>> people;
  for (int i = 0; i < persons; ++i) {
    people.push_back(std::make_unique<Player>(
        world, table, std::array{kAda, kBen, kCleo, kDan}[static_cast<size_t>(i)]));
    EXPECT_TRUE(i == 0 || people.back()->Does(Sit(i)));
  }
  Player spectator(world, table, kEve);
  for (int i = persons; i < players; ++i)
    EXPECT_TRUE(people[0]->Does(SeatBot(i, i % 2 == 0 ? "random" : "greedy")));
  EXPECT_TRUE(people[0]->Does(kStart));
  for (const auto& player : people) EXPECT_TRUE(player->Does(Contribution('1')));

  Random random(3);
  EXPECT_TRUE(world.Until([&] {
    for (bool played = true; played;) {
      played = false;
      for (const auto& player : people) played = player->Plays(random) || played;
    }
    return spectator.status() == "over";
  }));
  for (const auto& player : people) ExpectUpToDate(world, table, *player);
  ExpectUpToDate(world, table, spectator);

  for (const auto& player : people) ExpectPastAsTold(world, table, *player);
  ExpectPastAsTold(world, table, spectator);

  Expected<std::string> record = Error{};
  world.hall->RecordOf(table, [&](Expected<std::string> text) { record = std::move(text); });
  ASSERT_TRUE(record);
  EXPECT_TRUE(std::holds_alternative<Record>(ReadRecord(*record)));
  EXPECT_EQ(Json::parse(*record)["comments"]["deal"]["hash"],
            spectator.Now().table["deal"]["hash"]);
}

INSTANTIATE_TEST_SUITE_P(
    Hall, WholeGame,
    testing::Values(Players{2, 2, Setup::Basic, false}, Players{2, 1, Setup::Draft, false},
                    Players{3, 1, Setup::Basic, false}, Players{3, 3, Setup::Draft, false},
                    Players{4, 2, Setup::Basic, true}, Players{4, 2, Setup::Draft, true},
                    Players{4, 4, Setup::Draft, false}));

// ---- Chairs and the start

TEST(Hall, OneChairIsForOne) {
  World world;
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda), ben(world, table, kBen), cleo(world, table, kCleo);
  ben.Post({{"type", "sit"}, {"id", "b"}, {"seat", 1}});
  cleo.Post({{"type", "sit"}, {"id", "c"}, {"seat", 1}});  // while the first is being stored
  world.Settle();
  EXPECT_EQ(ben.client->Last("ack")["id"], "b");
  EXPECT_EQ(cleo.client->Last("refused")["error"]["key"], "error.table.seat-taken");
  for (Player* player : {&ada, &ben, &cleo})
    EXPECT_EQ(player->Now().table["chairs"][1]["person"]["id"], "p_ben");
}

TEST(Hall, StartsOnce) {
  World world;
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  EXPECT_TRUE(ada.Does(SeatBot(1)));
  ada.Post({{"type", "start"}, {"id", "1"}});
  ada.Post({{"type", "start"}, {"id", "2"}});
  ada.Post({{"type", "stand"}, {"id", "3"}});
  world.Settle();
  EXPECT_EQ(ada.client->Count("commit"), 1u);
  EXPECT_EQ(ada.client->Count("refused"), 2u);
  EXPECT_EQ(ada.client->Last("refused")["id"], "3");
  EXPECT_EQ(ada.client->Last("refused")["error"]["key"], "error.table.started");
}

TEST(Hall, DealsWithoutThoseWhoDoNotContribute) {
  World world;
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda), ben(world, table, kBen);
  EXPECT_TRUE(ben.Does(Sit(1)));
  EXPECT_TRUE(ada.Does(kStart));
  EXPECT_TRUE(ada.Does(Contribution('a')));
  EXPECT_EQ(ada.status(), "dealing");
  world.Pass(Table::kContributionWait);
  EXPECT_EQ(ada.status(), "running");
  EXPECT_FALSE(ada.Now().table["deal"].contains("secret"));
  EXPECT_EQ(ada.Now().table["deal"]["randoms"][1], nullptr);
}

TEST(Hall, SecretsAreNew) {
  World world;
  Two first(world), second(world);
  EXPECT_NE(first.ada.Now().table["deal"]["hash"], second.ada.Now().table["deal"]["hash"]);
}

// ---- Commands

TEST(Hall, EventComesBeforeItsAcknowledgement) {
  World world;
  Two two(world);
  EXPECT_TRUE(two.ada.Does(Say("hi")));
  const auto& heard = two.ada.client->heard;
  EXPECT_EQ(heard[heard.size() - 2]["type"], "say");
  EXPECT_EQ(heard.back()["type"], "ack");
  EXPECT_EQ(heard.back()["n"], heard[heard.size() - 2]["n"]);
}

TEST(Hall, SameMoveTwiceIsDoneOnce) {
  World world;
  Two two(world);
  Player& mover = two.Deciding();
  Json move = two.Move();
  move["id"] = "m1";
  mover.Post(move);
  mover.Post(move);  // the first is not stored yet
  world.Settle();
  EXPECT_EQ(mover.client->Count("act"), 1u);
  EXPECT_EQ(mover.Ask(move)["type"], "ack");
  EXPECT_EQ(mover.client->Count("act"), 1u);
  EXPECT_EQ(mover.client->Count("refused"), 0u);
  // Somebody else's id is another.
  EXPECT_NE(two.Other().Ask(move)["type"], "ack");
}

TEST(Hall, SameMoveTwiceIsDoneOnceAcrossARestart) {
  World world;
  Two two(world);
  Json move = two.Move();
  move["id"] = "m1";
  Player& mover = two.Deciding();
  EXPECT_TRUE(mover.Does(move));
  world.Restart();
  Player again(world, two.table, mover.person);
  const Json answer = again.Ask(move);
  EXPECT_EQ(answer["type"], "ack");
  EXPECT_EQ(answer["n"], again.Now().n);
  EXPECT_EQ(again.client->Count("act"), 0u);
}

// Everybody's commands from the first chair to the rematch, each sent again after a restart: all
// were done, and nothing happens twice.
TEST(Hall, EveryCommandTwiceIsDoneOnceAcrossARestart) {
  World world;
  const std::string table = world.Open(kAda, For(3));
  const std::vector<Person> persons = {kAda, kBen, kCleo};
  int64_t number = 1;
  const auto twice = [&](size_t who, Json command) {
    command["id"] = "id " + std::to_string(number);
    for (const bool again : {false, true}) {
      Player player(world, table, persons[who]);
      if (command["type"] == "take-back") command["builds"] = player.Now().n;
      if (command["type"] == "answer") command["question"] = player.Now().n;
      if (again) command["builds"] = command["question"] = 1;  // as it was then, or whatever
      const Json answer = player.Ask(command);
      EXPECT_EQ(answer["type"], "ack") << command << answer;
      EXPECT_TRUE(!again || answer["n"] == number) << command << answer;
      number = answer["n"];
      player.Disconnect();
      world.Restart();
    }
  };
  twice(1, Sit(1));
  twice(1, {{"type", "stand"}});
  twice(1, Sit(2));
  twice(1, Sit(1));
  twice(0, SeatBot(2));
  twice(0, {{"type", "unseat"}, {"seat", 2}});
  twice(2, Sit(2));
  twice(0, kStart);
  for (size_t who = 0; who < 3; ++who) twice(who, Contribution('c'));
  Json view = world.HelloFor(table, kAda)["game"]["view"];
  const size_t first = view["seat"];
  Player mover(world, table, persons[first]);
  const View seen = *ViewFromJson(mover.Now().view);
  EXPECT_TRUE(mover.Does(
      {{"type", "act"}, {"builds", mover.Now().n}, {"actions", {NameOf(Legal(seen)[0])}}}));
  mover.Disconnect();
  twice((first + 1) % 3, {{"type", "take-back"}, {"to", 0}});
  twice(first, {{"type", "answer"}, {"yes", false}});
  twice(0, {{"type", "talk"}, {"talk", {{"say", "truce"}, {"to", {1}}, {"rounds", 1}}}});
  twice(2, {{"type", "resign"}});
  twice(2, {{"type", "return"}});
  twice(1, {{"type", "abandon"}});
  twice(0, {{"type", "say"}, {"text", "gg"}});
  twice(0, {{"type", "rematch"}});
}

TEST(Hall, WhatIsBuiltOnAnOlderGameIsStale) {
  World world;
  Two two(world);
  Player& mover = two.Deciding();
  const Json move = two.Move();
  EXPECT_TRUE(mover.Does(move));
  EXPECT_EQ(mover.Error(move), "error.stale");
  EXPECT_EQ(world.hall->figures().stale, 1u);
}

TEST(Hall, AnotherDeviceTakesOver) {
  World world;
  Two two(world);
  Player& desk = two.Deciding();
  Player& other = two.Other();
  const size_t told = other.client->Count("presence");
  Json move = two.Move();
  move["id"] = "m1";
  const auto open = std::make_shared<TestClient>();
  desk.Post(move);  // is not stored yet
  const Hall::ClientId phone = world.hall->Enter(two.table, desk.person, 0, open);
  EXPECT_EQ(desk.client->closed, "closing.elsewhere");
  EXPECT_EQ(open->closed, "");
  EXPECT_EQ(open->heard[0]["type"], "hello");
  desk.Post(Say("not heard"));
  world.hall->Receive(phone, move.dump());  // what had no answer, once more
  world.Settle();
  EXPECT_EQ(open->Last("ack")["id"], "m1");
  EXPECT_EQ(open->Count("act"), 1u);
  EXPECT_EQ(other.client->Count("act"), 1u);
  EXPECT_EQ(other.client->Count("say"), 0u);
  EXPECT_EQ(other.client->Count("presence"), told);  // was there all the time
  EXPECT_EQ(world.hall->figures().clients, 2u);
  desk.Disconnect();  // its socket is gone, too
  EXPECT_EQ(other.client->Last("presence")["seats"], Json({true, true}));
  desk.Connect();  // and takes it back
  EXPECT_EQ(open->closed, "closing.elsewhere");
  EXPECT_TRUE(desk.Does(Say("here")));
  EXPECT_EQ(other.client->Count("presence"), told);
}

TEST(Hall, AnotherDeviceTakesOverOneTableOnly) {
  World world;
  const std::string first = world.Open(kAda), second = world.Open(kAda);
  Player at_first(world, first, kAda), at_second(world, second, kAda), ben(world, first, kBen);
  const Player again(world, first, kAda);
  EXPECT_EQ(at_first.client->closed, "closing.elsewhere");
  EXPECT_EQ(at_second.client->closed, "");
  EXPECT_EQ(ben.client->closed, "");
}

TEST(Hall, ChatMakesNothingStale) {
  World world;
  Two two(world);
  const Json move = two.Move();
  EXPECT_TRUE(two.Other().Does(Say("hurry")));
  EXPECT_TRUE(two.Deciding().Does(move));
}

TEST(Hall, RefusesNonsense) {
  World world;
  Two two(world);
  EXPECT_EQ(two.ada.Error({{"type", "fly"}}), "error.value");
  EXPECT_EQ(two.ada.Error(Say(std::string(9000, 'x'))), "none");  // its id is not even read
  EXPECT_EQ(two.ada.client->Last("refused")["error"]["key"], "error.line-too-long");
  for (const std::string_view text : {"", "[]", "{", "null", "{\"type\":1}", "\xff"}) {
    const size_t refused = two.ada.client->Count("refused");
    two.ada.PostText(text);
    EXPECT_EQ(two.ada.client->Count("refused"), refused + 1) << text;
  }
  two.ada.Post({{"type", "ping"}});
  EXPECT_EQ(two.ada.client->heard.back(), Json({{"type", "pong"}, {"spread", 1}}));
  world.hall->Receive(12345, "{}");  // a client that is not there
  world.hall->Leave(12345);
}

TEST(Hall, NobodyActsForAnother) {
  World world;
  Two two(world);
  Player eve(world, two.table, kEve);
  EXPECT_EQ(eve.Error(two.Move()), "error.table.not-seated");
  EXPECT_EQ(two.Other().Error(two.Move()), "error.table.not-your-turn");
}

TEST(Hall, LimitsCommands) {
  HallOptions options = Quick();
  options.commands = {3, 3};
  options.most_refused = 5;
  World world(options);
  const std::string table = world.Open(kAda);
  const std::string elsewhere = world.Open(kAda);
  Player ada(world, table, kAda), other(world, elsewhere, kAda), ben(world, table, kBen);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ada.Does(Say("x")));
  EXPECT_EQ(other.Error(Say("x")), "error.too-many-requests");  // another client of the same person
  EXPECT_TRUE(ben.Does(Say("x")));
  world.time += 1000;
  EXPECT_TRUE(ada.Does(Say("x")));
  for (int i = 0; i < 6; ++i) ada.Post(Say("x"));
  EXPECT_EQ(ada.client->closed, "error.too-many-requests");
  EXPECT_EQ(ben.client->closed, "");
}

TEST(Hall, LimitsWhatWaits) {
  HallOptions options = Quick();
  options.most_waiting = 4;
  World world(options);
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda);
  for (int i = 0; i < 7; ++i) ada.Post({{"type", "say"}, {"text", "x"}, {"id", std::to_string(i)}});
  world.Settle();
  EXPECT_EQ(ada.client->Count("ack"), 5u);  // the one under way and four
  EXPECT_EQ(ada.client->Count("refused"), 2u);
}

// ---- Chat

TEST(Hall, SpectatorsTalkAmongThemselves) {
  World world;
  Two two(world);
  Player eve(world, two.table, kEve), dan(world, two.table, kDan);
  EXPECT_TRUE(eve.Does(Say("  psst\u202e ")));
  EXPECT_EQ(dan.client->Last("say")["text"], "psst");
  EXPECT_EQ(two.ada.client->Count("say"), 0u);
  EXPECT_TRUE(two.ada.Does(Say("hello")));
  EXPECT_EQ(dan.client->Last("say")["text"], "hello");
  EXPECT_EQ(eve.Error(Say(" \u200b ")), "error.say");
  EXPECT_EQ(eve.Error(Say(std::string(301, 'x'))), "error.too-long");
  EXPECT_TRUE(eve.Does({{"type", "say"}, {"phrase", "wow"}}));
}

TEST(Hall, TheMutedAreNotHeard) {
  World world;
  Two two(world);
  EXPECT_TRUE(two.ada.Does({{"type", "mute"}, {"whom", "p_ben"}, {"on", true}}));
  EXPECT_TRUE(two.ben.Does(Say("one")));
  EXPECT_EQ(two.ada.client->Count("say"), 0u);
  EXPECT_EQ(two.ben.client->Count("mute"), 0u);
  EXPECT_TRUE(two.ada.Does({{"type", "mute"}, {"whom", "p_ben"}, {"on", false}}));
  EXPECT_TRUE(two.ben.Does(Say("two")));
  EXPECT_EQ(two.ada.client->Last("say")["text"], "two");
  world.hall->Mute("p_ben", true);
  EXPECT_EQ(two.ben.Error(Say("three")), "error.muted");
  world.hall->Mute("p_ben", false);
  EXPECT_TRUE(two.ben.Does(Say("four")));
}

TEST(Hall, SpectatorsAndMutesAreInNoLog) {
  World world;
  Two two(world);
  Player eve(world, two.table, kEve), dan(world, two.table, kDan);
  const int appends = world.store.appends;
  const int64_t number = two.ada.Now().n;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(eve.Does(Say("psst")));
    EXPECT_TRUE(eve.Does({{"type", "mute"}, {"whom", "p_ben"}, {"on", i % 2 == 0}}));
  }
  EXPECT_EQ(eve.Error({{"type", "mute"}, {"whom", "p_nobody"}, {"on", true}}),
            "error.table.no-such-person");
  EXPECT_EQ(eve.Ask(Say("last"))["n"], number);
  EXPECT_EQ(world.store.appends, appends);
  EXPECT_EQ(dan.client->Count("say"), 101u);
  EXPECT_EQ(dan.client->Count("mute"), 0u);
  EXPECT_EQ(eve.client->Last("mute")["on"], false);
  EXPECT_EQ(world.HelloFor(two.table, kCleo)["chat"].size(), 20u);
  Json line = Say("once");
  line["id"] = "s1";
  EXPECT_TRUE(eve.Does(line) && eve.Does(line));
  EXPECT_EQ(dan.client->Count("say"), 102u);
}

TEST(Hall, PlayersHearAtTheEndWhatSpectatorsHaveSaid) {
  World world;
  Two two(world);
  Player eve(world, two.table, kEve), dan(world, two.table, kDan);
  EXPECT_TRUE(two.ada.Does({{"type", "mute"}, {"whom", "p_dan"}, {"on", true}}));
  EXPECT_TRUE(eve.Does(Say("one")) && dan.Does(Say("two")) && eve.Does(Say("three")));
  EXPECT_EQ(two.ada.client->Count("say"), 0u);
  const int64_t before = two.ada.Now().n;
  EXPECT_TRUE(two.ben.Does({{"type", "resign"}}));
  EXPECT_EQ(two.ada.client->Count("say"), 2u);
  EXPECT_EQ(two.ada.client->Last("say")["text"], "three");
  EXPECT_EQ(two.ben.client->Last("hello")["chat"].size(), 3u);
  EXPECT_EQ(eve.client->Count("say"), 3u) << "not again to those who heard it";
  Player back(world, two.table, kAda);  // who was away when it ended
  EXPECT_GT(before, 0);
  const auto client = std::make_shared<TestClient>();
  world.hall->Enter(two.table, kAda, before, client);
  EXPECT_EQ(client->Count("say"), 2u);
}

TEST(Hall, EverybodyHasAShareOfALog) {
  HallOptions options = Quick();
  options.changes = {4, 40};
  World world(options);
  const std::string table = world.Open(kAda);
  Player ada(world, table, kAda), eve(world, table, kEve), ben(world, table, kBen);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(eve.Does(Sit(1)) && eve.Does({{"type", "stand"}}));
  EXPECT_EQ(eve.Error(Sit(1)), "error.table.share");
  EXPECT_TRUE(ben.Does(Sit(1))) << "others have their own";
  EXPECT_TRUE(ben.Does({{"type", "stand"}}));
  world.time += 10'000;
  EXPECT_TRUE(eve.Does(Sit(1)));
}

TEST(Hall, NobodyAsksAllTheTime) {
  HallOptions options = Quick();
  options.asks = {2, 20};
  World world(options);
  Two two(world);
  EXPECT_TRUE(two.Deciding().Does(two.Move()));
  Player& asks = two.Other();
  Player& answers = two.Deciding();
  const auto ask = [&] {
    return asks.Error({{"type", "take-back"}, {"builds", asks.Now().n}, {"to", 0}});
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ask(), "none");
    EXPECT_TRUE(answers.Does(Answer(answers, false)));
  }
  EXPECT_EQ(ask(), "error.table.share");
  EXPECT_TRUE(two.Deciding().Does(two.Move())) << "the game goes on";
}

TEST(Hall, TheShareOfALogIsKeptAcrossARestart) {
  HallOptions options = Quick();
  options.most_stored_of_one = 3;
  World world(options);
  Two two(world);  // Ben has sat down
  EXPECT_TRUE(two.ben.Does(Say("1")) && two.ben.Does(Say("2")));
  EXPECT_EQ(two.ben.Error(Say("3")), "error.table.share");
  world.Restart();
  Player ben(world, two.table, kBen), ada(world, two.table, kAda);
  EXPECT_EQ(ben.Error(Say("3")), "error.table.share");
  EXPECT_TRUE(ada.Does(Say("1")));
  EXPECT_TRUE(ben.Does({{"type", "resign"}})) << "what ends a game is always allowed";
}

TEST(Hall, WhatChangesNothingIsNotStored) {
  World world;
  Two two(world, For(2, Setup::Draft));
  const View view = *ViewFromJson(two.ada.Now().view);
  const Json pick = {{"type", "pick"}, {"round", 1}, {"card", NameOf(Legal(view)[0].kind())}};
  EXPECT_TRUE(two.ada.Does(pick));
  const int appends = world.store.appends;
  EXPECT_TRUE(two.ada.Does(pick));
  EXPECT_EQ(world.store.appends, appends);
}

TEST(Hall, ChatIsSlowerThanTheRest) {
  HallOptions options = Quick();
  options.says = {2, 4};
  World world(options);
  Two two(world);
  EXPECT_TRUE(two.ada.Does(Say("1")) && two.ada.Does(Say("2")));
  EXPECT_EQ(two.ada.Error(Say("3")), "error.too-many-requests");
  EXPECT_TRUE(two.Deciding().Does(two.Move()));
  world.time += 2000;
  EXPECT_TRUE(two.ada.Does(Say("4")));
}

}  // namespace
}  // namespace civ::hall
