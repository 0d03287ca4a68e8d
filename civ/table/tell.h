// The messages to clients of a table (docs/api.md), each built for one viewer from what that viewer
// may see.
#pragma once

#include <optional>
#include <string>

#include "civ/table/table.h"

namespace civ {

// The whole table as it is now: {"type":"hello","n":…}.
std::string TellAll(const Table& table, const Person& viewer);

// What the viewer saw after the first `actions` actions: {"view":…}. There must have been as many.
std::string TellPast(const Table& table, size_t actions, const Person& viewer);

// Whether the viewer is told of the event at all. What somebody said is not for everybody, who has
// muted whom is nobody else's business, and of a pick others know only that there is one: not that
// it was replaced.
bool MayHear(const Table& before, const Event& event, const Table& after, const Person& viewer);

// One event, between the table before it and after it, as a seat or the spectators see it:
// {"type":"sit","n":…}.
std::string TellEvent(const Table& before, const Event& event, const Table& after, Seat viewer);

// {"type":"ack","id":…,"n":…} and {"type":"refused","id":…,"n":…,"error":{"key":…,"args":{…}}}.
std::string TellStored(const std::string& id, int64_t number);
std::string TellRefused(const std::string& id, int64_t number, const Error& error);

// {"key":…,"args":{…}}, as in every answer that is an error.
Json ToJson(const Error& error);

// A line of the lobby: what anybody may know of a table.
Json TellSummary(const std::string& id, const Table& table);

}  // namespace civ
