// What a store is told of a table, beside its log.
#pragma once

#include <string>

#include "civ/server/store.h"
#include "civ/table/table.h"

namespace civ {

// All but who made it, which the table itself does not know.
Listing ListingOf(const std::string& id, const Table& table);

}  // namespace civ
