// Tables rebuilt by replaying their logs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "civ/server/store.h"
#include "civ/table/table.h"

namespace civ {

// What tells a command from all others at its table: whose it is, its name, and its sender's id.
uint64_t CommandKey(const std::string& person, std::string_view command, const std::string& id);
// Whether an event is a move of the game, or brings it about: there can only be so many of them.
bool IsMove(const EventBody& body);
// How many done commands a table remembers, so that one that is sent again is not done again.
inline constexpr size_t kCommandsRemembered = 64;

// What a log comes to.
struct Replayed {
  Table table;
  std::string maker;  // id of the person who made it
  // How many events each person has stored, but for the moves of the game.
  std::unordered_map<std::string, int> stored = {};
  std::vector<uint64_t> done = {};  // CommandKeys of the last commands, the oldest first
  // The last events, and the table before them: for those who knew it when the server ended.
  std::optional<Table> before = std::nullopt;
  std::vector<Event> recent = {};
  size_t last = 0;  // TextHash of the last event
};
size_t TextHash(const std::string& event);
Expected<Replayed> Replay(const StoredLog& log);

// Replays every open table of the store, on all cores, and calls `each` on the caller's thread. The
// error is the store's own.
std::optional<Error> ReplayOpen(
    Store& store, const std::function<void(const std::string& id, Expected<Replayed>)>& each);

}  // namespace civ
