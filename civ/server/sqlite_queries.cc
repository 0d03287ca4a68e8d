#include "civ/server/sqlite_queries.h"

#include <utility>

#include "civ/server/token.h"

namespace civ {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kAddress = "address";  // stands for the person in the row of a banned address

Strings PersonsOf(Database& database, int64_t key) {
  Strings persons;
  Database::Rows rows =
      database.Query("SELECT person FROM persons WHERE table_key = ? ORDER BY place", key);
  while (rows.Next()) persons.push_back(rows.Text(0));
  return persons;
}

}  // namespace

int64_t LengthOf(Database& database, const std::string& table) {
  return database.Number(
      "SELECT coalesce(max(n), 0) FROM events WHERE table_key = (SELECT key FROM tables WHERE id = "
      "?)",
      table);
}

void WriteEvents(Database& database, const Addition& added) {
  const Listing& listing = added.listing;
  const int64_t open = listing.open ? 1 : 0;
  const int64_t key = database.Number(
      "INSERT INTO tables (id, open, summary) VALUES (?, ?, ?) "
      "ON CONFLICT (id) DO UPDATE SET open = excluded.open AND aside IS NULL, summary = "
      "excluded.summary RETURNING key",
      added.table, open, listing.summary);
  for (int64_t n = added.expected; const std::string& event : added.events)
    database.Run("INSERT INTO events VALUES (?, ?, ?)", key, ++n, event);
  if (PersonsOf(database, key) != listing.persons) {
    database.Run("DELETE FROM persons WHERE table_key = ?", key);
    for (int64_t place = 0; const std::string& person : listing.persons)
      database.Run("INSERT INTO persons VALUES (?, ?, ?)", key, place++, person);
  }
}

void WriteAside(Database& database, const std::string& table, const std::string& why) {
  database.Run("UPDATE tables SET open = 0, aside = ? WHERE id = ?", why, table);
}

void WriteSession(Database& database, const StoredSession& session) {
  database.Run(
      "INSERT OR REPLACE INTO sessions (hash, person, name, bot, muted, banned, created, seen) "
      "SELECT ?1, ?2, coalesce(max(name), ?3), ?4, coalesce(max(muted), ?5), coalesce(max(banned), "
      "?6), ?7, ?8 FROM sessions WHERE person = ?2",
      session.hash, session.person, session.name, int64_t{session.bot}, int64_t{session.muted},
      int64_t{session.banned}, session.created, session.seen);
}

bool WritePerson(Database& database, const std::string& person, const PersonChange& change) {
  if (change.name)
    database.Run("UPDATE sessions SET name = ? WHERE person = ?", *change.name, person);
  if (change.muted)
    database.Run("UPDATE sessions SET muted = ? WHERE person = ?", int64_t{*change.muted}, person);
  if (change.banned)
    database.Run("UPDATE sessions SET banned = ? WHERE person = ?", int64_t{*change.banned},
                 person);
  return database.Number("SELECT EXISTS (SELECT 1 FROM sessions WHERE person = ?)", person) != 0;
}

void WriteSeen(Database& database, const std::string& hash, int64_t seen) {
  database.Run("UPDATE sessions SET seen = max(seen, ?) WHERE hash = ?", seen, hash);
}

void WriteAddress(Database& database, const std::string& address, bool banned) {
  const std::string hash = TokenHash("address " + address);
  if (!banned) return DeleteSession(database, hash);
  database.Run("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, 0, 0, 1, 0, 0)", hash,
               std::string_view(kAddress), address);
}

void DeleteSession(Database& database, const std::string& hash) {
  database.Run("DELETE FROM sessions WHERE hash = ?", hash);
}

void WriteServiceTime(Database& database, int64_t now) {
  database.Run("UPDATE service SET now = max(now, ?), groups = groups + 1", now);
}

std::optional<StoredLog> ReadLog(Database& database, const std::string& table) {
  // One row without an event for a table without any.
  Database::Rows rows = database.Query(
      "SELECT body FROM tables LEFT JOIN events ON table_key = key WHERE id = ? ORDER BY n", table);
  std::optional<StoredLog> log;
  while (rows.Next()) {
    if (!log) log.emplace().table = table;
    if (!rows.IsNull(0)) log->events.push_back(rows.Text(0));
  }
  return log;
}

std::optional<StoredTail> ReadTail(Database& database, const std::string& table, int64_t from) {
  database.Run("BEGIN");  // so that all of it is of one moment
  std::optional<StoredTail> tail;
  if (database.Number("SELECT EXISTS (SELECT 1 FROM tables WHERE id = ?)", table) != 0) {
    tail.emplace().length = LengthOf(database, table);
    Database::Rows rows = database.Query(
        "SELECT body FROM events WHERE table_key = (SELECT key FROM tables WHERE id = ?) AND n >= "
        "? ORDER BY n",
        table, from);
    while (rows.Next()) tail->events.push_back(rows.Text(0));
  }
  database.Run("COMMIT");
  return tail;
}

void ReadOpenLogs(Database& database, const std::function<void(StoredLog)>& each) {
  Database::Rows rows = database.Query(
      "SELECT key, id, body FROM tables LEFT JOIN events ON table_key = key WHERE open = 1 ORDER "
      "BY key, n");
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
}

std::vector<Listing> ReadListings(Database& database, const std::string& person, bool open_only,
                                  int64_t most) {
  const std::string_view
      all = "SELECT key, id, open, summary FROM tables ORDER BY key DESC LIMIT ?",
      open = "SELECT key, id, open, summary FROM tables WHERE open = 1 ORDER BY key DESC LIMIT ?",
      of_one =
          "SELECT key, id, open, summary FROM tables WHERE key IN (SELECT table_key FROM persons "
          "WHERE person = ?2) "
          "AND open >= ?3 ORDER BY key DESC LIMIT ?1";
  std::vector<Listing> listings;
  Database::Rows rows = !person.empty() ? database.Query(of_one, most, person, int64_t{open_only})
                                        : database.Query(open_only ? open : all, most);
  while (rows.Next())
    listings.push_back({.table = rows.Text(1),
                        .open = rows.Number(2) != 0,
                        .summary = rows.Text(3),
                        .persons = PersonsOf(database, rows.Number(0))});
  return listings;
}

Strings ReadWhoHasTables(Database& database, const Strings& persons) {
  Strings having;
  for (const std::string& person : persons)
    if (database.Number("SELECT EXISTS (SELECT 1 FROM persons WHERE person = ?)", person) != 0)
      having.push_back(person);
  return having;
}

std::vector<StoredSession> ReadSessions(Database& database) {
  Database::Rows rows = database.Query(
      "SELECT hash, person, name, bot, muted, banned, created, seen FROM sessions "
      "WHERE person <> ?",
      std::string_view(kAddress));
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
  return sessions;
}

Strings ReadBannedAddresses(Database& database) {
  Strings addresses;
  Database::Rows rows =
      database.Query("SELECT name FROM sessions WHERE person = ?", std::string_view(kAddress));
  while (rows.Next()) addresses.push_back(rows.Text(0));
  return addresses;
}

int64_t ReadServiceTime(Database& database) { return database.Number("SELECT now FROM service"); }

}  // namespace civ
