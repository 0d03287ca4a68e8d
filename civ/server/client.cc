#include "civ/server/client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace civ {

std::optional<Reply> AskOwnServer(const std::string& socket, const std::string& method,
                                  const std::string& path, const std::string& body) {
  namespace asio = boost::asio;
  namespace http = boost::beast::http;
  http::request<http::string_body> request(http::string_to_verb(method), path, 11, body);
  request.set(http::field::host, "civ");
  if (!body.empty()) request.set(http::field::content_type, "application/json");
  request.keep_alive(false);
  request.prepare_payload();
  try {
    asio::io_context context;
    asio::local::stream_protocol::socket connection(context);
    connection.connect(asio::local::stream_protocol::endpoint(socket));
    http::write(connection, request);
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    boost::beast::flat_buffer buffer;
    http::read(connection, buffer, parser);
    return Reply{static_cast<int>(parser.get().result_int()), std::move(parser.get().body())};
  } catch (const boost::system::system_error&) {
    return std::nullopt;
  }
}

}  // namespace civ
