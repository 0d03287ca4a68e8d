// The server itself: it listens for the site, the API, WebSockets to tables and the owner's own
// socket, and puts its parts together. One thread does it all.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "civ/server/api.h"
#include "civ/server/post.h"
#include "civ/server/redis_bus.h"
#include "civ/server/site.h"

namespace civ {

struct ServerOptions {
  std::string host = "127.0.0.1";
  uint16_t port = 8104;               // 0: any that is free
  std::string admin_socket = {};      // path of the owner's socket; empty: none
  std::chrono::seconds patience{15};  // for a whole request, from the end of the one before
  int first_patience = 5;             // seconds for the headers of the first request
  std::chrono::seconds farewell{5};   // for answers under way when the server is to stop
  size_t most_connections = 1024;     // HTTP connections; for more the slowest are closed
  size_t most_of_one_address = 64;    // HTTP connections; half of them before their first request
  size_t most_sockets = 12'000;       // WebSockets
  size_t most_sockets_of_one_address = 64;
  size_t longest_header = size_t{16} * 1024;  // bytes of the request line and headers
  size_t longest_body = size_t{16} * 1024;    // bytes
  size_t longest_message = size_t{8} * 1024;  // bytes of one message of a WebSocket
  size_t longest_queue = size_t{256} * 1024;  // bytes that the client of a WebSocket may be behind
  size_t all_queues = size_t{64} * 1024 * 1024;  // bytes that all of them may be behind together
  std::chrono::seconds ping{
      20};                    // of silence, then a WebSocket is pinged; after twice that, closed
  Rate messages = {300, 10};  // of one WebSocket; control frames are counted, too
  Rate bytes = {size_t{256} * 1024, 10};  // the same for all that comes
  int bot_threads = 1;                    // 0, where the store is shared: workers do it
  std::string name = {};                  // of this process, where the store is shared
  std::optional<RedisAddress> bus = {};   // to the others with the same store
  std::string password = {};              // or its hash; empty: everybody may enter
  ApiOptions api = {};
  HallOptions hall = {};
};

class Server {
 public:
  Server(const Site& site, const ServerOptions& options, Log log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // From here on connections are taken, and answered by Run.
  std::error_code Listen();
  uint16_t port() const;
  // Where others on the network find it, as http://192.168.1.20:8104; nothing if only this machine
  // does.
  std::optional<std::string> address() const;

  // Hands work to the thread that runs the server.
  civ::Post Post();
  // Brings back all tables and sessions.
  std::optional<Error> Open(std::unique_ptr<Store> store);

  // Until SIGINT or SIGTERM.
  void Run();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
