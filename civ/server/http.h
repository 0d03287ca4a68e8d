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

  // Whether one more of that AddressKey may come in. If too many of it have not sent a whole
  // request yet, the slowest of them is closed.
  bool Admits(const std::string& address);
  // Closes the slowest of those who have not sent a whole request: of the address that has most
  // connections. False if there is none.
  bool CloseSlowest();
  // Answers requests until the connection ends or becomes a WebSocket.
  boost::asio::awaitable<void> Serve(boost::asio::generic::stream_protocol::socket socket,
                                     Peer peer);
  // No further request is read; answers that are under way are written.
  void Stop();

  size_t size() const { return open_.size(); }

 private:
  struct Connection;
  class Counted;
  struct Exchange;

  void Forget(Connection& connection);
  void CloseEarly(Connection& connection);

  Parts parts_;
  Api* api_ = nullptr;
  std::set<Connection*> open_;
  NetworkCounts addresses_;  // not of proxies, behind which everybody has the same
  bool stopping_ = false;
};

}  // namespace civ
