// Sockets for a site.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <system_error>

#include "server/site.h"

namespace civ {

struct ServerOptions {
  std::string host = "127.0.0.1";
  uint16_t port = 8104;                       // 0: any that is free
  std::chrono::seconds patience{15};          // for a whole request, from the end of the one before
  std::chrono::seconds farewell{5};           // for answers under way when the server is to stop
  size_t most_connections = 256;              // more wait until one of these ends
  size_t longest_header = size_t{16} * 1024;  // request line and headers
};

// Serves the site until SIGINT or SIGTERM. Tells the port when it listens; returns why it could not.
std::error_code Serve(const Site& site, const ServerOptions& options, const std::function<void(uint16_t port)>& listening);

}  // namespace civ
