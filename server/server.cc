#include "server/server.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <set>

#include "server/address.h"
#include "server/live.h"

namespace civ {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Admin = asio::local::stream_protocol;
using Steady = std::chrono::steady_clock;
using Parser = http::request_parser<http::string_body>;
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

// What is wrong with a request before anybody looks at what it asks for; 0 if nothing is.
int FaultOf(const Parser& parser, error_code failed) {
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow) return 431;
  if (failed) return 400;
  const bool host_missing = parser.get().version() >= 11 && parser.get().count(http::field::host) != 1;
  return host_missing ? 400 : 0;
}

// An answer as a response, which must not outlive it.
Response ResponseOf(const Answer& answer) {
  Response response = Blank(answer.status, answer.body.empty() ? std::string_view() : answer.type, "no-store");
  for (const auto& [name, value] : answer.headers) response.headers.emplace_back(name, value);
  response.body = answer.body;
  return response;
}

Message MessageOf(const Response& response, bool keep_alive) {
  Message message(static_cast<http::status>(response.status), 11);
  for (const auto& [name, value] : response.headers) message.insert(name, value);
  message.set(http::field::date, Now());
  message.keep_alive(keep_alive);
  message.body() = {response.body.data(), response.body.size()};
  if (response.status != 304 && response.status != 204) message.content_length(response.body.size());
  return message;
}

// Tells systemd, if it has asked for that.
void Notify(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{AF_UNIX, {}};
  if (path == nullptr || *path == '\0' || std::strlen(path) >= sizeof address.sun_path) return;
  std::strcpy(address.sun_path, path);
  if (*path == '@') address.sun_path[0] = '\0';
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path));
  sendto(socket, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), length);
  close(socket);
}

// How many there are of each key.
class Counts {
 public:
  size_t Of(const std::string& key) const {
    const auto found = counts_.find(key);
    return found == counts_.end() ? 0 : found->second;
  }
  void Add(const std::string& key) { ++counts_[key]; }
  void Remove(const std::string& key) {
    if (const auto found = counts_.find(key); found != counts_.end() && --found->second == 0) counts_.erase(found);
  }

 private:
  std::unordered_map<std::string, size_t> counts_;
};

}  // namespace

struct Server::Impl : LiveHost {
  Impl(const Site& site, const ServerOptions& options, Log log) : site(site), options(options), log(std::move(log)) {}
  ~Impl() override { over = true; }  // what the context still holds goes with it, after everything below
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  struct Connection {
    Stream stream;
    std::string address;  // empty for the owner's socket
    bool admin = false;
    bool answering = false;
  };

  // What is known of a WebSocket.
  struct Guest {
    Upgrade from;
    Hall::LineId line = 0;
  };

  // So that a connection is counted as long as it lasts, however it ends.
  class Counted {
   public:
    Counted(Impl& server, Connection& connection) : server_(server), connection_(connection) {
      server_.open.insert(&connection_);
      server_.addresses.Add(connection_.address);
    }
    ~Counted() {
      server_.open.erase(&connection_);
      server_.addresses.Remove(connection_.address);
      server_.Ended();
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    Impl& server_;
    Connection& connection_;
  };

  // --- Listening -----------------------------------------------------------------------------------------------------

  error_code Listen() {
    signals.add(SIGINT);
    signals.add(SIGTERM);
    error_code failed;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive, failed);
    if (failed) return failed;
    const tcp::endpoint endpoint = *found.begin();
    acceptor.open(endpoint.protocol(), failed);
    if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
    if (!failed) acceptor.bind(endpoint, failed);
    if (!failed) acceptor.listen(tcp::acceptor::max_listen_connections, failed);
    return failed;
  }

  // The data folder is locked by now, so a socket that lies there is one that was left behind.
  bool ListenToOwner() {
    if (options.admin_socket.empty()) return true;
    error_code failed;
    unlink(options.admin_socket.c_str());
    if (options.admin_socket.size() >= sizeof(sockaddr_un::sun_path)) return false;
    admin.open(Admin(), failed);
    const mode_t before = umask(0177);
    if (!failed) admin.bind(Admin::endpoint(options.admin_socket), failed);
    umask(before);
    if (!failed) admin.listen(asio::socket_base::max_listen_connections, failed);
    return !failed;
  }

