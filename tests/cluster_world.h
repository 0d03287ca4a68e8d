// Several halls on one store and one bus, in one thread, with people who are simulated: for all
// cluster_*_test.cc.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "civ/notation/notation.h"
#include "civ/server/hall.h"
#include "civ/server/memory_bus.h"
#include "civ/server/memory_store.h"
#include "civ/server/replay.h"
#include "tests/support.h"

namespace civ::cluster {

inline const Person kAda = {"p_ada", "Ada"}, kBen = {"p_ben", "Ben"}, kCyd = {"p_cyd", "Cyd"};

// A database whose answers can be lost, and that can be out of reach.
class Database : public MemoryStore {
 public:
  using MemoryStore::MemoryStore;
  void AppendAll(std::vector<Addition> additions, int64_t now, Done done) override {
    if (away || additions[0].table == part_away) return done(Stored::Failed);
    if (loses_before > 0 && --loses_before >= 0) return done(Stored::Unknown);
    const bool loses = loses_after > 0 && --loses_after >= 0;
    MemoryStore::AppendAll(
        std::move(additions), now,
        [done = std::move(done), loses](Stored stored) { done(loses ? Stored::Unknown : stored); });
  }
  void Tail(std::string table, int64_t from, Tailed tailed) override {
    if (away || tails_lost > 0) {
      if (tails_lost > 0) --tails_lost;
      return tailed(Error{"data.failed", {}});
    }
    MemoryStore::Tail(std::move(table), from, std::move(tailed));
  }
  void Beat(int most, int64_t hold, Read<Beaten> beaten) override {
    if (away || !part_away.empty()) return beaten(Error{"data.failed", {}});
    MemoryStore::Beat(most, hold, std::move(beaten));
  }

  bool away = false;
  std::string part_away;  // the table whose database is, of several
  // So many answers of appends are lost: before they are stored, or after it.
  int loses_before = 0, loses_after = 0, tails_lost = 0;
};

// A bus that can lose everything.
class Hints : public Bus {
 public:
  Hints(Post post, std::function<int64_t()> clock, std::shared_ptr<MemoryBus::Hub> hub)
      : post_(post), inner_(std::move(post), std::move(clock), std::move(hub)) {}
  void Publish(const std::string& topic, const std::string& text) override {
    texts.push_back(topic + ' ' + text);
    if (well) inner_.Publish(topic, text);
  }
  Subscription Subscribe(const std::string& topic, Handler handler) override {
    return inner_.Subscribe(topic, std::move(handler));
  }
  void Note(const std::string& place, const std::string& who, int64_t until) override {
    texts.push_back(place + ' ' + who + ' ' + std::to_string(until));
    if (well) inner_.Note(place, who, until);
  }
  void ReadNotes(const std::string& place,
                 std::function<void(std::optional<Notes>)> answer) override {
    if (well) return inner_.ReadNotes(place, std::move(answer));
    post_([answer = std::move(answer)] { answer(std::nullopt); });
  }
  void Count(const std::string& key, int64_t milliseconds,
             std::function<void(std::optional<int64_t>)> answer) override {
    inner_.Count(key, milliseconds, std::move(answer));
  }
  bool healthy() const override { return well; }

  bool well = true;
  std::vector<std::string> texts;  // all that was said and noted

 private:
  const Post post_;
  MemoryBus inner_;
};

class Heard : public Client {
 public:
  void Send(std::shared_ptr<const std::string> text) override {
    messages.push_back(Json::parse(*text));
  }
  void Close(std::string_view why) override { closed = why; }

  std::vector<Json> OfType(std::string_view type) const {
    std::vector<Json> found;
    for (const Json& message : messages)
      if (message["type"] == type) found.push_back(message);
    return found;
  }
  // The answer to the command of that id: "ack", the key of an error, or "none".
  std::string Answer(const std::string& id) const {
    for (const Json& message : messages)
      if (message.value("id", "") == id)
        return message["type"] == "ack" ? "ack" : message["error"]["key"].get<std::string>();
    return "none";
  }
  // The last thing that was told of the game.
  View view() const {
    for (auto message = messages.rbegin(); message != messages.rend(); ++message)
      if (message->contains("game")) return *ViewFromJson((*message)["game"]["view"]);
    return {};
  }
  int64_t number() const {
    int64_t last = 0;
    for (const Json& message : messages)
      if (message.contains("n") && message["type"] != "ack" && message["type"] != "refused")
        last = message["n"];
    return last;
  }

  std::vector<Json> messages;
  std::string closed;
};

class Cluster {
 public:
  explicit Cluster(size_t processes = 2, HallOptions given = Quick()) : options(given) {
    for (size_t i = 0; i < processes; ++i) Start(i);
  }

  static HallOptions Quick() {
    HallOptions options;
    options.bot_pause = 0;
    options.commands = options.says = options.changes = options.asks = {1e9, 1};
    options.most_stored_of_one = 1'000'000;
    return options;
  }

  struct Process {
    std::unique_ptr<Hints> bus;
    std::unique_ptr<Hall> hall;
    int64_t skew = 0;  // of its own clock
  };

