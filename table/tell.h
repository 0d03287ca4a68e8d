// What each of those at a table is told: built for one viewer from what that viewer may see (docs/api.md).
#pragma once

#include <optional>
#include <string>

#include "table/table.h"

namespace civ {

// The whole table as it is now: {"type":"hello","n":…}.
std::string TellAll(const Table& table, const Viewer& viewer);

// One event, between the table before it and after it: {"type":"sit","n":…}. Nothing if it is none of the viewer's business.
std::optional<std::string> TellEvent(const Table& before, const Event& event, const Table& after, const Viewer& viewer);

// {"type":"ack","id":…,"n":…} and {"type":"refused","id":…,"n":…,"error":{"key":…,"args":{…}}}.
std::string TellStored(const std::string& id, int64_t number);
std::string TellRefused(const std::string& id, int64_t number, const Error& error);

// A line of the lobby: what anybody may know of a table.
Json TellSummary(const std::string& id, const Table& table);

}  // namespace civ
