// All tables from their logs, on all cores.
#pragma once

#include <functional>

#include "server/live_table.h"

namespace civ {

// Calls `each` in this thread for every open table of the store. The error is the store's own.
std::optional<Error> RebuildAll(Store& store, const std::function<void(const std::string& id, Expected<Loaded>)>& each);

}  // namespace civ
