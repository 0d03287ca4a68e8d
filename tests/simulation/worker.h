// A worker: the real one, whose bots take their time and may die over a question.
#pragma once

#include "civ/server/worker.h"
#include "tests/simulation/audit.h"
#include "tests/simulation/bus.h"

namespace civ::simulation {

class Thinker {
 public:
  Thinker(const Databases& databases, std::shared_ptr<Hub> hub, std::string name);

  // What it has claimed is never answered, and it begins anew after so long.
  void Die(int64_t milliseconds);

 private:
  struct Life {
    explicit Life(Thinker& thinker);

    std::unique_ptr<Store> store;
    SimulatedBus bus;
    Worker worker;
  };
  void Start();
  void Tick(const std::weak_ptr<Life>& life);

  const Databases& databases_;
  Stage& stage_;
  const std::shared_ptr<Hub> hub_;
  const std::string name_;
  std::shared_ptr<Life> life_;
};

}  // namespace civ::simulation
