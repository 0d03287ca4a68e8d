// The hall with people who are simulated, a store in memory, and time that passes when the test
// says so.
#include "civ/server/hall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>

#include "civ/notation/notation.h"
#include "civ/notation/record.h"
#include "civ/server/memory_bus.h"
#include "civ/server/memory_store.h"
#include "civ/table/table.h"
#include "civ/view/random.h"

namespace civ {
namespace {

using namespace std::chrono_literals;

// What other threads hand over to this one.
class Inbox {
 public:
  void Put(std::function<void()> call) {
    const std::scoped_lock lock(mutex_);
    calls_.push_back(std::move(call));
    changed_.notify_all();
  }
  // The next call, if it comes within that time.
  std::function<void()> Take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, patience, [this] { return !calls_.empty(); })) return nullptr;
    std::function<void()> call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> calls_;
};

// A store that can be made to fail, or to stand still.
class TestStore : public MemoryStore {
 public:
  using MemoryStore::MemoryStore;

  void AppendAll(std::vector<Addition> additions, int64_t now, Done done) override {
    ++appends;
    if (holds)
      return held.push_back(
          [this, additions = std::move(additions), now, done = std::move(done)]() mutable {
            AppendAll(std::move(additions), now, std::move(done));
          });
    const bool refused = !refuses.empty() && std::ranges::any_of(additions, [&](const auto& added) {
      return added.events[0].find(refuses) != std::string::npos;
    });
    if (refused) ++refusals;
    if (fails || refused) return post_failure([done = std::move(done)] { done(Stored::Failed); });
    MemoryStore::AppendAll(std::move(additions), now, std::move(done));
  }

  void Load(std::string table, Loaded loaded) override {
    if (fails)
      return post_failure([loaded = std::move(loaded)] { loaded(Error{"data.failed", {}}); });
    MemoryStore::Load(std::move(table), std::move(loaded));
  }

  void List(std::string person, bool open_only, int most, Listed listed) override {
    if (fails)
      return post_failure([listed = std::move(listed)] { listed(Error{"data.failed", {}}); });
    MemoryStore::List(std::move(person), open_only, most, std::move(listed));
  }

  void PutServiceTime(int64_t now, Done done) override {
    ++beats;
    if (holds)
      return held.push_back(
          [this, now, done = std::move(done)]() mutable { PutServiceTime(now, std::move(done)); });
    if (fails) return post_failure([done = std::move(done)] { done(Stored::Failed); });
    MemoryStore::PutServiceTime(now, std::move(done));
  }

  // Does all that it was given meanwhile.
  void GoOn() {
    holds = false;
    for (const auto& write : std::exchange(held, {})) write();
  }

  bool fails = false, holds = false;
  std::vector<std::function<void()>> held;
  std::string refuses;  // what has this in its first event
  int appends = 0, refusals = 0, beats = 0;
  std::function<void(std::function<void()>)> post_failure;
};

class TestClient : public Client {
 public:
  void Send(std::shared_ptr<const std::string> text) override {
    heard.push_back(Json::parse(*text));
  }
  void Close(std::string_view why) override { closed = why; }

  // The last message of that type; null if there was none.
  Json Last(std::string_view type) const {
    for (auto message = heard.rbegin(); message != heard.rend(); ++message)
      if ((*message)["type"] == type) return *message;
    return {};
  }
  size_t Count(std::string_view type) const {
    return static_cast<size_t>(
        std::ranges::count_if(heard, [&](const Json& message) { return message["type"] == type; }));
  }

  std::vector<Json> heard;
  std::string closed;
};

// What a client knows of a table: the last of everything it was told.
struct Known {
  int64_t n = 0;
  Json table, clock, view, actions, person, seat;

