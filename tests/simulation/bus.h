// A bus that is simulated: hints between processes are lost, come twice, late and out of order, and
// now and then all that it knew is gone.
#pragma once

#include <memory>
#include <set>

#include "civ/server/bus_calls.h"
#include "tests/simulation/weather.h"

namespace civ::simulation {

class SimulatedBus;

// What all processes have in common.
struct Hub {
  Hub(Stage& at, const Weather& with) : stage(at), weather(with) {}

  struct Listener {
    std::string topic;
    Bus::Handler handler;
    std::weak_ptr<SimulatedBus*> by;
  };
  // Emptied, and gone for so long.
  void Lose(int64_t milliseconds);
  bool gone() const { return stage.now() < gone_until; }

  Stage& stage;
  const Weather& weather;
  std::map<uint64_t, Listener> listeners;  // by number
  uint64_t last = 0;
  std::map<std::string, Bus::Notes> notes;
  std::map<std::string, std::pair<int64_t, int64_t>> counts;  // how many, until when
  int64_t gone_until = 0;
  std::set<std::string> texts;  // all that was ever said on it, for whoever looks for secrets
};

class SimulatedBus final : public Bus {
 public:
  explicit SimulatedBus(std::shared_ptr<Hub> hub) : hub_(std::move(hub)) {}

  CIV_BUS_CALLS
  bool healthy() const override { return !gone(); }

  // This process alone cannot reach it for so long.
  void Cut(int64_t milliseconds);

 private:
  bool gone() const { return hub_->gone() || hub_->stage.now() < cut_until_; }
  int64_t Delay();
  template <class T>
  void Answer(std::function<void(std::optional<T>)> answer, std::optional<T> value);

  const std::shared_ptr<Hub> hub_;
  int64_t cut_until_ = 0;
  const std::shared_ptr<SimulatedBus*> alive_ = std::make_shared<SimulatedBus*>(this);
};

}  // namespace civ::simulation
