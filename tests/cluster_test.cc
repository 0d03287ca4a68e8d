// Several halls on one store and one bus, in one thread: what one process stores, the others
// follow.
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/server/hall.h"
#include "civ/server/listing.h"
#include "civ/server/memory_bus.h"
#include "civ/server/memory_store.h"
#include "civ/server/replay.h"
#include "civ/server/sessions.h"
#include "civ/server/worker.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::cluster {
namespace {

const Person kAda = {"p_ada", "Ada"}, kBen = {"p_ben", "Ben"}, kCyd = {"p_cyd", "Cyd"};

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

Json Say(const std::string& text) { return {{"type", "say"}, {"text", text}}; }
Json Sit(int seat) { return {{"type", "sit"}, {"seat", seat}}; }

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

TEST(Cluster, WhatHappensByOneProcessIsToldByTheOther) {
  Cluster cluster;
  Two two(cluster);
  for (int move = 0; move < 12; ++move)
    EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
  EXPECT_EQ(two.ada.client->number(), two.ben.client->number());
  EXPECT_EQ(two.ada.client->number(), cluster.TableOf(two.table).number());
}

TEST(Cluster, AtTheSameMomentNobodyIsRefusedWithoutCause) {
  Cluster cluster(3);
  const std::string table = cluster.Open(0);
  Guest ada(cluster, 0, table, kAda), ben(cluster, 1, table, kBen), cyd(cluster, 2, table, kCyd);
  size_t refused = 0;
  for (int round = 0; round < 1000; ++round) {
    // One chair for two: one gets it, and the other hears why not.
    const std::string first = ben.Post(Sit(1)), second = cyd.Post(Sit(1)),
                      third = ada.Post({{"type", "seat-bot"}, {"seat", 1}, {"bot", "random"}});
    cluster.Settle();
    const std::vector<std::string> answers = {ben.client->Answer(first), cyd.client->Answer(second),
                                              ada.client->Answer(third)};
    EXPECT_EQ(std::ranges::count(answers, "ack"), 1);
    for (const std::string& answer : answers) {
      EXPECT_NE(answer, "error.stale");
      EXPECT_NE(answer, "none");
    }
    EXPECT_EQ(ada.Does({{"type", "unseat"}, {"seat", 1}}), "ack");
    for (Guest* guest : {&ada, &ben, &cyd}) {
      if (guest->client->messages.size() > 100) guest->client->messages.clear();
      refused += guest->client->closed.empty() ? 0 : 1;
    }
  }
  EXPECT_EQ(refused, 0u);
  EXPECT_GT(cluster.hall(0).figures().retried + cluster.hall(1).figures().retried +
                cluster.hall(2).figures().retried,
            500u);
}

TEST(Cluster, AMoveThatIsSentByTwoWaysIsDoneOnce) {
  Cluster cluster;
  Two two(cluster);
  for (int move = 0; move < 20; ++move) {
    Guest& guest = two.Deciding();
    Json message = guest.Move();
    message["id"] = "move " + std::to_string(move);
    Guest other(cluster, 1 - guest.at, two.table, guest.person);  // closes the first
    EXPECT_EQ(guest.client->closed, "closing.elsewhere");
    const auto before = guest.client;
    guest.Enter();  // and is closed by it
    // The first line is gone for the client, but what it sent may still arrive.
    other.Enter();
    cluster.hall(guest.at).Receive(guest.id, message.dump());
    other.Post(message);
    cluster.Settle();
    EXPECT_EQ(other.client->Answer(message["id"]), "ack");
    EXPECT_EQ(cluster.Count(two.table, message["id"]), 1u);
    cluster.hall(other.at).Leave(other.id);
    guest.Enter();
  }
}

TEST(Cluster, ALostAnswerIsLookedUp) {
  for (const bool stored : {true, false}) {
    Cluster cluster;
    Two two(cluster);
    (stored ? cluster.database.loses_after : cluster.database.loses_before) = 1;
    cluster.database.tails_lost = 2;
    const std::string id = two.ada.Post(Say("hello"));
    cluster.Settle();
    EXPECT_EQ(two.ada.client->Answer(id), "none");  // nobody is told what nobody knows
    cluster.Pass(3000);
    EXPECT_EQ(two.ada.client->Answer(id), "ack");
    EXPECT_EQ(cluster.Count(two.table, "hello"), 1u);
    EXPECT_EQ(two.ben.client->OfType("say").size(), 1u);
    EXPECT_GE(cluster.hall(0).figures().unknown, 1u);
  }
}

TEST(Cluster, ANewTableWhoseAnswerWasLostIsThere) {
  Cluster cluster;
  cluster.database.loses_after = 1;
  const std::string table = cluster.Open(0);
  EXPECT_EQ(cluster.TableOf(table).number(), 1);
  EXPECT_EQ(Guest(cluster, 1, table, kBen).Does(Sit(1)), "ack");
}

TEST(Cluster, ABusThatLosesEverythingCostsSeconds) {
  Cluster cluster;
  Two two(cluster);
  for (Cluster::Process& process : cluster.processes) process.bus->well = false;
  EXPECT_EQ(two.ada.Does(Say("unheard")), "ack");
  EXPECT_TRUE(two.ben.client->OfType("say").empty());
  cluster.Pass(cluster.options.compare);
  EXPECT_EQ(two.ben.client->OfType("say").size(), 1u);
  // Nor is anybody refused who builds on what this process has not heard of yet.
  for (int move = 0; move < 6; ++move) {
    Guest& guest = two.Deciding();
    ASSERT_EQ(guest.Does(guest.Move()), "ack");
    cluster.Pass(cluster.options.compare);
  }
}

TEST(Cluster, WhoComesFromAnotherProcessIsNotRefusedForWhatIsNotKnownHere) {
  Cluster cluster;
  const std::string table = cluster.Open(0);
  Guest ada(cluster, 0, table, kAda), ben(cluster, 1, table, kBen);
  for (Cluster::Process& process : cluster.processes) process.bus->well = false;
  EXPECT_EQ(ben.Does(Sit(1)), "ack");
  EXPECT_EQ(ada.Does({{"type", "start"}}), "ack");  // which needs that chair to be taken
}

TableOptions Timed(int seconds) {
  TableOptions options;
  options.clock = TimeControl{seconds, 0, 0};
  return options;
}

TEST(Cluster, TimeRunsOutWhereNobodyHasTheTableInMemory) {
  Cluster cluster;
  Two two(cluster, Timed(120));
  cluster.Pass(2'000);
  cluster.hall(0).Leave(two.ada.id);
  cluster.hall(1).Leave(two.ben.id);
  cluster.Pass(90'000);
  EXPECT_EQ(cluster.hall(0).figures().tables + cluster.hall(1).figures().tables, 0u);
  cluster.Pass(40'000);
  EXPECT_EQ(cluster.Count(two.table, R"("why":"time")"), 1u);
  EXPECT_TRUE(cluster.TableOf(two.table).Ended());
}

TEST(Cluster, AnOutageIsNobodysTime) {
  Cluster cluster;
  Two two(cluster, Timed(30));
  cluster.Pass(2'000);
  const int64_t before = cluster.hall(0).Now();
  cluster.database.away = true;
  cluster.Pass(300'000);
  EXPECT_EQ(two.ada.client->closed, "closing.restart");  // another process might reach it
  EXPECT_TRUE(cluster.hall(0).figures().lost);
  cluster.database.away = false;
  cluster.Pass(3'000);
  EXPECT_FALSE(cluster.hall(0).figures().lost);
  EXPECT_LT(cluster.hall(0).Now(), before + 10'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  two.ada.Enter();
  two.ben.Enter();
  EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
}

TEST(Cluster, WhoCannotReachOneOfSeveralDatabasesSendsEverybodyElsewhere) {
  Cluster cluster;
  const std::string one = cluster.Open(0), other = cluster.Open(0);
  Guest ada(cluster, 0, one, kAda), ben(cluster, 0, other, kBen);
  EXPECT_EQ(ben.Does(Sit(1)), "ack");
  cluster.Pass(2'000);
  cluster.database.part_away = other;
  for (int second = 0; second < 8; ++second) {
    cluster.Pass(1'000);
    EXPECT_EQ(ada.Does(Say("here all is well")), "ack");
  }
  EXPECT_EQ(ada.client->closed, "") << "nobody was refused";
  EXPECT_EQ(ben.Does(Say("and here?")), "error.store");
  cluster.Pass(1'000);
  EXPECT_EQ(ben.client->closed, "closing.restart");
}

TEST(Cluster, AllHaveTheSameTime) {
  Cluster cluster(3);
  cluster.Pass(20'000);
  for (size_t i = 1; i < 3; ++i) EXPECT_EQ(cluster.hall(i).Now(), cluster.hall(0).Now());
}

TEST(Cluster, WhoIsThereByAnotherProcessIsNotAbsent) {
  Cluster cluster;
  TableOptions options;
  options.absence = 60;
  Two two(cluster, options);
  cluster.Pass(300'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  EXPECT_EQ(two.ada.client->OfType("presence").back()["seats"], Json({true, true}));
  // The process of whoever decides dies, and nobody comes back.
  Guest& gone = two.Deciding();
  cluster.Kill(gone.at);
  cluster.Pass(40'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  cluster.Pass(100'000);
  EXPECT_EQ(cluster.Count(two.table, R"("why":"absent")"), 1u);
}

TEST(Cluster, WithoutTheBusNobodyIsAbsent) {
  Cluster cluster;
  TableOptions options;
  options.absence = 60;
  Two two(cluster, options);
  cluster.Pass(70'000);
  for (Cluster::Process& process : cluster.processes) process.bus->well = false;
  cluster.Kill(two.Deciding().at);
  cluster.Pass(600'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
}

TEST(Cluster, WhoseProcessHasLostTheBusIsNotAbsent) {
  Cluster cluster;
  TableOptions options;
  options.absence = 60;
  Two two(cluster, options);
  cluster.Pass(70'000);
  cluster.processes[two.Deciding().at].bus->well = false;  // but the other hears it well
  cluster.Pass(600'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
}

TEST(Cluster, ALateHintClosesNoNewerConnection) {
  Cluster cluster;
  const std::string table = cluster.Open(0);
  Guest before(cluster, 0, table, kAda), after(cluster, 1, table, kAda);
  EXPECT_EQ(before.client->closed, "closing.elsewhere");
  MemoryBus late(cluster.post, [] { return 0; }, cluster.hub);
  const int64_t then = cluster.hall(1).Now() - 1;
  late.Publish("table." + table, "came " + std::to_string(then) + " p_ada@civ-0");
  cluster.Settle();
  EXPECT_EQ(after.client->closed, "");
  EXPECT_EQ(after.Does(Say("still here")), "ack");
}

TEST(Cluster, ThoseWhoWatchHearEachOtherByAllProcesses) {
  Cluster cluster(3);
  Two two(cluster);
  const Person dan = {"p_dan", "Dan"};
  Guest cyd(cluster, 0, two.table, kCyd), other(cluster, 1, two.table, dan);
  EXPECT_EQ(cyd.Does(Say("whom do you like?")), "ack");
  ASSERT_EQ(other.client->OfType("say").size(), 1u);
  EXPECT_EQ(other.client->OfType("say")[0], cyd.client->OfType("say")[0]);
  EXPECT_TRUE(two.ben.client->OfType("say").empty()) << "a player hears nothing of it";
  // What Dan does not want to hear he does not hear, by whatever process he comes, also one that
  // has not had the table so far.
  EXPECT_EQ(other.Does({{"type", "mute"}, {"whom", kCyd.id}, {"on", true}}), "ack");
  for (const size_t process : {0u, 2u}) {
    Guest dan_again(cluster, process, two.table, dan);
    EXPECT_EQ(cyd.Does(Say("hm")), "ack");
    EXPECT_TRUE(dan_again.client->OfType("say").empty());
    const bool is_told = !dan_again.client->OfType("mute").empty();
    EXPECT_TRUE(is_told || dan_again.client->OfType("hello")[0]["you"]["muted"].size() == 1);
  }
}

TEST(Cluster, WhoLoadsATableHearsWhatThoseWhoWatchHaveSaid) {
  Cluster cluster(3);
  Two two(cluster);
  Guest cyd(cluster, 0, two.table, kCyd);
  EXPECT_EQ(cyd.Does(Say("one")), "ack");
  EXPECT_EQ(two.ada.Does(Say("I am Ada")), "ack");
  EXPECT_EQ(cyd.Does(Say("two")), "ack");
  const auto said = [](const Guest& guest) {
    std::string texts;
    const Json hello = guest.client->OfType("hello").back();
    for (const Json& line : hello["chat"]) texts += line["text"].get<std::string>() + "; ";
    return texts;
  };
  Guest dan(cluster, 2, two.table, {"p_dan", "Dan"}), ben(cluster, 2, two.table, kBen);
  EXPECT_EQ(said(dan), "one; I am Ada; two; ");
  EXPECT_EQ(said(ben), "I am Ada; ") << "a player hears nothing of it";
  Guest eve(cluster, 2, two.table, {"p_eve", "Eve"});
  EXPECT_EQ(said(eve), "one; I am Ada; two; ");
  EXPECT_EQ(eve.client->OfType("hello").size(), 1u) << "it is known there by now";
  EXPECT_EQ(two.ada.Does({{"type", "resign"}}), "ack");
  EXPECT_EQ(ben.client->OfType("say").size(), 2u) << "until the game is over";
}

TEST(Cluster, AMuteOutlivesABusThatHasForgottenIt) {
  Cluster cluster(3);
  Two two(cluster);
  Guest cyd(cluster, 0, two.table, kCyd), dan(cluster, 1, two.table, {"p_dan", "Dan"});
  const auto mute = [&](bool on) {
    return dan.Does({{"type", "mute"}, {"whom", kCyd.id}, {"on", on}});
  };
  const auto hears = [&](size_t process) {  // whoever comes as Dan
    Guest again(cluster, process, two.table, dan.person);
    EXPECT_EQ(cyd.Does(Say("hm")), "ack");
    return !again.client->OfType("say").empty();
  };
  EXPECT_EQ(cyd.Does(Say("hello")), "ack");
  EXPECT_EQ(mute(true), "ack");
  cluster.hub->notes.clear();
  EXPECT_FALSE(hears(2)) << "those who have the table know it";
  cluster.Pass(cluster.options.presence);  // so that it is noted again
  for (const size_t process : {1u, 2u}) cluster.Start(process);
  EXPECT_FALSE(hears(2)) << "those who have it know nothing any more, but it is noted";
  dan.Enter();
  EXPECT_EQ(mute(false), "ack");
  cluster.Pass(cluster.options.presence);
  EXPECT_TRUE(hears(2));
}

TEST(Cluster, AShorterLogIsNoticedAndTold) {
  Cluster cluster;
  Two two(cluster);
  EXPECT_EQ(two.ada.Does(Say("one")), "ack");
  EXPECT_EQ(two.ada.Does(Say("two")), "ack");
  cluster.database.Shorten(two.table, cluster.LogOf(two.table).size() - 1);
  cluster.Pass(cluster.options.compare);
  for (Guest* guest : {&two.ada, &two.ben}) {
    EXPECT_EQ(guest->client->closed, "closing.database");
    EXPECT_EQ(cluster.hall(guest->at).figures().shorter, 1u);
    guest->Enter();
  }
  EXPECT_EQ(two.ada.Does(Say("three")), "ack");
  EXPECT_EQ(two.ben.client->number(), cluster.TableOf(two.table).number());
}

TEST(Cluster, AnotherHistoryOfTheSameLengthIsNoticed) {
  Cluster cluster;
  Two two(cluster);
  EXPECT_EQ(two.ada.Does(Say("one")), "ack");
  const size_t length = cluster.LogOf(two.table).size();
  cluster.database.Shorten(two.table, length - 1);
  const std::string said =
      ToText({cluster.hall(0).Now(), event::Say{kBen, Seat{1}, "another", ""}});
  cluster.database.Append(two.table, static_cast<int64_t>(length) - 1, {said, said},
                          {two.table, true, "{}", {}}, 0, [](Stored) {});
  cluster.Pass(cluster.options.compare);
  EXPECT_EQ(two.ada.client->closed, "closing.database");
}

TEST(Cluster, WhatANewerVersionHasWrittenIsNotPutAside) {
  Cluster cluster;
  Two two(cluster);
  const auto length = static_cast<int64_t>(cluster.LogOf(two.table).size());
  cluster.database.Append(two.table, length, {R"({"type":"conjure","at":100000})"},
                          {two.table, true, "{}", {}}, 0, [](Stored) {});
  cluster.Pass(cluster.options.compare);
  EXPECT_EQ(two.ada.client->closed, "error.table.newer");
  two.ben.Enter();
  EXPECT_EQ(two.ben.client->closed, "error.table.newer");
  std::vector<std::string> open;
  cluster.database.LoadOpen([&](const StoredLog& log) { open.push_back(log.table); });
  EXPECT_EQ(open, std::vector<std::string>{two.table});
}

TEST(Cluster, BotsThinkElsewhereAndSeeOnlyTheirView) {
  Cluster cluster;
  const std::string table = cluster.Open(0);
  Guest ada(cluster, 0, table, kAda);
  ASSERT_EQ(ada.Does({{"type", "seat-bot"}, {"seat", 1}, {"bot", "level3"}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "start"}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "contribute"}, {"random", std::string(64, 'a')}}), "ack");
  int jobs_done = 0;
  for (int move = 0; move < 400 && !cluster.TableOf(table).Ended(); ++move) {
    if (ada.Decides()) {
      ASSERT_EQ(ada.Does(ada.Move()), "ack");
      continue;
    }
    std::vector<Job> jobs;
    cluster.database.ClaimJobs("bot", "w", 9, 1000,
                               [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
    cluster.Settle();
    if (move % 5 == 0) {  // this worker dies; when its claim has run out, another has the job
      cluster.Pass(1'000);
      cluster.database.ClaimJobs("bot", "v", 9, 1000,
                                 [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
      cluster.Settle();
    }
    ASSERT_EQ(jobs.size(), 1u);
    const Json question = Json::parse(jobs[0].question);
    EXPECT_EQ(question["view"], ToJson(cluster.TableOf(table).ViewFor(1)));
    const Action action = Legal(*ViewFromJson(question["view"]))[0];
    EXPECT_EQ(ada.Does(Say("well?")), "ack");  // talk does not undo the thinking
    cluster.database.AnswerJob(table, jobs[0].seat, jobs[0].builds, NameOf(action),
                               [](Stored stored) { EXPECT_EQ(stored, Stored::Stored); });
    cluster.Pass(1'000);
    ++jobs_done;
  }
  EXPECT_TRUE(cluster.TableOf(table).Ended());
  EXPECT_GT(jobs_done, 5);
}

// Workers say what bots say with what they do. One of an earlier version, whose bots say nothing,
// answers with the action only.
TEST(Cluster, BotsTalkThroughWorkers) {
  Cluster cluster;
  TableOptions options;
  options.config.players = 3;
  const std::string table = cluster.Open(0, options);
  Guest ada(cluster, 0, table, kAda), ben(cluster, 1, table, kBen);
  ASSERT_EQ(ben.Does({{"type", "sit"}, {"seat", 1}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "seat-bot"}, {"seat", 2}, {"bot", "level3"}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "start"}}), "ack");
  for (Guest* guest : {&ada, &ben})
    ASSERT_EQ(guest->Does({{"type", "contribute"}, {"random", std::string(64, 'a')}}), "ack");
  bool talked = false, silent = false;
  for (int move = 0; move < 60 && !(talked && silent); ++move) {
    if (Guest* mover = ada.Decides() ? &ada : ben.Decides() ? &ben : nullptr; mover != nullptr) {
      ASSERT_EQ(mover->Does(mover->Move()), "ack");
      continue;
    }
    const Table before = cluster.TableOf(table);
    std::vector<Job> jobs;
    cluster.database.ClaimJobs("bot", "w", 9, 1000,
                               [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
    cluster.Settle();
    ASSERT_EQ(jobs.size(), 1u);
    const Json question = Json::parse(jobs[0].question);
    EXPECT_EQ(question["pacts"], ToJson(before.pacts()));
    const Action action = Legal(*ViewFromJson(question["view"]))[0];
    const Talk truce = {.kind = TalkKind::Truce, .to = 0b001, .rounds = 2};
    const std::string answer = talked ? NameOf(action) : AnswerOf({truce, action});
    cluster.database.AnswerJob(table, jobs[0].seat, jobs[0].builds, answer,
                               [](Stored stored) { EXPECT_EQ(stored, Stored::Stored); });
    cluster.Pass(1'000);
    const Table after = cluster.TableOf(table);
    EXPECT_EQ(after.actions().size(), before.actions().size() + 1);
    EXPECT_EQ(after.said().size(), 1u);
    silent = talked;
    talked = true;
  }
  EXPECT_TRUE(silent);
  EXPECT_EQ(ben.client->OfType("talk").size(), 1u);
}

TEST(Cluster, AnswersOfBotsAreReadAsTheyWereWritten) {
  const Action end = *ParseAction("end");
  EXPECT_EQ(AnswerOf({{}, end}), "end") << "as servers of the version before read it";
  const BotMove says = {Talk{.kind = TalkKind::Yes, .id = 3}, end};
  EXPECT_EQ(BotMoveIn(AnswerOf(says))->say, says.say);
  EXPECT_EQ(BotMoveIn(AnswerOf(says))->action, end);
  EXPECT_FALSE(BotMoveIn(R"({"action":"end","say":{"say":"what"}})")->say);
  for (const char* wrong : {"", "ends", "{", "{}", R"({"action":"ends"})"})
    EXPECT_FALSE(BotMoveIn(wrong)) << wrong;
}

TEST(Cluster, WorkersJudgeFinishedGames) {
  Cluster cluster;
  Two two(cluster);
  const auto ask = [&](size_t process) {
    std::string told = "nothing";
    cluster.hall(process).AnalysisOf(two.table, kAda.id,
                                     [&](const Expected<std::optional<std::string>>& found) {
                                       told = found ? found->value_or("waits") : found.error().key;
                                     });
    cluster.Settle();
    return told;
  };
  EXPECT_EQ(ask(0), "error.table.running");
  EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
  EXPECT_EQ(two.ada.Does({{"type", "resign"}}), "ack");
  EXPECT_EQ(ask(0), "waits");
  EXPECT_EQ(ask(1), "waits");
  std::vector<Record> games;
  std::vector<std::function<void(std::string)>> judged;
  const auto work = [&](Worker& worker) {
    worker.Tick();
    cluster.Settle();
    cluster.Pass(1'000);
    worker.Tick();
    cluster.Settle();
  };
  const auto worker = [&] {
    return std::make_unique<Worker>(
        cluster.database, *cluster.processes[0].bus, [](const auto&...) {},
        [&](const Record& game, std::function<void(std::string)> then) {
          games.push_back(game);
          judged.push_back(std::move(then));
        },
        Worker::Options{.now = [&] { return cluster.time; }});
  };
  auto one = worker(), two_at_once = worker();
  work(*one);
  work(*two_at_once);
  ASSERT_EQ(games.size(), 1u) << "one job, however often it is asked for";
  EXPECT_TRUE(games[0].names.is_null() && games[0].comments.is_null()) << "only what is needed";
  EXPECT_EQ(games[0].actions.size(), 1u);
  one.reset();  // it dies
  judged[0]("too late");
  EXPECT_EQ(two.ben.Does(Say("and now?")), "ack");  // talk does not undo it
  cluster.Pass(120'000);
  EXPECT_EQ(ask(1), "waits");
  work(*two_at_once);
  ASSERT_EQ(games.size(), 2u);
  judged[1]("{}");
  cluster.Settle();
  EXPECT_EQ(ask(0), "{}");
  EXPECT_EQ(ask(1), "{}");
  work(*two_at_once);
  EXPECT_EQ(games.size(), 2u) << "it is kept";
}

TEST(Cluster, TheLobbyAndLimitsAreThoseOfAll) {
  HallOptions options = Cluster::Quick();
  options.most_tables_of_one = 2;
  Cluster cluster(2, options);
  const std::string first = cluster.Open(0), second = cluster.Open(1);
  Expected<std::string> third = std::string();
  cluster.hall(0).Open(kAda, {}, [&](Expected<std::string> id) { third = std::move(id); });
  cluster.Settle();
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().key, "error.tables.yours");
  std::string lobby;
  cluster.hall(0).ListLobby([&](Expected<std::string> text) { lobby = *text; });
  cluster.Settle();
  EXPECT_EQ(Json::parse(lobby).size(), 2u);
}

// Two games that differ in two cards of the deck, each in a cluster of its own: two people by
// different processes, one who watches by a third, and a bot. As long as somebody may see the same
// of both, all processes tell them the same, and ask the bot the same. On the bus there is never
// any difference.
class Twins {
 public:
  explicit Twins(uint64_t seed) : random_(seed) {
    const Deck deck =
        test::MakeDeck(3, static_cast<test::Order>(random_.Below(test::kOrders)), random_);
    std::vector<Kind> cards(deck.Span().begin(), deck.Span().end());
    Deal(sides_[0], cards);
    const auto any = [&] { return random_.Below(static_cast<uint32_t>(cards.size())); };
    size_t a = any(), b = any();
    while (cards[a] == cards[b] || AgeOf(cards[a]) != AgeOf(cards[b])) a = any(), b = any();
    std::swap(cards[a], cards[b]);
    Deal(sides_[1], cards);
  }

  // Until they part, or somebody could win.
  void Run() {
    for (move_ = 0; move_ < 40 && !testing::Test::HasFailure() && Compare(); ++move_)
      if (!Move()) return;
  }
  int hidden = 0;  // comparisons while hands differ

 private:
  struct Side {
    Cluster cluster{3};
    std::string table;
    std::vector<std::unique_ptr<Guest>> guests = {};  // the third watches

    Table now() { return cluster.TableOf(table); }
  };

  static void Deal(Side& side, const std::vector<Kind>& cards) {
    TableOptions options;
    options.config.players = 3;
    Cluster& cluster = side.cluster;
    side.table = cluster.Open(0, options);
    const std::array people = {kAda, kBen, kCyd};
    for (size_t i = 0; i < 3; ++i)
      side.guests.push_back(std::make_unique<Guest>(cluster, i, side.table, people[i]));
    EXPECT_EQ(side.guests[1]->Does({{"type", "sit"}, {"seat", 1}, {"id", "sit"}}), "ack");
    EXPECT_EQ(
        side.guests[0]->Does({{"type", "seat-bot"}, {"seat", 2}, {"bot", "level1"}, {"id", "bot"}}),
        "ack");
    EXPECT_EQ(side.guests[0]->Does({{"type", "start"}, {"id", "start"}}), "ack");
    cluster.database.Append(side.table, static_cast<int64_t>(cluster.LogOf(side.table).size()),
                            {ToText({cluster.hall(0).Now(), event::Deal{0, cards}})},
                            {side.table, true, "{}", {}}, 0, [](Stored) {});
    cluster.Pass(cluster.options.compare);
  }

  // Everything that was told since the last time. Whether anybody still sees the same of both.
  bool Compare() {
    const Table one = sides_[0].now(), two = sides_[1].now();
    if (one.Ended() || two.Ended()) return false;  // then everything may be seen
    bool any = false;
    for (const size_t who : {0u, 1u, 2u, 3u}) {
      const Seat seat = who == 3 ? kSpectator : static_cast<Seat>(who);
      same_[who] = same_[who] && ToJson(one.ViewFor(seat)) == ToJson(two.ViewFor(seat));
      any = any || same_[who];
      if (!same_[who] || who == 2) continue;  // the bot has no client
      const auto& first = sides_[0].guests[std::min<size_t>(who, 2)]->client->messages;
      const auto& second = sides_[1].guests[std::min<size_t>(who, 2)]->client->messages;
      EXPECT_EQ(first, second) << "told to " << who;
      hidden += one.game().state.hands != two.game().state.hands ? 1 : 0;
    }
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(sides_[0].cluster.processes[i].bus->texts,
                sides_[1].cluster.processes[i].bus->texts);
    return any;
  }

  // The same in both; false if that is not possible.
  bool Move() {
    const Table one = sides_[0].now(), two = sides_[1].now();
    const Seat seat = one.game().state.seat;
    if (two.game().state.seat != seat) return false;
    std::vector<Action> both;
    const ActionSet legal = Legal(two.game().state);
    for (const Action action : Legal(one.game().state))
      if (legal.Contains(action)) both.push_back(action);
    if (both.empty()) return false;
    const Action action = both[random_.Below(static_cast<uint32_t>(both.size()))];
    std::vector<std::string> questions;
    for (Side& side : sides_) {
      if (seat == 2) {
        questions.push_back(Answer(side, action));
        continue;
      }
      Guest& guest = *side.guests[seat];
      EXPECT_EQ(guest.Does({{"type", "act"},
                            {"id", "move " + std::to_string(move_)},
                            {"builds", guest.client->number()},
                            {"actions", {NameOf(action)}}}),
                "ack");
    }
    if (seat == 2 && same_[2]) {
      EXPECT_EQ(questions[0], questions[1]);
    }
    return true;
  }

  // What the bot was asked.
  static std::string Answer(Side& side, Action action) {
    std::vector<Job> jobs;
    side.cluster.database.ClaimJobs(
        "bot", "w", 9, 1000, [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
    side.cluster.Settle();
    EXPECT_EQ(jobs.size(), 1u);
    side.cluster.database.AnswerJob(side.table, jobs.at(0).seat, jobs.at(0).builds, NameOf(action),
                                    [](Stored) {});
    side.cluster.Pass(1'000);
    return jobs.at(0).question;
  }

  Random random_;
  std::array<Side, 2> sides_;
  std::array<bool, 4> same_ = {true, true, true, true};
  int move_ = 0;
};

TEST(ClusterLeaks, TwinsAreToldAndAskedTheSame) {
  int hidden = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Twins twins(seed);
    twins.Run();
    hidden += twins.hidden;
  }
  EXPECT_GT(hidden, 40);
}

// The sessions of two processes with the same database.
struct People {
  People() {
    for (size_t i = 0; i < 2; ++i)
      at[i].Share(bus[i], "civ-" + std::to_string(i),
                  [this, i](const Sessions::News& told) { news[i].push_back(told); });
  }
  Sessions::Made Make(size_t i) {
    Sessions::Made made;
    at[i].Make("Ada", false, "192.0.2.1", now, [&](Expected<Sessions::Made> by) { made = *by; });
    cluster.Settle();
    return made;
  }
  // What a process knows of the one with that token: nothing, or the session.
  std::optional<StoredSession> Seek(size_t i, const std::string& token, bool fresh = false) {
    std::optional<StoredSession> found;
    at[i].Seek(token, "192.0.2.1", now, fresh, [&](const Expected<Sessions::Sought>& sought) {
      if (sought->session != nullptr) found = sought->session->stored;
    });
    cluster.Settle();
    return found;
  }

  Cluster cluster{0};
  int64_t now = 1'800'000'000;
  MemoryBus bus[2] = {{cluster.post, [] { return 0; }, cluster.hub},
                      {cluster.post, [] { return 0; }, cluster.hub}};
  Sessions at[2] = {Sessions(cluster.database), Sessions(cluster.database)};
  std::vector<Sessions::News> news[2];
};

TEST(ClusterPeople, AreTheSameInAllProcesses) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  EXPECT_EQ(people.Seek(1, ada.token)->name, "Ada");
  people.at[0].Rename(ada.person.id, "Countess", [](const auto& failed) { EXPECT_FALSE(failed); });
  people.cluster.Settle();
  EXPECT_EQ(people.Seek(1, ada.token)->name, "Countess");  // told off over the bus
  ASSERT_EQ(people.news[1].size(), 1u);
  EXPECT_EQ(people.news[1][0].name, "Countess");
}

TEST(ClusterPeople, BeingSeenUndoesNoBan) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  people.at[0].Ban(ada.person.id, true, [](const auto&) {});
  // The other process has not heard of it yet, and notes that she was there today.
  people.now += 2 * 24 * 3600;
  people.at[1].Find(ada.token, "192.0.2.1", people.now - Sessions::kFresh);
  people.cluster.Settle();
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(people.Seek(i, ada.token, true)->banned);
}

TEST(ClusterPeople, WithoutTheBusABanCountsAtEachNewConnection) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  people.cluster.database.ChangePerson(ada.person.id, {.banned = true}, [](Stored) {});
  people.cluster.Settle();
  EXPECT_FALSE(people.Seek(1, ada.token)->banned);  // for half a minute, at the most
  EXPECT_TRUE(people.Seek(1, ada.token, true)->banned);
  people.now += Sessions::kFresh;
  EXPECT_TRUE(people.Seek(1, ada.token)->banned);
}

TEST(ClusterPeople, ABannedAddressIsKnownFromTheStartOn) {
  People people;
  people.at[0].BanAddress("192.0.2.1", true, [](const auto& failed) { EXPECT_FALSE(failed); });
  people.cluster.Settle();
  Sessions fresh(people.cluster.database);
  ASSERT_FALSE(fresh.Load(people.now));
  EXPECT_TRUE(fresh.IsBanned("192.0.2.1"));
}

TEST(ClusterPeople, ACodeIsGoodInAllProcessesAndOnce) {
  People people;
  const Sessions::Made ada = people.Make(0);
  std::string code;
  people.at[0].GiveCode(ada.person.id, people.now,
                        [&](Expected<std::string> made) { code = *made; });
  people.cluster.Settle();
  std::vector<std::string> answers;
  for (size_t i = 0; i < 2; ++i)  // at the same moment
    people.at[i].MakeByCode(code, false, "192.0.2.1", people.now,
                            [&](const Expected<Sessions::Made>& made) {
                              answers.push_back(made ? made->person.id : made.error().key);
                            });
  people.cluster.Settle();
  EXPECT_EQ(answers, (std::vector<std::string>{"error.code", ada.person.id}));
}

TEST(ClusterPeople, AnEndedSessionIsNobodysAnywhere) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  const Sessions::Session session = *people.at[0].Find(ada.token, "192.0.2.1", people.now);
  people.at[0].End(session, [](const auto& failed) { EXPECT_FALSE(failed); });
  people.cluster.Settle();
  EXPECT_FALSE(people.Seek(1, ada.token));
  ASSERT_EQ(people.news[1].size(), 1u);
  EXPECT_EQ(people.news[1][0].ended, session.number);
}

}  // namespace
}  // namespace civ::cluster
