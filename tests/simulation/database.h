// A database that is simulated, and connections of processes to it over a network that is: requests
// and answers are lost, come late, or have to wait; what was acknowledged is never lost.
#pragma once

#include <deque>
#include <memory>

#include "civ/server/memory_store.h"
#include "civ/server/store_calls.h"
#include "civ/table/table.h"
#include "tests/simulation/weather.h"

namespace civ::simulation {

class Connection;

class Database {
 public:
  Database(Stage& at, const Weather& with, Broken promise, int number);

  // Runs one request to its end, and gives its answer.
  template <class T>
  T Run(const std::function<void(Store&, std::function<void(T)>)>& request) {
    std::optional<T> result;
    request(truth, [&](T value) { result = std::move(value); });
    while (!answers_.empty()) {
      const auto answer = std::move(answers_.front());
      answers_.pop_front();
      answer();
    }
    return *std::move(result);
  }

  // The whole log of a table, as it is stored.
  std::vector<std::string> Log(const std::string& table);

  void StandStill(int64_t milliseconds) {
    still_until_ = std::max(still_until_, stage.now() + milliseconds);
  }
  void Refuse(int64_t milliseconds) {
    refuses_until_ = std::max(refuses_until_, stage.now() + milliseconds);
  }
  // All connections break, and there are none for so long.
  void FailOver(int64_t milliseconds);
  int64_t still_for() const { return std::max<int64_t>(0, still_until_ - stage.now()); }
  bool refuses() const { return stage.now() < refuses_until_; }
  bool gone() const { return stage.now() < gone_until_; }

  Stage& stage;
  const Weather& weather;
  const Broken promise;
  MemoryStore truth;
  std::vector<Connection*> connections;                         // in the order in which they came
  std::function<void(const std::vector<Addition>&)> on_stored;  // is told of everything

 private:
  void BeatOn();

  std::deque<std::function<void()>> answers_;
  int64_t still_until_ = 0, refuses_until_ = 0, gone_until_ = 0;
};

// Those that are one store together: an id of a table names its database.
using Databases = std::vector<std::unique_ptr<Database>>;
std::unique_ptr<Store> Connect(const Databases& databases, const std::string& name);

// One process's own. It goes with the process: what is under way then may still arrive, but nobody
// hears of it.
class Connection final : public Store {
 public:
  Connection(Database& database, std::string name);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // All that is under way gets no answer, and nothing reaches the database for so long.
  void Cut(int64_t milliseconds);
  bool cut() const { return stage_.now() < cut_until_ || database_.gone(); }

  bool shared() const override { return true; }
  bool healthy() const override { return healthy_; }

  CIV_STORE_CALLS
  CIV_SHARED_STORE_CALLS

 private:
  // A request, and what it is answered with if the answer is lost, or the database refuses.
  template <class T>
  struct Asked {
    std::string what;
    bool writes;
    std::function<T()> run;
    std::function<void(T)> answer;
    T lost, refused;
  };
  template <class T>
  struct Way;

  template <class T>
  void Ask(Asked<T> asked);
  void Write(const char* what, std::function<void(Store&, Done)> request, Done done);
  template <class T>
  void Look(const char* what, std::function<void(Store&, Read<T>)> request, Read<T> answer,
            bool writes = false);  // what is taken or claimed is written, too
  Database& database_;
  Stage& stage_;
  const std::string name_;
  const std::shared_ptr<int> alive_ = std::make_shared<int>();
  std::map<uint64_t, std::function<void()>> under_way_;  // how each ends without an answer
  uint64_t last_ = 0;
  int64_t cut_until_ = 0;
  int64_t written_at_ = 0;  // when the last write reaches the database: they stay in order
  bool healthy_ = true;
};

}  // namespace civ::simulation
