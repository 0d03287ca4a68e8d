// civ migrate: everything that a server has stored in its data folder into a PostgreSQL database.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <map>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/app/visit.h"
#include "civ/server/database.h"
#include "civ/server/listing.h"
#include "civ/server/lock.h"
#include "civ/server/postgres_connection.h"
#include "civ/server/postgres_store.h"
#include "civ/server/replay.h"
#include "civ/server/schema.h"
#include "civ/server/token.h"
#include "civ/words/words.h"

namespace civ {
namespace {

struct MigrateOptions {
  std::string from, to, language;
};

class Migration {
 public:
  Migration(Store& from, PostgresStore& to, std::string name, const Words& words)
      : from_(from), to_(to), name_(std::move(name)), words_(words) {}

  void Tables(const std::map<std::string, std::string>& aside);
  void People();
  void Time();

  int64_t tables = 0, there = 0, sessions = 0, addresses = 0;

 private:
  template <class T>
  T Known(Expected<T> read) const {
    if (!read) Fail(words_.Describe(read.error()));
    return *std::move(read);
  }
  template <class Call>
  void Must(Call call) const {
    if (Wait<Stored>(call) != Stored::Stored) Fail(words_("migrate.again"));
  }
  std::vector<std::string> Log(Store& store, const std::string& table) const {
    using Loaded = Expected<std::optional<StoredLog>>;
    auto log = Known(Wait<Loaded>([&](auto answer) { store.Load(table, answer); }));
    return log ? std::move(log->events) : std::vector<std::string>{};
  }
  void Differs(const std::string& what) const {
    Fail(words_("migrate.differs", {{"file", name_}, {"what", what}}));
  }
  Addition AdditionOf(const Listing& listing, const std::vector<std::string>& events) const;
  void Bring(const Listing& listing);
  void Compare(const std::vector<Listing>& wanted);

