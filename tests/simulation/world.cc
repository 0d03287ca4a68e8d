#include "tests/simulation/world.h"

#include <algorithm>
#include <tuple>

#include "tests/simulation/twin.h"

namespace civ::simulation {
namespace {

constexpr int64_t kCalm = 3'000;            // before the storm
constexpr int64_t kStorm = 90'000;          // but for a long outage
constexpr int64_t kAfterwards = 3'600'000;  // for everything to come to its end afterwards
constexpr int64_t kSettles = 60'000;        // what has begun in the storm is over by then
// A prompt player does not need that long, whatever happens in the storm; an outage lasts longer.
constexpr int kTurn = 240, kAbsence = 300;
constexpr int64_t kOutageLeast = 320'000, kOutageMost = 500'000;

// Somebody who looks at the table of one process at the end.
class Observer final : public Client {
 public:
  Observer(Audit& audit, std::string table, Person person)
      : audit_(audit), table_(std::move(table)), person_(std::move(person)) {}

  void Send(std::shared_ptr<const std::string> text) override {
    audit_.Told(table_, person_, *text);
    const Json message = Json::parse(*text);
    if (message.contains("n")) number = message["n"];
  }
  void Close(std::string_view why) override { closed = why; }

  int64_t number = 0;
  std::string closed;

 private:
  Audit& audit_;
  const std::string table_;
  const Person person_;
};

class World {
 public:
  World(uint64_t seed, Broken broken, bool keeps, Twin* twin = nullptr)
      : stage_(seed, keeps),
        weather_(Weather::Of(stage_)),
        databases_(MakeDatabases(stage_, weather_, broken)) {
    stage_.twin = twin;
  }
  ~World() {
    for (const auto& process : processes_) process->Crash();
    stage_.Clear();
  }

