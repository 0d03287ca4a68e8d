// The embedded store, on a disk that forgets what was not synced and refuses on demand
// (tests/forgetful/vfs.cc). What it has in common with other stores is in store_suite.cc.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <thread>

#include "civ/server/backup.h"
#include "civ/server/database.h"
#include "civ/server/lock.h"
#include "civ/server/schema.h"
#include "civ/server/sqlite_store.h"

namespace civ {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

// A folder that is gone after the test, with a disk that works until it is told otherwise.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "civ-store-XXXXXX").string();
    path_ = mkdtemp(name.data());
    setenv("CIV_TEST_DISK", (path_ + "/disk").c_str(), 1);
  }
  ~Folder() {
    unsetenv("CIV_TEST_DISK");
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string data() const { return path_ + "/data"; }
  std::string file() const { return SqliteStore::FileIn(data()); }
  std::string operator/(const std::string& name) const { return path_ + '/' + name; }
  void Disk(const std::string& mood) const { std::ofstream(path_ + "/disk") << mood; }

 private:
  std::string path_;
};

const Post kAtOnce = [](const std::function<void()>& answer) { answer(); };

std::unique_ptr<SqliteStore> Open(const Folder& folder, Post post = kAtOnce) {
  auto store = SqliteStore::Open(folder.data(), std::move(post));
  if (store) return std::move(*store);
  ADD_FAILURE() << store.error().key << ' '
                << (store.error().args.empty() ? "" : store.error().args.back().second);
  return nullptr;
}

std::string WhyNotOpen(const std::string& folder) {
  const auto store = SqliteStore::Open(folder, kAtOnce);
  return store ? "" : store.error().key;
}

std::future<Stored> Start(Store& store, const std::string& table, int64_t expected, Strings events,
                          Listing listing = {}, int64_t now = 0) {
  auto promise = std::make_shared<std::promise<Stored>>();
  store.Append(table, expected, std::move(events), std::move(listing), now,
               [promise](Stored stored) { promise->set_value(stored); });
  return promise->get_future();
}

Stored Append(Store& store, const std::string& table, int64_t expected, Strings events,
              Listing listing = {}, int64_t now = 0) {
  return Start(store, table, expected, std::move(events), std::move(listing), now).get();
}

std::optional<Strings> Load(Store& store, const std::string& table) {
  std::promise<std::optional<Strings>> promise;
  store.Load(table, [&](const Expected<std::optional<StoredLog>>& log) {
    EXPECT_TRUE(log && (!*log || (*log)->table == table));
    promise.set_value(log && *log ? std::optional((*log)->events) : std::nullopt);
  });
  return promise.get_future().get();
}

std::vector<Listing> List(Store& store, const std::string& person = "", bool open_only = false,
                          int most = 100) {
  std::promise<std::vector<Listing>> promise;
  store.List(person, open_only, most, [&](Expected<std::vector<Listing>> listings) {
    promise.set_value(*std::move(listings));
  });
  return promise.get_future().get();
}

Strings IdsOf(const std::vector<Listing>& listings) {
  Strings ids;
  for (const Listing& listing : listings) ids.push_back(listing.table);
  return ids;
}

std::map<std::string, Strings> Opened(Store& store) {
  std::map<std::string, Strings> logs;
  const auto problem = store.LoadOpen(
      [&](StoredLog log) { EXPECT_TRUE(logs.emplace(log.table, log.events).second) << log.table; });
  EXPECT_FALSE(problem) << problem->key;
  return logs;
}

Stored Put(Store& store, const StoredSession& session) {
  std::promise<Stored> promise;
  store.AddSession(session, [&](Stored stored) { promise.set_value(stored); });
  return promise.get_future().get();
}

// Everything given before has been tried. The time of service never goes back, so this changes
// nothing.
void Settle(Store& store) {
  std::promise<void> promise;
  store.DropSession("no such session", [&](Stored) { promise.set_value(); });
  promise.get_future().get();
}

// Holds the writer back when it is about to answer, so that what is given meanwhile waits together.
class Gate {
 public:
  Post post() {
    return [this](const std::function<void()>& answer) {
      if (!used_.exchange(true)) {
        reached_.set_value();
        opened_.get_future().wait();
      }
      answer();
    };
  }
  void WaitUntilReached() { reached_.get_future().wait(); }
  void Open() { opened_.set_value(); }

 private:
  std::atomic<bool> used_ = false;
  std::promise<void> reached_, opened_;
};

TEST(Store, WhatWaitsIsOneCommitWithoutTheStaleOnes) {
  const Folder folder;
  Gate gate;
  const auto store = Open(folder, gate.post());
  Start(*store, "first", 0, {"x"});
  gate.WaitUntilReached();
  std::vector<std::future<Stored>> right, stale;
  for (int i = 0; i < 50; ++i) {
    right.push_back(Start(*store, "t" + std::to_string(i % 10), i / 10, {"event"}));
    stale.push_back(Start(*store, "t" + std::to_string(i % 10), i / 10, {"twice"}));
  }
  gate.Open();
  for (auto& stored : right) EXPECT_EQ(stored.get(), Stored::Stored);
  for (auto& stored : stale) EXPECT_EQ(stored.get(), Stored::Stale);
  EXPECT_EQ(store->figures().commits, 2u);
  EXPECT_EQ(store->figures().events, 51u);
  EXPECT_GT(store->figures().seconds, store->figures().last);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(Load(*store, "t" + std::to_string(i)), Strings(5, "event"));
}

