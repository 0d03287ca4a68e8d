// A queue between threads: some push items, others wait for them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace civ {

template <class T>
class Queue {
 public:
  explicit Queue(size_t capacity = SIZE_MAX) : capacity_(capacity) {}

  // Waits while the queue is full (back-pressure).
  void Push(T item) {
    {
      std::unique_lock lock(mutex_);
      popped_.wait(lock, [this] { return items_.size() < capacity_; });
      items_.push_back(std::move(item));
    }
    pushed_.notify_one();
  }

  // False, and the item is dropped, if the queue is full.
  bool TryPush(T item) {
    {
      const std::scoped_lock lock(mutex_);
      if (items_.size() >= capacity_) return false;
      items_.push_back(std::move(item));
    }
    pushed_.notify_one();
    return true;
  }

  // Waits for the next item; nothing once the queue is closed and empty.
  std::optional<T> Pop() {
    std::optional<T> item;
    {
      std::unique_lock lock(mutex_);
      pushed_.wait(lock, [this] { return closed_ || !items_.empty(); });
      if (items_.empty()) return item;
      item.emplace(std::move(items_.front()));
      items_.pop_front();
    }
    popped_.notify_one();
    return item;
  }

  // Waits for an item, and takes all that are there; none once the queue is closed and empty.
  std::deque<T> PopAll() {
    std::deque<T> items;
    {
      std::unique_lock lock(mutex_);
      pushed_.wait(lock, [this] { return closed_ || !items_.empty(); });
      items.swap(items_);
    }
    popped_.notify_all();
    return items;
  }

  // Nobody waits for items any more. Those that are there are still taken.
  void Close() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    pushed_.notify_all();
  }

  // The same, but those that are there are dropped.
  void Cancel() {
    {
      const std::scoped_lock lock(mutex_);
      items_.clear();
    }
    Close();
  }

  size_t size() const {
    const std::scoped_lock lock(mutex_);
    return items_.size();
  }

 private:
  const size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable pushed_, popped_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace civ
