// The thread pool in which bots think, so that thinking never delays a person's move.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "civ/bots/bot.h"
#include "civ/diplomacy/pacts.h"
#include "civ/notation/record.h"
#include "civ/server/post.h"

namespace civ {

// The bots of one thread, at most so many: the one that was not used for longest makes room. Each
// may have 40 MiB.
class KeptBots {
 public:
  explicit KeptBots(size_t most) : most_(most) {}
  Bot& Get(const std::string& name);
  size_t size() const { return bots_.size(); }

 private:
  using Named = std::pair<std::string, std::unique_ptr<Bot>>;
  size_t most_;
  std::list<Named> bots_;  // the last one used first
};

// What a bot says, if anything, and then does.
struct BotMove {
  std::optional<Talk> say;
  Action action;
};

class BotPool {
 public:
  // The threads run at a lower priority than the rest of the program.
  BotPool(int threads, Post post);
  ~BotPool();  // stops all thinking
  BotPool(const BotPool&) = delete;
  BotPool& operator=(const BotPool&) = delete;

  // Without pacts the bot says nothing. `decided` is called once through `post`, unless the pool is
  // destroyed before. Persons take turns, however many questions wait for the bots of one. The more
  // wait, the shorter each may think.
  using Decided = std::function<void(const BotMove&)>;
  void Think(std::string bot, const View& view, std::optional<Diplomacy> pacts, uint64_t seed,
             Decided decided, const std::string& person = {});

  // Judges a game, as `civ analyze` does (docs/analysis.md), in steps between which bots go first:
  // its JSON, through `post`, unless the pool is destroyed before.
  void Analyze(const Record& record, std::function<void(std::string)> judged);

  size_t waiting() const;  // questions

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