  template <typename Acceptor>
  asio::awaitable<void> Accept(Acceptor& from) {
    constexpr bool is_admin = std::is_same_v<typename Acceptor::protocol_type, Admin>;
    while (!stopping) {
      while (!is_admin && open.size() >= options.most_connections && !stopping) co_await Pause(std::chrono::hours(1));
      error_code failed;
      auto socket = co_await from.async_accept(asio::redirect_error(asio::use_awaitable, failed));
      if (failed && !stopping) co_await Pause(std::chrono::milliseconds(100));  // too many open files, perhaps
      if (failed) continue;
      std::string address;
      if constexpr (!is_admin) {
        address = AddressKey(socket.remote_endpoint(failed).address().to_string());
        if (failed) continue;
        // Behind a proxy everybody has the same address here.
        if (!options.api.trust_proxy && addresses.Of(address) >= options.most_of_one_address) continue;
        socket.set_option(tcp::no_delay(true), failed);
      }
      asio::co_spawn(context, Talk(asio::generic::stream_protocol::socket(std::move(socket)), std::move(address), is_admin), asio::detached);
    }
  }

  // Until a connection ends, or so long.
  template <typename Duration>
  asio::awaitable<void> Pause(Duration longest) {
    asio::steady_timer timer(context, longest);
    pauses.insert(&timer);
    error_code ignored;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    pauses.erase(&timer);
  }

  void Ended() {
    if (over) return;
    for (asio::steady_timer* timer : pauses) timer->cancel();
  }

  // gcc 12 destroys a temporary of a conditional expression twice if it stands beside a co_await: answers have names here.

  // --- Requests ------------------------------------------------------------------------------------------------------

  asio::awaitable<void> Talk(asio::generic::stream_protocol::socket socket, std::string address, bool is_admin) {
    Connection connection{Stream(std::move(socket)), std::move(address), is_admin};
    const Counted counted(*this, connection);
    beast::flat_buffer buffer(options.longest_header + 1);
    bool keep_alive = true;
    while (keep_alive && !stopping) keep_alive = co_await Exchange(connection, buffer);
    if (connection.stream.socket().is_open()) co_await Close(connection.stream);
  }

  // One request and its answer. Whether another may follow.
  asio::awaitable<bool> Exchange(Connection& connection, beast::flat_buffer& buffer) {
    error_code failed;
    Parser parser;
    parser.header_limit(static_cast<uint32_t>(options.longest_header));
    parser.body_limit(boost::none);  // bodies are read where one is wanted only
    connection.answering = false;
    connection.stream.expires_after(options.patience);
    co_await http::async_read_header(connection.stream, buffer, parser, asio::redirect_error(asio::use_awaitable, failed));
    const bool refused = failed.category() == http::make_error_code(http::error::bad_method).category();
    if (failed && (!refused || failed == http::error::end_of_stream || failed == http::error::partial_message)) co_return false;

    connection.answering = true;
    const int fault = FaultOf(parser, failed);
    if (fault == 0 && (connection.admin || IsForApi(parser.get().target()))) co_return co_await Call(connection, buffer, parser);
    const Response response = FileFor(parser, fault);
    const bool more = co_await Write(connection, parser, response, !failed && parser.is_done());
    co_return more;
  }

  Response FileFor(const Parser& parser, int fault) const {
    if (fault != 0) return Refusal(fault);
    const Response response = site.Answer(RequestIn(parser));
    // No file wants a body, so none is read.
    return response.status != 405 && !parser.is_done() ? Refusal(413) : response;
  }

