// People who play, watch and talk: each has a line to some process that comes back by itself and
// sends again what had no answer, as the page's does (web/src/net/line.ts).
#pragma once

#include "tests/simulation/audit.h"
#include "tests/simulation/process.h"

namespace civ::simulation {

// Where they all are.
struct Place {
  Stage& stage;
  Audit& audit;
  std::map<std::string, std::string>& tokens;  // by person
  std::vector<std::unique_ptr<Process>>& processes;
  std::function<void(const std::string& table, const std::string& rematch)> on_rematch;
};

inline int64_t WallClock(const Stage& stage) { return 1'700'000'000 + stage.now() / 1'000; }

// What somebody does at a table.
struct Plan {
  std::optional<Seat> seat = {};          // to sit down on; nothing: to watch
  std::map<Seat, std::string> bots = {};  // that the host seats
  int moves = 1'000;                      // then they resign
  std::optional<int> falls_asleep = {};   // after so many moves, and does nothing any more
  bool goes = false;                      // then, and is not connected any more
  double talks = 0, takes_back = 0;       // how often, with each move
  bool rematch = false;
  int64_t slowness = 500;  // milliseconds that they think at most
};

class Visitor {
 public:
  Visitor(Place& place, Person person, std::string table, Plan plan);
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  void Come() { Connect(); }
  // Their connection breaks. `silently`: nobody notices before something should have come.
  void Cut(bool silently);

  const Person& person() const { return person_; }
  const std::string& table() const { return table_; }
  const Plan& plan() const { return plan_; }
  bool asleep() const { return asleep_; }
  // Knows all of a log of that length, and waits for no answer.
  bool IsUpToDate(const Audit::History& history) const;
  std::string Situation() const;  // for people who look for a fault

 private:
  struct Wire;
  class Ear;

  // --- The line

  void Connect();
  void Enter(const std::shared_ptr<Wire>& wire, const std::shared_ptr<Process::Life>& life);
  void Opened(const std::shared_ptr<Wire>& wire);
  void Lost();
  void Drop();
  void Hear(const std::string& text);
  void Answered(const Json& answer);
  void Send(Json command);
  void Transmit(const std::string& text);
  void Listen();
  void After(int64_t delay, void (Visitor::*what)());  // unless the timer is set anew
  void Probe();

  // --- What they do

  void Learn(const Json& message);
  void ThinkSoon();
  void Think();
  bool Sits();
  bool Plays();
  void Moves();
  void Talks();
  std::optional<Talk> AboutPacts() const;  // something to say about pacts

  Place& place_;
  Stage& stage_;
  const Person person_;
  const std::string table_;
  Plan plan_;

  std::shared_ptr<Wire> wire_;
  enum class State : uint8_t { Away, Connecting, Open, Lost, Gone } state_ = State::Away;
  int64_t seen_ = 0;
  std::vector<std::pair<std::string, std::string>> open_;  // ids and texts, the oldest first
  size_t tries_ = 0;
  uint64_t timer_ = 0, thought_ = 0;
  int sent_ = 0, moved_ = 0;
  bool asleep_ = false;

  Json known_ = Json::object();  // the table as it was told last
  Json view_, pacts_;
  int actions_ = 0, final_ = 0;  // of the game, and of those the ones that cannot be taken back
  std::optional<Seat> seat_;
};

}  // namespace civ::simulation
