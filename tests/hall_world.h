// The hall with people who are simulated, a store in memory, and time that passes when the test
// says so: for all hall_*_test.cc.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "civ/notation/notation.h"
#include "civ/server/hall.h"
#include "civ/server/memory_bus.h"
#include "civ/server/memory_store.h"
#include "civ/table/table.h"
#include "civ/view/random.h"
#include "tests/table_options.h"

namespace civ::hall {

using namespace std::chrono_literals;
using test::For;

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

inline HallOptions Quick() {
  HallOptions options;
  options.bot_pause = 0;
  options.lobby_age = 0;
  options.commands = options.says = options.changes = options.asks = {1e9, 1};
  return options;
}

inline const Person kAda = {"p_ada", "Ada"}, kBen = {"p_ben", "Ben"}, kCleo = {"p_cleo", "Cleo"},
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
inline void ExpectUpToDate(World& world, const std::string& table, Player& player) {
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

inline const Json kStart = {{"type", "start"}};
inline Json Sit(int seat) { return {{"type", "sit"}, {"seat", seat}}; }
inline Json SeatBot(int seat, std::string_view bot = "random") {
  return {{"type", "seat-bot"}, {"seat", seat}, {"bot", bot}};
}
inline Json Say(std::string_view text) { return {{"type", "say"}, {"text", text}}; }
// To the question that this player knows of.
inline Json Answer(Player& player, bool yes) {
  const Json question = player.Now().table.value("question", Json::object());
  return {{"type", "answer"}, {"question", question.value("n", 0)}, {"yes", yes}};
}
inline Json Contribution(char digit) {
  return {{"type", "contribute"}, {"random", std::string(64, digit)}};
}

// Who looks back sees what was to be seen then. In the draft everybody chooses at once, so what was
// told is not what the record has.
inline void ExpectPastAsTold(World& world, const std::string& table, const Player& player) {
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

}  // namespace civ::hall
