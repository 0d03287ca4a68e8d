// The layout (schema) of the server's database: its versions, and how an older one is upgraded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "civ/notation/error.h"
#include "civ/server/database.h"

namespace civ {

// SQLite's application_id, "CIV1" in the head of the file: no other database is taken for ours.
inline constexpr int64_t kApplicationId = 0x43495631;

// The newest layout that this program knows.
int NewestSchema();
// The layout of a database that is there. A database of another program, or of a newer version of
// this one, is an error. Changes nothing.
Expected<int> SchemaOf(Database& database, const std::string& path);

// Makes the tables, or brings them from an older layout to `version`, in one transaction. Only for
// whoever holds the lock of the data folder: a server that runs knows the layout that it has found.
std::optional<Error> UpgradeSchema(Database& database, const std::string& path,
                                   int version = NewestSchema());

}  // namespace civ
