// What must be true however bad the weather is, looked at while it happens and at the end.
#pragma once

#include <set>

#include "civ/table/tell.h"
#include "tests/simulation/database.h"

namespace civ::simulation {

class Audit {
 public:
  explicit Audit(const Databases& databases);

  // The first thing that was wrong; empty if there is none.
  const std::string& fault() const { return fault_; }
  void Fail(const std::string& what);

  // One table as its log has it.
  struct History {
    std::vector<Event> events;
    std::vector<Table> tables;          // after each of them
    std::vector<int64_t> stored_at;     // when each was, by the true clock
    std::map<std::string, int> causes;  // "person command id": the number of the event
    std::map<std::pair<int64_t, Seat>, std::string> told;  // what events are told as
    Addition last{};                                       // with listing, due time and jobs

    const Table& now() const { return tables.back(); }
    int64_t length() const { return static_cast<int64_t>(events.size()); }
  };
  const std::map<std::string, History>& histories() const { return histories_; }
  const History* Find(const std::string& table) const;

  // A command that a person has sent, for when it is answered.
  struct Sent {
    std::string table, person, name;
    int64_t builds = 0;  // of an act
  };
  void Sends(const std::string& id, Sent sent) { sent_[id] = std::move(sent); }
  // The hall sends that to somebody: at this moment it must be true, and for their eyes.
  void Told(const std::string& table, const Person& person, const std::string& text);

  // At the end.
  void Replays();  // all logs do, and what is stored beside them agrees
  void Hints(const std::set<std::string>& texts);  // nothing hidden was said on the bus

  uint64_t acknowledged = 0, told = 0, stored = 0, twice_sent = 0;

 private:
  void Stored(const Addition& added);
  void Jobs(const Addition& added, const Table& table);
  void Answered(const std::string& table, const Person& person, const Json& answer);
  void Refused(const Sent& sent, const Json& answer);
  void ToldAll(const History& history, const Person& person, Json hello);
  void ToldEvent(History& history, int64_t number, const Person& person, const std::string& text);
  void ToldLine(const History& history, const Person& person, const Json& line);

  const Databases& databases_;
  Stage& stage_;
  std::map<std::string, History> histories_;
  std::map<std::string, Sent> sent_;  // by id of the command
  std::string fault_;
};

}  // namespace civ::simulation
