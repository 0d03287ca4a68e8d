// A thread with a queue.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace civ {

template <class Task>
class Worker {
 public:
  // `work` gets everything that waits, in the order in which it was given.
  explicit Worker(std::function<void(std::vector<Task>)> work) : work_(std::move(work)), thread_([this] { Run(); }) {}
  // Works off what waits.
  ~Worker() {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void Give(Task task) {
    {
      const std::scoped_lock lock(mutex_);
      waiting_.push_back(std::move(task));
    }
    wake_.notify_one();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::vector<Task> tasks = std::exchange(waiting_, {});
      lock.unlock();
      work_(std::move(tasks));
      lock.lock();
    }
  }

  std::function<void(std::vector<Task>)> work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Task> waiting_;
  bool stop_ = false;
  std::thread thread_;  // the last, since it uses the others
};

}  // namespace civ
