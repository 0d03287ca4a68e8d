#include "civ/server/postgres_store.h"

#include <chrono>
#include <map>

#include "civ/server/postgres_impl.h"
#include "civ/server/postgres_schema.h"

namespace civ {
namespace {

using Texts = std::vector<std::string>;
using AllRows = std::vector<PostgresRows>;

// One row without an event for a table without any.
constexpr const char* kTail =
    "SELECT length, body FROM tables LEFT JOIN events ON events.key = tables.key AND n >= "
    "$2::bigint WHERE id = $1::text ORDER BY n";
constexpr const char* kLengths =
    "SELECT coalesce(length, 0) FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place) "
    "LEFT JOIN tables ON tables.id = asked.id ORDER BY place";
constexpr const char* kOpen =
    "SELECT key, id FROM tables WHERE open AND key > $1::bigint ORDER BY key LIMIT 200";
constexpr const char* kLogs =
    "SELECT key, body FROM events WHERE key = ANY ($1::bigint[]) ORDER BY key, n";
constexpr const char* kPutAside =
    "WITH put AS (UPDATE tables SET open = false, aside = $2::bytea WHERE id = $1::text "
    "RETURNING key) DELETE FROM live USING put WHERE live.key = put.key";

// The columns of ReadListings.
#define CIV_LISTING "SELECT t.id, t.open, t.summary, t.persons, t.maker, l.lobby, l.changed "
constexpr const char* kListAll =
    CIV_LISTING "FROM tables t LEFT JOIN live l USING (key) ORDER BY t.key DESC LIMIT $1::bigint";
constexpr const char* kListOpen = CIV_LISTING
    "FROM tables t LEFT JOIN live l USING (key) WHERE t.open ORDER BY t.key DESC LIMIT $1::bigint";
constexpr const char* kListOf = CIV_LISTING
    "FROM tables t LEFT JOIN live l USING (key) WHERE t.key IN (SELECT key FROM seats WHERE person "
    "= $2::text) AND (t.open OR NOT $3::boolean) ORDER BY t.key DESC LIMIT $1::bigint";
constexpr const char* kLobby = CIV_LISTING
    "FROM live l JOIN tables t USING (key) WHERE l.lobby > 0 AND t.open "
    "ORDER BY l.lobby, l.changed DESC, t.id LIMIT $1::bigint";
#undef CIV_LISTING
constexpr const char* kWhoHas =
    "SELECT person FROM unnest($1::text[]) WITH ORDINALITY AS asked (person, place) WHERE EXISTS "
    "(SELECT FROM seats WHERE seats.person = asked.person) ORDER BY place";
constexpr const char* kCountOpen =
    "SELECT (SELECT count(*) FROM tables WHERE open), "
    "(SELECT count(*) FROM tables WHERE open AND maker = $1::text)";

Texts LinesIn(const std::string& text) {
  Texts lines;
  for (size_t from = 0, end = 0; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    lines.push_back(text.substr(from, end - from));
  return lines;
}

std::vector<Listing> ReadPostgresListings(const AllRows& all) {
  const PostgresRows& rows = all[0];
  std::vector<Listing> listings;
  for (int row = 0; row < rows.size(); ++row)
    listings.push_back({.table = rows.Text(row, 0),
                        .open = rows.Flag(row, 1),
                        .summary = rows.Text(row, 2),
                        .persons = LinesIn(rows.Text(row, 3)),
                        .maker = rows.Text(row, 4),
                        .lobby = static_cast<Listing::Lobby>(rows.Number(row, 5)),
                        .changed = rows.Number(row, 6)});
  return listings;
}

std::optional<StoredTail> ReadPostgresTail(const AllRows& all) {
  const PostgresRows& rows = all[0];
  if (rows.empty()) return std::nullopt;
  StoredTail tail{rows.Number(0, 0), {}};
  for (int row = 0; row < rows.size(); ++row)
    if (!rows.IsNull(row, 1)) tail.events.push_back(rows.Text(row, 1));
  return tail;
}

PostgresConnection::Options Lane(const std::string& uri, std::chrono::milliseconds patience,
                                 const char* settings) {
  return {.uri = uri, .settings = settings, .patience = patience};
}
// Told is stored, whatever the server's own settings are. Appends find rows by their keys, however
// few there were when the statement was planned.
constexpr const char *kDurable = "-c synchronous_commit=on",
                     *kAppending =
                         "-c synchronous_commit=on -c enable_hashjoin=off -c enable_mergejoin=off "
                         "-c plan_cache_mode=force_generic_plan",
                     *kLight = "-c synchronous_commit=off";

}  // namespace

PostgresStore::Impl::Impl(std::string address, Post poster, std::chrono::milliseconds patience)
    : uri(std::move(address)),
      name(PostgresConnection::Plain(uri)),
      post(std::move(poster)),
      appending(Lane(uri, patience, kAppending)),
      reads(Lane(uri, patience, kDurable), read_well),
      chores(Lane(uri, patience, kDurable), healthy),
      jobs(Lane(uri, patience, kLight), read_well),
      appender([this] { AppendAll(); }) {}

void PostgresStore::Impl::AppendAll() {
  for (std::deque<PostgresAppend> group = appends.PopAll(); !group.empty();
       group = appends.PopAll()) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Stored> results = AppendGroup(appending, group);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    Count(group, results, took.count());
    post([group = std::move(group), results = std::move(results)] {
      for (size_t i = 0; i < group.size(); ++i)
        if (group[i].done) group[i].done(results[i]);
    });
  }
}

void PostgresStore::Impl::Count(const std::deque<PostgresAppend>& group,
                                const std::vector<Stored>& results, double seconds) {
  bool well = false;
  uint64_t events = 0;
  for (size_t i = 0; i < group.size(); ++i) {
    well |= results[i] == Stored::Stored || results[i] == Stored::Stale;
    if (results[i] != Stored::Stored) continue;
    for (const Addition& added : group[i].additions) events += added.events.size();
  }
  healthy = well;
  const std::scoped_lock hold(mutex);
  figures.events += events;
  if (!well) ++figures.failures;
  if (!well) return;
  ++figures.commits;
  figures.seconds += seconds;
  figures.last = seconds;
}

Expected<std::unique_ptr<PostgresStore>> PostgresStore::Open(const std::string& uri, Post post,
                                                             size_t shard,
                                                             std::chrono::milliseconds patience) {
  PostgresConnection connection(Lane(uri, patience, kDurable));
  const std::string name = PostgresConnection::Plain(uri);
  if (auto problem = UpgradePostgresSchema(connection, name)) return *problem;
  if (auto problem = CheckShard(connection, name, static_cast<int64_t>(shard))) return *problem;
  return std::unique_ptr<PostgresStore>(
      new PostgresStore(std::make_unique<Impl>(uri, std::move(post), patience)));
}

PostgresStore::PostgresStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PostgresStore::~PostgresStore() = default;

void PostgresStore::AppendAll(std::vector<Addition> additions, int64_t now, Done done) {
  (void)now;  // the database knows it
  impl_->appends.Push({std::move(additions), std::move(done)});
}

void PostgresStore::Load(std::string table, Loaded loaded) {
  PostgresUnit unit{{kTail, PostgresValues().Text(table).Number(0)}};
  impl_->Ask(impl_->reads, std::move(unit), std::move(loaded),
             [table = std::move(table)](const AllRows& rows) -> std::optional<StoredLog> {
               std::optional<StoredTail> tail = ReadPostgresTail(rows);
               if (!tail) return std::nullopt;
               return StoredLog{table, std::move(tail->events)};
             });
}

void PostgresStore::Tail(std::string table, int64_t from, Tailed tailed) {
  impl_->Ask(impl_->reads, {{kTail, PostgresValues().Text(table).Number(from)}}, std::move(tailed),
             ReadPostgresTail);
}

void PostgresStore::Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) {
  impl_->Ask(impl_->reads, {{kLengths, PostgresValues().Texts(tables)}}, std::move(answer),
             [](const AllRows& rows) {
               std::vector<int64_t> lengths;
               for (int row = 0; row < rows[0].size(); ++row)
                 lengths.push_back(rows[0].Number(row, 0));
               return lengths;
             });
}

