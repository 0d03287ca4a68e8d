// Threads that are kept from one piece of work to the next.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace civ {

// Bytes that a core has to itself once it writes one of them.
inline constexpr size_t kLine = 64;

class ThreadPool {
 public:
  // The caller is one of the threads.
  explicit ThreadPool(int threads) : count_(threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { Serve(i); });
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    work_ = nullptr;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  int count() const { return count_; }

  // Calls work(0) … work(count - 1), each in its own thread, and waits for all. Asks for no memory.
  template <class Work>
  void Run(const Work& work) {
    if (count_ == 1) return work(0);
    argument_ = &work;
    work_ = [](const void* argument, int i) { (*static_cast<const Work*>(argument))(i); };
    left_.store(count_ - 1, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    work(0);
    for (int left; (left = left_.load(std::memory_order_acquire)) > 0;) WaitFor(left_, left);
  }

 private:
  // A step of a batch takes less time than to fall asleep and be woken: look again for a while.
  template <class T>
  static void WaitFor(const std::atomic<T>& value, T old) {
    for (int i = 0; i < kLooks; ++i) {
      if (value.load(std::memory_order_acquire) != old) return;
      if (i % 64 == 63) std::this_thread::yield();
    }
    value.wait(old, std::memory_order_acquire);
  }

  void Serve(int number) {
    for (uint32_t seen = 0;; ++seen) {
      WaitFor(round_, seen);
      if (work_ == nullptr) return;
      work_(argument_, number);
      if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_all();
    }
  }

  static constexpr int kLooks = 4096;

  const int count_;
  void (*work_)(const void*, int) = nullptr;
  const void* argument_ = nullptr;
  alignas(kLine) std::atomic<uint32_t> round_ = 0;
  alignas(kLine) std::atomic<int> left_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace civ