  Store& from_;
  PostgresStore& to_;
  const std::string name_;
  const Words& words_;
};

// What a shared store wants to know besides. An open table is due at once: whichever server takes
// it finds out what is.
Addition Migration::AdditionOf(const Listing& listing,
                               const std::vector<std::string>& events) const {
  Addition added{listing.table, 0, events, listing};
  if (!listing.open) return added;
  if (const Expected<Replayed> replayed = Replay({listing.table, events})) {
    const Listing known = ListingOf(listing.table, replayed->table);
    added.listing.maker = replayed->maker;
    added.listing.lobby = known.lobby;
    added.listing.changed = known.changed;
    added.jobs = JobsOf(listing.table, replayed->maker, replayed->table, RandomBytes);
  }
  added.due = 0;
  return added;
}

void Migration::Bring(const Listing& listing) {
  const std::vector<std::string> wanted = Log(from_, listing.table);
  const auto stored = Wait<Stored>([&](auto done) {
    std::vector<Addition> one;
    one.push_back(AdditionOf(listing, wanted));
    to_.AppendAll(std::move(one), 0, done);
  });
  if (stored == Stored::Failed || stored == Stored::Unknown) Fail(words_("migrate.again"));
  // Also what this has just written is read again. A game may have gone on since an earlier time.
  const std::vector<std::string> found = Log(to_, listing.table);
  const bool same =
      wanted.size() <= found.size() && std::equal(wanted.begin(), wanted.end(), found.begin());
  if (!same) Fail(words_("migrate.other", {{"table", PlainText(listing.table)}, {"file", name_}}));
  there += stored == Stored::Stale ? 1 : 0;
  ++tables;
}

void Migration::Tables(const std::map<std::string, std::string>& aside) {
  using Listings = Expected<std::vector<Listing>>;
  constexpr int kAll = std::numeric_limits<int>::max();
  std::vector<Listing> listings =
      Known(Wait<Listings>([&](auto answer) { from_.List("", false, kAll, answer); }));
  std::ranges::reverse(listings);  // in the order in which they were made
  for (const Listing& listing : listings) Bring(listing);
  for (const auto& [table, why] : aside) to_.PutAside(table, why);
  Must([&](auto done) { to_.DropSession("", done); });  // those before have been done
  Compare(listings);
}

void Migration::Compare(const std::vector<Listing>& wanted) {
  using Listings = Expected<std::vector<Listing>>;
  constexpr int kAll = std::numeric_limits<int>::max();
  std::map<std::string, Listing> found;
  for (const Listing& listing :
       Known(Wait<Listings>([&](auto answer) { to_.List("", false, kAll, answer); })))
    found[listing.table] = listing;
  for (const Listing& listing : wanted) {
    const auto same = found.find(listing.table);
    if (same == found.end()) return Differs(PlainText(listing.table));
    if (there == 0 && std::tie(listing.open, listing.summary, listing.persons) !=
                          std::tie(same->second.open, same->second.summary, same->second.persons))
      return Differs(PlainText(listing.table));
  }
}

void Migration::People() {
  std::map<std::string, StoredSession> found;
  const std::vector<StoredSession> wanted = Known(from_.LoadSessions());
  for (const StoredSession& session : Known(to_.LoadSessions())) found[session.hash] = session;
  for (const StoredSession& session : wanted)
    if (!found.contains(session.hash)) Must([&](auto done) { to_.AddSession(session, done); });
  const std::vector<std::string> banned = Known(from_.LoadBannedAddresses());
  for (const std::string& address : banned)
    Must([&](auto done) { to_.BanAddress(address, true, done); });
  const bool fresh = found.empty();
  found.clear();
  for (const StoredSession& session : Known(to_.LoadSessions())) found[session.hash] = session;
  const auto all = [](const StoredSession& one) {
    return std::tie(one.person, one.name, one.bot, one.muted, one.banned, one.created, one.seen);
  };
  for (const StoredSession& session : wanted)
    if (!found.contains(session.hash) || (fresh && all(found[session.hash]) != all(session)))
      Differs(PlainText(session.person));
  const std::vector<std::string> kept = Known(to_.LoadBannedAddresses());
  for (const std::string& address : banned)
    if (std::ranges::count(kept, address) == 0) Differs(PlainText(address));
  sessions = static_cast<int64_t>(wanted.size());
  addresses = static_cast<int64_t>(banned.size());
}

void Migration::Time() {
  const int64_t time = Known(from_.ServiceTime());
  Must([&](auto done) { to_.BringForward(time, done); });
  if (Known(to_.ServiceTime()) < time) Differs("service");
}

std::map<std::string, std::string> AsideIn(const std::string& file, const Words& words) {
  std::map<std::string, std::string> aside;
  Database database(file, Database::Mode::Read);
  const Expected<int> schema = SchemaOf(database, file);
  if (!schema) Fail(words.Describe(schema.error()));
  if (*schema < 2) return aside;  // there it was not kept
  Database::Rows rows = database.Query("SELECT id, aside FROM tables WHERE aside IS NOT NULL");
  while (rows.Next()) aside[rows.Text(0)] = rows.Text(1);
  if (const auto problem = database.Problem()) Fail(words.Describe(*problem));
  return aside;
}

void RunMigrate(const MigrateOptions& options) {
  const Words words = WordsIn(options.language);
  const std::string folder = options.from.substr(options.from.find(':') + 1);
  const auto from = VisitStore(folder, SqliteStore::Access::Read, words);
  const Expected<FolderLock> lock = FolderLock::Take(folder);
  if (!lock) Fail(words.Describe(lock.error()));
  auto to = PostgresStore::Open(options.to, [](const std::function<void()>& answer) { answer(); });
  if (!to) Fail(words.Describe(to.error()));
  Migration migration(*from, **to, PostgresConnection::Plain(options.to), words);
  migration.Time();
  migration.Tables(AsideIn(SqliteStore::FileIn(folder), words));
  migration.People();
  std::cout << words("migrate.done", {{"tables", migration.tables},
                                      {"sessions", migration.sessions},
                                      {"addresses", migration.addresses},
                                      {"there", migration.there}})
            << '\n'
            << std::flush;
}

}  // namespace

void AddMigrate(CLI::App& app) {
  const auto options = std::make_shared<MigrateOptions>();
  CLI::App* command = app.add_subcommand(
      "migrate", "Bring what a server has stored over to a database that many servers share");
  const auto begins = [](const std::string& with) {
    return [with](const std::string& text) {
      return text.starts_with(with) ? std::string() : "must begin with " + with;
    };
  };
  command->add_option("from", options->from, "sqlite: and the server's data folder")
      ->required()
      ->check(begins("sqlite:"));
  command->add_option("to", options->to, "The database, as postgresql://user@host/name")
      ->required()
      ->check(begins("postgresql://"));
  AddLanguage(*command, options->language, kLanguageOfMessages);
  command->footer(
      "The server must have been stopped. Nothing is changed in its folder. If it breaks off, run "
      "it again: it goes on where it stopped.");
  command->callback([options] { RunMigrate(*options); });
}

}  // namespace civ
