#include "civ/server/postgres_lane.h"

#include <algorithm>

namespace civ {

void PostgresLane::Work() {
  constexpr size_t kMostAtOnce = 200;  // so that answers do not wait for what came long after
  for (std::deque<Task> tasks = tasks_.PopAll(); !tasks.empty(); tasks = tasks_.PopAll())
    for (size_t from = 0; from < tasks.size(); from += kMostAtOnce) {
      std::vector<const PostgresUnit*> units;
      for (size_t i = from; i < std::min(from + kMostAtOnce, tasks.size()); ++i)
        units.push_back(&tasks[i].unit);
      connection_.Exchange(units, [&](size_t i, PostgresOutcome outcome) {
        healthy_ = outcome.done();
        tasks[from + i].done(std::move(outcome));
      });
    }
}

}  // namespace civ
