#include "civ/server/http.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <ctime>

namespace civ {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Steady = std::chrono::steady_clock;
using Parser = http::request_parser<http::string_body>;
using Message = http::response<http::span_body<const char>>;

std::string HttpDate() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return text;
}

// How long writing an answer may take: slow connections are served, but not at any price.
std::chrono::seconds PatienceFor(size_t bytes) {
  constexpr size_t kBytesPerSecond = size_t{8} * 1024;
  return std::chrono::seconds(30 + bytes / kBytesPerSecond);
}

Request RequestIn(const Parser& parser) {
  const auto& message = parser.get();
  Request request{message.method_string(), message.target()};
  for (const auto& field : message)
    request.headers.emplace_back(field.name_string(), field.value());
  return request;
}

// Whether a request was read that is wrong, and not a connection that has ended.
bool IsFault(error_code failed) {
  return failed.category() == http::make_error_code(http::error::bad_method).category() &&
         failed != http::error::end_of_stream && failed != http::error::partial_message;
}

// What is wrong with a request before anybody looks at what it asks for; 0 if nothing is.
int FaultOf(const Parser& parser, error_code failed) {
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow) return 431;
  if (failed) return 400;
  const bool host_missing =
      parser.get().version() >= 11 && parser.get().count(http::field::host) != 1;
  // One length for all who read it, proxies too.
  const bool lengths = parser.get().count(http::field::content_length) > 1 ||
                       parser.get()[http::field::content_length].contains(',');
  return host_missing || lengths ? 400 : 0;
}

// An answer as a response, which must not outlive it.
Response ResponseOf(const Answer& answer) {
  Response response =
      Blank(answer.status, answer.body.empty() ? std::string_view() : answer.type, "no-store");
  for (const auto& [name, value] : answer.headers) response.headers.emplace_back(name, value);
  response.body = answer.body;
  return response;
}

Message MessageOf(const Response& response, bool keep_alive) {
  Message message(static_cast<http::status>(response.status), 11);
  for (const auto& [name, value] : response.headers) message.insert(name, value);
  message.set(http::field::date, HttpDate());
  message.keep_alive(keep_alive);
  message.body() = {response.body.data(), response.body.size()};
  if (response.status != 304 && response.status != 204)
    message.content_length(response.body.size());
  return message;
}

Answer Unread(error_code failed) {
  const bool too_long = failed == http::error::body_limit || failed == http::error::buffer_overflow;
  return too_long ? Refused(413, {"error.body-length", {}}) : Refused(400, {"error.json", {}});
}

Answer NoAnswer() { return Refused(503, {"error.store", {}}); }

// Reads on for a moment what the client still sends: closed at once, it might lose the answer.
asio::awaitable<void> CloseSlowly(Stream& stream) {
  error_code failed;
  stream.socket().shutdown(asio::socket_base::shutdown_send, failed);
  stream.expires_after(std::chrono::seconds(1));
  char rest[4096];
  for (int most = 64; most > 0 && !failed; --most)
    co_await stream.async_read_some(asio::buffer(rest),
                                    asio::redirect_error(asio::use_awaitable, failed));
}

}  // namespace

struct Http::Connection {
  Stream stream;
  Peer peer;
  bool answering = false;
  bool whole = false;          // all of the request is there
  bool first = true;           // no request has come yet
  Steady::time_point since{};  // when it was asked for
};

// So that a connection is counted as long as it lasts, however it ends.
class Http::Counted {
 public:
  Counted(Http& http, Connection& connection) : http_(http), connection_(connection) {
    http_.open_.insert(&connection_);
    if (!connection_.peer.proxy) http_.addresses_.Add(connection_.peer.address);
  }
  ~Counted() { http_.Forget(connection_); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Http& http_;
  Connection& connection_;
};

// One request and its answer. gcc 12 destroys a temporary of a conditional expression twice if it
// stands beside a co_await: answers have names here.
struct Http::Exchange {
  Http& owner;
  Connection& connection;
  beast::flat_buffer& buffer;
  const Parts& parts = owner.parts_;
  Parser parser = {};

