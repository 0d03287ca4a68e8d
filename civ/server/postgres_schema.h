// The layout (schema) of the database that many processes share: its versions, and how it is made
// and upgraded.
#pragma once

#include <optional>

#include "civ/notation/error.h"
#include "civ/server/postgres_connection.h"

namespace civ {

int NewestPostgresSchema();
// Makes the tables, or brings them up to date, in one transaction, one process at a time: until
// the connection is closed. A layout
// of a newer program, and a database that cannot be used, are errors and stay as they are. `name`
// of the database, for people.
std::optional<Error> UpgradePostgresSchema(PostgresConnection& connection, const std::string& name);
// A database keeps its place among several: persons are in the first, and ids of tables name
// theirs.
std::optional<Error> CheckShard(PostgresConnection& connection, const std::string& name,
                                int64_t shard);

}  // namespace civ
