// HTTP connections: requests in, answers of the site and the API out (with Boost.Asio: for
// server.cc only).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <functional>
#include <set>
#include <string>

#include "civ/server/websocket.h"

namespace civ {

class Http {
 public:
  struct Parts {
    const Site& site;
    const ServerOptions& options;
    const Log& log;
    Metrics& metrics;
    Clients& clients;
    std::function<void()> ended;  // called whenever a connection is gone
  };
  explicit Http(Parts parts) : parts_(std::move(parts)) {}
  // Before the first connection.
  void Open(Api& api) { api_ = &api; }

  // Answers requests until the connection ends or becomes a WebSocket. `address` is the peer's
  // AddressKey, empty for the owner's socket.
  boost::asio::awaitable<void> Serve(boost::asio::generic::stream_protocol::socket socket,
                                     std::string address, bool admin);
  // No further request is read; answers that are under way are written.
  void Stop();

  size_t size() const { return open_.size(); }
  size_t SizeOf(const std::string& address) const { return addresses_.Of(address); }

 private:
  struct Connection;
  class Counted;
  struct Exchange;

  Parts parts_;
  Api* api_ = nullptr;
  std::set<Connection*> open_;
  Counts addresses_;
  bool stopping_ = false;
};

}  // namespace civ