std::optional<Error> PostgresStore::LoadOpen(const std::function<void(StoredLog)>& each) {
  for (int64_t last = 0;;) {
    std::vector<std::optional<int64_t>> keys;
    std::map<int64_t, StoredLog> logs;
    const auto tables = [&](const AllRows& rows) {
      for (int row = 0; row < rows[0].size(); ++row) {
        last = rows[0].Number(row, 0);
        keys.emplace_back(last);
        logs[last].table = rows[0].Text(row, 1);
      }
      return true;
    };
    const auto events = [&](const AllRows& rows) {
      for (int row = 0; row < rows[0].size(); ++row)
        logs[rows[0].Number(row, 0)].events.push_back(rows[0].Text(row, 1));
      return true;
    };
    if (const auto read = impl_->Wait({{kOpen, PostgresValues().Number(last)}}, tables); !read)
      return read.error();
    if (keys.empty()) return std::nullopt;
    if (const auto read = impl_->Wait({{kLogs, PostgresValues().Numbers(keys)}}, events); !read)
      return read.error();
    for (auto& [key, log] : logs) each(std::move(log));
  }
}

void PostgresStore::PutAside(const std::string& table, const std::string& why) {
  impl_->Write({{kPutAside, PostgresValues().Text(table).Bytes(why)}}, {});
}

void PostgresStore::List(std::string person, bool open_only, int most, Listed listed) {
  PostgresValues values;
  values.Number(most);
  if (!person.empty()) values.Text(person).Flag(open_only);
  const char* of_all = open_only ? kListOpen : kListAll;
  impl_->Ask(impl_->reads, {{person.empty() ? of_all : kListOf, std::move(values)}},
             std::move(listed), ReadPostgresListings);
}

void PostgresStore::Lobby(int most, Listed listed) {
  impl_->Ask(impl_->reads, {{kLobby, PostgresValues().Number(most)}}, std::move(listed),
             ReadPostgresListings);
}

void PostgresStore::WhoHasTables(std::vector<std::string> persons, Having having) {
  impl_->Ask(impl_->reads, {{kWhoHas, PostgresValues().Texts(persons)}}, std::move(having),
             [](const AllRows& rows) {
               Texts found;
               for (int row = 0; row < rows[0].size(); ++row) found.push_back(rows[0].Text(row, 0));
               return found;
             });
}

void PostgresStore::CountOpen(std::string person, Read<Store::Count> counted) {
  impl_->Ask(
      impl_->reads, {{kCountOpen, PostgresValues().Text(person)}}, std::move(counted),
      [](const AllRows& rows) { return Store::Count{rows[0].Number(0, 0), rows[0].Number(0, 1)}; });
}

bool PostgresStore::healthy() const { return impl_->healthy; }

StoreFigures PostgresStore::figures() const {
  const std::scoped_lock hold(impl_->mutex);
  return impl_->figures;
}

}  // namespace civ
