#include "civ/server/sqlite_store.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "civ/server/database.h"
#include "civ/server/lock.h"
#include "civ/server/queue.h"
#include "civ/server/schema.h"
#include "civ/server/sqlite_queries.h"

namespace civ {
namespace {

// What was read, if all of it could be.
template <class T>
Expected<T> Whole(const Database& database, T read) {
  if (std::optional<Error> problem = database.Problem()) return *std::move(problem);
  return read;
}

}  // namespace

struct SqliteStore::Impl {
  // One thing to store. All that wait at once are one transaction (group commit).
  struct WriteTask {
    // Stored or Stale. That it failed is noted by the database.
    std::function<Stored(Database&)> change = {};
    Store::Done done = {};
    int64_t now = 0;    // the time of service, if it is known
    size_t events = 0;  // that are stored with it
  };

  using ReadTask = std::function<void(Database&)>;

  Impl(std::optional<FolderLock> held, std::string path, Database::Mode mode,
       std::unique_ptr<Database> database, Post poster)
      : lock(std::move(held)),
        file(std::move(path)),
        write_mode(mode),
        post(std::move(poster)),
        anchor(std::move(database)) {
    reader = std::jthread([this] { ReadAll(); });
    writer = std::jthread([this] { WriteAll(); });
  }
  // The threads work off what waits.
  ~Impl() {
    reads.Close();
    writes.Close();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void Write(std::function<Stored(Database&)> change, Store::Done done) {
    writes.Push({.change = std::move(change), .done = std::move(done)});
  }

  void WriteAll() {
    for (std::deque<WriteTask> group = writes.PopAll(); !group.empty(); group = writes.PopAll())
      Commit(std::move(group));
  }

  void Commit(std::deque<WriteTask> group) {
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
        for (size_t i = 0; i < group.size(); ++i)
          figures.events += results[i] == Stored::Stored ? group[i].events : 0;
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

  bool Try(const std::deque<WriteTask>& group, std::vector<Stored>& results) {
    if (!writing) writing = std::make_unique<Database>(file, write_mode);
    Database& database = *writing;
    database.Run("BEGIN IMMEDIATE");
    int64_t now = 0;
    for (const WriteTask& write : group) {
      results.push_back(write.change ? write.change(database) : Stored::Stored);
      now = std::max(now, write.now);
    }
    WriteServiceTime(database, now);
    database.Run("COMMIT");
    if (database.ok()) return true;
    // Whatever has become of this connection: the next group gets a new one.
    writing.reset();
    results.assign(group.size(), Stored::Failed);
    return false;
  }

  void ReadAll() {
    while (const std::optional<ReadTask> read = reads.Pop()) {
      if (!reading) reading = std::make_unique<Database>(file, Database::Mode::Read);
      (*read)(*reading);
      if (!reading->ok()) reading.reset();
    }
  }

  const std::optional<FolderLock> lock;  // none for most visitors
  const std::string file;
  const Database::Mode write_mode;  // Read for whoever may not write: then every write fails
  const Post post;
  // Never used, and never closed while others are: if all were, the next one would find a commit in
  // the log that had failed when it was synced.
  const std::unique_ptr<Database> anchor;
  std::unique_ptr<Database> writing;  // the writer's; none at first and after a failure
  std::unique_ptr<Database> reading;  // the reader's
  mutable std::mutex mutex;           // of the next two
  bool healthy = true;
  StoreFigures figures;
  Queue<ReadTask> reads;
  Queue<WriteTask> writes;
  std::jthread reader, writer;  // the last, since they use the others
};

Expected<std::unique_ptr<SqliteStore>> SqliteStore::Open(const std::string& folder, Post post) {
  Expected<FolderLock> lock = FolderLock::Take(folder);
  if (!lock) return lock.error();
  const std::string file = FileIn(folder);
  auto database = std::make_unique<Database>(file, Database::Mode::Create);
  if (auto problem = UpgradeSchema(*database, file)) return *problem;
  // After the upgrade, so that a database which is not ours stays as it is.
  const bool wal = [&] {
    Database::Rows mode = database->Query("PRAGMA journal_mode = WAL");
    return mode.Next() && mode.Text(0) == "wal";
  }();
  ReadServiceTime(*database);  // from here on it holds on to the write-ahead log
  if (auto problem = database->Problem()) return *problem;
  if (!wal)
    return Error{"data.failed",
                 {{"file", file}, {"why", "no write-ahead log on this file system"}}};
  SyncFolder(folder);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::make_unique<Impl>(
      std::move(*lock), file, Database::Mode::Write, std::move(database), std::move(post))));
}

Expected<std::unique_ptr<SqliteStore>> SqliteStore::Visit(const std::string& folder, Access access,
                                                          Post post) {
  const std::string file = FileIn(folder);
  const Database::Mode mode = access == Access::Read ? Database::Mode::Read : Database::Mode::Write;
  auto database = std::make_unique<Database>(file, mode);
  const Expected<int> schema = SchemaOf(*database, file);
  if (!schema) return schema.error();
  std::optional<FolderLock> lock;
  if (access == Access::Append && *schema < NewestSchema()) {
    Expected<FolderLock> taken = FolderLock::Take(folder);
    if (!taken) return Error{"data.older", {{"file", file}}};
    if (auto problem = UpgradeSchema(*database, file)) return *problem;
    lock.emplace(std::move(*taken));
  }
  return std::unique_ptr<SqliteStore>(new SqliteStore(
      std::make_unique<Impl>(std::move(lock), file, mode, std::move(database), std::move(post))));
}

SqliteStore::SqliteStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SqliteStore::~SqliteStore() = default;

std::string SqliteStore::FileIn(const std::string& folder) { return folder + "/civ.db"; }

void SqliteStore::AppendAll(std::vector<Addition> additions, int64_t now, Done done) {
  size_t count = 0;
  for (const Addition& added : additions) count += added.events.size();
  impl_->writes.Push({.change =
                          [additions = std::move(additions)](Database& database) {
                            for (const Addition& added : additions)
                              if (LengthOf(database, added.table) != added.expected)
                                return Stored::Stale;
                            for (const Addition& added : additions) WriteEvents(database, added);
                            return Stored::Stored;
                          },
                      .done = std::move(done),
                      .now = now,
                      .events = count});
}

void SqliteStore::Load(std::string table, Loaded loaded) {
  impl_->reads.Push(
      [this, table = std::move(table), loaded = std::move(loaded)](Database& database) {
        impl_->post([loaded, log = Whole(database, ReadLog(database, table))]() mutable {
          loaded(std::move(log));
        });
      });
}

void SqliteStore::Tail(std::string table, int64_t from, Tailed tailed) {
  impl_->reads.Push(
      [this, table = std::move(table), from, tailed = std::move(tailed)](Database& database) {
        impl_->post([tailed, tail = Whole(database, ReadTail(database, table, from))]() mutable {
          tailed(std::move(tail));
        });
      });
}

void SqliteStore::Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) {
  impl_->reads.Push(
      [this, tables = std::move(tables), answer = std::move(answer)](Database& database) {
        std::vector<int64_t> lengths;
        for (const std::string& table : tables) lengths.push_back(LengthOf(database, table));
        impl_->post([answer, lengths = Whole(database, std::move(lengths))]() mutable {
          answer(std::move(lengths));
        });
      });
}

