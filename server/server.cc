#include "server/server.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <csignal>
#include <ctime>
#include <set>

namespace civ {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Parser = http::request_parser<http::empty_body>;
using Message = http::response<http::span_body<const char>>;

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return text;
}

// Slow lines are served, but not at any price: so long may an answer take.
std::chrono::seconds PatienceFor(size_t bytes) {
  constexpr size_t kBytesPerSecond = size_t{8} * 1024;
  return std::chrono::seconds(30 + bytes / kBytesPerSecond);
}

Request RequestIn(const Parser& parser) {
  const auto& message = parser.get();
  Request request{message.method_string(), message.target()};
  for (const auto& field : message) request.headers.emplace_back(field.name_string(), field.value());
  return request;
}

// The answer to what was read, whole or not.
Response AnswerTo(const Site& site, const Parser& parser, error_code failed) {
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow) return Refusal(431);
  if (failed) return Refusal(400);
  const bool host_missing = parser.get().version() >= 11 && parser.get().count(http::field::host) != 1;
  if (host_missing) return Refusal(400);
  const Response response = site.Answer(RequestIn(parser));
  // Nothing here wants a body, so none is read.
  return response.status != 405 && !parser.is_done() ? Refusal(413) : response;
}

Message MessageOf(const Response& response, bool keep_alive) {
  Message message(static_cast<http::status>(response.status), 11);
  for (const auto& [name, value] : response.headers) message.insert(name, value);
  message.set(http::field::date, Now());
  message.keep_alive(keep_alive);
  message.body() = {response.body.data(), response.body.size()};
  if (response.status != 304) message.content_length(response.body.size());
  return message;
}

// One thread does it all: answers lie ready in memory.
class Server {
 public:
  Server(const Site& site, const ServerOptions& options) : site_(site), options_(options) {}
  ~Server() { over_ = true; }  // what the context still holds goes with it, after the timer
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  error_code Listen() {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    error_code failed;
    tcp::resolver resolver(context_);
    const auto found = resolver.resolve(options_.host, std::to_string(options_.port), tcp::resolver::passive, failed);
    if (failed) return failed;
    const tcp::endpoint endpoint = *found.begin();
    acceptor_.open(endpoint.protocol(), failed);
    if (!failed) acceptor_.set_option(tcp::acceptor::reuse_address(true), failed);
    if (!failed) acceptor_.bind(endpoint, failed);
    if (!failed) acceptor_.listen(tcp::acceptor::max_listen_connections, failed);
    return failed;
  }

  uint16_t Port() const { return acceptor_.local_endpoint().port(); }

  void Run() {
    asio::co_spawn(context_, Accept(), asio::detached);
    asio::co_spawn(context_, AwaitStop(), asio::detached);
    context_.run();
  }

 private:
  struct Connection {
    explicit Connection(tcp::socket socket) : stream(std::move(socket)) {}
    beast::tcp_stream stream;
    bool answering = false;
  };

  // So that a connection is counted as long as it lasts, however it ends.
  class Counted {
   public:
    Counted(Server& server, Connection& connection) : server_(server), connection_(connection) { server_.open_.insert(&connection_); }
    ~Counted() {
      server_.open_.erase(&connection_);
      if (!server_.over_) server_.ended_.cancel();
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    Server& server_;
    Connection& connection_;
  };

  asio::awaitable<void> Accept() {
    while (!stopping_) {
      while (open_.size() >= options_.most_connections && !stopping_) co_await Pause(std::chrono::hours(1));
      error_code failed;
      tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, failed));
      if (failed && !stopping_) co_await Pause(std::chrono::milliseconds(100));  // too many open files, perhaps
      if (!failed) asio::co_spawn(context_, Talk(std::move(socket)), asio::detached);
    }
  }

  // Until a connection ends, or so long.
  template <typename Duration>
  asio::awaitable<void> Pause(Duration longest) {
    error_code ignored;
    ended_.expires_after(longest);
    co_await ended_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }

  asio::awaitable<void> Talk(tcp::socket socket) {
    Connection connection(std::move(socket));
    const Counted counted(*this, connection);
    beast::flat_buffer buffer(options_.longest_header + 1);
    bool keep_alive = true;
    while (keep_alive && !stopping_) keep_alive = co_await Exchange(connection, buffer);
    co_await Close(connection.stream);
  }

  // One request and its answer. Whether another may follow.
  asio::awaitable<bool> Exchange(Connection& connection, beast::flat_buffer& buffer) {
    error_code failed;
    Parser parser;
    parser.header_limit(static_cast<uint32_t>(options_.longest_header));
    parser.body_limit(boost::none);  // bodies are never read
    connection.answering = false;
    connection.stream.expires_after(options_.patience);
    co_await http::async_read_header(connection.stream, buffer, parser, asio::redirect_error(asio::use_awaitable, failed));
    const bool refused = failed.category() == http::make_error_code(http::error::bad_method).category();
    if (failed && (!refused || failed == http::error::end_of_stream || failed == http::error::partial_message)) co_return false;

    connection.answering = true;
    const Response response = AnswerTo(site_, parser, failed);
    const bool more = !failed && parser.is_done() && parser.get().version() >= 11 && parser.keep_alive() && response.status != 400;
    const Message message = MessageOf(response, more && !stopping_);
    http::response_serializer<http::span_body<const char>> serializer(message);
    connection.stream.expires_after(PatienceFor(response.body.size()));
    if (parser.get().method() == http::verb::head || response.status == 304)
      co_await http::async_write_header(connection.stream, serializer, asio::redirect_error(asio::use_awaitable, failed));
    else
      co_await http::async_write(connection.stream, serializer, asio::redirect_error(asio::use_awaitable, failed));
    co_return !failed && message.keep_alive();
  }

  // Reads on for a moment what the client still sends: closed at once, it might lose the answer.
  asio::awaitable<void> Close(beast::tcp_stream& stream) {
    error_code failed;
    stream.socket().shutdown(tcp::socket::shutdown_send, failed);
    stream.expires_after(std::chrono::seconds(1));
    char rest[4096];
    for (int most = 64; most > 0 && !failed; --most)
      co_await stream.async_read_some(asio::buffer(rest), asio::redirect_error(asio::use_awaitable, failed));
  }

  asio::awaitable<void> AwaitStop() {
    error_code ignored;
    co_await signals_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    signals_.clear();  // a second one ends the program at once
    stopping_ = true;
    acceptor_.close(ignored);
    for (Connection* connection : open_)
      if (!connection->answering) connection->stream.cancel();
    const auto end = std::chrono::steady_clock::now() + options_.farewell;
    while (!open_.empty() && std::chrono::steady_clock::now() < end) co_await Pause(end - std::chrono::steady_clock::now());
    context_.stop();
  }

  const Site& site_;
  const ServerOptions options_;
  std::set<Connection*> open_;
  bool stopping_ = false, over_ = false;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  asio::signal_set signals_{context_};
  asio::steady_timer ended_{context_};
};

}  // namespace

std::error_code Serve(const Site& site, const ServerOptions& options, const std::function<void(uint16_t port)>& listening) {
  Server server(site, options);
  if (const error_code failed = server.Listen()) return failed;
  listening(server.Port());
  server.Run();
  return {};
}

}  // namespace civ
