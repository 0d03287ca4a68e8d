#include "civ/server/server.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
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
#include <csignal>
#include <ctime>
#include <set>
#include <thread>

#include "civ/server/address.h"
#include "civ/server/clients.h"
#include "civ/server/http.h"
#include "civ/server/memory_bus.h"
#include "civ/server/queue.h"
#include "civ/server/systemd.h"
#include "civ/server/token.h"
#include "civ/server/worker.h"

namespace civ {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Admin = asio::local::stream_protocol;
using Steady = std::chrono::steady_clock;

int64_t MillisecondsSince(Steady::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - begin).count();
}

}  // namespace

struct Server::Impl {
  Impl(const Site& site, const ServerOptions& given, Log to)
      : options(given),
        log(std::move(to)),
        clients(options, metrics, [this] { Ended(); }),
        http({site, options, log, metrics, clients, [this] { Ended(); }}) {}
  ~Impl() {  // what the context still holds goes with it, after all that follows it
    over = true;
    work.Cancel();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // --- Listening ---------------------------------------------------------------------------------

  error_code Listen() {
    signals.add(SIGINT);
    signals.add(SIGTERM);
    error_code failed;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(options.host, std::to_string(options.port),
                                        tcp::resolver::passive, failed);
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
      error_code failed;
      auto socket = co_await from.async_accept(asio::redirect_error(asio::use_awaitable, failed));
      if (failed && !stopping)
        co_await Pause(std::chrono::milliseconds(100));  // too many open files, perhaps
      if (failed) continue;
      Peer peer{{}, false, is_admin};
      if constexpr (!is_admin) {
        peer = PeerAt(socket.remote_endpoint(failed).address().to_string());
        // Behind a proxy everybody has the same address here.
        if (failed || (!peer.proxy && !http.Admits(peer.address))) continue;
        while (http.size() >= options.most_connections && !http.CloseSlowest() && !stopping)
          co_await Pause(std::chrono::hours(1));
        socket.set_option(tcp::no_delay(true), failed);
      }
      asio::co_spawn(
          context,
          http.Serve(asio::generic::stream_protocol::socket(std::move(socket)), std::move(peer)),
          asio::detached);
    }
  }

  Peer PeerAt(const std::string& address) const {
    return {AddressKey(address),
            std::ranges::any_of(options.api.proxies,
                                [&](const Network& network) { return network.Contains(address); })};
  }

  // Until a connection or a WebSocket ends, at most for `longest`.
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

  // --- Time and the end --------------------------------------------------------------------------

  // Goes on from the time of service that was stored last.
  int64_t Time() const { return service_begin + MillisecondsSince(begin); }

  asio::awaitable<void> Beat() {
    asio::steady_timer timer(context);
    error_code ignored;
    for (int64_t tried = Time(); !stopping;) {
      timer.expires_after(std::chrono::milliseconds(100));
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      hall->Tick();
      if (thinking) thinking->Tick();
      if (Time() - tried < 5000) continue;
      tried = Time();
      sessions->Retry();
      sessions->Sweep(std::time(nullptr),
                      [this](const std::string& person) { return hall->IsHere(person); });
    }
  }

  asio::awaitable<void> AwaitStop() {
    error_code ignored;
    co_await signals.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    signals.clear();  // a second one ends the program at once
    BeginToStop();
    const auto end = Steady::now() + options.farewell;
    while ((http.size() > 0 || clients.size() > 0 || !stored_all) && Steady::now() < end)
      co_await Pause(end - Steady::now());
    store->PutServiceTime(hall->Now(), {});
    NoteEnd();
    context.stop();
  }

  void BeginToStop() {
    stopping = true;
    if (thinking) thinking->Stop();
    NotifySystemd("STOPPING=1");
    log("info", "stopping", {{"sockets", clients.size()}});
    error_code ignored;
    acceptor.close(ignored);
    admin.close(ignored);
    if (!options.admin_socket.empty()) unlink(options.admin_socket.c_str());
    http.Stop();
    clients.Stop();
    hall->Stop([this] {
      clients.CloseAll("closing.restart");
      stored_all = true;
      Ended();
    });
  }

  void NoteEnd() const {
    log(stored_all ? "info" : "error", "stopped",
        {{"stored", stored_all}, {"sockets", clients.size()}});
  }

  // --- What it is made of ------------------------------------------------------------------------

  civ::Post Poster() {
    return [this](std::function<void()> what) { asio::post(context, std::move(what)); };
  }

  std::optional<std::string> Address() const {
    const tcp::endpoint local = acceptor.local_endpoint();
    const std::optional<std::string> host = AddressForOthers(local.address().to_string());
    if (!host) return std::nullopt;
    return "http://" + *host + ':' + std::to_string(local.port());
  }