  // Whether another request may follow.
  asio::awaitable<bool> Run() {
    error_code failed;
    parser.header_limit(static_cast<uint32_t>(parts.options.longest_header));
    parser.body_limit(boost::none);  // bodies are read where one is wanted only
    connection.answering = connection.whole = false;
    connection.since = Steady::now();
    connection.stream.expires_after(connection.first
                                        ? std::chrono::seconds(parts.options.first_patience)
                                        : parts.options.patience);
    co_await http::async_read_header(connection.stream, buffer, parser,
                                     asio::redirect_error(asio::use_awaitable, failed));
    if (failed && !IsFault(failed)) co_return false;

    connection.answering = true;
    connection.first = false;
    const int fault = FaultOf(parser, failed);
    if (fault == 0 && (connection.peer.owner || IsForApi(parser.get().target())))
      co_return co_await Call();
    const Response response = FileFor(fault);
    const bool more = co_await Write(response, !failed && parser.is_done());
    co_return more;
  }

  Response FileFor(int fault) const {
    if (fault != 0) return Refusal(fault);
    const Response response = parts.site.Answer(RequestIn(parser));
    // No file wants a body, so none is read.
    return response.status != 405 && !parser.is_done() ? Refusal(413) : response;
  }

  // A request of the API.
  asio::awaitable<bool> Call() {
    error_code failed;
    if (!parser.is_done()) co_await ReadBody(failed);
    if (failed && !IsFault(failed)) co_return false;
    if (failed) {
      const Answer answer = Unread(failed);
      const Response response = ResponseOf(answer);
      const bool more = co_await Write(response, false);
      co_return more;
    }

    connection.whole = true;
    const auto begin = Steady::now();
    std::variant<Answer, Upgrade> outcome = co_await Ask();
    if (const Upgrade* upgrade = std::get_if<Upgrade>(&outcome)) {
      const std::optional<Answer> refused = WhyNot(*upgrade);
      if (!refused) {
        Begin(*upgrade);
        co_return false;
      }
      outcome = *refused;
    }
    const Answer& answer = std::get<Answer>(outcome);
    Note(answer, Steady::now() - begin);
    const Response response = ResponseOf(answer);
    const bool more = co_await Write(response, true);
    co_return more;
  }

  asio::awaitable<void> ReadBody(error_code& failed) {
    const auto length = parser.content_length();
    if (length && *length > parts.options.longest_body) {
      failed = http::error::body_limit;
      co_return;
    }
    parser.body_limit(parts.options.longest_body);
    connection.stream.expires_at(connection.since + parts.options.patience);
    co_await http::async_read(connection.stream, buffer, parser,
                              asio::redirect_error(asio::use_awaitable, failed));
  }

  // Waits for the answer of the API, but not for ever.
  asio::awaitable<std::variant<Answer, Upgrade>> Ask() {
    struct Waiting {
      asio::steady_timer timer;
      std::optional<std::variant<Answer, Upgrade>> outcome = {};
    };
    const auto waiting = std::make_shared<Waiting>(
        Waiting{asio::steady_timer(connection.stream.get_executor(), std::chrono::seconds(30))});
    owner.api_->Handle(RequestIn(parser), parser.get().body(), connection.peer,
                       [waiting](std::variant<Answer, Upgrade> outcome) {
                         waiting->outcome = std::move(outcome);
                         waiting->timer.cancel();
                       });
    error_code ignored;
    if (!waiting->outcome)
      co_await waiting->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (!waiting->outcome) waiting->outcome = NoAnswer();
    std::variant<Answer, Upgrade> outcome = std::move(*waiting->outcome);
    co_return outcome;
  }

