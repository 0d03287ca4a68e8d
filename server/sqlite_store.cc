#include "server/sqlite_store.h"

#include <algorithm>
#include <chrono>

#include "server/database.h"
#include "server/lock.h"
#include "server/worker.h"

namespace civ {
namespace {

using Strings = std::vector<std::string>;

// One thing to store. A group of them is one transaction.
struct Write {
  std::function<Stored(Database&)> change = {};  // Stored or Stale; that it failed is seen by the database
  Store::Done done = {};
  int64_t now = 0;  // the time of service, if it is known
  size_t events = 0;
};

using Read = std::function<void(Database&)>;

// What was read, if all of it could be.
template <class T>
Expected<T> Whole(const Database& database, T read) {
  if (std::optional<Error> problem = database.Problem()) return *std::move(problem);
  return read;
}

Strings PersonsOf(Database& database, int64_t key) {
  Strings persons;
  Database::Rows rows = database.Query("SELECT person FROM persons WHERE table_key = ? ORDER BY place", key);
  while (rows.Next()) persons.push_back(rows.Text(0));
  return persons;
}

Stored StoreEvents(Database& database, const std::string& table, int64_t expected, const Strings& events, const Listing& listing) {
  const int64_t length = database.Number("SELECT coalesce(max(n), 0) FROM events WHERE table_key = (SELECT key FROM tables WHERE id = ?)", table);
  if (length != expected) return Stored::Stale;
  const int64_t open = listing.open ? 1 : 0;
  const int64_t key = database.Number(
      "INSERT INTO tables (id, open, summary) VALUES (?, ?, ?) "
      "ON CONFLICT (id) DO UPDATE SET open = excluded.open AND aside IS NULL, summary = excluded.summary RETURNING key",
      table, open, listing.summary);
  for (int64_t n = expected; const std::string& event : events) database.Run("INSERT INTO events VALUES (?, ?, ?)", key, ++n, event);
  if (PersonsOf(database, key) != listing.persons) {
    database.Run("DELETE FROM persons WHERE table_key = ?", key);
    for (int64_t place = 0; const std::string& person : listing.persons) database.Run("INSERT INTO persons VALUES (?, ?, ?)", key, place++, person);
  }
  return Stored::Stored;
}

std::optional<StoredLog> ReadLog(Database& database, const std::string& table) {
  // One row without an event for a table without any.
  Database::Rows rows = database.Query("SELECT body FROM tables LEFT JOIN events ON table_key = key WHERE id = ? ORDER BY n", table);
  std::optional<StoredLog> log;
  while (rows.Next()) {
    if (!log) log.emplace().table = table;
    if (!rows.IsNull(0)) log->events.push_back(rows.Text(0));
  }
  return log;
}

std::vector<Listing> ReadListings(Database& database, const std::string& person, bool open_only, int64_t most) {
  const std::string_view all = "SELECT key, id, open, summary FROM tables ORDER BY key DESC LIMIT ?",
                         open = "SELECT key, id, open, summary FROM tables WHERE open = 1 ORDER BY key DESC LIMIT ?",
                         of_one =
                             "SELECT key, id, open, summary FROM tables WHERE key IN (SELECT table_key FROM persons WHERE person = ?2) "
                             "AND open >= ?3 ORDER BY key DESC LIMIT ?1";
  std::vector<Listing> listings;
  Database::Rows rows = !person.empty() ? database.Query(of_one, most, person, int64_t{open_only}) : database.Query(open_only ? open : all, most);
  while (rows.Next())
    listings.push_back({.table = rows.Text(1), .open = rows.Number(2) != 0, .summary = rows.Text(3), .persons = PersonsOf(database, rows.Number(0))});
  return listings;
}

}  // namespace

struct SqliteStore::Impl {
  Impl(std::optional<FolderLock> held, std::string path, std::unique_ptr<Database> database, Post poster)
      : lock(std::move(held)),
        file(std::move(path)),
        post(std::move(poster)),
        anchor(std::move(database)),
        reader([this](const std::vector<Read>& reads) { ReadAll(reads); }),
        writer([this](std::vector<Write> group) { Commit(std::move(group)); }) {}