  void Hear(const Json& message) {
    if (!message.contains("n")) return;
    const std::string type = message["type"];
    if (type == "ack" || type == "refused") return;
    EXPECT_GT(message["n"].get<int64_t>(), type == "hello" ? -1 : n) << message;
    n = message["n"];
    for (auto& [name, into] : {std::pair<const char*, Json*>{"table", &table}, {"clock", &clock}})
      if (message.contains(name)) *into = message[name];
    if (message.contains("game")) {
      view = message["game"]["view"];
      actions = message["game"]["actions"];
    }
    if (type == "hello") person = message["you"]["person"]["id"];
    seat = nullptr;
    for (size_t i = 0; i < table["chairs"].size(); ++i)
      if (const Json& chair = table["chairs"][i];
          !chair["person"].is_null() && chair["person"]["id"] == person && !chair.contains("left"))
        seat = i;
  }
};

HallOptions Quick() {
  HallOptions options;
  options.bot_pause = 0;
  options.lobby_age = 0;
  options.commands = options.says = options.changes = options.asks = {1e9, 1};
  return options;
}

const Person kAda = {"p_ada", "Ada"}, kBen = {"p_ben", "Ben"}, kCleo = {"p_cleo", "Cleo"},
             kDan = {"p_dan", "Dan"}, kEve = {"p_eve", "Eve"};

class World {
 public:
  explicit World(const HallOptions& options = Quick()) : options_(options) { Restart(); }

  // The server goes down and comes up again; the store stays.
  Hall::Rebuilt Restart() {
    hall.reset();
    pool = std::make_unique<BotPool>(
        1, [this](std::function<void()> call) { inbox.Put(std::move(call)); });
    store.post_failure = [this](std::function<void()> call) { inbox.Put(std::move(call)); };
    Hall::Hooks hooks{[this] { return time; },
                      [this](size_t count) {
                        std::string bytes;
                        while (count-- > 0) bytes += static_cast<char>(random.Below(256));
                        return bytes;
                      },
                      [this](std::string_view level, std::string_view event, const Json& fields) {
                        logged.push_back({{"level", level}, {"event", event}});
                        logged.back().update(fields);
                      },
                      [this](const Hall::Hooks::Work& work) {
                        if (holds_work) return held_work.push_back(work);
                        inbox.Put(work());
                      }};
    hall = std::make_unique<Hall>(store, bus, pool.get(), options_, std::move(hooks));
    return *hall->Rebuild();
  }

  // Does all that is under way, bots' thoughts excepted.
  void Settle() {
    while (const auto call = inbox.Take(0ms)) call();
  }
  // Lets bots think until the condition holds. Gives up after a time in which it should have.
  bool Until(const std::function<bool()>& holds) {
    Settle();
    for (const auto end = SteadyClock() + 60s; !holds();) {
      const auto call = inbox.Take(30s);
      if (!call || SteadyClock() > end) return false;
      call();
      Settle();
    }
    return true;
  }
  void Pass(int64_t milliseconds) {
    for (const int64_t end = time + milliseconds; time < end;) {
      time = std::min(end, time + 1000);
      hall->Tick();
      Settle();
    }
  }

  Expected<std::string> TryOpen(const Person& person, const TableOptions& options = {}) {
    Expected<std::string> opened = Error{"never", {}};
    hall->Open(person, options, [&](Expected<std::string> id) { opened = std::move(id); });
    Settle();
    return opened;
  }
  std::string Open(const Person& person, const TableOptions& options = {}) {
    return *TryOpen(person, options);
  }

  // What somebody who comes anew is told. Other clients of that person are closed by it.
  Json HelloFor(const std::string& table, const Person& person) {
    const auto client = std::make_shared<TestClient>();
    const Hall::ClientId id = hall->Enter(table, person, 0, client);
    Settle();
    hall->Leave(id);
    return client->Last("hello");
  }