  // A request of the API.
  asio::awaitable<bool> Call(Connection& connection, beast::flat_buffer& buffer, Parser& parser) {
    if (!parser.is_done()) {
      error_code failed;
      const auto length = parser.content_length();
      if (!length || *length <= options.longest_body) {
        parser.body_limit(options.longest_body);
        co_await http::async_read(connection.stream, buffer, parser, asio::redirect_error(asio::use_awaitable, failed));
      } else {
        failed = http::error::body_limit;
      }
      const bool refused = failed.category() == http::make_error_code(http::error::bad_method).category();
      if (failed && (!refused || failed == http::error::partial_message)) co_return false;
      if (failed) {
        const Answer answer = Unread(failed);
        const Response response = ResponseOf(answer);
        const bool more = co_await Write(connection, parser, response, false);
        co_return more;
      }
    }

    const auto begin = Steady::now();
    std::variant<Answer, Upgrade> outcome = co_await Ask(connection, parser);
    if (const Upgrade* upgrade = std::get_if<Upgrade>(&outcome)) {
      const std::optional<Answer> refused = WhyNot(*upgrade, buffer);
      if (!refused) {
        Begin(connection, parser, *upgrade);
        co_return false;
      }
      outcome = *refused;
    }
    const Answer& answer = std::get<Answer>(outcome);
    Note(parser, answer, Steady::now() - begin);
    const Response response = ResponseOf(answer);
    const bool more = co_await Write(connection, parser, response, true);
    co_return more;
  }

  static Answer Unread(error_code failed) {
    const bool too_long = failed == http::error::body_limit || failed == http::error::buffer_overflow;
    return too_long ? Refused(413, {"error.body-length", {}}) : Refused(400, {"error.json", {}});
  }

  void Note(const Parser& parser, const Answer& answer, Steady::duration taken) {
    metrics.Answered(answer.status);
    log("debug", "request",
        {{"method", parser.get().method_string()},
         {"path", PathOf(parser.get().target())},
         {"status", answer.status},
         {"ms", std::chrono::duration_cast<std::chrono::milliseconds>(taken).count()}});
  }

  // Waits for the answer, but not for ever.
  asio::awaitable<std::variant<Answer, Upgrade>> Ask(Connection& connection, const Parser& parser) {
    struct Waiting {
      asio::steady_timer timer;
      std::optional<std::variant<Answer, Upgrade>> outcome = {};
    };
    const auto waiting = std::make_shared<Waiting>(Waiting{asio::steady_timer(context, std::chrono::seconds(30))});
    api->Handle(RequestIn(parser), parser.get().body(), connection.address, connection.admin, [waiting](std::variant<Answer, Upgrade> outcome) {
      waiting->outcome = std::move(outcome);
      waiting->timer.cancel();
    });
    error_code ignored;
    if (!waiting->outcome) co_await waiting->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (!waiting->outcome) waiting->outcome = NoAnswer();
    std::variant<Answer, Upgrade> outcome = std::move(*waiting->outcome);
    co_return outcome;
  }

  static Answer NoAnswer() { return Refused(503, {"error.store", {}}); }

  asio::awaitable<bool> Write(Connection& connection, const Parser& parser, const Response& response, bool whole) const {
    error_code failed;
    const bool more = whole && parser.get().version() >= 11 && parser.keep_alive() && response.status != 400;
    const Message message = MessageOf(response, more && !stopping);
    http::response_serializer<http::span_body<const char>> serializer(message);
    connection.stream.expires_after(PatienceFor(response.body.size()));
    if (parser.get().method() == http::verb::head || response.status == 304 || response.status == 204)
      co_await http::async_write_header(connection.stream, serializer, asio::redirect_error(asio::use_awaitable, failed));
    else
      co_await http::async_write(connection.stream, serializer, asio::redirect_error(asio::use_awaitable, failed));
    co_return !failed && message.keep_alive();
  }

  // Reads on for a moment what the client still sends: closed at once, it might lose the answer.
  asio::awaitable<void> Close(Stream& stream) {
    error_code failed;
    stream.socket().shutdown(asio::socket_base::shutdown_send, failed);
    stream.expires_after(std::chrono::seconds(1));
    char rest[4096];
    for (int most = 64; most > 0 && !failed; --most)
      co_await stream.async_read_some(asio::buffer(rest), asio::redirect_error(asio::use_awaitable, failed));
  }