std::optional<Error> SqliteStore::LoadOpen(const std::function<void(StoredLog)>& each) {
  Database database(impl_->file, Database::Mode::Read);
  ReadOpenLogs(database, each);
  return database.Problem();
}

void SqliteStore::PutAside(const std::string& table, const std::string& why) {
  impl_->writes.Push({.change = [table, why](Database& database) {
    WriteAside(database, table, why);
    return Stored::Stored;
  }});
}

void SqliteStore::List(std::string person, bool open_only, int most, Listed listed) {
  impl_->reads.Push([this, person = std::move(person), open_only, most,
                     listed = std::move(listed)](Database& database) {
    database.Run("BEGIN");  // so that all of it is of one moment
    std::vector<Listing> listings = ReadListings(database, person, open_only, most);
    database.Run("COMMIT");
    impl_->post([listed, listings = Whole(database, std::move(listings))]() mutable {
      listed(std::move(listings));
    });
  });
}

void SqliteStore::WhoHasTables(std::vector<std::string> persons, Having having) {
  impl_->reads.Push([this, persons = std::move(persons),
                     having = std::move(having)](Database& database) {
    impl_->post([having, found = Whole(database, ReadWhoHasTables(database, persons))]() mutable {
      having(std::move(found));
    });
  });
}

Expected<std::vector<StoredSession>> SqliteStore::LoadSessions() {
  Database database(impl_->file, Database::Mode::Read);
  return Whole(database, ReadSessions(database));
}

Expected<std::vector<std::string>> SqliteStore::LoadBannedAddresses() {
  Database database(impl_->file, Database::Mode::Read);
  return Whole(database, ReadBannedAddresses(database));
}

void SqliteStore::AddSession(StoredSession session, Done done) {
  impl_->Write(
      [session = std::move(session)](Database& database) {
        WriteSession(database, session);
        return Stored::Stored;
      },
      std::move(done));
}

void SqliteStore::ChangePerson(std::string person, PersonChange change, Done done) {
  impl_->Write(
      [person = std::move(person), change = std::move(change)](Database& database) {
        return WritePerson(database, person, change) ? Stored::Stored : Stored::Stale;
      },
      std::move(done));
}

void SqliteStore::SeeSession(std::string hash, int64_t seen, Done done) {
  impl_->Write(
      [hash = std::move(hash), seen](Database& database) {
        WriteSeen(database, hash, seen);
        return Stored::Stored;
      },
      std::move(done));
}

void SqliteStore::DropSession(std::string hash, Done done) {
  impl_->Write(
      [hash = std::move(hash)](Database& database) {
        DeleteSession(database, hash);
        return Stored::Stored;
      },
      std::move(done));
}

void SqliteStore::BanAddress(std::string address, bool on, Done done) {
  impl_->Write(
      [address = std::move(address), on](Database& database) {
        WriteAddress(database, address, on);
        return Stored::Stored;
      },
      std::move(done));
}

Expected<int64_t> SqliteStore::ServiceTime() {
  Database database(impl_->file, Database::Mode::Read);
  return Whole(database, ReadServiceTime(database));
}

void SqliteStore::PutServiceTime(int64_t now, Done done) {
  impl_->writes.Push({.done = std::move(done), .now = now});
}

bool SqliteStore::healthy() const {
  const std::scoped_lock hold(impl_->mutex);
  return impl_->healthy;
}

StoreFigures SqliteStore::figures() const {
  const std::scoped_lock hold(impl_->mutex);
  return impl_->figures;
}

}  // namespace civ
