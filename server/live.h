// A WebSocket as a line to a table.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "server/hall.h"
#include "server/limits.h"

namespace civ {

// Sockets of any family, so that there is one kind of them.
using Stream = boost::beast::basic_stream<boost::asio::generic::stream_protocol>;
using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

struct LiveOptions {
  size_t longest_message = size_t{8} * 1024;
  size_t longest_queue = size_t{256} * 1024;  // bytes that a client may be behind
  std::chrono::seconds ping{20};              // after so long without a word; after twice as long it is closed
  Rate messages = {100, 10};
};

class Live;

// Who is told what happens to sockets.
class LiveHost {
 public:
  virtual ~LiveHost() = default;
  virtual void Opened(std::shared_ptr<Live> live) = 0;
  virtual void Received(Live& live, std::string_view text) = 0;
  virtual void Closed(Live& live) = 0;            // once, if it was opened
  virtual void Gone(Live& live) = 0;              // it exists no longer, whether it was ever open or not
  virtual void Acknowledged(double seconds) = 0;  // since the last message
  virtual void TooSlow() = 0;                     // one is closed because it does not read
};

class Live : public Line, public std::enable_shared_from_this<Live> {
 public:
  static std::shared_ptr<Live> Make(Stream stream, const LiveOptions& options, LiveHost& host);

  virtual void Accept(HttpRequest request) = 0;
};

}  // namespace civ