  Outcome Run() {
    for (int64_t i = 0, count = stage_.Between(2, 4); i < count; ++i) {
      processes_.push_back(
          std::make_unique<Process>(databases_, hub_, "process " + std::to_string(i + 1)));
      processes_.back()->Start();
    }
    for (int i = 0; i < 2; ++i)
      workers_.push_back(
          std::make_unique<Thinker>(databases_, hub_, "worker " + std::to_string(i + 1)));
    for (int64_t i = 0, count = stage_.Between(1, 2); i < count; ++i) MakeTable();
    Storm();
    while (GoesOn() && stage_.now() < clears_at_) stage_.Step();
    stage_.Trace("the weather clears");
    weather_.Clear();
    for (const auto& process : processes_) process->Start();
    const int64_t end = stage_.now() + kAfterwards;
    int64_t looked = 0;
    while (GoesOn() && stage_.now() < end) {
      stage_.Step();
      if (stage_.now() < looked + 1'000) continue;
      looked = stage_.now();
      if (stage_.now() >= clears_at_ + kSettles && IsDone()) break;
    }
    if (GoesOn() && !IsDone()) audit_.Fail("it does not come to its end: " + Missing());
    if (GoesOn()) Look();
    return {audit_.fault(),      stage_.hash(), stage_.lines(),    audit_.stored,
            audit_.acknowledged, audit_.told,   audit_.twice_sent, stage_.now()};
  }

 private:
  bool GoesOn() const {
    return audit_.fault().empty() && (stage_.twin == nullptr || !stage_.twin->ended());
  }
  static Databases MakeDatabases(Stage& stage, const Weather& weather, Broken broken) {
    Databases databases;
    for (int i = 0, count = stage.Chance(0.3) ? 2 : 1; i < count; ++i)
      databases.push_back(std::make_unique<Database>(stage, weather, broken, i));
    return databases;
  }

  // --- People

  // A table, and all who are to come to it.
  struct Party {
    TableOptions options;
    std::vector<std::pair<Person, Plan>> people;  // the first one makes it
    std::vector<std::string> tables;              // it, and those that follow on it
  };

  Plan PlanFor(bool clock) {
    Plan plan;
    plan.moves = static_cast<int>(stage_.Chance(0.2) ? 1'000 : stage_.Between(3, 30));
    if (stage_.Chance(0.15)) {
      plan.falls_asleep = static_cast<int>(stage_.Between(0, 8));
      plan.goes = !clock || stage_.Chance(0.5);
    }
    plan.talks = stage_.Chance(0.5) ? 0.3 : 0.05;
    plan.takes_back = stage_.Chance(0.5) ? 0.08 : 0;
    plan.rematch = stage_.Chance(0.3);
    plan.slowness = stage_.Between(100, 5'000);
    return plan;
  }

  void MakeTable() {
    Party& party = parties_.emplace_back();
    TableOptions& options = party.options;
    options.config.players = static_cast<uint8_t>(stage_.Between(2, 3));
    if (stage_.Chance(0.3)) options.config.setup = Setup::Draft;
    if (stage_.Chance(0.6)) options.clock = TimeControl{kTurn, 0, 0};
    options.absence = kAbsence;
    options.takeover = "random";
    const std::string suffix = std::to_string(parties_.size());
    const Seat bots = static_cast<Seat>(stage_.Between(0, options.config.players - 1));
    for (Seat seat = 0; seat < options.config.players - bots; ++seat) {
      const std::string name = std::string(1, static_cast<char>('A' + seat)) + suffix;
      Plan plan = PlanFor(options.clock.has_value());
      plan.seat = seat;
      party.people.emplace_back(Person{"", name}, plan);
    }
    for (Seat i = 0; i < bots; ++i)
      party.people[0].second.bots[options.config.players - 1 - i] = "random";
    for (int64_t i = 0, count = stage_.Between(0, 2); i < count; ++i) {
      const std::string name = "S" + std::to_string(i) + suffix;
      Plan plan;
      plan.talks = 0.05;
      party.people.emplace_back(Person{"", name}, plan);
    }
    for (auto& [person, plan] : party.people) Register(person);
    Open(parties_.size() - 1);
  }

  // Gets a session, however often it has to be tried.
  void Register(Person& person) {
    stage_.In(stage_.Between(1, 1'000), [this, &person] {
      if (!person.id.empty()) return;
      Register(person);
      const auto& life = Any(processes_)->life();
      if (!life) return;
      life->sessions.Make(person.name, false, "10.0.0.1", WallClock(stage_),
                          [this, &person](const Expected<Sessions::Made>& made) {
                            if (!made || !person.id.empty()) return;
                            person = made->person;
                            tokens_[person.id] = made->token;
                          });
    });
  }

  // Tries until it works.
  void Open(size_t party) {
    stage_.In(stage_.Between(1, 1'000), [this, party] {
      if (!parties_[party].tables.empty()) return;
      for (const auto& [person, plan] : parties_[party].people)
        if (person.id.empty()) return Open(party);
      const auto& life = Any(processes_)->life();
      Open(party);
      if (!life || asked_until_[party] > stage_.now()) return;
      asked_until_[party] = stage_.now() + 10'000;
      life->hall.Open(parties_[party].people[0].first, parties_[party].options,
                      [this, party](const Expected<std::string>& id) {
                        asked_until_[party] = 0;
                        if (!id || !parties_[party].tables.empty()) return;
                        if (audit_.Find(*id) == nullptr) audit_.Fail("a table that is not stored");
                        parties_[party].tables.push_back(*id);
                        for (const auto& [person, plan] : parties_[party].people)
                          Come(person, *id, plan);
                      });
    });
  }

  void Come(const Person& person, const std::string& table, const Plan& plan) {
    visitors_.push_back(std::make_unique<Visitor>(place_, person, table, plan));
    stage_.In(stage_.Between(1, 500), [visitor = visitors_.back().get()] { visitor->Come(); });
  }

  void GoOn(const std::string& table, const std::string& rematch) {
    for (Party& party : parties_) {
      if (std::ranges::count(party.tables, rematch) > 0 ||
          std::ranges::count(party.tables, table) == 0)
        continue;
      if (audit_.Find(rematch) == nullptr) audit_.Fail("a rematch that is not stored");
      party.tables.push_back(rematch);
      for (auto [person, plan] : party.people) {
        plan.rematch = false;
        plan.moves = static_cast<int>(stage_.Between(1, 6));
        plan.falls_asleep.reset();
        for (Seat seat = 0; seat < party.options.config.players; ++seat) plan.bots[seat] = "random";
        Come(person, rematch, plan);
      }
    }
  }

  // --- Weather

  template <class T>
  T& Any(std::vector<T>& all) {
    return all[static_cast<size_t>(stage_.Between(0, static_cast<int64_t>(all.size()) - 1))];
  }

  void Storm() {
    int64_t at = kCalm, length = kStorm;
    if (weather_.outage) {
      const int64_t begins = kCalm + stage_.Between(5'000, kStorm - 1'000);
      const int64_t lasts = stage_.Between(kOutageLeast, kOutageMost);
      length += lasts;
      stage_.In(begins, [this, lasts] { Outage(lasts); });
      if (begins > kCalm + kStorm / 2)
        length -= lasts;  // all else comes before
      else
        at = kCalm;
      clears_at_ = begins + lasts + kStorm / 2;
    } else {
      clears_at_ = at + length;
    }
    clears_at_ = std::max(clears_at_, at + length);
    const auto some = [&](int count, void (World::*what)()) {
      for (int i = 0; i < count; ++i)
        stage_.In(at + stage_.Between(0, kStorm), [this, what] { (this->*what)(); });
    };
    some(weather_.crashes, &World::CrashOne);
    some(weather_.stops, &World::StopOne);
    some(weather_.cuts, &World::CutSomebody);
    some(weather_.links, &World::CutLink);
    some(weather_.stalls, &World::Stall);
    some(weather_.refusals, &World::Refuse);
    some(weather_.fail_overs, &World::FailOver);
    some(weather_.bus_losses, &World::LoseBus);
    some(weather_.bus_cuts, &World::CutBus);
    some(weather_.renames, &World::RenameSomebody);
    some(weather_.dead_workers, &World::KillWorker);
  }

  void Outage(int64_t milliseconds) {
    stage_.Trace("an outage of " + std::to_string(milliseconds));
    switch (stage_.Between(0, 3)) {
      case 0: return Any(databases_)->FailOver(milliseconds);
      case 1: return Any(databases_)->StandStill(milliseconds);
      case 2: return Any(databases_)->Refuse(milliseconds);
      default:
        for (const auto& process : processes_) Restart(*process, milliseconds);
    }
  }
  void Restart(Process& process, int64_t after) {
    process.Crash();
    stage_.In(after, [&process] { process.Start(); });
  }
  void CrashOne() { Restart(*Any(processes_), stage_.Between(100, 20'000)); }
  void StopOne() {
    Process& process = *Any(processes_);
    process.Stop();
    stage_.In(stage_.Between(2'000, 15'000), [this, &process] { Restart(process, 100); });
  }
  void CutSomebody() {
    if (!visitors_.empty()) Any(visitors_)->Cut(stage_.Chance(0.3));
  }
  void CutLink() {
    Database& database = *Any(databases_);
    if (database.connections.empty()) return;
    stage_.Trace("a link to the database is cut");
    Any(database.connections)->Cut(stage_.Between(100, 40'000));
  }
  void Stall() {
    stage_.Trace("the database stands still");
    Any(databases_)->StandStill(stage_.Between(100, 12'000));
  }
  void Refuse() {
    stage_.Trace("the database refuses");
    Any(databases_)->Refuse(stage_.Between(100, 12'000));
  }
  void FailOver() {
    stage_.Trace("the database fails over");
    Any(databases_)->FailOver(stage_.Between(500, 10'000));
  }
  void LoseBus() { hub_->Lose(stage_.Between(100, 30'000)); }
  void CutBus() {
    const auto& process = Any(processes_);
    if (process->life()) process->life()->bus.Cut(stage_.Between(1'000, 60'000));
  }
  void RenameSomebody() {
    const auto life = Any(processes_)->life();
    if (visitors_.empty() || !life) return;
    const Person renamed = {Any(visitors_)->person().id,
                            "Name " + std::to_string(stage_.Between(1, 99))};
    life->sessions.Rename(renamed.id, renamed.name,
                          [life = std::weak_ptr(life), renamed](const auto& failed) {
                            if (const auto still = life.lock(); still && !failed)
                              still->hall.Rename(renamed);
                          });
  }
  void KillWorker() { Any(workers_)->Die(stage_.Between(100, 30'000)); }

  // --- The end

  std::string Missing() {
    std::string missing;
    for (const Party& party : parties_)
      if (party.tables.empty()) missing += "\n  a table was never made";
    for (const auto& visitor : visitors_) {
      const Audit::History* history = audit_.Find(visitor->table());
      if (!visitor->IsUpToDate(*history))
        missing += "\n  " + visitor->Situation() + " of " + std::to_string(history->length());
    }
    for (const auto& [id, history] : audit_.histories())
      if (Comes(id) && !history.now().Ended())
        missing += "\n  " + id + " is " + std::string(NameOf(history.now().status()));
    return missing;
  }
  // Whether anybody knows of it: a table whose maker never heard that it was made is nobody's.
  bool Comes(const std::string& table) const {
    return std::ranges::any_of(
        parties_, [&](const Party& party) { return std::ranges::count(party.tables, table) > 0; });
  }
  bool IsDone() { return Missing().empty(); }

  // All processes have the tables as they are stored by now; somebody may have begun a rematch.
  void Look() {
    std::vector<std::tuple<std::string, std::shared_ptr<Observer>, int64_t>> observers;
    for (const auto& process : processes_)
      for (const auto& [id, history] : audit_.histories()) {
        const Person eve = {"p_eve " + process->name(), "Eve"};
        const auto observer = std::make_shared<Observer>(audit_, id, eve);
        observers.emplace_back(id, observer, history.length());
        if (process->life()) process->life()->hall.Enter(id, eve, 0, observer);
      }
    for (const int64_t end = stage_.now() + 5'000; stage_.now() < end;) stage_.Step();
    for (const auto& [id, observer, length] : observers)
      if (observer->number < length)
        audit_.Fail("a process has not all of " + id + ": " + observer->closed);
    audit_.Replays();
    audit_.Hints(hub_->texts);
    for (const auto& [id, history] : audit_.histories()) Times(id, history);
  }

  // Nobody has lost on time who was awake, and no clock was faster than the true one.
  void Times(const std::string& id, const Audit::History& history) {
    for (size_t i = 0; i < history.events.size(); ++i) {
      const auto* left = std::get_if<event::Leave>(&history.events[i].body);
      if (left == nullptr || (left->why != Left::OutOfTime && left->why != Left::Absent)) continue;
      const Person& person = *history.tables[i].chairs()[left->seat].person;
      for (const auto& visitor : visitors_)
        if (visitor->table() == id && visitor->person().id == person.id && !visitor->asleep())
          audit_.Fail(person.name + " lost on time in " + id + ", and was awake");
    }
    const int64_t passed = history.events.back().at - history.events.front().at;
    if (passed > history.stored_at.back() - history.stored_at.front() + 10'000)
      audit_.Fail("the time of " + id + " ran too fast");
  }

  Stage stage_;
  Weather weather_;
  Databases databases_;
  const std::shared_ptr<Hub> hub_ = std::make_shared<Hub>(stage_, weather_);
  Audit audit_{databases_};
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::unique_ptr<Thinker>> workers_;
  std::map<std::string, std::string> tokens_;  // by person
  Place place_{
      stage_, audit_, tokens_, processes_,
      [this](const std::string& table, const std::string& rematch) { GoOn(table, rematch); }};
  std::vector<std::unique_ptr<Visitor>> visitors_;
  std::deque<Party> parties_;
  std::map<size_t, int64_t> asked_until_;  // by party
  int64_t clears_at_ = 0;
};

}  // namespace

Outcome Simulate(uint64_t seed, Broken broken, bool keeps) {
  return World(seed, broken, keeps).Run();
}

Outcome SimulateTwins(uint64_t seed, bool leaks) {
  Twin twin(seed, leaks);
  Outcome outcome = World(seed, Broken::None, false, &twin).Run();
  if (!outcome.fault.empty()) return outcome;
  twin.BeginSecond();
  outcome = World(seed, Broken::None, false, &twin).Run();
  twin.End(outcome.milliseconds);
  if (outcome.fault.empty()) outcome.fault = twin.fault();
  outcome.told = twin.compared();
  return outcome;
}

}  // namespace civ::simulation
