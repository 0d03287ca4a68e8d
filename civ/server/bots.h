// The thread pool in which bots think, so that thinking never delays a person's move.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "civ/bots/bot.h"
#include "civ/server/post.h"

namespace civ {

class BotPool {
 public:
  // The threads run at a lower priority than the rest of the program.
  BotPool(int threads, Post post);
  ~BotPool();  // stops all thinking
  BotPool(const BotPool&) = delete;
  BotPool& operator=(const BotPool&) = delete;

  // `decided` is called once through `post`, unless the pool is destroyed before. The more wait,
  // the shorter each may think.
  void Think(std::string bot, const View& view, uint64_t seed, std::function<void(Action)> decided);

  size_t waiting() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
