#include "server/rebuild.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace civ {
namespace {

constexpr size_t kMostWaiting = 256;  // logs, so that they are not all in memory at once

class Queue {
 public:
  void Put(StoredLog log) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return logs_.size() < kMostWaiting; });
    logs_.push_back(std::move(log));
    changed_.notify_all();
  }
  void End() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  // Nothing when there are no more.
  std::optional<StoredLog> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_ || !logs_.empty(); });
    if (logs_.empty()) return std::nullopt;
    StoredLog log = std::move(logs_.back());
    logs_.pop_back();
    changed_.notify_all();
    return log;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<StoredLog> logs_;
  bool ended_ = false;
};

}  // namespace

std::optional<Error> RebuildAll(Store& store, const std::function<void(const std::string& id, Expected<Loaded>)>& each) {
  using Result = std::pair<std::string, Expected<Loaded>>;
  Queue queue;
  std::vector<std::vector<Result>> results(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::vector<Result>& mine : results)
    threads.emplace_back([&queue, &mine] {
      while (const std::optional<StoredLog> log = queue.Take()) mine.emplace_back(log->table, LoadedFrom(*log));
    });
  std::optional<Error> failed = store.LoadOpen([&queue](StoredLog log) { queue.Put(std::move(log)); });
  queue.End();
  for (std::thread& thread : threads) thread.join();
  if (failed) return failed;
  for (std::vector<Result>& part : results)
    for (Result& result : part) each(result.first, std::move(result.second));
  return std::nullopt;
}

}  // namespace civ
