// What the parts of the PostgreSQL store share: its threads, and how it answers.
#pragma once

#include <future>
#include <mutex>
#include <utility>

#include "civ/server/postgres_append.h"
#include "civ/server/postgres_connection.h"
#include "civ/server/postgres_lane.h"
#include "civ/server/postgres_store.h"

namespace civ {

struct PostgresStore::Impl {
  Impl(std::string address, Post poster, std::chrono::milliseconds patience);
  ~Impl() { appends.Close(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void AppendAll();  // the work of the thread
  void Count(const std::deque<PostgresAppend>& group, const std::vector<Stored>& results,
             double seconds);

  Error Problem(const PostgresOutcome& outcome) const {
    return {"data.failed", {{"file", name}, {"why", outcome.why}}};
  }
  static bool Any(const std::vector<PostgresRows>& rows) {
    (void)rows;
    return true;
  }

  // A change. `stored`: of what the statements gave, whether there was anything to change.
  template <class Check>
  void Write(PostgresLane& lane, PostgresUnit unit, Store::Done done, Check stored) {
    lane.Push(std::move(unit),
              [this, done = std::move(done), stored](const PostgresOutcome& outcome) {
                if (!done) return;
                using How = PostgresOutcome::How;
                Stored result = Stored::Failed;
                if (outcome.done()) result = stored(outcome.rows) ? Stored::Stored : Stored::Stale;
                if (outcome.how == How::Lost) result = Stored::Unknown;
                post([done, result] { done(result); });
              });
  }
  void Write(PostgresUnit unit, Store::Done done) {
    Write(chores, std::move(unit), std::move(done), Any);
  }

  // A question, also one that changes something. `take` makes the answer of the rows.
  template <class T, class Take>
  void Ask(PostgresLane& lane, PostgresUnit unit, Store::Read<T> answer, Take take) {
    lane.Push(std::move(unit), [this, answer = std::move(answer),
                                take = std::move(take)](const PostgresOutcome& outcome) {
      Expected<T> value = outcome.done() ? Expected<T>(take(outcome.rows)) : Problem(outcome);
      post([answer, value = std::move(value)]() mutable { answer(std::move(value)); });
    });
  }
  // The same for whoever waits.
  template <class Take>
  auto Wait(PostgresUnit unit, Take take)
      -> Expected<decltype(take(std::declval<const std::vector<PostgresRows>&>()))> {
    std::promise<PostgresOutcome> promise;
    reads.Push(std::move(unit),
               [&](PostgresOutcome outcome) { promise.set_value(std::move(outcome)); });
    const PostgresOutcome outcome = promise.get_future().get();
    if (!outcome.done()) return Problem(outcome);
    return take(outcome.rows);
  }

  const std::string uri, name;  // the name is for people
  const Post post;
  std::atomic<bool> healthy = true, read_well = true;
  std::mutex mutex;  // of the figures
  StoreFigures figures;
  Queue<PostgresAppend> appends;
  PostgresConnection appending;
  // Reads; other changes; and jobs, where what is lost with a server is done again.
  PostgresLane reads, chores, jobs;
  std::jthread appender;  // the last, since it uses the others
};

}  // namespace civ