  // Runs on the writer's thread.
  void Commit(std::vector<Write> group) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Stored> results;
    const bool stored = Try(group, results);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    {
      const std::scoped_lock hold(mutex);
      healthy = stored;
      if (!stored) ++figures.failures;
      if (stored) {
        ++figures.commits;
        for (size_t i = 0; i < group.size(); ++i) figures.events += results[i] == Stored::Stored ? group[i].events : 0;
        figures.seconds += took.count();
        figures.last = took.count();
      }
    }
    post([group = std::move(group), results = std::move(results)] {
      for (size_t i = 0; i < group.size(); ++i)
        if (group[i].done) group[i].done(results[i]);
    });
    if (writing) writing->Tidy();
  }

  bool Try(const std::vector<Write>& group, std::vector<Stored>& results) {
    if (!writing) writing = std::make_unique<Database>(file, Database::Mode::Write);
    Database& database = *writing;
    database.Run("BEGIN IMMEDIATE");
    int64_t now = 0;
    for (const Write& write : group) {
      results.push_back(write.change ? write.change(database) : Stored::Stored);
      now = std::max(now, write.now);
    }
    database.Run("UPDATE service SET now = max(now, ?), groups = groups + 1", now);
    database.Run("COMMIT");
    if (database.ok()) return true;
    // Whatever has become of this connection: the next group gets a new one.
    writing.reset();
    results.assign(group.size(), Stored::Failed);
    return false;
  }

  // Runs on the reader's thread.
  void ReadAll(const std::vector<Read>& reads) {
    for (const Read& read : reads) {
      if (!reading) reading = std::make_unique<Database>(file, Database::Mode::Read);
      read(*reading);
      if (!reading->ok()) reading.reset();
    }
  }

  const std::optional<FolderLock> lock;  // none for visitors
  const std::string file;
  const Post post;
  // Never used, and never closed while others are: if all were, the next one would find a commit in the log that had failed when it was synced.
  const std::unique_ptr<Database> anchor;
  std::unique_ptr<Database> writing;  // the writer's; none at first and after a failure
  std::unique_ptr<Database> reading;  // the reader's
  mutable std::mutex mutex;           // of the next two
  bool healthy = true;
  StoreFigures figures;
  Worker<Read> reader;
  Worker<Write> writer;
};

Expected<std::unique_ptr<SqliteStore>> SqliteStore::Open(const std::string& folder, Post post) {
  Expected<FolderLock> lock = FolderLock::Take(folder);
  if (!lock) return lock.error();
  const std::string file = FileIn(folder);
  auto database = std::make_unique<Database>(file, Database::Mode::Create);
  if (auto problem = Upgrade(*database, file)) return *problem;
  // After the upgrade, so that a database which is not ours stays as it is.
  const bool wal = [&] {
    Database::Rows mode = database->Query("PRAGMA journal_mode = WAL");
    return mode.Next() && mode.Text(0) == "wal";
  }();
  database->Number("SELECT now FROM service");  // from here on it holds on to the log
  if (auto problem = database->Problem()) return *problem;
  if (!wal) return Error{"data.failed", {{"file", file}, {"why", "no write-ahead log on this file system"}}};
  SyncFolder(folder);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::make_unique<Impl>(std::move(*lock), file, std::move(database), std::move(post))));
}

Expected<std::unique_ptr<SqliteStore>> SqliteStore::Visit(const std::string& folder, Post post) {
  const std::string file = FileIn(folder);
  auto database = std::make_unique<Database>(file, Database::Mode::Write);
  if (auto problem = Upgrade(*database, file)) return *problem;
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::make_unique<Impl>(std::nullopt, file, std::move(database), std::move(post))));
}

SqliteStore::SqliteStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SqliteStore::~SqliteStore() = default;

std::string SqliteStore::FileIn(const std::string& folder) { return folder + "/civ.db"; }

void SqliteStore::Append(std::string table, int64_t expected, Strings events, Listing listing, int64_t now, Done done) {
  const size_t count = events.size();
  impl_->writer.Give({.change = [table = std::move(table), expected, events = std::move(events), listing = std::move(listing)](
                                    Database& database) { return StoreEvents(database, table, expected, events, listing); },
                      .done = std::move(done),
                      .now = now,
                      .events = count});
}

