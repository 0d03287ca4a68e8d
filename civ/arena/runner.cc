#include "civ/arena/runner.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace civ {
namespace {

class Runner {
 public:
  Runner(const Contest& contest, std::vector<PlayedGame> already, const Running& running)
      : contest_(contest),
        running_(running),
        pools_(PoolsFor(contest)),
        games_(static_cast<size_t>(contest.decks) * static_cast<size_t>(contest.GamesPerDeck())),
        missing_(static_cast<size_t>(contest.decks), contest.GamesPerDeck()),
        test_(running.test) {
    for (PlayedGame& game : already)
      if (static_cast<size_t>(game.number) < games_.size()) Keep(std::move(game));
    stored_ = next_ = FirstGap(0);
    FeedTest();
  }

  Results Run(const std::atomic<bool>& stop) {
    std::vector<std::jthread> threads;
    working_ = running_.threads;
    for (int i = 0; i < running_.threads; ++i) threads.emplace_back([this] { Work(); });
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      if (stop) halt_ = true;
      if (running_.report) running_.report({played_, static_cast<int>(games_.size())});
    }
    StoreTo(games_.size());
    return Finish();
  }

 private:
  size_t FirstGap(size_t from) const {
    while (from < games_.size() && games_[from]) ++from;
    return from;
  }

  void Keep(PlayedGame game) {
    std::optional<PlayedGame>& place = games_[static_cast<size_t>(game.number)];
    if (place) return;
    --missing_[static_cast<size_t>(contest_.DeckOf(game.number))];
    ++played_;
    place = std::move(game);
  }

  // New games, in order: those before `end` that are there and were not stored before.
  void StoreTo(size_t end) {
    for (; stored_ < end; ++stored_)
      if (running_.store && new_.contains(stored_)) running_.store(*games_[stored_]);
  }

  // Tells the test of the decks that have been played in full, in order, until it is decided.
  void FeedTest() {
    for (; fed_ < missing_.size() && missing_[fed_] == 0; ++fed_) {
      if (!test_ || decks_) continue;
      double score = 0;
      for (size_t i = 0; i < GamesPerDeck(); ++i) {
        const PlayedGame& game = *games_[fed_ * GamesPerDeck() + i];
        score += ShareOf(game, contest_.SeatsOf(game.number), 0);
      }
      test_->Add(score / static_cast<double>(GamesPerDeck()));
      if (test_->Decide() == SequentialTest::Verdict::Open) continue;
      decks_ = fed_ + 1;  // what others have played beyond it does not count
      halt_ = true;
    }
  }

  // The next game that nobody plays, or the end.
  size_t Take() {
    const std::scoped_lock lock(mutex_);
    next_ = FirstGap(next_);
    return halt_ ? games_.size() : next_++;
  }

  void Work() {
    for (size_t number = Take(); number < games_.size(); number = Take()) {
      std::optional<PlayedGame> game = PlayGame(contest_, static_cast<int>(number), pools_, halt_);
      if (!game) break;
      const std::scoped_lock lock(mutex_);
      new_.insert(number);
      Keep(std::move(*game));
      StoreTo(FirstGap(stored_));
      FeedTest();
    }
    const std::scoped_lock lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  size_t GamesPerDeck() const { return static_cast<size_t>(contest_.GamesPerDeck()); }

  Results Finish() {
    Results results;
    results.test = test_;
    const size_t decks = decks_.value_or(missing_.size());
    for (size_t deck = 0; deck < decks; ++deck) {
      if (missing_[deck] > 0) {
        results.stopped = true;
        continue;
      }
      for (size_t i = 0; i < GamesPerDeck(); ++i)
        results.games.push_back(std::move(*games_[deck * GamesPerDeck() + i]));
    }
    return results;
  }

  const Contest& contest_;
  const Running& running_;
  const Pools pools_;
  std::atomic<bool> halt_ = false;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::optional<PlayedGame>> games_;
  std::vector<int> missing_;  // games of each deck
  std::set<size_t> new_;
  std::optional<SequentialTest> test_;
  std::optional<size_t> decks_;  // at which the test was decided
  size_t next_ = 0, stored_ = 0, fed_ = 0;
  int played_ = 0, working_ = 0;
};

}  // namespace

Results RunContest(const Contest& contest, std::vector<PlayedGame> already, const Running& running,
                   const std::atomic<bool>& stop) {
  return Runner(contest, std::move(already), running).Run(stop);
}

}  // namespace civ
