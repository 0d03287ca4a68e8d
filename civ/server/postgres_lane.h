// A thread with a connection to PostgreSQL: what it is given goes there in that order, all that
// waits at once, each a transaction of its own.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "civ/server/postgres_connection.h"
#include "civ/server/queue.h"

namespace civ {

class PostgresLane {
 public:
  // `healthy`: how the last thing went.
  PostgresLane(PostgresConnection::Options options, std::atomic<bool>& healthy)
      : connection_(std::move(options)), healthy_(healthy), thread_([this] { Work(); }) {}
  ~PostgresLane() { tasks_.Close(); }  // what waits is still done
  PostgresLane(const PostgresLane&) = delete;
  PostgresLane& operator=(const PostgresLane&) = delete;

  // `done` is called on the thread of the lane.
  using Done = std::function<void(PostgresOutcome)>;
  void Push(PostgresUnit unit, Done done) { tasks_.Push({std::move(unit), std::move(done)}); }

 private:
  struct Task {
    PostgresUnit unit;
    Done done;
  };
  void Work();

  PostgresConnection connection_;
  std::atomic<bool>& healthy_;
  Queue<Task> tasks_;
  std::jthread thread_;  // the last, since it uses the others
};

}  // namespace civ
