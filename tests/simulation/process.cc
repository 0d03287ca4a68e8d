#include "tests/simulation/process.h"

#include <utility>

namespace civ::simulation {
namespace {

constexpr int64_t kTick = 100;
constexpr int64_t kStartAgain = 1'000;  // after it could not start

// Nobody here is slowed down for asking too often, but for what makes people hard to follow.
HallOptions Options() {
  HallOptions options;
  options.bot_pause = 100;
  options.lobby_age = 0;
  options.commands = options.says = options.changes = options.asks = {1e9, 1};
  return options;
}

}  // namespace

std::string Process::Life::Bytes(size_t count) {
  std::string bytes;
  while (count-- > 0) bytes += static_cast<char>(random.Below(256));
  return bytes;
}

Process::Life::Life(Process& process, uint64_t seed)
    : random(seed),
      store(Connect(process.databases_, process.name_)),
      bus(process.hub_),
      sessions(*store, 1'000, [this](size_t count) { return Bytes(count); }),
      hall(
          *store, bus, nullptr, Options(),
          {[&process] { return process.Clock(); }, [this](size_t count) { return Bytes(count); },
           [&process](std::string_view level, std::string_view event, const Json& fields) {
             if (level != "debug")
               process.stage_.Trace(process.name_ + ' ' + std::string(event) + ' ' + fields.dump());
           },
           [&process](const Hall::Hooks::Work& work) {
             Stage& stage = process.stage_;
             stage.In(stage.Between(0, 5), [done = work()] { done(); });
           },
           false, process.name_}) {
  sessions.Share(bus, process.name_, [this](const Sessions::News& news) {
    if (news.name) hall.Called({news.person, *news.name});
    if (news.banned || news.ended) hall.Dismiss(news.person, news.ended);
  });
}

Process::Process(const Databases& databases, std::shared_ptr<Hub> hub, std::string name)
    : databases_(databases),
      stage_(databases.front()->stage),
      hub_(std::move(hub)),
      name_(std::move(name)) {
  if (!hub_->weather.skew) return;
  ahead_ = stage_.Between(0, 1'000'000'000);
  speed_ = 0.001 * static_cast<double>(stage_.Between(950, 1'050));
}

int64_t Process::Clock() const {
  return ahead_ + static_cast<int64_t>(static_cast<double>(stage_.now()) * speed_);
}

void Process::Start() {
  if (life_) return;
  stage_.Trace(name_ + " starts");
  life_ = std::make_shared<Life>(*this, stage_.random().Next());
  if (!life_->hall.Rebuild()) {  // the database cannot be reached
    life_.reset();
    return stage_.In(kStartAgain, [this] { Start(); });
  }
  Tick(life_);
}

void Process::Crash() {
  if (!life_) return;
  stage_.Trace(name_ + " dies");
  life_.reset();
}

void Process::Stop() {
  if (!life_) return;
  stage_.Trace(name_ + " stops");
  life_->hall.Stop([this, stopping = std::weak_ptr(life_)] {
    stage_.In(0, [this, stopping] {
      if (life_ && life_ == stopping.lock()) Crash();
    });
  });
}

void Process::Tick(const std::shared_ptr<Life>& life) {
  stage_.In(kTick, [this, ticking = std::weak_ptr(life)] {
    const auto life = ticking.lock();
    if (!life || life != life_) return;
    life->hall.Tick();
    Tick(life);
  });
}

}  // namespace civ::simulation
