// How appends become one transaction in PostgreSQL.
#pragma once

#include <deque>
#include <vector>

#include "civ/server/postgres_connection.h"
#include "civ/server/store.h"

namespace civ {

struct PostgresAppend {
  std::vector<Addition> additions;
  Store::Done done;
};

// What has become of each, in their order.
std::vector<Stored> AppendGroup(PostgresConnection& connection,
                                const std::deque<PostgresAppend>& group);

}  // namespace civ
