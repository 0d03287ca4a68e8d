// A worker that is simulated: it claims questions to bots, takes its time, and may die over them.
#pragma once

#include "tests/simulation/audit.h"
#include "tests/simulation/bus.h"

namespace civ::simulation {

class Worker {
 public:
  Worker(Database& database, std::shared_ptr<Hub> hub, std::string name);

  // What it has claimed is never answered, and it begins anew after so long.
  void Die(int64_t milliseconds);

 private:
  struct Life {
    Life(Database& database, const std::shared_ptr<Hub>& hub, const std::string& name)
        : store(database, name), bus(hub) {}

    Connection store;
    SimulatedBus bus;
    Bus::Subscription hears;
    bool asks = false;
  };
  void Start();
  void Look(const std::weak_ptr<Life>& life);
  void Claim(const std::weak_ptr<Life>& life);
  void Solve(const std::weak_ptr<Life>& life, const Job& job);

  Database& database_;
  Stage& stage_;
  const std::shared_ptr<Hub> hub_;
  const std::string name_;
  std::shared_ptr<Life> life_;
};

}  // namespace civ::simulation
