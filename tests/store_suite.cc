// What every store must do, in one suite for all of them: in memory, alone and shared, SQLite,
// PostgreSQL, and two PostgreSQL servers as one store.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

#include "civ/server/ids.h"
#include "civ/server/memory_store.h"
#include "civ/server/postgres_store.h"
#include "civ/server/sharded_store.h"
#include "civ/server/sqlite_store.h"
#include "store_servers.h"

namespace civ {
namespace {

using Strings = std::vector<std::string>;

Listing Of(const std::string& table) {
  Listing listing;
  listing.table = table;
  return listing;
}

enum class Kind : uint8_t { Memory, SharedMemory, Sqlite, Postgres, Sharded };

std::string NameOf(const testing::TestParamInfo<Kind>& kind) {
  static const char* const kNames[] = {"Memory", "SharedMemory", "Sqlite", "Postgres", "Sharded"};
  return kNames[static_cast<int>(kind.param)];
}

class StoreSuite : public testing::TestWithParam<Kind> {
 protected:
  StoreSuite() {
    if (GetParam() == Kind::Sqlite) {
      std::string name = (std::filesystem::temp_directory_path() / "civ-suite-XXXXXX").string();
      folder_ = mkdtemp(name.data());
    }
    if (GetParam() == Kind::Postgres) uris_ = {PostgresServer::Get(0).NewDatabase()};
    if (GetParam() == Kind::Sharded)
      uris_ = {PostgresServer::Get(0).NewDatabase(), PostgresServer::Get(1).NewDatabase()};
    store_ = Open(kAnswerAtOnce);
  }
  ~StoreSuite() override {
    store_.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // As another process would; in memory there is only one.
  std::unique_ptr<Store> Open(Post post) {
    switch (GetParam()) {
      case Kind::Memory: return std::make_unique<MemoryStore>(std::move(post));
      case Kind::SharedMemory:
        return std::make_unique<MemoryStore>(std::move(post), [this] { return Clock(); });
      case Kind::Sqlite: return std::move(*SqliteStore::Open(folder_ + "/data", std::move(post)));
      default: break;
    }
    auto store = OpenSharedStore(uris_, std::move(post));
    EXPECT_TRUE(store) << store.error().key << ' ' << store.error().args.back().second;
    return std::move(*store);
  }
  void Reopen() {
    if (GetParam() == Kind::Memory || GetParam() == Kind::SharedMemory) return;
    store_.reset();
    store_ = Open(kAnswerAtOnce);
  }
  bool InDatabases() const { return !uris_.empty(); }

  int64_t Clock() const {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count() + skipped_;
  }
  // The database's clock goes on by so much, and nothing happens meanwhile.
  void Skip(int64_t time) {
    skipped_ += time;
    const std::string by = std::to_string(time);
    for (const std::string& uri : uris_) {
      RunSql(uri, "UPDATE civ.service SET beat = beat - " + by + ", lost = lost - " + by);
      RunSql(uri, "UPDATE civ.jobs SET claimed = claimed - " + by + ", taken = taken - " + by);
    }
  }

  Store& store() { return *store_; }
  // An id that says its shard, that of `near` if one is named.
  std::string Id(std::string name, const std::string& near = "") {
    name.resize(kIdLength, 'a');
    return store_->Placed(std::move(name), near);
  }
  Stored Put(const std::string& table, int64_t expected, Strings events, Listing listing = {}) {
    listing.table = table;
    return AppendTo(*store_, table, expected, std::move(events), std::move(listing));
  }
  std::vector<Listing> List(const std::string& person = "", bool open_only = false,
                            int most = 100) {
    using Listings = Expected<std::vector<Listing>>;
    return *AnswerOf<Listings>([&](auto answer) { store_->List(person, open_only, most, answer); });
  }
  static Strings IdsOf(const std::vector<Listing>& listings) {
    Strings ids;
    for (const Listing& listing : listings) ids.push_back(listing.table);
    return ids;
  }
  std::map<std::string, Strings> Opened() {
    std::map<std::string, Strings> logs;
    const auto problem = store_->LoadOpen([&](StoredLog log) { logs[log.table] = log.events; });
    EXPECT_FALSE(problem);
    return logs;
  }
  template <class Call>
  Stored Done(Call call) {
    return AnswerOf<Stored>(call);
  }
  std::map<std::string, StoredSession> Sessions() {
    std::map<std::string, StoredSession> sessions;
    const auto all = store_->LoadSessions();
    for (const StoredSession& session : *all) sessions[session.hash] = session;
    return sessions;
  }

  std::vector<std::string> uris_;  // of the databases
  std::string folder_;
  std::unique_ptr<Store> store_;
  std::atomic<int64_t> skipped_ = 0;
};

TEST_P(StoreSuite, GivesBackWhatItWasGiven) {
  const Strings events = {"{\"a\":1}", "", "Ștefan ’ 🂡", std::string("a\0b\xff", 4),
                          std::string(100'000, 'x')};
  const std::string id = Id("t"), empty = Id("empty");
  EXPECT_EQ(EventsOf(store(), id), std::nullopt);
  EXPECT_EQ(Put(id, 0, events), Stored::Stored);
  EXPECT_EQ(EventsOf(store(), id), events);
  EXPECT_EQ(Put(id, 5, {"six", "seven"}), Stored::Stored);
  EXPECT_EQ(Put(empty, 0, {}), Stored::Stored);
  Reopen();
  Strings all = events;
  all.insert(all.end(), {"six", "seven"});
  EXPECT_EQ(EventsOf(store(), id), all);
  EXPECT_EQ(EventsOf(store(), empty), Strings());
  EXPECT_EQ(EventsOf(store(), Id("u")), std::nullopt);
  EXPECT_EQ(EventsOf(store(), Id("T")), std::nullopt);
}

TEST_P(StoreSuite, LogsAreInTheOrderOfTheirNumbers) {
  std::map<std::string, Strings> wanted;
  std::vector<std::future<Stored>> stored;
  for (int n = 0; n < 150; ++n)
    for (const char* name : {"b", "a", "c"}) {
      const std::string id = Id(name);
      wanted[id].push_back(name + std::to_string(n));
      stored.push_back(BeginAppend(store(), {{id, n, {wanted[id].back()}, Of(id)}}));
    }
  for (auto& one : stored) EXPECT_EQ(one.get(), Stored::Stored);
  EXPECT_EQ(Opened(), wanted);
  EXPECT_EQ(EventsOf(store(), Id("a")), wanted[Id("a")]);
}

TEST_P(StoreSuite, StaleAppendsChangeNothing) {
  const std::string id = Id("t");
  const Listing first{.table = id, .open = true, .summary = "first", .persons = {"p"}};
  const Listing other{.table = id, .open = false, .summary = "other", .persons = {"q"}};
  EXPECT_EQ(Put(id, 1, {"one"}, other), Stored::Stale);
  EXPECT_EQ(EventsOf(store(), id), std::nullopt);
  EXPECT_EQ(Put(id, 0, {"one", "two"}, first), Stored::Stored);
  for (const int64_t expected : {0, 1, 3})
    EXPECT_EQ(Put(id, expected, {"three"}, other), Stored::Stale) << expected;
  EXPECT_EQ(EventsOf(store(), id), (Strings{"one", "two"}));
  ASSERT_EQ(List().size(), 1u);
  EXPECT_EQ(List()[0].summary, "first");
  EXPECT_EQ(List()[0].persons, Strings{"p"});
  EXPECT_EQ(IdsOf(List("q")), Strings());
  EXPECT_TRUE(store().healthy());
}

TEST_P(StoreSuite, EachThatWaitsIsStoredOrStaleByItself) {
  std::vector<std::future<Stored>> right, stale;
  for (int i = 0; i < 200; ++i) {
    const std::string id = Id("t" + std::string(1, static_cast<char>('a' + i % 10)));
    right.push_back(BeginAppend(store(), {{id, i / 10, {"event"}, Of(id)}}));
    stale.push_back(BeginAppend(store(), {{id, i / 10, {"twice"}, Of(id)}}));
  }
  for (auto& stored : right) EXPECT_EQ(stored.get(), Stored::Stored);
  for (auto& stored : stale) EXPECT_EQ(stored.get(), Stored::Stale);
  EXPECT_EQ(EventsOf(store(), Id("tc")), Strings(20, "event"));
}

TEST_P(StoreSuite, AddsToSeveralTablesOrToNone) {
  const std::string a = Id("a"), b = Id("b", a);
  const auto add = [&](int64_t of_a, int64_t of_b) {
    return BeginAppend(store(), {{a, of_a, {"x"}, Of(a)}, {b, of_b, {"x"}, Of(b)}}).get();
  };
  EXPECT_EQ(add(0, 1), Stored::Stale);
  EXPECT_EQ(EventsOf(store(), a), std::nullopt) << "the other one was stale";
  EXPECT_EQ(IdsOf(List()), Strings());
  EXPECT_EQ(add(0, 0), Stored::Stored);
  EXPECT_EQ(add(1, 0), Stored::Stale);
  EXPECT_EQ(EventsOf(store(), a), Strings{"x"});
  EXPECT_EQ(add(1, 1), Stored::Stored);
  EXPECT_EQ(EventsOf(store(), a), (Strings{"x", "x"}));
  EXPECT_EQ(EventsOf(store(), b), (Strings{"x", "x"}));
}

TEST_P(StoreSuite, EveryAnswerIsPostedOnce) {
  std::mutex mutex;
  std::vector<std::function<void()>> posted;
  int answers = 0;
  store_.reset();
  {
    const auto store = Open([&](std::function<void()> answer) {
      const std::scoped_lock lock(mutex);
      posted.push_back(std::move(answer));
    });
    const auto count = [&](const auto&) { ++answers; };
    store->Append("t", 0, {"x"}, {}, 0, count);
    store->Append("t", 7, {"x"}, {}, 0, count);
    store->AddSession({.hash = "h", .person = "p", .name = {}}, count);
    store->DropSession("h", count);
    store->Load("t", count);
    store->Tail("t", 1, count);
    store->List("", false, 10, count);
    store->PutAside("t", "why");
    store->PutServiceTime(1, {});
  }
  EXPECT_EQ(answers, 0);
  for (const auto& answer : posted) answer();
  EXPECT_EQ(answers, 7);
  store_ = Open(kAnswerAtOnce);
}

TEST_P(StoreSuite, WhatWasGivenIsStoredBeforeItCloses) {
  const std::string id = Id("t");
  for (int64_t n = 0; n < 300; n += 100) {
    for (int64_t i = 0; i < 100; ++i)
      store().Append(id, n + i, {std::to_string(n + i + 1)}, Of(id), 0, {[](Stored) {}});
    Reopen();
  }
  ASSERT_TRUE(EventsOf(store(), id));
  EXPECT_EQ(EventsOf(store(), id)->size(), 300u);
  EXPECT_EQ(EventsOf(store(), id)->back(), "300");
}

TEST_P(StoreSuite, TailsAndLengths) {
  const std::string a = Id("a"), b = Id("b"), none = Id("c");
  Put(a, 0, {"1", "2", "3"});
  Put(b, 0, {"1"});
  using Tailed = Expected<std::optional<StoredTail>>;
  const auto tail = [&](const std::string& id, int64_t from) {
    return *AnswerOf<Tailed>([&](auto answer) { store().Tail(id, from, answer); });
  };
  EXPECT_EQ(tail(a, 2)->events, (Strings{"2", "3"}));
  EXPECT_EQ(tail(a, 0)->events.size(), 3u);
  EXPECT_EQ(tail(a, 2)->length, 3);
  EXPECT_EQ(tail(a, 4)->events, Strings());
  EXPECT_EQ(tail(a, 9)->length, 3) << "it may be shorter than whoever asks believes";
  EXPECT_FALSE(tail(none, 1));
  EXPECT_EQ(*AnswerOf<Expected<std::vector<int64_t>>>(
                [&](auto answer) { store().Lengths({b, none, a, b}, answer); }),
            (std::vector<int64_t>{1, 0, 3, 1}));
}

TEST_P(StoreSuite, Lists) {
  const std::string one = Id("one"), two = Id("two", one), three = Id("three", one);
  const auto put = [&](const std::string& table, int64_t expected, bool open, Strings persons) {
    EXPECT_EQ(Put(table, expected, {"x"},
                  {.table = table,
                   .open = open,
                   .summary = "of " + table,
                   .persons = std::move(persons)}),
              Stored::Stored);
  };
  put(one, 0, true, {"ada", "ben"});
  put(two, 0, true, {"ben", "ada", "ben"});
  put(three, 0, true, {"cleo"});
  put(one, 1, false, {"ada", "ben"});
  put(three, 1, true, {"ada"});
  EXPECT_EQ(IdsOf(List()), (Strings{three, two, one}));
  EXPECT_EQ(IdsOf(List("", true)), (Strings{three, two}));
  EXPECT_EQ(IdsOf(List("ada")), (Strings{three, two, one}));
  EXPECT_EQ(IdsOf(List("ben")), (Strings{two, one}));
  EXPECT_EQ(IdsOf(List("ben", true)), Strings{two});
  EXPECT_EQ(IdsOf(List("cleo")), Strings());
  EXPECT_EQ(IdsOf(List("", false, 2)), (Strings{three, two}));
  EXPECT_EQ(IdsOf(List("ada", false, 1)), Strings{three});
  EXPECT_EQ(*AnswerOf<Expected<Strings>>(
                [&](auto answer) { store().WhoHasTables({"ben", "cleo", "ada"}, answer); }),
            (Strings{"ben", "ada"}));
  const std::vector<Listing> of_ben = List("ben");
  EXPECT_EQ(of_ben[0].persons, (Strings{"ben", "ada", "ben"}));
  EXPECT_EQ(of_ben[1].summary, "of " + one);
  EXPECT_FALSE(of_ben[1].open);
  EXPECT_TRUE(of_ben[0].open);
}

TEST_P(StoreSuite, OpensOnlyWhatIsOpen) {
  const std::string open = Id("open"), over = Id("over"), wrong = Id("wrong"), bare = Id("bare");
  const auto listing = [](bool is) {
    return Listing{.table = {}, .open = is, .summary = "s", .persons = {}};
  };
  Put(open, 0, {"a", "b"}, listing(true));
  Put(over, 0, {"a"}, listing(true));
  Put(over, 1, {"b"}, listing(false));
  Put(wrong, 0, {"a"}, listing(true));
  Put(bare, 0, {}, listing(true));
  EXPECT_EQ(Opened().size(), 3u) << "that which is over is not";
  store().PutAside(wrong, "error.table");
  Reopen();
  EXPECT_EQ(Opened(), (std::map<std::string, Strings>{{open, {"a", "b"}}, {bare, {}}}));
  EXPECT_EQ(EventsOf(store(), wrong), Strings{"a"});
  Strings listed = IdsOf(List("", true)), wanted = {bare, open};
  std::ranges::sort(listed);
  std::ranges::sort(wanted);
  EXPECT_EQ(listed, wanted);
  // Whatever is appended to it, it stays aside.
  EXPECT_EQ(Put(wrong, 1, {"b"}, listing(true)), Stored::Stored);
  EXPECT_FALSE(Opened().contains(wrong));
}

TEST_P(StoreSuite, ChangesOfPeopleChangeNothingElse) {
  const StoredSession ada{.hash = "aa",
                          .person = "p_a",
                          .name = "Ada’",
                          .bot = false,
                          .muted = true,
                          .banned = false,
                          .created = 5,
                          .seen = 1LL << 40};
  const auto add = [&](const StoredSession& session) {
    return Done([&](auto done) { store().AddSession(session, done); });
  };
  EXPECT_EQ(add(ada), Stored::Stored);
  EXPECT_EQ(add({.hash = "a2", .person = "p_a", .name = "Other", .bot = true}), Stored::Stored);
  EXPECT_EQ(add({.hash = "cc", .person = "p_c", .name = "Cleo"}), Stored::Stored);
  EXPECT_EQ(Sessions()["a2"].name, "Ada’") << "a person who is there stays as they are";
  EXPECT_TRUE(Sessions()["a2"].muted);
  EXPECT_TRUE(Sessions()["a2"].bot);
  EXPECT_EQ(Done([&](auto done) { store().ChangePerson("p_a", {.banned = true}, done); }),
            Stored::Stored);
  EXPECT_EQ(Done([&](auto done) { store().ChangePerson("p_a", {.name = "Eda"}, done); }),
            Stored::Stored);
  EXPECT_EQ(Done([&](auto done) { store().ChangePerson("p_x", {.muted = true}, done); }),
            Stored::Stale);
  EXPECT_EQ(Done([&](auto done) { store().SeeSession("aa", 7, done); }), Stored::Stored);
  EXPECT_EQ(Done([&](auto done) { store().SeeSession("cc", 7, done); }), Stored::Stored);
  Reopen();
  std::map<std::string, StoredSession> sessions = Sessions();
  ASSERT_EQ(sessions.size(), 3u);
  const StoredSession& found = sessions["aa"];
  EXPECT_EQ(std::tie(found.person, found.bot, found.created, found.seen),
            std::tie(ada.person, ada.bot, ada.created, ada.seen));
  EXPECT_EQ(found.name, "Eda");
  EXPECT_TRUE(found.muted && found.banned);
  EXPECT_EQ(sessions["cc"].seen, 7);
  EXPECT_FALSE(sessions["cc"].banned);
  for (const char* hash : {"cc", "a2", "none"})
    EXPECT_EQ(Done([&](auto done) { store().DropSession(hash, done); }), Stored::Stored);
  EXPECT_EQ(Sessions().size(), 1u);
  EXPECT_TRUE(Sessions()["aa"].banned);
  // With the last session the person is gone.
  EXPECT_EQ(Done([&](auto done) { store().DropSession("aa", done); }), Stored::Stored);
  EXPECT_EQ(add({.hash = "a3", .person = "p_a", .name = "Anew"}), Stored::Stored);
  EXPECT_EQ(Sessions()["a3"].name, "Anew");
  EXPECT_FALSE(Sessions()["a3"].banned);
}

TEST_P(StoreSuite, BannedAddresses) {
  for (const char* address : {"1.2.3.4", "2001:db8::/64", "1.2.3.4"})
    EXPECT_EQ(Done([&](auto done) { store().BanAddress(address, true, done); }), Stored::Stored);
  Reopen();
  EXPECT_EQ(store().LoadBannedAddresses()->size(), 2u);
  EXPECT_EQ(Done([&](auto done) { store().BanAddress("1.2.3.4", false, done); }), Stored::Stored);
  EXPECT_EQ(*store().LoadBannedAddresses(), Strings{"2001:db8::/64"});
  EXPECT_EQ(Sessions().size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreSuite,
                         testing::Values(Kind::Memory, Kind::SharedMemory, Kind::Sqlite,
                                         Kind::Postgres, Kind::Sharded),
                         NameOf);

// --- Those that are shared

class SharedStoreSuite : public StoreSuite {
 protected:
  Store::Beaten Beat(int most = 100, int64_t hold = 1000) {
    using Beaten = Expected<Store::Beaten>;
    Beaten beaten = AnswerOf<Beaten>([&](auto answer) { store().Beat(most, hold, answer); });
    EXPECT_TRUE(beaten);
    return beaten ? *beaten : Store::Beaten{};
  }
  void PutDue(const std::string& id, int64_t expected, std::optional<int64_t> due) {
    EXPECT_EQ(BeginAppend(store(), {{id, expected, {"x"}, Of(id), due}}).get(), Stored::Stored);
  }
  void PutJobs(const std::string& id, int64_t expected, std::vector<Job> jobs) {
    EXPECT_EQ(BeginAppend(store(), {{id, expected, {"x"}, Of(id), {}, std::move(jobs)}}).get(),
              Stored::Stored);
  }
  Strings Claim(int most = 100, int64_t hold = 60'000, const std::string& kind = "bot") {
    using Jobs = Expected<std::vector<Job>>;
    Strings questions;
    const Jobs jobs =
        AnswerOf<Jobs>([&](auto answer) { store().ClaimJobs(kind, "w", most, hold, answer); });
    for (const Job& job : *jobs) questions.push_back(job.question);
    return questions;
  }
  Strings Take(const std::string& table = "", int most = 100, int64_t hold = 60'000) {
    using Answers = Expected<std::vector<AnsweredJob>>;
    Strings texts;
    const Answers answers =
        AnswerOf<Answers>([&](auto answer) { store().TakeAnswered(table, most, hold, answer); });
    for (const AnsweredJob& job : *answers) texts.push_back(job.answer);
    return texts;
  }
};

TEST_P(SharedStoreSuite, TimeBeginsAtNoughtAndLosesWhatNobodyServed) {
  const int64_t first = Beat().now;
  EXPECT_LT(first, 3000);
  EXPECT_GE(first, 0);
  Skip(4000);
  const int64_t second = Beat().now;
  EXPECT_GE(second, first + 4000) << "a short gap is service";
  Skip(3'600'000);
  EXPECT_LT(*store().ServiceTime(), second + 4000) << "nor is it before the first beat";
  const int64_t third = Beat().now;
  EXPECT_LT(third, second + 4000) << "an hour without anybody is not";
  EXPECT_GE(third, second);
  Reopen();
  EXPECT_GE(*store().ServiceTime(), third);
  EXPECT_LT(*store().ServiceTime(), third + 60'000);
}

TEST_P(SharedStoreSuite, WhatIsDueIsTakenByOne) {
  Beat();
  const std::string a = Id("a"), b = Id("b"), c = Id("c"), never = Id("never"), later = Id("later");
  PutDue(a, 0, -20);
  PutDue(b, 0, -10);
  PutDue(c, 0, -30);
  PutDue(never, 0, {});
  PutDue(later, 0, 1'000'000'000);
  store().PutAside(c, "why");
  AnswerOf<Stored>([&](auto done) { store().DropSession("so that c is aside", done); });
  std::vector<std::string> taken = Beat().due;
  std::ranges::sort(taken);
  std::vector<std::string> wanted{a, b};
  std::ranges::sort(wanted);
  EXPECT_EQ(taken, wanted);
  EXPECT_EQ(Beat().due, Strings());
  Skip(1500);
  EXPECT_EQ(Beat(100, 60'000).due.size(), 2u) << "whoever took them has not come back";
  using Due = std::optional<int64_t>;
  const auto postpone = [&](const std::string& id, int64_t length, Due due) {
    return Done([&](auto done) { store().Postpone(id, length, due, done); });
  };
  EXPECT_EQ(postpone(a, 2, -5), Stored::Stale);
  EXPECT_EQ(Beat().due, Strings());
  EXPECT_EQ(postpone(a, 1, -5), Stored::Stored);
  EXPECT_EQ(Beat().due, Strings{a});
  EXPECT_EQ(postpone(a, 1, {}), Stored::Stored);
  PutDue(b, 1, {});
  Skip(4000);
  EXPECT_EQ(Beat().due, Strings());
}

TEST_P(SharedStoreSuite, ALostGapIsLostBeforeAnythingIsDue) {
  const int64_t now = Beat().now;
  const std::string id = Id("t");
  PutDue(id, 0, now + 30'000);
  Skip(3'600'000);
  EXPECT_EQ(Beat().due, Strings());
  for (int i = 0; i < 8; ++i) Skip(4000), Beat(0);
  EXPECT_EQ(Beat().due, Strings{id});
}

TEST_P(SharedStoreSuite, JobsAreClaimedAnsweredAndTaken) {
  const std::string t = Id("t"), u = Id("u", t);
  const auto job = [](const std::string& id, int seat, int64_t builds, const std::string& person,
                      const std::string& question, int priority = 0) {
    return Job{id, seat, builds, "bot", priority, person, question};
  };
  PutJobs(t, 0,
          {job(t, 0, 1, "ada", "a1"), job(t, 1, 1, "ada", "a2"), job(t, 2, 1, "ben", "b1"),
           job(t, 3, 1, "ben", "low", 5)});
  PutJobs(u, 0, {job(u, 0, 1, "ada", "a3"), job(u, 0, 2, "eve", "e1", -1)});
  EXPECT_EQ(Claim(10, 1, "analysis"), Strings());
  EXPECT_EQ(Claim(3), (Strings{"e1", "a1", "b1"}));
  EXPECT_EQ(Claim(), (Strings{"a2", "a3", "low"}));
  EXPECT_EQ(Claim(), Strings());
  const auto answer = [&](const std::string& id, int seat, int64_t builds, const char* text) {
    return Done([&](auto done) { store().AnswerJob(id, seat, builds, text, done); });
  };
  EXPECT_EQ(answer(t, 0, 1, "answer a1"), Stored::Stored);
  EXPECT_EQ(answer(t, 0, 1, "again"), Stored::Stale);
  EXPECT_EQ(answer(t, 0, 9, "nobody asked"), Stored::Stale);
  EXPECT_EQ(answer(u, 0, 1, "answer a3"), Stored::Stored);
  EXPECT_EQ(Take(u), Strings{"answer a3"});
  EXPECT_EQ(Take(), Strings{"answer a1"});
  EXPECT_EQ(Take(), Strings());
  Skip(70'000);
  EXPECT_EQ(Take("", 1).size(), 1u);
  EXPECT_EQ(Claim().size(), 4u) << "the claims have run out, those with an answer are done";
  // The same name stays, others go.
  PutJobs(t, 1, {job(t, 0, 1, "ada", "changed"), job(t, 1, 2, "ada", "new")});
  EXPECT_EQ(Claim(), Strings{"new"});
  EXPECT_EQ(answer(t, 2, 1, "too late"), Stored::Stale);
  EXPECT_EQ(answer(t, 0, 1, "again"), Stored::Stale);
  PutJobs(t, 2, {});
  EXPECT_EQ(answer(t, 1, 2, "too late"), Stored::Stale);
  EXPECT_EQ(Take(t), Strings());
}

TEST_P(SharedStoreSuite, WorkIsAskedOnceAndItsAnswerKept) {
  const std::string t = Id("t");
  const auto ask = [&](const std::string& id, const std::string& person) {
    using Asked = Expected<Store::AskedJob>;
    const Asked asked = AnswerOf<Asked>([&](auto answer) {
      store().AskJob({id, -1, 0, "analysis", 1, person, "judge " + person}, answer);
    });
    return asked->answer.value_or(asked->asked ? "waits" : "too many");
  };
  PutJobs(t, 0, {{t, 0, 1, "bot", 0, "ada", "view"}});
  EXPECT_EQ(ask(t, "ada"), "waits");
  EXPECT_EQ(ask(t, "ben"), "waits");
  EXPECT_EQ(Claim(), Strings{"view"});
  EXPECT_EQ(Claim(9, 60'000, "analysis"), Strings{"judge ada"});
  EXPECT_EQ(Claim(9, 60'000, "analysis"), Strings()) << "one job, however often it is asked for";
  Skip(70'000);
  EXPECT_EQ(Claim(9, 60'000, "analysis"), Strings{"judge ada"}) << "who had it has died";
  PutJobs(t, 1, {});
  EXPECT_EQ(Done([&](auto done) { store().AnswerJob(t, -1, 0, "judged", done); }), Stored::Stored);
  EXPECT_EQ(Take(), Strings()) << "that is for bots";
  EXPECT_EQ(ask(t, "ben"), "judged");
  for (const char* own : {"c", "d", "e"}) EXPECT_EQ(ask(Id(own, t), "ada"), "waits");
  EXPECT_EQ(ask(Id("b", t), "ada"), "too many");
  EXPECT_EQ(ask(Id("b", t), "ben"), "waits");
}

TEST_P(SharedStoreSuite, LobbyAndCounts) {
  const auto put = [&](const std::string& id, Listing::Lobby lobby, int64_t changed,
                       const std::string& maker, bool open = true) {
    Put(id, 0, {"x"},
        {.table = id,
         .open = open,
         .summary = {},
         .persons = {},
         .maker = maker,
         .lobby = lobby,
         .changed = changed});
  };
  using Lobby = Listing::Lobby;
  const std::string a = Id("a"), b = Id("b"), c = Id("c"), d = Id("d"), e = Id("e"), f = Id("f");
  put(a, Lobby::Runs, 10, "ada");
  put(b, Lobby::Waits, 5, "ada");
  put(c, Lobby::Runs, 20, "ben");
  put(d, Lobby::No, 30, "ada");
  put(e, Lobby::Waits, 7, "ben");
  put(f, Lobby::Waits, 9, "ada", false);
  using Listings = Expected<std::vector<Listing>>;
  const auto lobby = [&](int most) {
    return *AnswerOf<Listings>([&](auto answer) { store().Lobby(most, answer); });
  };
  EXPECT_EQ(IdsOf(lobby(10)), (Strings{e, b, c, a}));
  EXPECT_EQ(IdsOf(lobby(3)), (Strings{e, b, c}));
  EXPECT_EQ(lobby(1)[0].maker, "ben");
  EXPECT_EQ(lobby(1)[0].changed, 7);
  EXPECT_EQ(lobby(1)[0].lobby, Lobby::Waits);
  const auto counted =
      *AnswerOf<Expected<Store::Count>>([&](auto answer) { store().CountOpen("ada", answer); });
  EXPECT_EQ(counted.all, 5);
  EXPECT_EQ(counted.own, 3);
}

TEST_P(SharedStoreSuite, FindsListsAndSweepsSessions) {
  const auto add = [&](const std::string& hash, const std::string& person, int64_t time,
                       bool banned = false) {
    Done([&](auto done) {
      store().AddSession({.hash = hash,
                          .person = person,
                          .name = "N" + person,
                          .banned = banned,
                          .created = time,
                          .seen = time},
                         done);
    });
  };
  add("a1", "ada", 10);
  add("a2", "ada", 30);
  add("b1", "ben", 20);
  add("x1", "eve", 5, true);
  Done([&](auto done) { store().BanAddress("9.9.9.9", true, done); });
  using Found = Expected<Store::Found>;
  const auto find = [&](const char* hash, const char* address) {
    return *AnswerOf<Found>([&](auto answer) { store().FindSession(hash, address, answer); });
  };
  EXPECT_EQ(find("a1", "1.1.1.1").session->name, "Nada");
  EXPECT_FALSE(find("a1", "1.1.1.1").address_banned);
  EXPECT_TRUE(find("none", "9.9.9.9").address_banned);
  EXPECT_FALSE(find("none", "9.9.9.9").session);
  using Listed = Expected<std::vector<StoredSession>>;
  const auto list = [&](const char* person, int most) {
    Strings hashes;
    const Listed listed =
        AnswerOf<Listed>([&](auto answer) { store().ListSessions(person, most, answer); });
    for (const StoredSession& session : *listed) hashes.push_back(session.hash);
    return hashes;
  };
  EXPECT_EQ(list("", 10), (Strings{"a2", "b1", "a1", "x1"}));
  EXPECT_EQ(list("ada", 1), Strings{"a2"});
  Put(Id("t"), 0, {"x"}, {.table = {}, .summary = {}, .persons = {"ada"}});
  const auto sweep = [&](int64_t forgotten, int64_t unseated) {
    return *AnswerOf<Expected<int64_t>>(
        [&](auto answer) { store().SweepSessions(forgotten, unseated, 10, answer); });
  };
  EXPECT_EQ(sweep(5, 5), 0);
  EXPECT_EQ(sweep(15, 15), 1);
  EXPECT_EQ(list("", 10), (Strings{"a2", "b1", "x1"})) << "who is banned stays so";
  if (GetParam() == Kind::Sharded) return;
  EXPECT_EQ(sweep(15, 100), 1);
  EXPECT_EQ(list("", 10), (Strings{"a2", "x1"})) << "who has a table stays longer";
}

TEST_P(SharedStoreSuite, ACodeIsTakenOnce) {
  const auto put = [&](const char* hash, const char* person, int64_t until) {
    Done([&](auto done) { store().PutCode(hash, person, until, 2, done); });
  };
  using Taken = Expected<std::optional<std::string>>;
  const auto take = [&](const char* hash, int64_t now) {
    const Taken taken = AnswerOf<Taken>([&](auto answer) { store().TakeCode(hash, now, answer); });
    return taken->value_or("");
  };
  put("1", "ada", 100);
  put("2", "ada", 100);
  put("3", "ada", 100);
  put("4", "ben", 100);
  EXPECT_EQ(take("1", 50), "") << "one more ends the oldest";
  EXPECT_EQ(take("2", 50), "ada");
  EXPECT_EQ(take("2", 50), "");
  EXPECT_EQ(take("3", 100), "") << "its time is over";
  put("5", "ben", 300);
  Done([&](auto done) { store().DropCodes("ben", done); });
  EXPECT_EQ(take("5", 50), "");
}

TEST_P(SharedStoreSuite, OfTheSameMoveFromTwoSidesOneWins) {
  std::unique_ptr<Store> other = InDatabases() ? Open(kAnswerAtOnce) : nullptr;
  Store* const sides[] = {&store(), other ? other.get() : &store()};
  const std::string id = Id("t"), with = Id("u", id);
  constexpr int kMoves = 400;
  std::atomic<int> won = 0, wrong = 0;
  const auto play = [&](Store& side, const std::string& name) {
    for (int64_t n = 0; n < kMoves;) {
      // Every tenth is to two tables, in either order.
      const int64_t expected = n++;
      std::vector<Addition> additions{{id, expected, {name}, Of(id)}};
      if (expected % 10 == 0) {
        additions.push_back({with, expected / 10, {name}, Of(with)});
        if (name == "b") std::swap(additions[0], additions[1]);
      }
      const Stored stored = BeginAppend(side, std::move(additions)).get();
      if (stored == Stored::Stored) ++won;
      if (stored != Stored::Stored && stored != Stored::Stale) ++wrong;
    }
  };
  std::thread a(play, std::ref(*sides[0]), "a"), b(play, std::ref(*sides[1]), "b");
  a.join();
  b.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(EventsOf(store(), id)->size(), static_cast<size_t>(won.load()));
  EXPECT_EQ(won, kMoves);
}

INSTANTIATE_TEST_SUITE_P(Stores, SharedStoreSuite,
                         testing::Values(Kind::SharedMemory, Kind::Postgres, Kind::Sharded),
                         NameOf);

}  // namespace
}  // namespace civ