void SqliteStore::Load(std::string table, Loaded loaded) {
  impl_->reader.Give([this, table = std::move(table), loaded = std::move(loaded)](Database& database) {
    impl_->post([loaded, log = Whole(database, ReadLog(database, table))]() mutable { loaded(std::move(log)); });
  });
}

std::optional<Error> SqliteStore::LoadOpen(const std::function<void(StoredLog)>& each) {
  Database database(impl_->file, Database::Mode::Read);
  Database::Rows rows = database.Query("SELECT key, id, body FROM tables LEFT JOIN events ON table_key = key WHERE open = 1 ORDER BY key, n");
  StoredLog log;
  int64_t last = 0;
  while (rows.Next()) {
    if (const int64_t key = rows.Number(0); key != last) {
      if (last != 0) each(std::exchange(log, {}));
      log.table = rows.Text(1);
      last = key;
    }
    if (!rows.IsNull(2)) log.events.push_back(rows.Text(2));
  }
  if (last != 0 && database.ok()) each(std::move(log));
  return database.Problem();
}

void SqliteStore::PutAside(const std::string& table, const std::string& why) {
  impl_->writer.Give({.change = [table, why](Database& database) {
    database.Run("UPDATE tables SET open = 0, aside = ? WHERE id = ?", why, table);
    return Stored::Stored;
  }});
}

void SqliteStore::List(std::string person, bool open_only, int most, Listed listed) {
  impl_->reader.Give([this, person = std::move(person), open_only, most, listed = std::move(listed)](Database& database) {
    database.Run("BEGIN");  // so that all of it is of one moment
    std::vector<Listing> listings = ReadListings(database, person, open_only, most);
    database.Run("COMMIT");
    impl_->post([listed, listings = Whole(database, std::move(listings))]() mutable { listed(std::move(listings)); });
  });
}

Expected<std::vector<StoredSession>> SqliteStore::LoadSessions() {
  Database database(impl_->file, Database::Mode::Read);
  Database::Rows rows = database.Query("SELECT hash, person, name, bot, muted, banned, created, seen FROM sessions");
  std::vector<StoredSession> sessions;
  while (rows.Next())
    sessions.push_back({.hash = rows.Text(0),
                        .person = rows.Text(1),
                        .name = rows.Text(2),
                        .bot = rows.Number(3) != 0,
                        .muted = rows.Number(4) != 0,
                        .banned = rows.Number(5) != 0,
                        .created = rows.Number(6),
                        .seen = rows.Number(7)});
  return Whole(database, std::move(sessions));
}

void SqliteStore::PutSessions(std::vector<StoredSession> sessions, Done done) {
  impl_->writer.Give({.change =
                          [sessions = std::move(sessions)](Database& database) {
                            for (const StoredSession& session : sessions)
                              database.Run("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", session.hash, session.person,
                                           session.name, int64_t{session.bot}, int64_t{session.muted}, int64_t{session.banned}, session.created,
                                           session.seen);
                            return Stored::Stored;
                          },
                      .done = std::move(done)});
}

void SqliteStore::DropSession(std::string hash, Done done) {
  impl_->writer.Give({.change =
                          [hash = std::move(hash)](Database& database) {
                            database.Run("DELETE FROM sessions WHERE hash = ?", hash);
                            return Stored::Stored;
                          },
                      .done = std::move(done)});
}

Expected<int64_t> SqliteStore::ServiceTime() {
  Database database(impl_->file, Database::Mode::Read);
  return Whole(database, database.Number("SELECT now FROM service"));
}

void SqliteStore::PutServiceTime(int64_t now) { impl_->writer.Give({.now = now}); }

bool SqliteStore::healthy() const {
  const std::scoped_lock hold(impl_->mutex);
  return impl_->healthy;
}

StoreFigures SqliteStore::figures() const {
  const std::scoped_lock hold(impl_->mutex);
  return impl_->figures;
}

}  // namespace civ
