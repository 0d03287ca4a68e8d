#include "civ/server/bots.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "civ/analysis/analysis.h"
#include "civ/bots/diplomat.h"

namespace civ {
namespace {

using namespace std::chrono_literals;

constexpr int kNiceness = 10;
constexpr std::chrono::nanoseconds kPatience = 2s;   // from the question until thinking begins
constexpr std::chrono::nanoseconds kShortest = 5ms;  // time to think
// Bots in memory, of all threads together.
constexpr size_t kMostBots = 6;

}  // namespace

Bot& KeptBots::Get(const std::string& name) {
  const auto found = std::ranges::find(bots_, name, &Named::first);
  if (found != bots_.end()) {
    bots_.splice(bots_.begin(), bots_, found);
  } else {
    if (bots_.size() >= most_) bots_.pop_back();  // before there is one more
    bots_.emplace_front(name, MakeBot(name));
  }
  return *bots_.front().second;
}

struct BotPool::Impl {
  struct Job {
    std::string bot;
    View view;
    std::optional<Diplomacy> pacts;
    uint64_t seed;
    Decided decided;
    std::chrono::nanoseconds asked;
  };

  struct Analysed {
    Review review;
    std::function<void(std::string)> judged;
    size_t next = 0;  // step
  };

  // What waits of one person, the oldest first.
  struct OfOne {
    std::string person;
    std::deque<Job> jobs = {};
    std::chrono::nanoseconds served{};  // when the one before the first was taken
  };

  Impl(size_t count, Post to) : post(std::move(to)), thread_count(count) {}

  void Push(const std::string& person, Job job) {
    {
      const std::scoped_lock lock(mutex);
      auto found = std::ranges::find(persons, person, &OfOne::person);
      if (found == persons.end())
        found = persons.insert(persons.end(), {.person = person, .served = job.asked});
      found->jobs.push_back(std::move(job));
      ++waiting;
    }
    pushed.notify_one();
  }

  // The next question, and how long one thread may think about it; where there is none, a game
  // that is to be judged; neither at the end.
  std::optional<Job> Pop(std::chrono::nanoseconds& time, std::unique_ptr<Analysed>& game) {
    std::unique_lock lock(mutex);
    pushed.wait(lock, [this] { return stop || !persons.empty() || !games.empty(); });
    if (stop) return std::nullopt;
    if (persons.empty()) {
      game = std::move(games.front());
      games.pop_front();
      return std::nullopt;
    }
    OfOne& first = persons.front();
    Job job = std::move(first.jobs.front());
    first.jobs.pop_front();
    --waiting;
    first.served = SteadyClock();
    time = TimeFor(job, first);
    if (first.jobs.empty())
      persons.pop_front();
    else
      persons.splice(persons.end(), persons, persons.begin());
    return job;
  }

  // So that the next question of everybody begins within kPatience, and all others of the same
  // person, too. What one has asked beyond that costs nobody else any time.
  std::chrono::nanoseconds TimeFor(const Job& job, const OfOne& own) const {
    const std::chrono::nanoseconds now = SteadyClock();
    std::chrono::nanoseconds time = DefaultLimits(job.bot).time;
    const auto begin_by = [&](std::chrono::nanoseconds moment, size_t place) {
      time = std::min(
          time, (moment - now) * static_cast<int64_t>(thread_count) / static_cast<int64_t>(place));
    };
    size_t place = 0;
    for (const OfOne& other : persons)
      if (&other != &own)
        begin_by(std::max(other.served, other.jobs.front().asked) + kPatience, ++place);
    for (size_t i = 0; i < own.jobs.size(); ++i)
      begin_by(own.jobs[i].asked + kPatience, (i + 1) * (place + 1));
    return std::max(time, kShortest);
  }

  void Run() {
    // On Linux this is of one thread. If it is refused the bots think all the same.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
    KeptBots bots(std::max<size_t>(1, kMostBots / thread_count));
    std::chrono::nanoseconds time{};
    while (!stop) {
      std::unique_ptr<Analysed> game;
      if (const std::optional<Job> job = Pop(time, game)) {
        const BotMove move = Decide(bots.Get(job->bot), *job, {.time = time, .stop = &stop});
        if (!stop) post([decided = job->decided, move] { decided(move); });
      } else if (game) {
        Judge(std::move(game));
      }
    }
  }

  static BotMove Decide(Bot& bot, const Job& job, const Limits& limits) {
    if (!job.pacts || !Talks(job.bot)) return {{}, bot.Think(job.view, limits, job.seed).best};
    const auto reply = civ::Decide(bot, job.view, *job.pacts,
                                   CharacterOf(job.view.config, job.view.viewer), limits, job.seed);
    return {reply.say, reply.action};
  }

  // One step; then whatever else waits comes first, and games in the order in which they came.
  void Judge(std::unique_ptr<Analysed> game) {
    if (game->next < game->review.Size()) {
      game->review.Step(game->next++);
      const std::scoped_lock lock(mutex);
      games.push_front(std::move(game));
    } else {
      std::string text = ToJson(game->review.record(), game->review.Sum()).dump();
      post([judged = std::move(game->judged), text = std::move(text)] { judged(text); });
    }
  }

  const Post post;
  const size_t thread_count;
  mutable std::mutex mutex;  // of the next five
  std::condition_variable pushed;
  std::list<OfOne> persons;  // with something that waits, the next one first
  std::deque<std::unique_ptr<Analysed>> games;
  size_t waiting = 0;
  std::atomic<bool> stop = false;
  std::vector<std::jthread> threads;  // the last, since they use the others
};

BotPool::BotPool(int threads, Post post)
    : impl_(std::make_unique<Impl>(static_cast<size_t>(std::max(1, threads)), std::move(post))) {
  for (size_t i = 0; i < impl_->thread_count; ++i)
    impl_->threads.emplace_back([this] { impl_->Run(); });
}

BotPool::~BotPool() {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->stop = true;
  }
  impl_->pushed.notify_all();
}

void BotPool::Think(std::string bot, const View& view, std::optional<Diplomacy> pacts,
                    uint64_t seed, Decided decided, const std::string& person) {
  impl_->Push(person,
              {std::move(bot), view, std::move(pacts), seed, std::move(decided), SteadyClock()});
}

void BotPool::Analyze(const Record& record, std::function<void(std::string)> judged) {
  auto game =
      std::make_unique<Impl::Analysed>(Review(record, {.stop = &impl_->stop}), std::move(judged));
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->games.push_back(std::move(game));
  }
  impl_->pushed.notify_one();
}

size_t BotPool::waiting() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->waiting;
}

}  // namespace civ
