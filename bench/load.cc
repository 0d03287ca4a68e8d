// Many people at many tables of a real server, over real sockets: how long until a move is
// acknowledged, and what a table and a socket cost.
//
//   civ_load PORT PID --tables 2000 --watchers 3 --every 3 --seconds 60
//
// PID is the server's, for its memory and processor time. Everybody is a person of their own, and
// must be told every event of their table: it fails if a connection is lost or an event is missing.
// With --kill the server is killed once meanwhile: then connections come back as the page's do, and
// still no event may be missing. Prints one JSON object. `bench/server` starts the server, again
// where it was killed, and calls this; `bench/scale` starts several.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/view/random.h"

namespace civ {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

struct Options {
  uint16_t port = 0;
  int pid = 0;
  std::vector<uint16_t> others = {};      // ports of further servers with the same tables
  bool scatter = false;                   // those of one table come by different servers
  std::vector<std::string> watched = {};  // NAME=PID
  int tables = 100, watchers = 3, bot_tables = 0;
  double every = 3, seconds = 20;  // every 0: the next move follows at once
  std::string bot = "level8";
  uint64_t seed = 1;
  double patience = 60;  // seconds that the last messages may take
  bool kill = false;     // the server, half-way
};

[[noreturn]] void Fail(const std::string& why) {
  std::cerr << why << '\n';
  std::exit(1);
}

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// What the kernel knows of the server.
double MemoryOf(int pid) {  // kilobytes
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6));
  return 0;
}
double ProcessorTimeOf(int pid) {  // seconds
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 2)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) rest >> skipped;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// The same with the processes that it has started, such as PostgreSQL's.
double ProcessorTimeOfAll(int pid) {
  const std::string id = std::to_string(pid);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  double seconds = ProcessorTimeOf(pid);
  for (int child; children >> child;) seconds += ProcessorTimeOf(child);
  return seconds;
}

// Requests one after the other over one connection.
class Http {
 public:
  Http(asio::io_context& context, tcp::endpoint to) : stream_(context) { stream_.connect(to); }

  Json Ask(http::verb verb, const std::string& target, const std::string& token, const Json& body) {
    http::request<http::string_body> request(verb, target, 11);
    request.set(http::field::host, "localhost");
    if (!token.empty()) request.set(http::field::authorization, "Bearer " + token);
    if (verb == http::verb::post) {
      request.set(http::field::content_type, "application/json");
      request.body() = body.dump();
    }
    request.prepare_payload();
    http::write(stream_, request);
    http::response<http::string_body> response;
    beast::flat_buffer buffer;
    http::read(stream_, buffer, response);
    if (response.result_int() >= 300)
      Fail(target + ": " + std::to_string(response.result_int()) + " " + response.body());
    return target == "/metrics" ? Json(response.body())
                                : Json::parse(response.body(), nullptr, false);
  }

 private:
  beast::tcp_stream stream_;
};

struct Tally {
  std::vector<double> milliseconds;  // to acknowledgements, on lines that did not break meanwhile
  std::map<std::string, int> refused;
  int64_t messages = 0, bytes = 0, events = 0;
};

// What a median and the like are of a list.
Json Parts(std::vector<double> times) {
  std::ranges::sort(times);
  const auto part = [&](double share) {
    const auto at = static_cast<size_t>(share * static_cast<double>(times.size()));
    return times.empty() ? 0.0 : times[std::min(times.size() - 1, at)];
  };
  return {{"50 %", part(0.5)}, {"90 %", part(0.9)}, {"99 %", part(0.99)}, {"most", part(1)}};
}

// How the server came back after it was killed.
struct Return {
  Clock::time_point killed;
  size_t away = 0;                   // connections that are not back
  double seconds = 0;                // until all were
  int64_t hellos = 0, bytes = 0;     // what they were sent first
  std::vector<double> milliseconds;  // to acknowledgements until then, on lines that were open
  double longest = 0;                // the same with the outage
};