  int64_t time = 1'000'000;
  Random random{7};
  Inbox inbox;
  std::vector<Json> logged;
  TestStore store{[this](std::function<void()> call) { inbox.Put(std::move(call)); }};
  MemoryBus bus{[this](std::function<void()> call) { inbox.Put(std::move(call)); },
                [this] { return time; }};
  bool holds_work = false;  // what is to be done elsewhere is not done yet
  std::vector<Hall::Hooks::Work> held_work;
  std::unique_ptr<BotPool> pool;
  std::unique_ptr<Hall> hall;

 private:
  const HallOptions options_;
};

// One device of one person at one table.
class Player {
 public:
  Player(World& world, std::string table, Person who)
      : world_(world), table_(std::move(table)), person(std::move(who)) {
    Connect();
  }
  ~Player() { Disconnect(); }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void Connect() {
    client = std::make_shared<TestClient>();
    next_ = 0;
    id_ = world_.hall->Enter(table_, person, known.n, client);
    here_ = true;
    world_.Settle();
  }
  void Disconnect() {
    world_.hall->Leave(id_);
    here_ = false;
  }
  bool connected() const { return here_ && client->closed.empty(); }

  // Without waiting for what comes of it.
  void Post(const Json& message) { PostText(message.dump()); }
  void PostText(std::string_view text) { world_.hall->Receive(id_, text); }
  // The answer. Every message has an id of its own unless it brings one.
  Json Ask(Json message) {
    if (!message.contains("id")) message["id"] = "ask " + std::to_string(++asked);
    const size_t before = client->heard.size();
    Post(message);
    world_.Settle();
    for (size_t i = before; i < client->heard.size(); ++i)
      if (client->heard[i].value("id", "") == message["id"].get<std::string>())
        return client->heard[i];
    return {{"type", "none"}};
  }
  bool Does(const Json& message) { return Ask(message)["type"] == "ack"; }
  std::string Error(const Json& message) {
    const Json answer = Ask(message);
    return answer["type"] == "refused" ? answer["error"]["key"].get<std::string>() : "none";
  }

  const Known& Now() {
    for (; next_ < client->heard.size(); ++next_) known.Hear(client->heard[next_]);
    return known;
  }
  std::string status() { return Now().table["status"]; }

  // Does something legal if it is this person's turn. Whether it was.
  bool Plays(Random& random) {
    if (status() != "running") return false;
    const Expected<View> view = ViewFromJson(Now().view);
    const bool draft = view && view->step == Step::Draft;
    if (!view || view->seat != view->viewer ||
        (draft && known.table["draft"]["picked"][view->viewer] == true))
      return false;
    const ActionSet legal = Legal(*view);
    const Action action =
        legal[static_cast<int>(random.Below(static_cast<uint32_t>(legal.Size())))];
    const Json message =
        draft ? Json{{"type", "pick"},
                     {"round", known.table["draft"]["round"]},
                     {"card", NameOf(action.kind())}}
              : Json{{"type", "act"}, {"builds", known.n}, {"actions", {NameOf(action)}}};
    const Json answer = Ask(message);
    EXPECT_EQ(answer["type"], "ack") << message << answer;
    return true;
  }

  std::shared_ptr<TestClient> client;
  Known known;

 private:
  World& world_;
  const std::string table_;
  Hall::ClientId id_ = 0;
  bool here_ = false;
  size_t next_ = 0;
  static inline int asked = 0;

 public:
  const Person person;
};

