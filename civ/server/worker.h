// A worker: it takes jobs from a shared store, lets bots think about them, or games be judged, and
// stores the answers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "civ/notation/record.h"
#include "civ/server/bots.h"
#include "civ/server/bus.h"
#include "civ/server/store.h"
#include "civ/view/view.h"

namespace civ {

// One thread calls it, and all that it waits for comes back to that thread. A job's claim ends by
// itself: a worker that dies costs time, and nothing else.
class Worker {
 public:
  struct Options {
    std::string name = "civ";      // of this process
    int most = 2;                  // questions to bots at once
    int64_t hold = 15'000;         // milliseconds after which a job is somebody else's
    int64_t hold_game = 120'000;   // the same of a game that is judged, while no bot has to think
    int64_t pause = 500;           // milliseconds between two looks, unless the bus tells of a job
    std::function<int64_t()> now;  // milliseconds of any clock
  };
  // Lets a bot decide: BotPool::Think.
  using Thinks = std::function<void(const std::string& bot, const View& view,
                                    const std::optional<Diplomacy>& pacts, uint64_t seed,
                                    BotPool::Decided decided, const std::string& person)>;
  // Judges a game: BotPool::Analyze.
  using Judges = std::function<void(const Record& record, std::function<void(std::string)> judged)>;
  Worker(Store& store, Bus& bus, Thinks thinks, Judges judges, Options options);

  void Tick();  // to be called several times a second
  void Stop() { stopping_ = true; }

  int busy() const { return busy_; }               // jobs that are thought about
  uint64_t answered() const { return answered_; }  // so far

 private:
  void Claim();
  void Think(const Job& job);
  void Done(const Job& job, const std::string& answer);
  void ClaimGame();  // one at a time
  void Judge(const Job& job);

  Store& store_;
  Bus& bus_;
  const Thinks thinks_;
  const Judges judges_;
  const Options options_;
  const std::shared_ptr<int> alive_ = std::make_shared<int>();
  Bus::Subscription hints_;
  int busy_ = 0;
  bool claiming_ = false, more_ = false, judging_ = false, stopping_ = false;
  int64_t looked_ = 0;
  uint64_t answered_ = 0;
};

}  // namespace civ
