// Bots at tables: threads and a queue of their own, so that thinking never delays a person's move.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "bots/bot.h"

namespace civ {

class BotPool {
 public:
  // `post` hands the answer to the thread that asked. Threads run at a lower priority than the rest of the program.
  using Post = std::function<void(std::function<void()>)>;
  BotPool(int threads, Post post);
  ~BotPool();  // stops all thinking
  BotPool(const BotPool&) = delete;
  BotPool& operator=(const BotPool&) = delete;

  // The answer comes exactly once, unless the pool is destroyed before. With many waiting each thinks for a shorter time.
  void Think(std::string bot, const View& view, uint64_t seed, std::function<void(Action)> decided);

  size_t waiting() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