// One table with its people. The seats' last views are kept as they came.
struct Table {
  std::string id;
  std::vector<int> seats;  // indices of sockets, -1 for a bot's
  std::vector<std::string> views;
  int64_t number = 0;
  bool started = false, over = false, bots = false;
  std::optional<size_t> asked;  // the socket whose move has no answer yet
  std::string move;             // that move
  bool again = false;           // it was sent again
  Clock::time_point sent;
};

struct Socket {
  std::optional<websocket::stream<tcp::socket>> stream;
  beast::flat_buffer buffer;
  std::deque<std::string> out;
  std::string token;
  size_t table = 0;
  int seat = -1;      // a watcher
  int64_t seen = 0;   // number of the last event
  double spread = 0;  // milliseconds over which the server wants those who come back
  bool open = false, away = false;
  int life = 0;  // counts its connections
};

class Load {
 public:
  explicit Load(const Options& options)
      : options_(options),
        to_(asio::ip::make_address("127.0.0.1"), options.port),
        random_(options.seed) {
    servers_ = {to_};
    for (const uint16_t port : options.others) servers_.emplace_back(to_.address(), port);
  }

  Json Run() {
    Json report = {{"tables", options_.tables}, {"every", options_.every}};
    const double memory_before = MemoryOf(options_.pid);
    Sessions();
    MakeTables();
    Connect();
    RunUntil(
        [&] {
          return std::ranges::all_of(tables_, [](const Table& table) { return table.started; });
        },
        300, "the games to start");
    RunFor(2);
    const double memory_tables = MemoryOf(options_.pid);
    const size_t players = sockets_.size();
    Watch();
    RunUntil(
        [&] {
          return std::ranges::all_of(sockets_, [](const auto& socket) { return socket->open; });
        },
        300, "the watchers");
    RunFor(2);
    const double memory_watchers = MemoryOf(options_.pid);
    const double watchers = static_cast<double>(sockets_.size() - players);
    const double per_socket = watchers > 0 ? (memory_watchers - memory_tables) / watchers : 0;
    report["sockets"] = sockets_.size();
    report["kilobytes per socket"] = per_socket;
    report["kilobytes per table"] =
        (memory_tables - memory_before - per_socket * static_cast<double>(players)) /
        static_cast<double>(tables_.size());

    playing_ = true;
    ScheduleAll();
    RunFor(std::min(5.0, options_.seconds / 4));  // to get going
    tally_ = {};
    const auto begin = Clock::now();
    const double processor = ProcessorTimeOf(options_.pid);
    const std::map<std::string, double> before = Watched();
    const std::string metrics = Metrics();
    if (options_.kill) Kill(options_.seconds / 2);
    RunFor(options_.seconds - SecondsSince(begin));
    const double seconds = SecondsSince(begin);
    if (!options_.kill) {
      report["processor share"] = (ProcessorTimeOf(options_.pid) - processor) / seconds;
      report["kilobytes"] = MemoryOf(options_.pid);
    }
    Report(report, seconds, metrics, Metrics());
    for (const auto& [name, spent] : Watched()) {
      const double used = spent - before.at(name);
      report["cores used"][name] = used / seconds;
      report["processor milliseconds per move"][name] =
          1000 * used / std::max<double>(1, static_cast<double>(tally_.milliseconds.size()));
    }
    AllMustBeTold();
    return report;
  }

 private:
  // Seconds of processor time, by name.
  std::map<std::string, double> Watched() const {
    std::map<std::string, double> spent;
    for (const std::string& one : options_.watched) {
      const size_t at = one.find('=');
      if (at == one.npos) Fail("--watch wants NAME=PID");
      spent[one.substr(0, at)] += ProcessorTimeOfAll(std::stoi(one.substr(at + 1)));
    }
    return spent;
  }

  void Sessions() {
    Http http(context_, to_);
    const int people =
        2 * (options_.tables + options_.bot_tables) + options_.watchers * options_.tables;
    for (int i = 0; i < people; ++i)
      tokens_.push_back(http.Ask(http::verb::post, "/api/v1/session", "",
                                 {{"name", "Load " + std::to_string(i)}, {"bot", true}})
                            .at("token"));
  }

