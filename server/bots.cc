#include "server/bots.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace civ {
namespace {

using namespace std::chrono_literals;

constexpr int kNiceness = 10;
constexpr std::chrono::nanoseconds kPatience = 2s;  // a thought begins at most so long after it was asked for
constexpr std::chrono::nanoseconds kShortest = 5ms;

struct Job {
  std::string bot;
  View view;
  uint64_t seed;
  std::function<void(Action)> decided;
  std::chrono::nanoseconds asked;
};

// How long one thread may think, so that everybody who waits comes to their turn in time.
std::chrono::nanoseconds TimeFor(const std::string& bot, const std::deque<Job>& waiting, size_t threads) {
  std::chrono::nanoseconds time = DefaultLimits(bot).time;
  const std::chrono::nanoseconds now = SteadyClock();
  for (size_t i = 0; i < waiting.size(); ++i)
    time = std::min(time, (waiting[i].asked + kPatience - now) * static_cast<int64_t>(threads) / static_cast<int64_t>(i + 1));
  return std::max(time, kShortest);
}

}  // namespace

struct BotPool::Impl {
  explicit Impl(Post to) : post(std::move(to)) {}

  void Run() {
    // On Linux this is of one thread. If it is refused the bots think all the same.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
    std::map<std::string, std::unique_ptr<Bot>> bots;  // their memory, up to 40 MiB each, is used again for every table
    for (std::unique_lock lock(mutex);;) {
      changed.wait(lock, [this] { return stop || !jobs.empty(); });
      if (stop) return;
      const Job job = std::move(jobs.front());
      jobs.pop_front();
      const std::chrono::nanoseconds time = TimeFor(job.bot, jobs, threads.size());
      lock.unlock();
      std::unique_ptr<Bot>& bot = bots[job.bot];
      if (!bot) bot = MakeBot(job.bot);
      const Action best = bot->Think(job.view, {.time = time, .stop = &stop}, job.seed).best;
      if (!stop) post([decided = job.decided, best] { decided(best); });
      lock.lock();
    }
  }

  const Post post;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
};

BotPool::BotPool(int threads, Post post) : impl_(std::make_unique<Impl>(std::move(post))) {
  const std::scoped_lock lock(impl_->mutex);  // nobody counts the threads before all are there
  for (int i = 0; i < std::max(1, threads); ++i) impl_->threads.emplace_back([this] { impl_->Run(); });
}

BotPool::~BotPool() {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->stop = true;
  }
  impl_->changed.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

void BotPool::Think(std::string bot, const View& view, uint64_t seed, std::function<void(Action)> decided) {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->jobs.push_back({std::move(bot), view, seed, std::move(decided), SteadyClock()});
  }
  impl_->changed.notify_one();
}

size_t BotPool::waiting() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->jobs.size();
}

}  // namespace civ
