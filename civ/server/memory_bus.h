// The bus within one process: for the embedded store, and for tests with several halls.
#pragma once

#include <list>
#include <unordered_map>

#include "civ/server/bus_calls.h"
#include "civ/server/post.h"

namespace civ {

class MemoryBus final : public Bus {
 public:
  // What the buses of several halls have in common. One thread calls all of them.
  struct Hub {
    struct Listener {
      uint64_t number;
      Handler handler;
      Post post;
    };
    uint64_t last = 0;
    std::unordered_map<std::string, std::list<Listener>> listeners;  // by topic
    std::unordered_map<std::string, Notes> notes;                    // by place
    struct Counted {
      int64_t count, until;
    };
    std::unordered_map<std::string, Counted> counts;
  };

  // `clock`: milliseconds, for counts.
  MemoryBus(Post post, std::function<int64_t()> clock,
            std::shared_ptr<Hub> hub = std::make_shared<Hub>())
      : post_(std::move(post)), clock_(std::move(clock)), hub_(std::move(hub)) {}

  CIV_BUS_CALLS

 private:
  const Post post_;
  const std::function<int64_t()> clock_;
  const std::shared_ptr<Hub> hub_;
};

}  // namespace civ