  // --- Lines ---------------------------------------------------------------------------------------------------------

  std::optional<Answer> WhyNot(const Upgrade& upgrade, const beast::flat_buffer& buffer) const {
    if (stopping) return Refused(503, {"closing.restart", {}});
    if (buffer.size() != 0) return Refused(400, {"error.upgrade", {}});  // nothing may be said before the handshake is over
    const bool too_many = lives.size() >= options.most_sockets || live_addresses.Of(upgrade.address) >= options.most_sockets_of_one_address;
    if (!too_many) return std::nullopt;
    Answer answer = Refused(429, {"error.too-many-requests", {}});
    answer.headers.emplace_back("Retry-After", "10");
    return answer;
  }

  void Begin(Connection& connection, Parser& parser, const Upgrade& upgrade) {
    connection.stream.expires_never();
    const std::shared_ptr<Live> live = Live::Make(std::move(connection.stream), live_options, *this);
    live_addresses.Add(upgrade.address);
    lives[live.get()] = {upgrade};
    metrics.Answered(101);
    live->Accept(parser.release());
  }

  void Opened(std::shared_ptr<Live> live) override {
    Guest& guest = lives.at(live.get());
    // The session may have ended during the handshake.
    const Upgrade& from = guest.from;
    if (!sessions->IsOpen(from.person.id, from.session_number) || sessions->IsBanned(from.address)) return live->Close("closing.session");
    guest.line = hall->Enter(from.table, from.person, from.seen, std::move(live), from.session_number);
    guest.from = {{}, {}, 0, std::move(guest.from.address), 0};  // the hall has the rest
  }

  void Received(Live& live, std::string_view text) override { hall->Receive(lives.at(&live).line, text); }
  void Closed(Live& live) override { hall->Leave(lives.at(&live).line); }
  void Acknowledged(double seconds) override { metrics.Acknowledged(seconds); }
  void TooSlow() override { ++closed_slow; }

  void Gone(Live& live) override {
    const auto found = lives.find(&live);
    live_addresses.Remove(found->second.from.address);
    lives.erase(found);
    Ended();
  }

  // --- Time and the end ----------------------------------------------------------------------------------------------

  // Milliseconds of service: stands still while the server does.
  int64_t ServiceTime() const { return service_begin + std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - begin).count(); }

  asio::awaitable<void> Beat() {
    asio::steady_timer timer(context);
    error_code ignored;
    for (int64_t stored = ServiceTime(); !stopping;) {
      timer.expires_after(std::chrono::milliseconds(100));
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      hall->Tick();
      if (ServiceTime() - stored < 5000) continue;
      stored = ServiceTime();
      store->PutServiceTime(stored);
      sessions->Retry();
    }
  }

  asio::awaitable<void> AwaitStop() {
    error_code ignored;
    co_await signals.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    signals.clear();  // a second one ends the program at once
    BeginToStop();
    const auto end = Steady::now() + options.farewell;
    while ((!open.empty() || !lives.empty() || !stored_all) && Steady::now() < end) co_await Pause(end - Steady::now());
    store->PutServiceTime(ServiceTime());
    NoteEnd();
    context.stop();
  }

  void BeginToStop() {
    stopping = true;
    Notify("STOPPING=1");
    log("info", "stopping", {{"sockets", lives.size()}});
    error_code ignored;
    acceptor.close(ignored);
    admin.close(ignored);
    if (!options.admin_socket.empty()) unlink(options.admin_socket.c_str());
    for (Connection* connection : open)
      if (!connection->answering) connection->stream.cancel();
    hall->Stop([this] {
      for (const auto& [live, guest] : lives) live->Close("closing.restart");
      stored_all = true;
      Ended();
    });
  }

  void NoteEnd() const { log(stored_all ? "info" : "error", "stopped", {{"stored", stored_all}, {"sockets", lives.size()}}); }

  Metrics::Now Figures() const {
    return {hall->figures(), store->figures(), open.size(), lives.size(), sessions->size(), bots->waiting(), closed_slow, Ready()};
  }

  bool Ready() const { return !stopping && store->healthy(); }

  const Site& site;
  const ServerOptions options;
  const Log log;
  const LiveOptions live_options{options.longest_message, options.longest_queue, options.ping, options.messages};
  std::set<Connection*> open;
  std::unordered_map<Live*, Guest> lives;
  Counts addresses, live_addresses;
  std::set<asio::steady_timer*> pauses;
  bool stopping = false, over = false, stored_all = false;
  uint64_t closed_slow = 0;
  const Steady::time_point begin = Steady::now();
  int64_t service_begin = 0;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  Admin::acceptor admin{context};
  asio::signal_set signals{context};
  Metrics metrics;
  // What follows may have threads that hand things to the context, and lines whose sockets belong to it.
  std::unique_ptr<Store> store;
  std::unique_ptr<Password> password;
  std::unique_ptr<BotPool> bots;
  std::unique_ptr<Sessions> sessions;
  std::unique_ptr<Hall> hall;
  std::unique_ptr<Api> api;
};

