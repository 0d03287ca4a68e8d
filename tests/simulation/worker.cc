#include "tests/simulation/worker.h"

#include "tests/simulation/twin.h"

namespace civ::simulation {
namespace {

constexpr int64_t kThinkerTick = 100;

}  // namespace

Thinker::Life::Life(Thinker& thinker)
    : store(Connect(thinker.databases_, thinker.name_)),
      bus(thinker.hub_),
      worker(
          *store, bus,
          [&stage = thinker.stage_](const std::string&, const View& view,
                                    const std::optional<Diplomacy>& pacts, uint64_t seed,
                                    const BotPool::Decided& decided, const std::string&) {
            stage.In(stage.Chance(0.02) ? stage.Between(1'000, 15'000) : stage.Between(10, 400),
                     [&stage, view, pacts, seed, decided] {
                       const std::string who = "bot " + std::to_string(seed);
                       const auto say =
                           pacts && seed % 16 == 0 ? ChooseTalk(who, view, *pacts) : std::nullopt;
                       decided({say, Choose(stage, who, view)});
                     });
          },
          [](const Record&, const std::function<void(std::string)>& judged) { judged("{}"); },
          {.name = thinker.name_, .hold = 10'000, .now = [&stage = thinker.stage_] {
             return stage.now();
           }}) {}

Thinker::Thinker(const Databases& databases, std::shared_ptr<Hub> hub, std::string name)
    : databases_(databases),
      stage_(databases.front()->stage),
      hub_(std::move(hub)),
      name_(std::move(name)) {
  Start();
}

void Thinker::Start() {
  life_ = std::make_shared<Life>(*this);
  Tick(life_);
}

void Thinker::Die(int64_t milliseconds) {
  stage_.Trace(name_ + " dies");
  life_.reset();
  stage_.In(milliseconds, [this] {
    if (!life_) Start();
  });
}

void Thinker::Tick(const std::weak_ptr<Life>& life) {
  const auto now = life.lock();
  if (!now) return;
  now->worker.Tick();
  stage_.In(kThinkerTick, [this, life] { Tick(life); });
}

}  // namespace civ::simulation