  // Each by the server at which its people will be, so that no other has to know it.
  void MakeTables() {
    std::vector<std::unique_ptr<Http>> servers;
    for (const tcp::endpoint& server : servers_)
      servers.push_back(std::make_unique<Http>(context_, server));
    tables_.resize(static_cast<size_t>(options_.tables + options_.bot_tables));
    for (size_t i = 0; i < tables_.size(); ++i) {
      tables_[i].bots = i >= static_cast<size_t>(options_.tables);
      Http& http = *servers[i % servers.size()];
      tables_[i].id = http.Ask(http::verb::post, "/api/v1/tables", tokens_[2 * i],
                               {{"players", 2}, {"absence", 0}})
                          .at("table");
      tables_[i].views.resize(2);
    }
  }

  void Connect() {
    for (size_t i = 0; i < tables_.size(); ++i) {
      tables_[i].seats = {static_cast<int>(sockets_.size()), -1};
      Open(i, 0, tokens_[2 * i]);
    }
    // Whoever starts the game must see the other sit down.
    RunUntil(
        [&] {
          return std::ranges::all_of(sockets_, [](const auto& socket) { return socket->seen > 0; });
        },
        300, "the hosts");
    for (size_t i = 0; i < tables_.size(); ++i) {
      if (tables_[i].bots) continue;
      tables_[i].seats[1] = static_cast<int>(sockets_.size());
      Open(i, 1, tokens_[2 * i + 1]);
    }
  }

  void Watch() {
    size_t next = 2 * tables_.size();
    for (size_t i = 0; i < tables_.size(); ++i)
      for (int w = 0; w < options_.watchers && !tables_[i].bots; ++w) Open(i, -1, tokens_[next++]);
  }

  void Open(size_t table, int seat, const std::string& token) {
    auto socket = std::make_unique<Socket>();
    socket->table = table;
    socket->seat = seat;
    socket->token = token;
    asio::co_spawn(context_, Live(*socket), asio::detached);
    sockets_.push_back(std::move(socket));
    // So many at once that the server's queue of new connections does not run over.
    if (sockets_.size() % 100 == 0) RunFor(0.05);
  }

  std::string Name(const Socket& socket) const {
    return (socket.seat < 0 ? "a spectator" : "seat " + std::to_string(socket.seat)) +
           " of table " + tables_[socket.table].id;
  }

  // By its table, unless they are scattered.
  const tcp::endpoint& ServerOf(const Socket& socket) const {
    const size_t place = options_.scatter ? static_cast<size_t>(socket.seat + 1) : 0;
    return servers_[(socket.table + place) % servers_.size()];
  }

