#include "civ/server/postgres_append.h"

#include <algorithm>
#include <map>
#include <set>

namespace civ {
namespace {

using How = PostgresOutcome::How;
using Numbers = std::vector<std::optional<int64_t>>;

constexpr const char* kInsertNew =
    "INSERT INTO tables (id) SELECT id FROM unnest($1::text[]) WITH ORDINALITY AS new (id, place) "
    "ORDER BY place ON CONFLICT (id) DO NOTHING RETURNING key";
// Everybody takes the rows in the same order, so nobody waits for somebody who waits.
constexpr const char* kLock =
    "SELECT key, id, length, asked, persons, aside IS NOT NULL FROM tables "
    "WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE";
constexpr const char* kUpdate =
    "UPDATE tables SET length = u.length, open = u.open, asked = u.asked, maker = u.maker, "
    "persons = u.persons, summary = u.summary "
    "FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::boolean[], $5::text[], "
    "$6::text[], $7::bytea[]) AS u (key, length, open, asked, maker, persons, summary) "
    "WHERE tables.key = u.key";
constexpr const char* kInsertEvents =
    "INSERT INTO events (key, n, body) "
    "SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])";
constexpr const char* kPutLive =
    "INSERT INTO live (key, due, lobby, changed) "
    "SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) "
    "ON CONFLICT (key) DO UPDATE "
    "SET due = excluded.due, lobby = excluded.lobby, changed = excluded.changed";
constexpr const char* kDropLive = "DELETE FROM live WHERE key = ANY ($1::bigint[])";
constexpr const char* kDropSeats = "DELETE FROM seats WHERE key = ANY ($1::bigint[])";
constexpr const char* kInsertSeats =
    "INSERT INTO seats (key, place, person) "
    "SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])";
constexpr const char* kDropJobs =
    "DELETE FROM jobs WHERE id = ANY ($1::text[]) AND kind = 'bot' AND NOT EXISTS (SELECT FROM "
    "unnest($2::text[], $3::bigint[], $4::bigint[]) AS stays (id, seat, builds) WHERE "
    "stays.id = jobs.id AND stays.seat = jobs.seat AND stays.builds = jobs.builds)";
constexpr const char* kInsertJobs =
    "INSERT INTO jobs (id, seat, builds, kind, priority, person, question) "
    "SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], "
    "$6::text[], $7::bytea[]) ON CONFLICT (id, seat, builds) DO NOTHING";
constexpr const char* kDropUnused = "DELETE FROM tables WHERE key = ANY ($1::bigint[])";

// A table that the group would add to.
struct LockedTable {
  int64_t key = 0, length = 0;
  bool asked = false, aside = false;
  std::string persons;
  const Addition* last = nullptr;  // what it is after the group
};
using LockedTables = std::map<std::string, LockedTable>;

std::string InLines(const std::vector<std::string>& persons) {
  std::string lines;
  for (const std::string& person : persons) lines += person + '\n';
  return lines;
}

PostgresUnit BeginAndLock(const std::deque<PostgresAppend>& group) {
  std::set<std::string> ids, fresh_seen;
  std::vector<std::string> fresh;
  for (const PostgresAppend& append : group)
    for (const Addition& added : append.additions) {
      ids.insert(added.table);
      if (added.expected == 0 && fresh_seen.insert(added.table).second)
        fresh.push_back(added.table);
    }
  PostgresUnit unit{{"BEGIN"}};
  if (!fresh.empty()) unit.push_back({kInsertNew, PostgresValues().Texts(fresh)});
  unit.push_back({kLock, PostgresValues().Texts({ids.begin(), ids.end()})});
  return unit;
}

LockedTables ReadLocked(const PostgresRows& rows) {
  LockedTables tables;
  for (int row = 0; row < rows.size(); ++row)
    tables[rows.Text(row, 1)] = {rows.Number(row, 0), rows.Number(row, 2), rows.Flag(row, 3),
                                 rows.Flag(row, 5), rows.Text(row, 4)};
  return tables;
}

// What is stored and what is stale, if the group is stored: one after another.
std::vector<Stored> Decide(const std::deque<PostgresAppend>& group, LockedTables& tables) {
  std::vector<Stored> results;
  for (const PostgresAppend& append : group) {
    const bool fits = std::ranges::all_of(append.additions, [&](const Addition& added) {
      const auto found = tables.find(added.table);
      return found != tables.end() && found->second.length == added.expected;
    });
    results.push_back(fits ? Stored::Stored : Stored::Stale);
    for (const Addition& added : append.additions) {
      if (!fits) break;
      LockedTable& table = tables[added.table];
      table.length += static_cast<int64_t>(added.events.size());
      table.last = &added;
    }
  }
  return results;
}

void AddEvents(PostgresUnit& unit, const std::deque<PostgresAppend>& group,
               const std::vector<Stored>& results, const LockedTables& tables) {
  Numbers keys, numbers;
  std::vector<std::string> bodies;
  for (size_t i = 0; i < group.size(); ++i) {
    if (results[i] != Stored::Stored) continue;
    for (const Addition& added : group[i].additions)
      for (int64_t n = added.expected; const std::string& event : added.events) {
        keys.emplace_back(tables.at(added.table).key);
        numbers.emplace_back(++n);
        bodies.push_back(event);
      }
  }
  unit.push_back(
      {kInsertEvents, PostgresValues().Numbers(keys).Numbers(numbers).ByteTexts(bodies)});
}

void AddTables(PostgresUnit& unit, const LockedTables& tables) {
  Numbers keys, lengths;
  std::vector<bool> open, asked;
  std::vector<std::string> makers, persons, summaries;
  for (const auto& [id, table] : tables) {
    if (table.last == nullptr) continue;
    const Listing& listing = table.last->listing;
    keys.emplace_back(table.key);
    lengths.emplace_back(table.length);
    open.push_back(listing.open && !table.aside);
    asked.push_back(!table.last->jobs.empty());
    makers.push_back(listing.maker);
    persons.push_back(InLines(listing.persons));
    summaries.push_back(listing.summary);
  }
  unit.push_back({kUpdate, PostgresValues()
                               .Numbers(keys)
                               .Numbers(lengths)
                               .Flags(open)
                               .Flags(asked)
                               .Texts(makers)
                               .Texts(persons)
                               .ByteTexts(summaries)});
}

void AddLive(PostgresUnit& unit, const LockedTables& tables) {
  Numbers keys, due, lobby, changed, gone;
  for (const auto& [id, table] : tables) {
    if (table.last == nullptr) continue;
    const Listing& listing = table.last->listing;
    const bool open = listing.open && !table.aside;
    if (table.aside || (!open && !table.last->due)) {
      gone.emplace_back(table.key);
      continue;
    }
    keys.emplace_back(table.key);
    due.push_back(table.last->due);
    lobby.emplace_back(open ? static_cast<int64_t>(listing.lobby) : 0);
    changed.emplace_back(listing.changed);
  }
  if (!keys.empty())
    unit.push_back(
        {kPutLive, PostgresValues().Numbers(keys).Numbers(due).Numbers(lobby).Numbers(changed)});
  if (!gone.empty()) unit.push_back({kDropLive, PostgresValues().Numbers(gone)});
}

void AddSeats(PostgresUnit& unit, const LockedTables& tables) {
  Numbers changed, keys, places;
  std::vector<std::string> persons;
  for (const auto& [id, table] : tables) {
    if (table.last == nullptr || InLines(table.last->listing.persons) == table.persons) continue;
    changed.emplace_back(table.key);
    for (int64_t place = 0; const std::string& person : table.last->listing.persons) {
      keys.emplace_back(table.key);
      places.emplace_back(place++);
      persons.push_back(person);
    }
  }
  if (changed.empty()) return;
  unit.push_back({kDropSeats, PostgresValues().Numbers(changed)});
  unit.push_back({kInsertSeats, PostgresValues().Numbers(keys).Numbers(places).Texts(persons)});
}

void AddJobs(PostgresUnit& unit, const LockedTables& tables) {
  std::vector<std::string> asked_before, ids, kinds, persons, questions;
  Numbers seats, builds, priorities;
  for (const auto& [id, table] : tables) {
    if (table.last == nullptr) continue;
    if (table.asked) asked_before.push_back(id);
    for (const Job& job : table.last->jobs) {
      ids.push_back(id);
      seats.emplace_back(job.seat);
      builds.emplace_back(job.builds);
      kinds.push_back(job.kind);
      priorities.emplace_back(job.priority);
      persons.push_back(job.person);
      questions.push_back(job.question);
    }
  }
  if (!asked_before.empty())
    unit.push_back(
        {kDropJobs,
         PostgresValues().Texts(asked_before).Texts(ids).Numbers(seats).Numbers(builds)});
  if (!ids.empty())
    unit.push_back({kInsertJobs, PostgresValues()
                                     .Texts(ids)
                                     .Numbers(seats)
                                     .Numbers(builds)
                                     .Texts(kinds)
                                     .Numbers(priorities)
                                     .Texts(persons)
                                     .ByteTexts(questions)});
}

// Of the rows that were made for tables which are new, those that nothing came of.
Numbers Unused(const PostgresRows& made, const LockedTables& tables) {
  std::set<int64_t> used;
  for (const auto& [id, table] : tables)
    if (table.last != nullptr) used.insert(table.key);
  Numbers unused;
  for (int row = 0; row < made.size(); ++row)
    if (!used.contains(made.Number(row, 0))) unused.emplace_back(made.Number(row, 0));
  return unused;
}

// Nothing if the database refused it, and nothing has changed.
std::optional<std::vector<Stored>> TryGroup(PostgresConnection& connection,
                                            const std::deque<PostgresAppend>& group) {
  const PostgresUnit begin = BeginAndLock(group);
  PostgresOutcome locked = connection.Exchange(begin);
  // Nothing has been changed yet, and the next connection may be to another server.
  if (locked.how == How::Lost) locked = connection.Exchange(begin);
  if (locked.how == How::Refused) {
    connection.Continue({{"ROLLBACK"}});
    return std::nullopt;
  }
  std::vector<Stored> results(group.size(), Stored::Failed);
  if (!locked.done()) return results;
  LockedTables tables = ReadLocked(locked.rows[begin.size() - 1]);
  results = Decide(group, tables);
  if (std::ranges::count(results, Stored::Stored) == 0) {
    connection.Continue({{"ROLLBACK"}});
    return results;
  }
  PostgresUnit unit;
  AddTables(unit, tables);
  AddEvents(unit, group, results, tables);
  AddLive(unit, tables);
  AddSeats(unit, tables);
  AddJobs(unit, tables);
  if (begin.size() == 3)
    if (const Numbers unused = Unused(locked.rows[1], tables); !unused.empty())
      unit.push_back({kDropUnused, PostgresValues().Numbers(unused)});
  unit.push_back({"COMMIT"});
  const PostgresOutcome stored = connection.Continue(unit);
  if (stored.how == How::Refused) {
    connection.Continue({{"ROLLBACK"}});
    return std::nullopt;
  }
  if (!stored.done())
    std::ranges::replace(results, Stored::Stored,
                         stored.how == How::Lost ? Stored::Unknown : Stored::Failed);
  return results;
}

}  // namespace

std::vector<Stored> AppendGroup(PostgresConnection& connection,
                                const std::deque<PostgresAppend>& group) {
  if (auto results = TryGroup(connection, group)) return *std::move(results);
  if (group.size() == 1) return {Stored::Failed};
  // So that what one of them has wrong is not everybody's trouble.
  std::vector<Stored> results;
  for (const PostgresAppend& append : group)
    results.push_back(AppendGroup(connection, {append}).front());
  return results;
}

}  // namespace civ
