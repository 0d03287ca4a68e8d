// What only a store on a server can meet: answers that are lost, a server that is gone or hangs, a
// layout that is newer.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>

#include "civ/server/postgres_store.h"
#include "civ/server/sharded_store.h"
#include "store_servers.h"

namespace civ {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Strings = std::vector<std::string>;

Listing Named(const std::string& table) {
  Listing listing;
  listing.table = table;
  return listing;
}
std::future<Stored> Begin(Store& store, const std::string& table, int64_t expected,
                          const std::string& event) {
  return BeginAppend(store, {{table, expected, {event}, Named(table)}});
}
std::string WhyNot(const std::string& uri, size_t shard = 0) {
  const auto store = PostgresStore::Open(uri, kAnswerAtOnce, shard);
  if (store) return "";
  std::cerr << store.error().key << ": " << store.error().args.back().second << '\n';
  return store.error().key;
}

// A network between store and server, which loses what the test says.
class Network {
 public:
  explicit Network(const std::string& uri) : uri_(uri) {
    const size_t colon = uri.rfind(':');
    server_.sin_family = AF_INET;
    server_.sin_port = htons(static_cast<uint16_t>(std::stoi(uri.substr(colon + 1))));
    inet_pton(AF_INET, "127.0.0.1", &server_.sin_addr);
    listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in own = server_;
    own.sin_port = 0;
    socklen_t size = sizeof own;
    if (bind(listening_, reinterpret_cast<sockaddr*>(&own), size) != 0 ||
        listen(listening_, 50) != 0 ||
        getsockname(listening_, reinterpret_cast<sockaddr*>(&own), &size) != 0)
      std::abort();
    uri_.replace(colon + 1, uri.rfind('/') - colon - 1, std::to_string(ntohs(own.sin_port)));
    accepting_ = std::jthread([this](const std::stop_token& stop) { Accept(stop); });
  }
  ~Network() {
    accepting_.request_stop();
    accepting_.join();
    for (std::jthread& one : connections_) one.request_stop();
    connections_.clear();
    close(listening_);
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const std::string& uri() const { return uri_; }
  std::atomic<bool> hangs = false;  // nothing arrives anywhere

 private:
  void Accept(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd ready{listening_, POLLIN, 0};
      if (poll(&ready, 1, 20) <= 0) continue;
      const int client = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      connections_.emplace_back([this, client](const std::stop_token& end) { Carry(end, client); });
    }
  }
  // An event that says so takes its own answer with it, or never arrives itself.
  void Carry(const std::stop_token& stop, int client) {
    const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool loses = connect(server, reinterpret_cast<const sockaddr*>(&server_), sizeof server_) != 0;
    bool ends = loses;
    while (!stop.stop_requested() && !ends) {
      pollfd ready[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
      if (hangs || poll(ready, 2, 20) <= 0) {
        if (hangs) std::this_thread::sleep_for(milliseconds(5));
        continue;
      }
      for (const int from : {0, 1}) {
        if (ready[from].revents == 0) continue;
        char bytes[65536];
        const ssize_t size = read(ready[from].fd, bytes, sizeof bytes);
        const std::string_view text(bytes, static_cast<size_t>(std::max<ssize_t>(size, 0)));
        ends |=
            size <= 0 || (loses && from == 1) || (from == 0 && text.find("lose this") != text.npos);
        loses |= from == 0 && text.find("lose the answer") != text.npos;
        if (ends) break;
        ends |= write(ready[1 - from].fd, bytes, text.size()) != size;
      }
    }
    close(client);
    close(server);
  }

  std::string uri_;
  sockaddr_in server_{};
  int listening_;
  std::vector<std::jthread> connections_;
  std::jthread accepting_;
};

TEST(PostgresStore, OpensTheSameDatabaseInManyProcessesAtOnce) {
  const std::string uri = PostgresServer::Get(0).NewDatabase();
  std::vector<std::future<std::string>> opened;
  for (int i = 0; i < 8; ++i)
    opened.push_back(std::async(std::launch::async, [&] { return WhyNot(uri); }));
  for (auto& one : opened) EXPECT_EQ(one.get(), "");
}

TEST(PostgresStore, RefusesWhatIsNewerNotItsOwnOrElsewhere) {
  const std::string uri = PostgresServer::Get(0).NewDatabase();
  EXPECT_EQ(WhyNot(uri), "");
  EXPECT_EQ(WhyNot(uri, 1), "data.shard") << "persons are in the first database";
  RunSql(uri, "UPDATE civ.layout SET version = 99");
  EXPECT_EQ(WhyNot(uri), "data.newer");
  EXPECT_EQ(RunSql(uri, "SELECT version FROM civ.layout"), "99");
  RunSql(uri, "DROP TABLE civ.layout");
  EXPECT_EQ(WhyNot(uri), "data.not-ours");
  EXPECT_EQ(WhyNot("postgresql://civ@127.0.0.1:1/none"), "data.failed");
  EXPECT_EQ(WhyNot("postgresql://%zz"), "data.failed");
  const auto two = OpenSharedStore({uri, "postgresql://civ@127.0.0.1:1/none"}, kAnswerAtOnce);
  EXPECT_FALSE(two);
}

TEST(PostgresStore, AnAnswerThatIsLostIsUnknownAndCanBeLookedUp) {
  Network network(PostgresServer::Get(0).NewDatabase());
  const auto store = std::move(*PostgresStore::Open(network.uri(), kAnswerAtOnce));
  EXPECT_EQ(Begin(*store, "t", 0, "first").get(), Stored::Stored);
  EXPECT_EQ(Begin(*store, "t", 1, "lose the answer").get(), Stored::Unknown);
  EXPECT_FALSE(store->healthy());
  EXPECT_EQ(EventsOf(*store, "t"), (Strings{"first", "lose the answer"}));
  EXPECT_EQ(Begin(*store, "t", 2, "lose this").get(), Stored::Unknown);
  EXPECT_EQ(Begin(*store, "t", 2, "third").get(), Stored::Stored) << "by a new connection";
  EXPECT_TRUE(store->healthy());
  EXPECT_EQ(EventsOf(*store, "t"), (Strings{"first", "lose the answer", "third"}));
}

TEST(PostgresStore, ANetworkThatHangsIsNotWaitedForWithoutEnd) {
  Network network(PostgresServer::Get(0).NewDatabase());
  const auto store =
      std::move(*PostgresStore::Open(network.uri(), kAnswerAtOnce, 0, milliseconds(500)));
  EXPECT_EQ(Begin(*store, "t", 0, "first").get(), Stored::Stored);
  EXPECT_EQ(EventsOf(*store, "t"), Strings{"first"});
  network.hangs = true;
  const auto begin = steady_clock::now();
  using Lengths = Expected<std::vector<int64_t>>;
  EXPECT_FALSE(AnswerOf<Lengths>([&](auto answer) { store->Lengths({"t"}, answer); }));
  EXPECT_NE(Begin(*store, "t", 1, "second").get(), Stored::Stored);
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(30));
  network.hangs = false;
  EXPECT_EQ(Begin(*store, "t", 1, "second").get(), Stored::Stored);
  EXPECT_EQ(EventsOf(*store, "t"), (Strings{"first", "second"}));
}

TEST(PostgresStore, WhatOneHasWrongIsNobodyElsesTrouble) {
  const auto store =
      std::move(*PostgresStore::Open(PostgresServer::Get(0).NewDatabase(), kAnswerAtOnce));
  std::vector<std::future<Stored>> right, wrong;
  for (int i = 0; i < 50; ++i) {
    right.push_back(Begin(*store, "t", i, "event"));
    wrong.push_back(Begin(*store, "\xff\xfe", 0, "event"));
  }
  for (auto& one : right) EXPECT_EQ(one.get(), Stored::Stored);
  for (auto& one : wrong) EXPECT_EQ(one.get(), Stored::Failed);
}

// The last: it ends the server that the others use, for a moment.
TEST(PostgresStore, GoesOnByItselfAfterTheServerWasKilled) {
  PostgresServer& server = PostgresServer::Get(0);
  const auto store = std::move(*PostgresStore::Open(server.NewDatabase(), kAnswerAtOnce));
  int64_t length = 0;
  std::atomic<bool> ends = false;
  std::thread player([&] {
    while (!ends) {
      const Stored stored = Begin(*store, "t", length, std::to_string(length)).get();
      using Tailed = Expected<std::optional<StoredTail>>;
      if (stored == Stored::Stored) ++length;
      if (stored != Stored::Unknown) continue;
      for (;;) {
        const Tailed tail = AnswerOf<Tailed>([&](auto told) { store->Tail("t", 1, told); });
        if (!tail) continue;
        length = *tail ? (*tail)->length : 0;
        break;
      }
    }
  });
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(milliseconds(150));
    server.Order("kill");
    EXPECT_NE(Begin(*store, "other", 99, "x").get(), Stored::Stored);
    server.Order("start");
  }
  std::this_thread::sleep_for(milliseconds(150));
  ends = true;
  player.join();
  EXPECT_GT(length, 0);
  Strings wanted;
  for (int64_t n = 0; n < length; ++n) wanted.push_back(std::to_string(n));
  // A connection that has not been used since the last kill is noticed when it is.
  std::optional<Strings> events = EventsOf(*store, "t");
  while (!events) events = EventsOf(*store, "t");
  EXPECT_EQ(events, wanted);
}

}  // namespace
}  // namespace civ
