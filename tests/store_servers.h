// PostgreSQL servers of this process, databases in them for one test each, and what tests ask
// stores for.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "civ/server/post.h"
#include "civ/server/store.h"

namespace civ {

// Started by tests/postgres.py, and ended with this process.
class PostgresServer {
 public:
  // The same one for all tests that ask for that number.
  static PostgresServer& Get(size_t number);
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  const std::string& uri() const { return uri_; }
  std::string NewDatabase();            // its address
  void Order(const std::string& what);  // kill, stop, start: done when it returns

 private:
  std::string ReadLine();
  int process_ = 0, input_ = -1, output_ = -1;
  std::string uri_;
};

// What the first field of the first row of the answer is.
std::string RunSql(const std::string& uri, const std::string& sql);

inline const Post kAnswerAtOnce = [](const std::function<void()>& answer) { answer(); };

// Waits for the answer of a call.
template <class T, class Call>
T AnswerOf(Call call) {
  auto promise = std::make_shared<std::promise<T>>();
  call([promise](T value) { promise->set_value(std::move(value)); });
  return promise->get_future().get();
}

inline std::future<Stored> BeginAppend(Store& store, std::vector<Addition> additions) {
  auto promise = std::make_shared<std::promise<Stored>>();
  store.AppendAll(std::move(additions), 0,
                  [promise](Stored stored) { promise->set_value(stored); });
  return promise->get_future();
}
inline Stored AppendTo(Store& store, const std::string& table, int64_t expected,
                       std::vector<std::string> events, Listing listing = {}) {
  return BeginAppend(store, {{table, expected, std::move(events), std::move(listing)}}).get();
}
inline std::optional<std::vector<std::string>> EventsOf(Store& store, const std::string& table) {
  using Log = Expected<std::optional<StoredLog>>;
  Log log = AnswerOf<Log>([&](auto answer) { store.Load(table, answer); });
  if (!log || !*log) return std::nullopt;
  return std::move((*log)->events);
}

}  // namespace civ