  void Start(size_t i) {
    if (processes.size() <= i) processes.resize(i + 1);
    Process& process = processes[i];
    process.hall.reset();
    process.skew = static_cast<int64_t>(i) * 1'234'567;
    process.bus = std::make_unique<Hints>(post, [this] { return time; }, hub);
    Hall::Hooks hooks{[this, i] { return time + processes[i].skew; },
                      [this](size_t count) {
                        std::string bytes;
                        while (count-- > 0) bytes += static_cast<char>(random.Below(256));
                        return bytes;
                      },
                      [this](std::string_view, std::string_view event, const Json&) {
                        logged.emplace_back(event);
                      }};
    hooks.name = "civ-" + std::to_string(i);
    process.hall =
        std::make_unique<Hall>(database, *process.bus, nullptr, options, std::move(hooks));
    ASSERT_TRUE(process.hall->Rebuild());
  }
  void Kill(size_t i) { processes[i].hall.reset(); }
  Hall& hall(size_t i) { return *processes[i].hall; }

  void Settle() {
    while (!posted.empty()) {
      const auto call = std::move(posted.front());
      posted.pop_front();
      call();
    }
  }
  void Pass(int64_t milliseconds) {
    for (const int64_t end = time + milliseconds; time < end;) {
      time = std::min(end, time + 500);
      for (Process& process : processes)
        if (process.hall) process.hall->Tick();
      Settle();
    }
  }

  std::string Open(size_t at, const TableOptions& wanted = {}) {
    Expected<std::string> opened = Error{"never", {}};
    hall(at).Open(kAda, wanted, [&](Expected<std::string> id) { opened = std::move(id); });
    Settle();
    EXPECT_TRUE(opened) << opened.error().key;
    return *opened;
  }
  std::vector<std::string> LogOf(const std::string& table) {
    std::vector<std::string> events;
    database.Load(table, [&](Expected<std::optional<StoredLog>> log) { events = (**log).events; });
    Settle();
    return events;
  }
  Table TableOf(const std::string& table) {
    return Replay({table, LogOf(table)})->table;  // which checks all of it
  }
  size_t Count(const std::string& table, const std::string& part) {
    size_t count = 0;
    for (const std::string& event : LogOf(table)) count += event.find(part) != event.npos;
    return count;
  }

  const HallOptions options;
  int64_t time = 50'000;
  Random random{11};
  std::deque<std::function<void()>> posted;
  const Post post = [this](std::function<void()> call) { posted.push_back(std::move(call)); };
  std::vector<std::string> logged;
  Database database{post, [this] { return time; }};
  std::shared_ptr<MemoryBus::Hub> hub = std::make_shared<MemoryBus::Hub>();
  std::vector<Process> processes;
};

struct Guest {
  Guest(Cluster& cluster, size_t process, std::string table, Person who)
      : cluster(cluster), at(process), table(std::move(table)), person(std::move(who)) {
    Enter();
  }
  void Enter() {
    client = std::make_shared<Heard>();
    ++cluster.time;
    id = cluster.hall(at).Enter(table, person, 0, client);
    cluster.Settle();
  }
  // Without waiting for what comes of it.
  std::string Post(Json message) {
    if (!message.contains("id")) message["id"] = "c" + std::to_string(++sent);
    cluster.hall(at).Receive(id, message.dump());
    return message["id"];
  }
  std::string Does(Json message) {
    const std::string command = Post(std::move(message));
    cluster.Settle();
    return client->Answer(command);
  }
  Json Move() const {
    return {{"type", "act"},
            {"builds", client->number()},
            {"actions", {NameOf(Legal(client->view())[0])}}};
  }
  bool Decides() const { return client->view().seat == client->view().viewer; }

  Cluster& cluster;
  size_t at;
  std::string table;
  Person person;
  std::shared_ptr<Heard> client;
  Hall::ClientId id = 0;
  static inline int sent = 0;
};

inline Json Say(const std::string& text) { return {{"type", "say"}, {"text", text}}; }
inline Json Sit(int seat) { return {{"type", "sit"}, {"seat", seat}}; }

// A game of two, who are connected to different processes.
struct Two {
  explicit Two(Cluster& cluster, const TableOptions& options = {})
      : table(cluster.Open(0, options)),
        ada(cluster, 0, table, kAda),
        ben(cluster, 1, table, kBen) {
    EXPECT_EQ(ben.Does(Sit(1)), "ack");
    EXPECT_EQ(ada.Does({{"type", "start"}}), "ack");
    // Both at the same moment.
    const std::string a = ada.Post({{"type", "contribute"}, {"random", std::string(64, 'a')}}),
                      b = ben.Post({{"type", "contribute"}, {"random", std::string(64, 'b')}});
    cluster.Settle();
    EXPECT_EQ(ada.client->Answer(a), "ack");
    EXPECT_EQ(ben.client->Answer(b), "ack");
  }
  Guest& Deciding() { return ada.Decides() ? ada : ben; }

  const std::string table;
  Guest ada, ben;
};

}  // namespace civ::cluster