// Whether having been there comes to the same as coming now.
void ExpectUpToDate(World& world, const std::string& table, Player& player) {
  const Known& known = player.Now();
  const Json hello = world.HelloFor(table, player.person);
  EXPECT_EQ(known.table, hello["table"]);
  EXPECT_EQ(known.seat, hello["you"]["seat"]);
  if (hello.contains("game")) {
    EXPECT_EQ(known.view, hello["game"]["view"]);
    EXPECT_EQ(known.actions, hello["game"]["actions"]);
  }
  if (hello.contains("clock")) {
    const int64_t passed = hello["clock"]["at"].get<int64_t>() - known.clock["at"].get<int64_t>();
    for (size_t seat = 0; seat < hello["clock"]["seats"].size(); ++seat) {
      const auto left = [seat](const Json& clock) {
        return clock["seats"][seat]["free"].get<int64_t>() +
               clock["seats"][seat]["turn"].get<int64_t>() +
               clock["seats"][seat]["bank"].get<int64_t>();
      };
      EXPECT_EQ(known.clock["seats"][seat]["running"], hello["clock"]["seats"][seat]["running"]);
      EXPECT_EQ(left(known.clock) - (known.clock["seats"][seat]["running"] ? passed : 0),
                left(hello["clock"]));
    }
  }
  EXPECT_LE(known.n, hello["n"].get<int64_t>());
  player.Connect();
}

TableOptions For(int players, Setup setup = Setup::Basic, bool teams = false) {
  TableOptions options;
  options.config.players = static_cast<uint8_t>(players);
  options.config.setup = setup;
  options.config.teams = teams;
  return options;
}

const Json kStart = {{"type", "start"}};
Json Sit(int seat) { return {{"type", "sit"}, {"seat", seat}}; }
Json SeatBot(int seat, std::string_view bot = "random") {
  return {{"type", "seat-bot"}, {"seat", seat}, {"bot", bot}};
}
Json Say(std::string_view text) { return {{"type", "say"}, {"text", text}}; }
// To the question that this player knows of.
Json Answer(Player& player, bool yes) {
  const Json question = player.Now().table.value("question", Json::object());
  return {{"type", "answer"}, {"question", question.value("n", 0)}, {"yes", yes}};
}
Json Contribution(char digit) {
  return {{"type", "contribute"}, {"random", std::string(64, digit)}};
}

// Who looks back sees what was to be seen then. In the draft everybody chooses at once, so what was
// told is not what the record has.
void ExpectPastAsTold(World& world, const std::string& table, const Player& player) {
  for (const Json& message : player.client->heard) {
    if (!message.contains("game") || message["game"]["view"]["step"] == "draft") continue;
    Expected<std::string> past = Error{};
    world.hall->PastOf(table, player.person, message["game"]["actions"],
                       [&](Expected<std::string> text) { past = std::move(text); });
    world.Settle();
    ASSERT_TRUE(past);
    EXPECT_EQ(Json::parse(*past)["view"], message["game"]["view"]);
  }
}

// A table of two, with the game begun.
struct Two {
  explicit Two(World& world, const TableOptions& options = {})
      : table(world.Open(kAda, options)), ada(world, table, kAda), ben(world, table, kBen) {
    EXPECT_TRUE(ben.Does(Sit(1)));
    EXPECT_TRUE(ada.Does(kStart));
    EXPECT_TRUE(ada.Does(Contribution('a')));
    EXPECT_TRUE(ben.Does(Contribution('b')));
    EXPECT_EQ(ada.status(), "running");
  }
  Player& Deciding() { return ViewFromJson(ada.Now().view)->seat == 0 ? ada : ben; }
  Player& Other() { return &Deciding() == &ada ? ben : ada; }
  // A legal action of the one who decides.
  Json Move() {
    const View view = *ViewFromJson(Deciding().Now().view);
    return {{"type", "act"}, {"builds", Deciding().Now().n}, {"actions", {NameOf(Legal(view)[0])}}};
  }

  const std::string table;
  Player ada, ben;
};

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

// ---- Catching up

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
    std::vector<Json> before;
    for (const auto& player : players) before.push_back(hello(player->person));
    world.Restart();
    for (size_t i = 0; i < players.size(); ++i) EXPECT_EQ(hello(players[i]->person), before[i]);
  }
  EXPECT_GT(actions, 20);  // about 200; bots decide when they like
}

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
  EXPECT_EQ(lines(two.ada, Say("y"), "c3"), (Lines{"command.refused", "store.failed"}));
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
}  // namespace civ
