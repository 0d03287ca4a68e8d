// A WebSocket as a client of the hall (with Boost.Beast: for http.cc and server.cc only).
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "civ/server/clients.h"

namespace civ {

// Sockets of any family, so that there is one kind of them.
using Stream = boost::beast::basic_stream<boost::asio::generic::stream_protocol>;
using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

// Answers the request to upgrade. From now on the WebSocket lives by itself, among the clients.
void AcceptWebSocket(Stream stream, HttpRequest request, Upgrade upgrade, Clients& clients);

}  // namespace civ
