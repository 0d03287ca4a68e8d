// A WebSocket as a client of the hall (with Boost.Beast: for http.cc and server.cc only).
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/rate_policy.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <functional>

#include "civ/server/clients.h"

namespace civ {

// Says how many bytes come: what is no message costs time, too.
class ReadMeter {
 public:
  std::function<void(size_t bytes)> heard;

 private:
  friend class boost::beast::rate_policy_access;
  static size_t available_read_bytes() noexcept { return SIZE_MAX; }
  static size_t available_write_bytes() noexcept { return SIZE_MAX; }
  void transfer_read_bytes(size_t bytes) const {
    if (heard) heard(bytes);
  }
  static void transfer_write_bytes(size_t) noexcept {}
  static void on_timer() noexcept {}
};

// Sockets of any family, so that there is one kind of them.
using Stream = boost::beast::basic_stream<boost::asio::generic::stream_protocol,
                                          boost::asio::any_io_executor, ReadMeter>;
using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

// Answers the request to upgrade. From now on the WebSocket lives by itself, among the clients.
void AcceptWebSocket(Stream stream, HttpRequest request, Upgrade upgrade, Clients& clients);

}  // namespace civ