Server::Server(const Site& site, const ServerOptions& options, Log log) : impl_(std::make_unique<Impl>(site, options, std::move(log))) {}
Server::~Server() = default;

std::error_code Server::Listen() { return impl_->Listen(); }
uint16_t Server::port() const { return impl_->acceptor.local_endpoint().port(); }

std::optional<std::string> Server::address() const {
  const std::optional<std::string> host = AddressForOthers(impl_->acceptor.local_endpoint().address().to_string());
  return host ? std::optional("http://" + *host + ':' + std::to_string(port())) : std::nullopt;
}

std::function<void(std::function<void()>)> Server::Post() {
  return [&context = impl_->context](std::function<void()> what) { asio::post(context, std::move(what)); };
}

std::optional<Error> Server::Open(std::unique_ptr<Store> store) {
  Impl& s = *impl_;
  const Expected<int64_t> service_time = store->ServiceTime();
  if (!service_time) return service_time.error();
  s.service_begin = *service_time;
  s.store = std::move(store);
  if (!s.options.password.empty()) {
    s.password = Password::From(s.options.password, Post());
    if (!s.password) return Error{"serve.password", {}};
  }
  s.bots = std::make_unique<BotPool>(s.options.bot_threads, Post());
  s.sessions = std::make_unique<Sessions>(*s.store);
  const auto log = [&s](std::string_view level, std::string_view event, const Json& fields) { s.log(level, event, fields); };
  s.hall = std::make_unique<Hall>(*s.store, *s.bots, s.options.hall, Hall::Hooks{[&s] { return s.ServiceTime(); }, RandomBytes, log});
  s.api = std::make_unique<Api>(
      Api::Parts{*s.hall, *s.store, *s.sessions, s.metrics, s.log, s.password.get(), [&s] { return s.Figures(); }, address()}, s.options.api);
  if (!s.ListenToOwner()) return Error{"serve.admin-socket", {{"file", s.options.admin_socket}}};

  if (std::optional<Error> unread = s.sessions->Load(std::time(nullptr))) return unread;
  for (const Sessions::Session* session : s.sessions->All())
    if (session->stored.muted) s.hall->Mute(session->stored.person, true);
  const auto begin = Steady::now();
  const Expected<Hall::Rebuilt> rebuilt = s.hall->Rebuild();
  if (!rebuilt) return rebuilt.error();
  s.log("info", "open",
        {{"tables", rebuilt->tables},
         {"put-aside", rebuilt->put_aside.size()},
         {"sessions", s.sessions->size()},
         {"ms", std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - begin).count()}});
  return std::nullopt;
}

void Server::Run() {
  Impl& s = *impl_;
  asio::co_spawn(s.context, s.Accept(s.acceptor), asio::detached);
  if (s.admin.is_open()) asio::co_spawn(s.context, s.Accept(s.admin), asio::detached);
  asio::co_spawn(s.context, s.AwaitStop(), asio::detached);
  asio::co_spawn(s.context, s.Beat(), asio::detached);
  Notify("READY=1");
  s.context.run();
}

}  // namespace civ
