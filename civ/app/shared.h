// What `civ serve` and `civ worker` take from the command line to share a database with others.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "civ/server/redis_bus.h"

namespace civ {

struct SharedOptions {
  std::vector<std::string> stores;  // addresses of databases; none: the embedded one
  std::string bus, name;

  std::optional<RedisAddress> Bus() const { return RedisAddress::From(bus); }
  // Of this process, among those that share the database.
  std::string Name() const;
};

// --store, --bus and --name.
void AddShared(CLI::App& command, SharedOptions& options);

}  // namespace civ
