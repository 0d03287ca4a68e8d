// A process that does nothing but think: bots for the tables of a shared store.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "civ/server/log.h"
#include "civ/server/redis_bus.h"

namespace civ {

struct WorkerOptions {
  std::vector<std::string> stores;       // addresses of databases
  std::optional<RedisAddress> bus = {};  // none: it looks for jobs by itself, twice a second
  std::string name;                      // of this process
  int threads = 1;
};

// Until SIGINT or SIGTERM; `ready` is called when it has begun. A database that cannot be reached
// is waited for, which the log tells. The error says why it could not begin.
std::optional<Error> RunWorker(const WorkerOptions& options, const Log& log,
                               const std::function<void()>& ready);

}  // namespace civ