  // Only a server that was killed may lose a connection. Then it comes back as the page does.
  asio::awaitable<void> Live(Socket& socket) {
    asio::steady_timer timer(context_);
    for (size_t tries = 0;; ++tries) {
      const error_code failed = co_await Talk(socket);
      if (!back_) Fail("a connection was lost: " + Name(socket) + ": " + failed.message());
      if (std::exchange(socket.open, false)) tries = 0;
      if (!std::exchange(socket.away, true)) ++back_->away;
      socket.stream.reset();
      socket.buffer.clear();
      socket.out.clear();
      constexpr std::array kPauses = {300.0, 1000.0, 2000.0, 4000.0, 8000.0, 15'000.0};
      const double share = random_.Below(1'000'000) / 1e6;
      const double pause = kPauses[std::min(tries, kPauses.size() - 1)] * (0.75 + share / 2) +
                           (tries == 0 ? socket.spread * random_.Below(1'000'000) / 1e6 : 0);
      error_code ignored;
      timer.expires_after(std::chrono::microseconds(static_cast<int64_t>(1000 * pause)));
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
  }

  asio::awaitable<error_code> Talk(Socket& socket) {
    error_code failed;
    auto& stream = socket.stream.emplace(context_);
    ++socket.life;
    co_await stream.next_layer().async_connect(ServerOf(socket),
                                               asio::redirect_error(asio::use_awaitable, failed));
    if (failed) co_return failed;
    stream.next_layer().set_option(tcp::no_delay(true));
    stream.set_option(
        websocket::stream_base::decorator([&socket](websocket::request_type& request) {
          request.set(http::field::authorization, "Bearer " + socket.token);
        }));
    co_await stream.async_handshake(
        "localhost",
        "/api/v1/tables/" + tables_[socket.table].id + "/live?seen=" + std::to_string(socket.seen),
        asio::redirect_error(asio::use_awaitable, failed));
    if (failed) co_return failed;
    socket.open = true;
    Opened(socket);
    while (true) {
      co_await stream.async_read(socket.buffer, asio::redirect_error(asio::use_awaitable, failed));
      if (failed) co_return failed;
      const auto data = socket.buffer.cdata();
      const std::string_view text(static_cast<const char*>(data.data()), data.size());
      ++tally_.messages;
      tally_.bytes += static_cast<int64_t>(text.size());
      Follow(socket, text);
      if (socket.seat >= 0) Hear(socket, text);
      socket.buffer.consume(data.size());
      if (socket.seat < 0) socket.buffer.shrink_to_fit();
    }
  }

  void Opened(Socket& socket) {
    Table& table = tables_[socket.table];
    if (socket.away) {  // what had no answer is sent again
      if (!table.asked || sockets_[*table.asked].get() != &socket) return;
      table.again = true;
      Send(socket, table.move);
      return;
    }
    if (socket.seat == 1) Send(socket, {{"type", "sit"}, {"id", "sit"}, {"seat", 1}});
    if (socket.seat == 0 && table.bots)
      Send(socket, {{"type", "seat-bot"}, {"id", "seat-bot"}, {"seat", 1}, {"bot", options_.bot}});
  }

  // The number that stands after a key, for messages that are not parsed.
  static std::optional<int64_t> NumberAfter(std::string_view text, std::string_view key) {
    const size_t at = text.find(key);
    int64_t number = 0;
    if (at == text.npos) return std::nullopt;
    const char* begin = text.data() + at + key.size();
    if (std::from_chars(begin, text.data() + text.size(), number).ec != std::errc())
      return std::nullopt;
    return number;
  }

  // Each message about the table must be the one after the last. Nothing that happens here is for
  // some only.
  void Follow(Socket& socket, std::string_view text) {
    const std::string_view head = text.substr(0, 60);
    const bool hello = head.starts_with(R"({"type":"hello")");
    if (std::exchange(socket.away, false)) {
      back_->hellos += hello;
      back_->bytes += static_cast<int64_t>(text.size());
      if (--back_->away == 0) back_->seconds = SecondsSince(back_->killed);
    }
    if (head.starts_with(R"({"type":"presence")")) {
      socket.spread = static_cast<double>(NumberAfter(text, R"("spread":)").value_or(0));
      return;
    }
    for (const char* other : {"ack", "refused", "pong", "closing"})
      if (head.starts_with(R"({"type":")" + std::string(other) + '"')) return;
    const std::optional<int64_t> number = NumberAfter(head, R"(,"n":)");
    if (!number) Fail("a message without a number: " + std::string(text));
    if (!hello && *number != socket.seen + 1)
      Fail("an event is missing: " + Name(socket) + " was told event " + std::to_string(*number) +
           " after event " + std::to_string(socket.seen));
    if (!hello) ++tally_.events;
    socket.seen = *number;
    tables_[socket.table].number = std::max(tables_[socket.table].number, *number);
  }

  // Once nobody moves any more.
  void AllMustBeTold() {
    playing_ = false;
    const auto waits = [](const Table& table) { return table.asked.has_value(); };
    RunUntil([&] { return std::ranges::none_of(tables_, waits); }, options_.patience,
             "answers to moves");
    const auto behind = [&](const auto& socket) {
      return socket->seen != tables_[socket->table].number;
    };
    const auto begin = Clock::now();
    while (std::ranges::any_of(sockets_, behind) && SecondsSince(begin) < options_.patience)
      RunFor(0.1);
    const auto first = std::ranges::find_if(sockets_, behind);
    if (first != sockets_.end())
      Fail("an event is missing: " + std::to_string(std::ranges::count_if(sockets_, behind)) +
           " connections were not told the last event of their table, among them " + Name(**first));
  }

  void Kill(double after) {
    RunFor(after);
    back_.emplace();
    back_->killed = Clock::now();
    kill(options_.pid, SIGKILL);
    RunFor(0.2);  // until all know
    RunUntil([&] { return back_->away == 0; }, 120, "those who come back");
  }

  void Hear(Socket& socket, std::string_view text) {
    Table& table = tables_[socket.table];
    const Json json = Json::parse(text, nullptr, false);
    const std::string& type = json.at("type").get_ref<const std::string&>();
    if (type == "ack" || type == "refused") return Answered(table, json, type == "ack");
    if (type == "commit")
      Send(socket,
           {{"type", "contribute"}, {"id", "contribute"}, {"random", std::string(64, '7')}});
    if (socket.seat == 0 && type != "hello" && (type == "sit" || type == "seat-bot"))
      Send(socket, {{"type", "start"}, {"id", "start"}});
    if (json.contains("game")) {
      table.views[static_cast<size_t>(socket.seat)] = json["game"]["view"].dump();
      table.started = true;
    }
    if (json.contains("table") && json["table"]["status"] == "over") table.over = true;
    if (table.bots && playing_ && json.contains("game") && !table.over) MoveAt(table);
  }

  void Answered(Table& table, const Json& json, bool stored) {
    table.number = std::max(table.number, json.at("n").get<int64_t>());
    if (!json.at("id").get_ref<const std::string&>().starts_with('m')) {
      if (!stored) Fail("refused: " + json.dump());
      return;
    }
    if (!table.asked) return;  // the answer to a move that was sent again
    const double taken = 1000 * SecondsSince(table.sent);
    const bool coming_back = back_ && back_->seconds == 0;
    if (stored && !table.bots && !table.again)
      (coming_back ? back_->milliseconds : tally_.milliseconds).push_back(taken);
    if (table.again) back_->longest = std::max(back_->longest, taken);
    if (!stored) ++tally_.refused[json["error"]["key"].get<std::string>()];
    table.asked.reset();
    if (options_.every == 0 || table.bots) asio::post(context_, [this, &table] { MoveAt(table); });
  }

  void ScheduleAll() {
    for (Table& table : tables_) asio::co_spawn(context_, Keep(table), asio::detached);
  }

  // A move at this table every so often, not all tables at once.
  asio::awaitable<void> Keep(Table& table) {
    asio::steady_timer timer(context_);
    const double every = std::max(options_.every, 0.001);
    timer.expires_after(
        std::chrono::microseconds(static_cast<int64_t>(every * random_.Below(1'000'000))));
    error_code ignored;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    MoveAt(table);
    while (options_.every > 0 && !table.bots && !table.over) {
      timer.expires_after(std::chrono::microseconds(static_cast<int64_t>(every * 1e6)));
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      MoveAt(table);
    }
  }

  void MoveAt(Table& table) {
    if (!playing_ || table.over || table.asked) return;
    for (size_t seat = 0; seat < 2; ++seat) {
      if (table.seats[seat] < 0 || table.views[seat].empty()) continue;
      const Expected<Json> json = ParseJson(table.views[seat]);
      if (!json || (*json)["seat"] != seat) continue;
      const Expected<View> view = ViewFromJson(*json);
      if (!view) Fail("view: " + view.error().key);
      const ActionSet legal = Legal(*view);
      if (legal.Empty()) continue;
      const Action action =
          legal[static_cast<int>(random_.Below(static_cast<uint32_t>(legal.Size())))];
      table.asked = static_cast<size_t>(table.seats[seat]);
      table.again = false;
      table.sent = Clock::now();
      table.move = Json{{"type", "act"},
                        {"id", "m" + std::to_string(++moves_)},
                        {"builds", table.number},
                        {"actions", {NameOf(action)}}}
                       .dump();
      if (Socket& socket = *sockets_[*table.asked]; socket.open) Send(socket, table.move);
      return;
    }
  }

  void Send(Socket& socket, const Json& message) { Send(socket, message.dump()); }
  void Send(Socket& socket, std::string message) {
    socket.out.push_back(std::move(message));
    if (socket.out.size() == 1) Write(socket);
  }
  void Write(Socket& socket) {
    socket.stream->async_write(asio::buffer(socket.out.front()),
                               [this, &socket, life = socket.life](error_code failed, size_t) {
                                 if (failed || life != socket.life || socket.out.empty()) return;
                                 socket.out.pop_front();
                                 if (!socket.out.empty()) Write(socket);
                               });
  }

  template <class Condition>
  void RunUntil(Condition condition, double most, const char* what) {
    for (const auto begin = Clock::now(); !condition(); RunFor(0.1))
      if (SecondsSince(begin) > most) Fail(std::string("waited in vain for ") + what);
  }
  void RunFor(double seconds) {
    context_.restart();
    context_.run_for(std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6)));
  }

  std::string Metrics() {
    return Http(context_, to_).Ask(http::verb::get, "/metrics", "", {}).get<std::string>();
  }

  static double Value(const std::string& metrics, const std::string& name) {
    const size_t at = metrics.find("\n" + name + " ");
    return at == metrics.npos ? 0 : std::stod(metrics.substr(at + name.size() + 2));
  }

  void Report(Json& report, double seconds, const std::string& before, const std::string& after) {
    report["moves per second"] = static_cast<double>(tally_.milliseconds.size()) / seconds;
    report["milliseconds to acknowledgement"] = Parts(tally_.milliseconds);
    report["refused"] = tally_.refused;
    report["games over"] = std::ranges::count_if(tables_, &Table::over);
    report["events told per second"] = static_cast<double>(tally_.events) / seconds;
    report["messages per second"] = static_cast<double>(tally_.messages) / seconds;
    report["megabytes per second"] = static_cast<double>(tally_.bytes) / seconds / 1e6;
    if (back_) {
      report["after the kill"] = {
          {"seconds until all were back", back_->seconds},
          {"sent a hello", back_->hellos},
          {"megabytes sent first", static_cast<double>(back_->bytes) / 1e6},
          {"milliseconds to acknowledgement meanwhile", Parts(back_->milliseconds)},
          {"longest with the outage", back_->longest}};
      return;
    }
    const double commits = Value(after, "civ_commits_total") - Value(before, "civ_commits_total");
    report["commits per second"] = commits / seconds;
    report["milliseconds per commit"] = commits > 0
                                            ? 1000 *
                                                  (Value(after, "civ_commit_seconds_total") -
                                                   Value(before, "civ_commit_seconds_total")) /
                                                  commits
                                            : 0;
  }

  const Options options_;
  const tcp::endpoint to_;
  std::vector<tcp::endpoint> servers_;
  asio::io_context context_{1};
  Random random_;
  std::vector<std::string> tokens_;
  std::vector<Table> tables_;
  std::vector<std::unique_ptr<Socket>> sockets_;
  Tally tally_;
  std::optional<Return> back_;
  bool playing_ = false;
  int64_t moves_ = 0;
};

}  // namespace
}  // namespace civ

int main(int argc, char** argv) {
  civ::Options options;
  CLI::App app("People at many tables of a server");
  app.add_option("port", options.port)->required();
  app.add_option("pid", options.pid)->required();
  app.add_option("--also", options.others, "Port of a further server with the same tables");
  app.add_flag("--scatter", options.scatter, "Those of one table come by different servers");
  app.add_option("--watch", options.watched,
                 "NAME=PID of a process whose time is told by move, with those that it started");
  app.add_option("--tables", options.tables)->capture_default_str();
  app.add_option("--watchers", options.watchers, "Spectators at each table")->capture_default_str();
  app.add_option("--every", options.every, "Seconds between moves at a table; 0: at once")
      ->capture_default_str();
  app.add_option("--seconds", options.seconds)->capture_default_str();
  app.add_option("--bot-tables", options.bot_tables, "More tables, at which a bot plays")
      ->capture_default_str();
  app.add_option("--bot", options.bot)->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--patience", options.patience, "Seconds that the last messages may take")
      ->capture_default_str();
  app.add_flag("--kill", options.kill, "Kill the server half-way; somebody must start it again");
  CLI11_PARSE(app, argc, argv);
  std::cout << civ::Load(options).Run().dump(2) << '\n';
}
