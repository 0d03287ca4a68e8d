#include "civ/server/bots.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <map>
#include <thread>
#include <vector>

#include "civ/server/queue.h"

namespace civ {
namespace {

using namespace std::chrono_literals;

constexpr int kNiceness = 10;
constexpr std::chrono::nanoseconds kPatience = 2s;   // from the question until thinking begins
constexpr std::chrono::nanoseconds kShortest = 5ms;  // time to think

}  // namespace

struct BotPool::Impl {
  struct Job {
    std::string bot;
    View view;
    uint64_t seed;
    std::function<void(Action)> decided;
    std::chrono::nanoseconds asked;
  };

  Impl(size_t count, Post to) : post(std::move(to)), thread_count(count) {}

  // How long one thread may think, so that every job that waits begins within kPatience.
  std::chrono::nanoseconds TimeFor(const Job& job, const std::deque<Job>& waiting) const {
    std::chrono::nanoseconds time = DefaultLimits(job.bot).time;
    const std::chrono::nanoseconds now = SteadyClock();
    for (size_t i = 0; i < waiting.size(); ++i)
      time = std::min(time, (waiting[i].asked + kPatience - now) *
                                static_cast<int64_t>(thread_count) / static_cast<int64_t>(i + 1));
    return std::max(time, kShortest);
  }

  void Run() {
    // On Linux this is of one thread. If it is refused the bots think all the same.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
    // Their memory, up to 40 MiB each, is used again for every table.
    std::map<std::string, std::unique_ptr<Bot>> bots;
    std::chrono::nanoseconds time{};
    const auto share = [&](const Job& job, const std::deque<Job>& waiting) {
      time = TimeFor(job, waiting);
    };
    while (const std::optional<Job> job = jobs.Pop(share)) {
      std::unique_ptr<Bot>& bot = bots[job->bot];
      if (!bot) bot = MakeBot(job->bot);
      const Action best = bot->Think(job->view, {.time = time, .stop = &stop}, job->seed).best;
      if (!stop) post([decided = job->decided, best] { decided(best); });
    }
  }

  const Post post;
  const size_t thread_count;
  Queue<Job> jobs;
  std::atomic<bool> stop = false;
  std::vector<std::jthread> threads;  // the last, since they use the others
};

BotPool::BotPool(int threads, Post post)
    : impl_(std::make_unique<Impl>(static_cast<size_t>(std::max(1, threads)), std::move(post))) {
  for (size_t i = 0; i < impl_->thread_count; ++i)
    impl_->threads.emplace_back([this] { impl_->Run(); });
}

BotPool::~BotPool() {
  impl_->stop = true;
  impl_->jobs.Cancel();
}

void BotPool::Think(std::string bot, const View& view, uint64_t seed,
                    std::function<void(Action)> decided) {
  impl_->jobs.Push({std::move(bot), view, seed, std::move(decided), SteadyClock()});
}

size_t BotPool::waiting() const { return impl_->jobs.size(); }

}  // namespace civ
