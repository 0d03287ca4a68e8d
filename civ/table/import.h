// A game that was played elsewhere, as the log of a table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "civ/notation/record.h"
#include "civ/table/event.h"

namespace civ {

// The log of a table at which the game of this record was played (docs/table-log.md), all of it at
// one time. The record has a result, and there is a name for each seat.
std::vector<Event> LogOf(const Record& record, std::span<const std::string> names, int64_t at);

}  // namespace civ
