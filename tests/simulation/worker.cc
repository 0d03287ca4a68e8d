#include "tests/simulation/worker.h"

#include "civ/bots/playout.h"
#include "civ/notation/notation.h"

namespace civ::simulation {
namespace {

constexpr int64_t kPause = 1'000;  // between two looks if no hint comes
constexpr int64_t kHold = 10'000;

}  // namespace

Worker::Worker(Database& database, std::shared_ptr<Hub> hub, std::string name)
    : database_(database), stage_(database.stage), hub_(std::move(hub)), name_(std::move(name)) {
  Start();
}

void Worker::Start() {
  life_ = std::make_shared<Life>(database_, hub_, name_);
  const std::weak_ptr<Life> life = life_;
  life_->hears = life_->bus.Subscribe("jobs", [this, life](const std::string&) { Claim(life); });
  Look(life);
}

void Worker::Die(int64_t milliseconds) {
  stage_.Trace(name_ + " dies");
  life_.reset();
  stage_.In(milliseconds, [this] {
    if (!life_) Start();
  });
}

void Worker::Look(const std::weak_ptr<Life>& life) {
  if (life.expired()) return;
  Claim(life);
  stage_.In(kPause, [this, life] { Look(life); });
}

void Worker::Claim(const std::weak_ptr<Life>& life) {
  const auto now = life.lock();
  if (!now || std::exchange(now->asks, true)) return;
  now->store.ClaimJobs("bot", name_, 2, kHold, [this, life](const auto& jobs) {
    life.lock()->asks = false;
    if (!jobs) return;
    for (const Job& job : *jobs)
      stage_.In(stage_.Chance(0.02) ? stage_.Between(1'000, 15'000) : stage_.Between(10, 400),
                [this, life, job] { Solve(life, job); });
  });
}

void Worker::Solve(const std::weak_ptr<Life>& life, const Job& job) {
  const auto now = life.lock();
  if (!now) return;
  const View view = *ViewFromJson(Json::parse(job.question)["view"]);
  const std::string action(NameOf(ChooseUniform(Legal(view), stage_.random())));
  now->store.AnswerJob(job.table, job.seat, job.builds, action, [this, life, job](Stored stored) {
    if (stored == Stored::Stored) life.lock()->bus.Publish("table." + job.table, "answer");
    Claim(life);
  });
}

}  // namespace civ::simulation
