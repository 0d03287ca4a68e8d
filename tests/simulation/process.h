// One process of the server, with the real hall and sessions in it, that can die at any moment and
// come back.
#pragma once

#include "civ/server/hall.h"
#include "civ/server/sessions.h"
#include "tests/simulation/bus.h"
#include "tests/simulation/database.h"

namespace civ::simulation {

class Process {
 public:
  Process(const Databases& databases, std::shared_ptr<Hub> hub, std::string name);

  // All that lives from one start to the next crash.
  struct Life {
    Life(Process& process, uint64_t seed);

    std::string Bytes(size_t count);  // random ones

    Random random;
    std::unique_ptr<Store> store;
    SimulatedBus bus;
    Sessions sessions;
    Hall hall;
  };

  void Start();
  void Crash();
  void Stop();  // as it should be: everybody is told, and what was taken on is stored
  // Nothing while it is down.
  const std::shared_ptr<Life>& life() const { return life_; }
  const std::string& name() const { return name_; }

 private:
  friend struct Life;
  void Tick(const std::shared_ptr<Life>& life);
  int64_t Clock() const;

  const Databases& databases_;
  Stage& stage_;
  const std::shared_ptr<Hub> hub_;
  const std::string name_;
  int64_t ahead_ = 0;  // milliseconds of its clock
  double speed_ = 1;   // of its clock
  std::shared_ptr<Life> life_;
};

}  // namespace civ::simulation