  std::optional<Answer> WhyNot(const Upgrade& upgrade) const {
    // Nothing may be sent before the handshake is over.
    const bool early = buffer.size() != 0;
    if (early && !owner.stopping_) return Refused(400, {"error.upgrade", {}});
    return parts.clients.WhyNot(upgrade.address);
  }

  void Begin(const Upgrade& upgrade) {
    connection.stream.expires_never();
    parts.metrics.Answered(101);
    AcceptWebSocket(std::move(connection.stream), parser.release(), upgrade, parts.clients);
  }

  void Note(const Answer& answer, Steady::duration taken) const {
    parts.metrics.Answered(answer.status);
    parts.log("debug", "request",
              {{"method", parser.get().method_string()},
               {"path", PathOf(parser.get().target())},
               {"status", answer.status},
               {"ms", std::chrono::duration_cast<std::chrono::milliseconds>(taken).count()}});
  }

  // `whole` says whether all of the request was read, so that another may follow it.
  asio::awaitable<bool> Write(const Response& response, bool whole) {
    error_code failed;
    connection.whole = true;
    const bool more =
        whole && parser.get().version() >= 11 && parser.keep_alive() && response.status != 400;
    const Message message = MessageOf(response, more && !owner.stopping_);
    http::response_serializer<http::span_body<const char>> serializer(message);
    connection.stream.expires_after(PatienceFor(response.body.size()));
    if (parser.get().method() == http::verb::head || response.status == 304 ||
        response.status == 204)
      co_await http::async_write_header(connection.stream, serializer,
                                        asio::redirect_error(asio::use_awaitable, failed));
    else
      co_await http::async_write(connection.stream, serializer,
                                 asio::redirect_error(asio::use_awaitable, failed));
    co_return !failed && message.keep_alive();
  }
};

asio::awaitable<void> Http::Serve(asio::generic::stream_protocol::socket socket, Peer peer) {
  Connection connection{Stream(std::move(socket)), std::move(peer)};
  const Counted counted(*this, connection);
  beast::flat_buffer buffer(parts_.options.longest_header + 1);
  for (bool keep_alive = true; keep_alive && !stopping_;) {
    Exchange exchange{*this, connection, buffer};
    keep_alive = co_await exchange.Run();
  }
  if (connection.stream.socket().is_open()) co_await CloseSlowly(connection.stream);
}

void Http::Forget(Connection& connection) {
  if (open_.erase(&connection) == 0) return;
  if (!connection.peer.proxy) addresses_.Remove(connection.peer.address);
  parts_.ended();
}

// It is gone at once, for all who count.
void Http::CloseEarly(Connection& connection) {
  connection.stream.close();
  Forget(connection);
}

bool Http::Admits(const std::string& address) {
  const ServerOptions& options = parts_.options;
  if (addresses_.IsFull(address, options.most_of_one_address, options.most_connections))
    return false;
  const size_t most = std::max<size_t>(1, options.most_of_one_address / 2);
  if (addresses_.Of(address) < most) return true;
  size_t waiting = 0;
  Connection* slowest = nullptr;
  for (Connection* connection : open_) {
    if (connection->whole || connection->peer.proxy || connection->peer.address != address)
      continue;
    ++waiting;
    if (slowest == nullptr || connection->since < slowest->since) slowest = connection;
  }
  if (waiting >= most) CloseEarly(*slowest);
  return true;
}

bool Http::CloseSlowest() {
  Connection* slowest = nullptr;
  size_t most = 0;
  for (Connection* connection : open_) {
    if (connection->whole || connection->peer.owner) continue;
    const size_t beside = addresses_.Of(connection->peer.address);
    const bool slower = beside > most || (beside == most && connection->since < slowest->since);
    if (slowest != nullptr && !slower) continue;
    slowest = connection;
    most = beside;
  }
  if (slowest != nullptr) CloseEarly(*slowest);
  return slowest != nullptr;
}

void Http::Stop() {
  stopping_ = true;
  for (Connection* connection : open_)
    if (!connection->answering) connection->stream.cancel();
}

}  // namespace civ
