// A table with those who look at it. It tells them what happens; what may happen is the hall's and the table's own business.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "server/hall.h"

namespace civ {

// What the log of a table comes to.
struct Loaded {
  Table table;
  std::string maker;           // id of the person who made it
  std::vector<uint64_t> done;  // KeyOf the commands that its events name
};
Expected<Loaded> LoadedFrom(const StoredLog& log);

// One command of one person, among those of a table: its name and its id.
uint64_t KeyOf(const std::string& person, std::string_view command, const std::string& id);

class LiveTable {
 public:
  explicit LiveTable(std::string name) : id(std::move(name)) {}

  struct Guest {
    Hall::LineId line_id;
    Person person;
    std::shared_ptr<Line> line;
    int64_t seen;  // the number of the last event they know; of no interest once they are welcomed
    uint64_t session = 0;
  };

  // The table as its log has it. Everybody who is here is told all of it.
  void Become(Loaded loaded);
  bool loaded() const { return now_.has_value(); }
  const Table& now() const { return *now_; }
  int64_t number() const { return now_ ? now_->number() : 0; }

  // One event more, of which everybody is told.
  void Happens(const Event& event, Table after);

  void Enter(Guest guest, int64_t time);
  void Leave(Hall::LineId line);
  const std::vector<Guest>& guests() const { return guests_; }
  const Guest* Find(Hall::LineId line) const;
  bool IsHere(const std::string& person) const;
  // After somebody came or went, or another sat down: tells everybody who is here now. Whether it was news.
  bool SeePresence(int64_t time);
  const Table::Absences& absences() const { return absences_; }

  // Whether that command was done. The last ones are remembered.
  bool HasDone(uint64_t command) const;
  void Remember(uint64_t command);

  // What helps those who come back soon is given up.
  void Forget();
  bool remembers() const { return base_.has_value(); }

  const std::string id;
  std::string maker;

  // The hall's own notes:
  struct Step {
    std::string person;                              // whose wish it is; empty for the server's own
    uint64_t session;                                // and from where
    std::function<void(Expected<LiveTable*>)> take;  // with the table, or why it is not there
  };
  std::deque<Step> waiting;  // until what is being loaded or stored is there
  bool busy = false;         // something is
  int64_t busy_since = 0;
  std::optional<int64_t> due;  // when time brings something about
  int64_t retry = 0;           // the server's own wishes wait until then
  int64_t empty_since = 0;     // nobody is here

  struct BotSeat {
    bool asked = false;
    int64_t builds = 0, not_before = 0;
    std::optional<Action> answer;
  };
  std::array<BotSeat, kMaxSeats> bots;

 private:
  void Welcome(const Guest& guest) const;
  // The event, or everything where they are now somebody else. Nothing if it is not for them.
  using Texts = std::array<std::shared_ptr<const std::string>, kMaxSeats + 1>;
  static void Tell(const Guest& guest, const Table& before, const Event& event, const Table& after, Texts& texts);
  Json Presence() const;
  std::shared_ptr<const std::string> TellPresence(int64_t time) const;

  std::optional<Table> now_;
  std::optional<Table> base_;  // before
  std::vector<Event> recent_;  // the last events, for those who missed some of them
  std::vector<Guest> guests_;
  Json presence_;  // as it was told last
  Table::Absences absences_;
  std::vector<uint64_t> done_;  // the oldest first
};

}  // namespace civ
