#include "civ/server/schema.h"

#include <array>

namespace civ {
namespace {

// Migrations (docs/store.md): the script at index v makes version v + 1 of version v. Scripts that
// have been released are never changed.
constexpr auto kScripts = std::to_array<const char*>({
    R"(
CREATE TABLE tables (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
                     open INTEGER NOT NULL, summary TEXT NOT NULL) STRICT;
CREATE TABLE events (table_key INTEGER NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL,
                     PRIMARY KEY (table_key, n)) STRICT, WITHOUT ROWID;
CREATE TABLE persons (table_key INTEGER NOT NULL, place INTEGER NOT NULL, person TEXT NOT NULL,
                      PRIMARY KEY (table_key, place)) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (hash TEXT PRIMARY KEY, person TEXT NOT NULL, name TEXT NOT NULL,
                       bot INTEGER NOT NULL, muted INTEGER NOT NULL, banned INTEGER NOT NULL,
                       created INTEGER NOT NULL, seen INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE service (now INTEGER NOT NULL) STRICT;
INSERT INTO service VALUES (0);
)",
    // Open tables and a person's tables are found without reading all others; it is kept why a
    // table was put aside; and every group of writes changes something (SQLite writes no page that
    // stays the same), so that its success says that the disk takes writes.
    R"(
CREATE INDEX open_tables ON tables (key) WHERE open = 1;
CREATE INDEX tables_of ON persons (person, table_key);
ALTER TABLE tables ADD COLUMN aside TEXT;
ALTER TABLE service ADD COLUMN groups INTEGER NOT NULL DEFAULT 0;
)",
    // A person's sessions are found without reading all others.
    R"(
CREATE INDEX sessions_of ON sessions (person);
)",
});

}  // namespace

int NewestSchema() { return static_cast<int>(kScripts.size()); }

Expected<int> SchemaOf(Database& database, const std::string& path) {
  const int64_t application = database.Number("PRAGMA application_id"),
                version = database.Number("PRAGMA user_version");
  if (auto problem = database.Problem()) return *problem;
  if (application != kApplicationId || version < 1) return Error{"data.not-ours", {{"file", path}}};
  if (version > NewestSchema())
    return Error{"data.newer",
                 {{"file", path},
                  {"version", std::to_string(version)},
                  {"known", std::to_string(NewestSchema())}}};
  return static_cast<int>(version);
}

std::optional<Error> UpgradeSchema(Database& database, const std::string& path, int version) {
  database.Run("BEGIN IMMEDIATE");
  const bool fresh = database.Number("SELECT count(*) FROM sqlite_schema") == 0 &&
                     database.Number("PRAGMA application_id") == 0 &&
                     database.Number("PRAGMA user_version") == 0;
  if (auto problem = database.Problem()) return problem;
  const Expected<int> found = fresh ? 0 : SchemaOf(database, path);
  if (!found) return found.error();
  for (int next = *found; next < version; ++next)
    database.Script(kScripts[static_cast<size_t>(next)]);
  if (*found < version)
    database.Script("PRAGMA application_id = " + std::to_string(kApplicationId) +
                    "; PRAGMA user_version = " + std::to_string(version));
  database.Run("COMMIT");
  return database.Problem();
}

}  // namespace civ