TEST(Store, ReadsDoNotWaitForTheWriter) {
  const Folder folder;
  Gate gate;
  const auto store = Open(folder, gate.post());
  const auto held = Start(*store, "t", 0, {"x"});
  gate.WaitUntilReached();
  EXPECT_EQ(Load(*store, "t"), Strings{"x"});
  EXPECT_EQ(IdsOf(List(*store)), Strings{"t"});
  EXPECT_EQ(held.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  gate.Open();
}

TEST(Store, Sessions) {
  const Folder folder;
  const StoredSession ada{.hash = "aa",
                          .person = "p_a",
                          .name = "Ada",
                          .bot = false,
                          .muted = true,
                          .banned = false,
                          .created = 5,
                          .seen = 1LL << 40};
  StoredSession bot{.hash = "bb",
                    .person = "p_b",
                    .name = "Bot",
                    .bot = true,
                    .muted = false,
                    .banned = true,
                    .created = 6,
                    .seen = 7};
  {
    const auto store = Open(folder);
    EXPECT_EQ(Put(*store, ada), Stored::Stored);
    EXPECT_EQ(Put(*store, {.hash = "cc", .person = "p_c", .name = "Cleo"}), Stored::Stored);
    EXPECT_EQ(Put(*store, bot), Stored::Stored);
    bot.name = "Bob";
    store->ChangePerson(bot.person, {.name = "Bob"}, {});
    store->DropSession("cc", {});
    store->DropSession("dd", {});
  }
  std::map<std::string, StoredSession> sessions;
  const Expected<std::vector<StoredSession>> stored = Open(folder)->LoadSessions();
  for (const StoredSession& session : *stored) sessions[session.hash] = session;
  ASSERT_EQ(sessions.size(), 2u);
  for (const StoredSession& wanted : {ada, bot}) {
    const StoredSession& found = sessions[wanted.hash];
    EXPECT_EQ(std::tie(found.person, found.name, found.bot, found.muted, found.banned,
                       found.created, found.seen),
              std::tie(wanted.person, wanted.name, wanted.bot, wanted.muted, wanted.banned,
                       wanted.created, wanted.seen));
  }
}

TEST(Store, TimeOfServiceNeverGoesBack) {
  const Folder folder;
  {
    const auto store = Open(folder);
    EXPECT_EQ(*store->ServiceTime(), 0);
    store->PutServiceTime(500, {});
    Settle(*store);
    EXPECT_EQ(*store->ServiceTime(), 500);
    Append(*store, "t", 0, {"x"}, {}, 900);
    EXPECT_EQ(*store->ServiceTime(), 900);
    store->PutServiceTime(700, {});
  }
  EXPECT_EQ(*Open(folder)->ServiceTime(), 900);
}

// --- Folders and files that cannot be used -------------------------------------------------------

TEST(StoreFolder, IsMadeForItsOwnerOnly) {
  const Folder folder;
  const std::string deep = folder / "a/b/c";
  EXPECT_EQ(WhyNotOpen(deep), "");
  struct stat about{};
  ASSERT_EQ(stat(deep.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777u, 0700u);
}

TEST(StoreFolder, ServesOneServer) {
  const Folder folder;
  auto store = Open(folder);
  EXPECT_EQ(WhyNotOpen(folder.data()), "data.locked");
  EXPECT_EQ(Append(*store, "t", 0, {"x"}), Stored::Stored);
  store.reset();
  EXPECT_EQ(WhyNotOpen(folder.data()), "");
}

TEST(StoreFolder, ThatCannotBeUsedIsAnError) {
  const Folder folder;
  std::ofstream(folder / "plain") << "a file";
  EXPECT_EQ(WhyNotOpen(folder / "plain"), "data.folder");
  EXPECT_EQ(WhyNotOpen(folder / "plain/below"), "data.folder");
  EXPECT_EQ(WhyNotOpen("/proc/civ"), "data.folder");
  fs::create_directories(folder.file());  // a folder in place of the database
  EXPECT_EQ(WhyNotOpen(folder.data()), "data.failed");
}

std::string Contents(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TEST(StoreFile, OfAnotherKindStaysAsItIs) {
  const Folder folder;
  fs::create_directories(folder.data());
  std::ofstream(folder.file()) << std::string(5000, 'x');
  EXPECT_EQ(WhyNotOpen(folder.data()), "data.not-ours");
  EXPECT_EQ(Contents(folder.file()), std::string(5000, 'x'));
  fs::remove(folder.file());
  { Database(folder.file(), Database::Mode::Create).Script("CREATE TABLE tables (id)"); }
  const std::string before = Contents(folder.file());
  EXPECT_EQ(WhyNotOpen(folder.data()), "data.not-ours");
  EXPECT_EQ(Contents(folder.file()), before);
}

TEST(StoreFile, OfANewerProgramStaysAsItIs) {
  const Folder folder;
  Append(*Open(folder), "t", 0, {"x"});
  {
    Database(folder.file(), Database::Mode::Write)
        .Script("PRAGMA user_version = " + std::to_string(NewestSchema() + 1));
  }
  const auto store = SqliteStore::Open(folder.data(), kAtOnce);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().key, "data.newer");
  EXPECT_EQ(store.error().args[1].second, std::to_string(NewestSchema() + 1));
}

// Many tables in a database that has been closed: everything is in the one file.
void Fill(const Folder& folder) {
  const auto store = Open(folder);
  for (int i = 0; i < 400; ++i)
    Start(*store, "t" + std::to_string(i), 0, {std::string(500, 'a'), "b"},
          {.table = {}, .open = true, .summary = "s", .persons = {"p"}});
}

// The error may come when it is opened or when tables are loaded; but it comes, and nobody crashes.
std::string WhyNotLoad(const std::string& folder) {
  const auto store = SqliteStore::Open(folder, kAtOnce);
  if (!store) return store.error().key;
  const auto problem = (*store)->LoadOpen([](const StoredLog&) {});
  return problem ? problem->key : "";
}

TEST(StoreFile, ThatIsDamagedIsAnError) {
  const Folder folder;
  Fill(folder);
  ASSERT_EQ(WhyNotLoad(folder.data()), "");
  const std::string whole = Contents(folder.file());
  ASSERT_GT(whole.size(), 200'000u);
  const auto damage = [&](const std::string& content) {
    std::ofstream(folder.file(), std::ios::binary | std::ios::trunc) << content;
    return WhyNotLoad(folder.data());
  };
  EXPECT_EQ(damage(whole.substr(0, whole.size() / 2)), "data.damaged");
  std::string holed = whole;
  std::fill(holed.begin() + 4096, holed.end(), '\xa5');
  EXPECT_EQ(damage(holed), "data.damaged");
  std::string beheaded = whole;
  std::fill_n(beheaded.begin(), 100, '\0');
  EXPECT_EQ(damage(beheaded), "data.not-ours");
  EXPECT_EQ(damage(whole), "");
}

TEST(StoreFile, AnyDamageIsNoCrash) {
  const Folder folder;
  Fill(folder);
  const std::string whole = Contents(folder.file());
  ASSERT_TRUE(rc::check([&] {
    std::string content = whole;
    for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
      const size_t page = *rc::gen::inRange<size_t>(0, content.size() / 4096),
                   at = *rc::gen::inRange<size_t>(0, 200);
      content[page * 4096 + at] = *rc::gen::arbitrary<char>();
    }
    std::ofstream(folder.file(), std::ios::binary | std::ios::trunc) << content;
    const std::string why = WhyNotLoad(folder.data());
    RC_CLASSIFY(why.empty());
    RC_ASSERT(why.empty() || why.starts_with("data."));
    for (const char* end : {"-wal", "-shm", "-journal"}) fs::remove(folder.file() + end);
  }));
}

// --- Layouts -------------------------------------------------------------------------------------

void MakeFirstLayout(const Folder& folder) {
  fs::create_directories(folder.data());
  Database database(folder.file(), Database::Mode::Create);
  ASSERT_FALSE(UpgradeSchema(database, folder.file(), 1));
  database.Script(R"(
INSERT INTO tables VALUES (1, 'one', 1, 'summary of one'), (2, 'two', 0, 'summary of two');
INSERT INTO events VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c');
INSERT INTO persons VALUES (1, 0, 'ada'), (1, 1, 'ben'), (2, 0, 'ada');
INSERT INTO sessions VALUES ('hash', 'p_ada', 'Ada', 0, 1, 0, 3, 4);
UPDATE service SET now = 77;
)");
  ASSERT_TRUE(database.ok()) << database.Problem()->args.back().second;
}

TEST(StoreLayout, TheFirstIsBroughtUpToDateWithAllThatIsInIt) {
  const Folder folder;
  MakeFirstLayout(folder);
  {
    const auto store = Open(folder);
    EXPECT_EQ(Opened(*store), (std::map<std::string, Strings>{{"one", {"a", "b"}}}));
    EXPECT_EQ(Load(*store, "two"), Strings{"c"});
    EXPECT_EQ(IdsOf(List(*store, "ada")), (Strings{"two", "one"}));
    EXPECT_EQ(List(*store, "ben")[0].summary, "summary of one");
    EXPECT_EQ(store->LoadSessions()->at(0).name, "Ada");
    EXPECT_EQ(*store->ServiceTime(), 77);
    EXPECT_EQ(Append(*store, "one", 2, {"c"}), Stored::Stored);
    store->PutAside("one", "why");
  }
  Database database(folder.file(), Database::Mode::Read);
  EXPECT_EQ(database.Number("PRAGMA user_version"), NewestSchema());
  EXPECT_EQ(database.Number(
                "SELECT count(*) FROM sqlite_schema WHERE name IN ('open_tables', 'tables_of', "
                "'sessions_of')"),
            3);
  Database::Rows aside = database.Query("SELECT aside FROM tables WHERE id = 'one'");
  ASSERT_TRUE(aside.Next());
  EXPECT_EQ(aside.Text(0), "why");
}

TEST(StoreLayout, AnUpgradeHappensWholeOrNotAtAll) {
  const Folder folder;
  MakeFirstLayout(folder);
  { Database(folder.file(), Database::Mode::Write).Script("CREATE TABLE tables_of (in_the_way)"); }
  EXPECT_EQ(WhyNotOpen(folder.data()), "data.failed");
  {
    Database database(folder.file(), Database::Mode::Write);
    EXPECT_EQ(database.Number("PRAGMA user_version"), 1);
    EXPECT_EQ(database.Number("SELECT count(*) FROM sqlite_schema WHERE name = 'open_tables'"), 0);
    database.Script("DROP TABLE tables_of");
  }
  EXPECT_EQ(WhyNotOpen(folder.data()), "");
}

TEST(StoreLayout, UpgradedAndNewAreTheSame) {
  const Folder old, fresh;
  MakeFirstLayout(old);
  const auto layout = [](const Folder& folder) {
    Open(folder);
    Database database(folder.file(), Database::Mode::Read);
    Database::Rows rows = database.Query(
        "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name");
    Strings lines;
    while (rows.Next()) lines.push_back(rows.Text(0));
    return lines;
  };
  EXPECT_EQ(layout(old), layout(fresh));
}

int64_t SchemaIn(const Folder& folder) {
  return Database(folder.file(), Database::Mode::Read).Number("PRAGMA user_version");
}

TEST(StoreLayout, WhoeverReadsTakesAnOlderOneAsItIs) {
  const Folder folder;
  MakeFirstLayout(folder);
  const std::string before = Contents(folder.file());
  {
    const auto store = SqliteStore::Visit(folder.data(), SqliteStore::Access::Read, kAtOnce);
    ASSERT_TRUE(store) << store.error().key;
    EXPECT_EQ(IdsOf(List(**store)), (Strings{"two", "one"}));
    EXPECT_EQ(IdsOf(List(**store, "ada", true)), Strings{"one"});
    EXPECT_EQ(Load(**store, "two"), Strings{"c"});
    EXPECT_EQ(Opened(**store), (std::map<std::string, Strings>{{"one", {"a", "b"}}}));
    EXPECT_EQ((*store)->LoadSessions()->at(0).name, "Ada");
    EXPECT_EQ(*(*store)->ServiceTime(), 77);
    EXPECT_EQ(Append(**store, "new", 0, {"x"}), Stored::Failed);
  }
  EXPECT_EQ(SchemaIn(folder), 1);
  EXPECT_EQ(Contents(folder.file()), before);
}

TEST(StoreLayout, AVisitorBringsItUpToDateOnlyIfNoServerUsesIt) {
  const Folder folder;
  MakeFirstLayout(folder);
  const auto visit = [&] {
    const auto store = SqliteStore::Visit(folder.data(), SqliteStore::Access::Append, kAtOnce);
    if (!store) return store.error().key;
    EXPECT_EQ(Append(**store, "new", 0, {"x"}), Stored::Stored);
    return std::string();
  };
  {
    const Expected<FolderLock> server = FolderLock::Take(folder.data());
    ASSERT_TRUE(server);
    EXPECT_EQ(visit(), "data.older");
    EXPECT_EQ(SchemaIn(folder), 1);
  }
  EXPECT_EQ(visit(), "");
  EXPECT_EQ(SchemaIn(folder), NewestSchema());
}

TEST(StoreLayout, VisitorsRefuseWhatIsMissingEmptyOrNewer) {
  const Folder folder;
  for (const auto access : {SqliteStore::Access::Read, SqliteStore::Access::Append}) {
    const auto why = [&] {
      const auto store = SqliteStore::Visit(folder.data(), access, kAtOnce);
      return store ? "" : store.error().key;
    };
    fs::remove_all(folder.data());
    EXPECT_EQ(why(), "data.failed");
    EXPECT_FALSE(fs::exists(folder.data()));
    fs::create_directories(folder.data());
    std::ofstream(folder.file()).close();
    EXPECT_EQ(why(), "data.not-ours");
    EXPECT_EQ(fs::file_size(folder.file()), 0u);
    MakeFirstLayout(folder);
    Database(folder.file(), Database::Mode::Write).Script("PRAGMA user_version = 1000");
    EXPECT_EQ(why(), "data.newer");
  }
}

// --- Disks that refuse ---------------------------------------------------------------------------

TEST(StoreDisk, RefusesAndIsWellAgainWithoutARestart) {
  for (const std::string mood : {"full", "readonly", "broken"}) {
    SCOPED_TRACE(mood);
    const Folder folder;
    auto store = Open(folder);
    const Listing before{.table = "t", .open = true, .summary = "before", .persons = {"ada"}};
    const Listing after{.table = "t", .open = false, .summary = "after", .persons = {"ben"}};
    EXPECT_EQ(Append(*store, "t", 0, {"one"}, before, 5), Stored::Stored);
    for (int round = 0; round < 3; ++round) {
      const int64_t length = round + 1;
      folder.Disk(mood);
      EXPECT_EQ(Append(*store, "t", length, {"lost"}, after, 9'000), Stored::Failed);
      EXPECT_FALSE(store->healthy());
      EXPECT_EQ(Append(*store, "new", 0, {"lost"}, after), Stored::Failed);
      EXPECT_EQ(Put(*store, {.hash = "h", .person = {}, .name = {}}), Stored::Failed);
      Settle(*store);  // by what would change nothing
      EXPECT_FALSE(store->healthy());
      // What is there can be read all the while.
      EXPECT_EQ(Load(*store, "t")->size(), static_cast<size_t>(length));
      EXPECT_EQ(Load(*store, "new"), std::nullopt);
      EXPECT_EQ(List(*store)[0].summary, "before");
      EXPECT_EQ(store->LoadSessions()->size(), 0u);
      EXPECT_LT(*store->ServiceTime(), 9'000);

      folder.Disk("well");
      store->PutServiceTime(6, {});  // the heartbeat
      Settle(*store);
      EXPECT_TRUE(store->healthy());
      EXPECT_EQ(Append(*store, "t", 0, {"stale"}), Stored::Stale);
      EXPECT_EQ(Load(*store, "t")->size(), static_cast<size_t>(length));
      EXPECT_EQ(Append(*store, "t", length, {"more"}, before, 7), Stored::Stored);
    }
    EXPECT_EQ(store->figures().failures, 12u);
    store = nullptr;
    EXPECT_EQ(Load(*Open(folder), "t"), (Strings{"one", "more", "more", "more"}));
  }
}

// Nobody has read before, so the writer's connection is the only one in use: what it wrote in vain
// must not be found by the one that follows it.
TEST(StoreDisk, WhatCouldNotBeSyncedIsNotFoundAgain) {
  const Folder folder;
  const auto store = Open(folder);
  EXPECT_EQ(Append(*store, "t", 0, {"one"}), Stored::Stored);
  folder.Disk("broken");
  EXPECT_EQ(Append(*store, "t", 1, {"lost"}), Stored::Failed);
  folder.Disk("well");
  EXPECT_EQ(Append(*store, "t", 1, {"two"}), Stored::Stored);
  EXPECT_EQ(Load(*store, "t"), (Strings{"one", "two"}));
}

TEST(StoreDisk, AFailureIsEverybodysInTheGroup) {
  const Folder folder;
  Gate gate;
  const auto store = Open(folder, gate.post());
  Start(*store, "t", 0, {"one"});
  gate.WaitUntilReached();
  folder.Disk("full");
  std::vector<std::future<Stored>> group;
  for (int i = 0; i < 5; ++i)
    group.push_back(Start(*store, "t", 1, {"two"}));  // only the first could be stored
  gate.Open();
  for (auto& stored : group) EXPECT_EQ(stored.get(), Stored::Failed);
  folder.Disk("well");
  EXPECT_EQ(Append(*store, "t", 1, {"two"}), Stored::Stored);
}

TEST(StoreDisk, HeldBySomebodyElse) {
  const Folder folder;
  const auto store = Open(folder);
  Database other(folder.file(), Database::Mode::Write);
  other.Script("BEGIN IMMEDIATE");
  EXPECT_EQ(Append(*store, "t", 0, {"x"}), Stored::Failed);
  EXPECT_EQ(Load(*store, "t"), std::nullopt);
  other.Script("COMMIT");
  EXPECT_EQ(Append(*store, "t", 0, {"x"}), Stored::Stored);
}

TEST(StoreDisk, ThatRefusesFromTheStartIsAnError) {
  const Folder folder;
  for (const std::string mood : {"full", "readonly", "broken"}) {
    folder.Disk(mood);
    EXPECT_EQ(WhyNotOpen(folder.data()), "data.failed") << mood;
  }
  folder.Disk("well");
  EXPECT_EQ(WhyNotOpen(folder.data()), "");
}

TEST(StoreDisk, WhatCannotBeReadIsNotAbsent) {
  const Folder folder;
  const auto store = Open(folder);
  Append(*store, "t", 0, {"x"});
  const auto why = [](auto ask) {
    std::promise<std::string> promise;
    ask([&](const auto& answer) { promise.set_value(answer ? "" : answer.error().key); });
    return promise.get_future().get();
  };
  const auto load = [&](auto done) { store->Load("t", done); };
  const auto list = [&](auto done) { store->List("", false, 10, done); };
  folder.Disk("unreadable");
  EXPECT_EQ(why(load), "data.failed");
  EXPECT_EQ(why(list), "data.failed");
  EXPECT_EQ(store->LoadSessions().error().key, "data.failed");
  EXPECT_EQ(store->ServiceTime().error().key, "data.failed");
  folder.Disk("well");
  EXPECT_EQ(why(load), "");
  EXPECT_EQ(why(list), "");
}

// --- A model -------------------------------------------------------------------------------------

struct Model {
  struct Table {
    Strings events;
    bool open = true, aside = false;
    std::string summary;
    Strings persons;
  };
  std::map<std::string, Table> tables;
  Strings made;  // in order
  int64_t now = 0;

  Stored Append(const std::string& id, int64_t expected, const Strings& events,
                const Listing& listing, int64_t at) {
    now = std::max(now, at);
    const auto found = tables.find(id);
    if (expected != (found == tables.end() ? 0 : static_cast<int64_t>(found->second.events.size())))
      return Stored::Stale;
    if (found == tables.end()) made.push_back(id);
    Table& table = tables[id];
    table.events.insert(table.events.end(), events.begin(), events.end());
    table.open = listing.open && !table.aside;
    table.summary = listing.summary;
    table.persons = listing.persons;
    return Stored::Stored;
  }

  Strings Listed(const std::string& person, bool open_only) const {
    Strings ids;
    for (auto id = made.rbegin(); id != made.rend(); ++id) {
      const Table& table = tables.at(*id);
      const bool theirs = person.empty() || std::find(table.persons.begin(), table.persons.end(),
                                                      person) != table.persons.end();
      if (theirs && (table.open || !open_only)) ids.push_back(*id);
    }
    return ids;
  }
};

void ExpectSame(Store& store, const Model& model) {
  std::map<std::string, Strings> open;
  for (const auto& [id, table] : model.tables) {
    RC_ASSERT(Load(store, id) == std::optional(table.events));
    if (table.open) open[id] = table.events;
  }
  RC_ASSERT(Opened(store) == open);
  for (const std::string person : {"", "p", "q", "nobody"})
    for (const bool open_only : {false, true})
      RC_ASSERT(IdsOf(List(store, person, open_only)) == model.Listed(person, open_only));
  for (const Listing& listing : List(store)) {
    RC_ASSERT(listing.summary == model.tables.at(listing.table).summary);
    RC_ASSERT(listing.persons == model.tables.at(listing.table).persons);
    RC_ASSERT(listing.open == model.tables.at(listing.table).open);
  }
  RC_ASSERT(*store.ServiceTime() == model.now);
}

TEST(StoreModel, AnyInterleavingOfAppendsGivesWhatTheModelGives) {
  ASSERT_TRUE(rc::check([] {
    const Folder folder;
    auto store = Open(folder);
    Model model;
    std::vector<std::pair<std::future<Stored>, Stored>> answers;
    std::string disk = "well";
    const auto settle = [&] {
      Settle(*store);
      for (auto& [stored, wanted] : answers) RC_ASSERT(stored.get() == wanted);
      answers.clear();
    };
    for (int steps = *rc::gen::inRange(0, 60); steps > 0; --steps) {
      const std::string id = *rc::gen::element<std::string>("a", "b", "c");
      const int what = *rc::gen::inRange(0, 20);
      if (what == 0) {
        settle();
        disk = *rc::gen::element<std::string>("well", "full", "readonly", "broken");
        folder.Disk(disk);
      } else if (what == 1 && disk == "well") {
        settle();
        store.reset();
        store = Open(folder);
      } else if (what == 2 && disk == "well") {
        store->PutAside(id, "why");
        if (const auto found = model.tables.find(id); found != model.tables.end())
          found->second.open = !(found->second.aside = true);
      } else {
        const int64_t length =
            model.tables.contains(id) ? static_cast<int64_t>(model.tables[id].events.size()) : 0;
        const int64_t expected = std::max<int64_t>(
            0, length + *rc::gen::weightedElement<int64_t>({{6, 0}, {1, 1}, {1, -1}}));
        const auto events = *rc::gen::resize(5, rc::gen::arbitrary<Strings>());
        const Listing listing{
            .table = id,
            .open = *rc::gen::arbitrary<bool>(),
            .summary = *rc::gen::arbitrary<std::string>(),
            .persons = *rc::gen::resize(
                4, rc::gen::container<Strings>(rc::gen::element<std::string>("p", "q", "r")))};
        const int64_t now = *rc::gen::inRange(0, 1000);
        const Stored wanted =
            disk == "well" ? model.Append(id, expected, events, listing, now) : Stored::Failed;
        answers.emplace_back(Start(*store, id, expected, events, listing, now), wanted);
      }
    }
    settle();
    folder.Disk("well");
    ExpectSame(*store, model);
    store.reset();
    store = Open(folder);
    ExpectSame(*store, model);
  }));
}

// --- Losses of power -----------------------------------------------------------------------------

// Runs `work`, which does not end, in a process of its own, kills it after it has reported
// `reports` numbers, and returns all that it has reported.
template <class Work>
std::vector<int64_t> KillAfter(size_t reports, Work work) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work([&](int64_t number) {
      if (write(ends[1], &number, sizeof number) != sizeof number) _exit(1);
    });
    _exit(0);
  }
  close(ends[1]);
  std::vector<int64_t> reported;
  int64_t number = 0;
  while (read(ends[0], &number, sizeof number) == sizeof number) {
    reported.push_back(number);
    if (reported.size() == reports) kill(child, SIGKILL);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  return reported;
}

// How many rows SQLite finds after it has acknowledged a hundred.
int64_t RowsAfterKill(const std::string& mode, const std::string& synchronous) {
  const Folder folder;
  const std::string file = folder / "rows.db";
  {
    Database(file, Database::Mode::Create)
        .Script("PRAGMA journal_mode = " + mode + "; CREATE TABLE t (n)");
  }
  const auto reported = KillAfter(100, [&](const auto& report) {
    Database database(file, Database::Mode::Write);
    database.Script("PRAGMA synchronous = " + synchronous);
    for (int64_t n = 0; n < 100; ++n) {
      database.Run("INSERT INTO t VALUES (?)", n);
      if (database.ok()) report(n);
    }
    pause();  // while it is open: closing it would sync
  });
  EXPECT_EQ(reported.size(), 100u);
  Database database(file, Database::Mode::Write);
  const int64_t rows = database.Number("SELECT count(*) FROM t");
  EXPECT_TRUE(database.ok());
  return rows;
}

TEST(Forgetful, ForgetsWhatWasNotSyncedAndNothingElse) {
  EXPECT_EQ(RowsAfterKill("WAL", "OFF"), 0);
  EXPECT_EQ(RowsAfterKill("WAL", "NORMAL"), 0);  // which syncs at checkpoints only
  EXPECT_EQ(RowsAfterKill("WAL", "FULL"), 100);
  EXPECT_EQ(RowsAfterKill("DELETE", "OFF"), 0);
  EXPECT_EQ(RowsAfterKill("DELETE", "FULL"), 100);
}

// Files cut short, grown again and written all over, against what SQLite should see of them.
TEST(Forgetful, IsADiskLikeAnyOther) {
  ASSERT_TRUE(rc::check([] {
    const Folder folder;
    const std::string file = folder / "any.db";
    int64_t rows = 0;
    auto database = std::make_unique<Database>(file, Database::Mode::Create);
    database->Script("PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL; CREATE TABLE t (n)");
    for (int steps = *rc::gen::inRange(1, 12); steps > 0; --steps) {
      const int what = *rc::gen::inRange(0, 5);
      const int64_t some = *rc::gen::inRange(1, 60);
      if (what == 0)
        database->Script("PRAGMA journal_mode = " +
                         *rc::gen::element<std::string>("DELETE", "TRUNCATE", "PERSIST", "WAL"));
      if (what == 1)
        database->Script("PRAGMA synchronous = " + *rc::gen::element<std::string>("OFF", "FULL"));
      if (what == 2) database->Script("DELETE FROM t; VACUUM"), rows = 0;
      if (what == 3) database = std::make_unique<Database>(file, Database::Mode::Write);
      for (int64_t n = 0; n < some && what == 4; ++n, ++rows)
        database->Run("INSERT INTO t VALUES (zeroblob(?))", some * 30);
      Database other(file, Database::Mode::Read);
      RC_ASSERT(other.Number("SELECT count(*) FROM t") == rows);
    }
    Database::Rows check = database->Query("PRAGMA integrity_check");
    RC_ASSERT(check.Next());
    RC_ASSERT(check.Text(0) == "ok");
  }));
}

TEST(StoreKill, WhatWasAcknowledgedIsThere) {
  const Folder folder;
  constexpr int kTables = 7;
  const auto name = [](int64_t table) { return "t" + std::to_string(table); };
  const auto event = [](int64_t table, int64_t n) {
    return std::to_string(table) + '.' + std::to_string(n) + std::string(600, 'x');
  };
  std::array<int64_t, kTables> length{};
  for (size_t round = 0; round < 12; ++round) {
    // Enough in some rounds to fill the log and move it into the database.
    const auto reported = KillAfter(1 + round * round * 10, [&](const auto& report) {
      const auto store = Open(folder);
      while (store != nullptr)
        for (int64_t table = 0; table < kTables; ++table) {
          int64_t& n = length[static_cast<size_t>(table)];
          store->Append(
              name(table), n, {event(table, n + 1), event(table, n + 2), event(table, n + 3)}, {},
              n,
              [&report, table](Stored stored) { report(stored == Stored::Stored ? table : -1); });
          n += 3;
          if (n % 60 == 0) Settle(*store);
        }
    });
    const auto store = Open(folder);
    ASSERT_TRUE(store);
    for (int64_t table = 0; table < kTables; ++table) {
      const auto acknowledged = length[static_cast<size_t>(table)] +
                                3 * std::count(reported.begin(), reported.end(), table);
      const Strings log = Load(*store, name(table)).value_or(Strings());
      const auto found = static_cast<int64_t>(log.size());
      EXPECT_GE(found, acknowledged);
      EXPECT_EQ(found % 3, 0) << "a part of an append";
      for (int64_t n = 1; n <= found; ++n)
        ASSERT_EQ(log[static_cast<size_t>(n - 1)], event(table, n));
      length[static_cast<size_t>(table)] = found;
    }
    EXPECT_EQ(std::count(reported.begin(), reported.end(), -1), 0);
  }
}

// --- Backups -------------------------------------------------------------------------------------

TEST(StoreBackup, IsAStoreLikeTheOneThatRuns) {
  const Folder folder, second;
  const auto store = Open(folder);
  Append(*store, "t", 0, {"one", "two"},
         {.table = "t", .open = true, .summary = "s", .persons = {"ada"}}, 70);
  Append(*store, "u", 0, {"one"});
  Put(*store, {.hash = "h", .person = "p", .name = "Ada"});
  const std::string file = folder / "copy.db";
  const auto tables = Backup(folder.data(), file, false);
  ASSERT_TRUE(tables) << tables.error().key;
  EXPECT_EQ(*tables, 2);
  struct stat about{};
  ASSERT_EQ(stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777u, 0600u);
  EXPECT_EQ(store->LoadSessions()->size(), 1u);  // nothing has changed there
  EXPECT_EQ(Append(*store, "t", 2, {"three"}), Stored::Stored);

  fs::create_directories(second.data());
  fs::copy_file(file, second.file());
  const auto restored = Open(second);
  EXPECT_EQ(Load(*restored, "t"), (Strings{"one", "two"}));
  EXPECT_EQ(IdsOf(List(*restored, "ada")), Strings{"t"});
  EXPECT_EQ(restored->LoadSessions()->size(), 1u);
  EXPECT_EQ(*restored->ServiceTime(), 70);
  EXPECT_EQ(Append(*restored, "t", 2, {"other"}), Stored::Stored);
}

size_t FilesIn(const std::string& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(StoreBackup, ReplacesAFileOnlyByForce) {
  const Folder folder;
  Append(*Open(folder), "t", 0, {"one"});
  fs::create_directory(folder / "backups");
  const std::string file = folder / "backups/copy.db";
  std::ofstream(file) << "precious";
  EXPECT_EQ(Backup(folder.data(), file, false).error().key, "backup.exists");
  EXPECT_EQ(Contents(file), "precious");
  EXPECT_EQ(*Backup(folder.data(), file, true), 1);
  EXPECT_EQ(Contents(file).substr(0, 15), "SQLite format 3");
  EXPECT_EQ(*Backup(folder.data(), folder / "backups/other.db", true), 1);
  EXPECT_EQ(FilesIn(folder / "backups"), 2u);
}

TEST(StoreBackup, LeavesNothingBehindWhenItFails) {
  const Folder folder;
  fs::create_directory(folder / "backups");
  const std::string file = folder / "backups/copy.db";
  EXPECT_EQ(Backup(folder / "nowhere", file, false).error().key, "data.failed");
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
  fs::create_directories(folder.data());
  std::ofstream(folder.file()) << "no database, but long enough to be looked at as one";
  EXPECT_EQ(Backup(folder.data(), file, false).error().key, "data.not-ours");
  fs::remove(folder.file());
  { Database(folder.file(), Database::Mode::Create).Script("CREATE TABLE tables (id)"); }
  EXPECT_EQ(Backup(folder.data(), file, false).error().key, "data.not-ours");
  fs::remove(folder.file());
  Fill(folder);
  EXPECT_EQ(Backup(folder.data(), folder / "no/such/folder/copy.db", false).error().key,
            "backup.cannot");
  folder.Disk("full");
  EXPECT_EQ(Backup(folder.data(), file, false).error().key, "data.failed");
  folder.Disk("well");
  fs::resize_file(folder.file(), fs::file_size(folder.file()) / 2);
  EXPECT_EQ(Backup(folder.data(), file, false).error().key, "data.damaged");
  EXPECT_EQ(FilesIn(folder / "backups"), 0u);
}

TEST(StoreBackup, IsOfOneMomentWhileTheServerWrites) {
  const Folder folder;
  auto store = Open(folder);
  std::atomic<bool> stop = false;
  // Every append is for two tables in turn, so a copy of one moment has at most one more in the
  // first.
  std::thread writer([&] {
    for (int64_t n = 0; !stop; ++n)
      for (const char* table : {"a", "b"}) Append(*store, table, n, {std::string(300, 'x')});
  });
  for (int i = 0; i < 5; ++i) {
    const std::string file = folder / ("copy" + std::to_string(i));
    ASSERT_TRUE(Backup(folder.data(), file, false));
    Database copy(file, Database::Mode::Read);
    const int64_t a = copy.Number("SELECT count(*) FROM events WHERE table_key = 1"),
                  b = copy.Number("SELECT count(*) FROM events WHERE table_key = 2");
    EXPECT_TRUE(a == b || a == b + 1) << a << ' ' << b;
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace civ