  // Everything between the store and the sockets.
  std::optional<Error> Assemble() {
    if (!options.password.empty()) {
      password = Password::From(options.password, Poster());
      if (!password) return Error{"serve.password", {}};
    }
    const auto tell = [this](std::string_view level, std::string_view event, const Json& fields) {
      log(level, event, fields);
    };
    if (options.bus)
      bus = std::make_unique<RedisBus>(context, *options.bus, options.name, tell);
    else
      bus = std::make_unique<MemoryBus>(Poster(), [this] { return MillisecondsSince(begin); });
    if (!store->shared() || options.bot_threads > 0)
      bots = std::make_unique<BotPool>(options.bot_threads, Poster());
    sessions = std::make_unique<Sessions>(*store);
    hall = std::make_unique<Hall>(
        *store, *bus, store->shared() ? nullptr : bots.get(), options.hall,
        Hall::Hooks{[this] { return Time(); }, RandomBytes, tell,
                    [this](Hall::Hooks::Work what) { work.Push(std::move(what)); },
                    log.Reads("debug"), options.name});
    if (store->shared()) Share();
    worker = std::jthread([this] {
      while (const auto what = work.Pop()) asio::post(context, (*what)());
    });
    api = std::make_unique<Api>(
        Api::Parts{*hall, *store, *sessions, metrics, log, password.get(),
                   [this] { return Figures(); }, Address(), store->shared() ? bus.get() : nullptr},
        options.api);
    clients.Open(*hall, *sessions);
    http.Open(*api);
    return std::nullopt;
  }

  // With other processes that use the same store.
  void Share() {
    sessions->Share(*bus, options.name, [this](const Sessions::News& news) {
      if (news.ended) hall->Dismiss(news.person, news.ended);
      if (news.banned && news.address.empty()) hall->Dismiss(news.person);
      if (news.muted) hall->Mute(news.person, *news.muted);
      if (news.name) hall->Called({news.person, *news.name});
      if (!news.address.empty() && news.banned)
        for (const Sessions::Session* session : sessions->All())
          if (session->address == news.address) hall->Dismiss(session->stored.person);
    });
    if (bots)
      thinking = std::make_unique<Worker>(
          *store, *bus, [this](const auto&... question) { bots->Think(question...); },
          [this](const auto&... game) { bots->Analyze(game...); },
          Worker::Options{.name = options.name, .most = 2 * options.bot_threads, .now = [this] {
                            return MillisecondsSince(begin);
                          }});
  }

  // What was stored: sessions, and the tables that are open.
  std::optional<Error> Restore() {
    if (std::optional<Error> unread = sessions->Load(std::time(nullptr))) return unread;
    for (const Sessions::Session* session : sessions->All())
      if (session->stored.muted) hall->Mute(session->stored.person, true);
    const auto since = Steady::now();
    const Expected<Hall::Rebuilt> rebuilt = hall->Rebuild();
    if (!rebuilt) return rebuilt.error();
    log("info", "open",
        {{"tables", rebuilt->tables},
         {"put-aside", rebuilt->put_aside.size()},
         {"sessions", sessions->size()},
         {"ms", MillisecondsSince(since)}});
    return std::nullopt;
  }

  Metrics::Now Figures() const {
    return {hall->figures(),
            store->figures(),
            http.size(),
            clients.size(),
            options.most_sockets,
            sessions->size(),
            bots ? bots->waiting() : 0,
            clients.queued(),
            clients.closed_slow(),
            Ready(),
            store->shared(),
            store->healthy(),
            bus->healthy()};
  }

  bool Ready() const { return !stopping && store->healthy() && !hall->figures().lost; }

  const ServerOptions options;
  const Log log;
  Metrics metrics;
  bool stopping = false, over = false, stored_all = false;
  std::set<asio::steady_timer*> pauses;
  Clients clients;
  Http http;
  const Steady::time_point begin = Steady::now();
  int64_t service_begin = 0;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  Admin::acceptor admin{context};
  asio::signal_set signals{context};
  // What follows may have threads that hand things to the context, and clients whose sockets belong
  // to it.
  std::unique_ptr<Store> store;
  std::unique_ptr<Bus> bus;
  std::unique_ptr<Password> password;
  std::unique_ptr<BotPool> bots;
  std::unique_ptr<Sessions> sessions;
  std::unique_ptr<Hall> hall;
  std::unique_ptr<Worker> thinking;  // of this process, where the store is shared
  std::unique_ptr<Api> api;
  Queue<Hall::Hooks::Work> work;  // of the hall: replaying logs and games
  std::jthread worker;
};

Server::Server(const Site& site, const ServerOptions& options, Log log)
    : impl_(std::make_unique<Impl>(site, options, std::move(log))) {}
Server::~Server() = default;

std::error_code Server::Listen() { return impl_->Listen(); }
uint16_t Server::port() const { return impl_->acceptor.local_endpoint().port(); }
std::optional<std::string> Server::address() const { return impl_->Address(); }
Post Server::Post() { return impl_->Poster(); }

std::optional<Error> Server::Open(std::unique_ptr<Store> store) {
  const Expected<int64_t> service_time = store->ServiceTime();
  if (!service_time) return service_time.error();
  impl_->service_begin = *service_time;
  impl_->store = std::move(store);
  if (std::optional<Error> failed = impl_->Assemble()) return failed;
  if (!impl_->ListenToOwner())
    return Error{"serve.admin-socket", {{"file", impl_->options.admin_socket}}};
  return impl_->Restore();
}

void Server::Run() {
  Impl& s = *impl_;
  asio::co_spawn(s.context, s.Accept(s.acceptor), asio::detached);
  if (s.admin.is_open()) asio::co_spawn(s.context, s.Accept(s.admin), asio::detached);
  asio::co_spawn(s.context, s.AwaitStop(), asio::detached);
  asio::co_spawn(s.context, s.Beat(), asio::detached);
  NotifySystemd("READY=1");
  s.context.run();
}

}  // namespace civ
