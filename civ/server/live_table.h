// A table with those who watch it: it tells them what happens. What may happen is decided by the
// hall and by the table itself.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "civ/server/bots.h"
#include "civ/server/hall.h"
#include "civ/server/replay.h"
#include "civ/table/asides.h"

namespace civ {

class LiveTable {
 public:
  // `spread`: over how many milliseconds those who lose the server come back.
  LiveTable(std::string name, std::function<int64_t()> spread)
      : id(std::move(name)), spread_(std::move(spread)) {}

  struct Guest {
    Hall::ClientId client_id;
    Person person;
    std::shared_ptr<Client> client;
    int64_t seen;  // number of the last event that the client knew when it came
    uint64_t session = 0;
    int64_t came = 0;    // in time of service
    bool ahead = false;  // knows more than this process: it is told nothing that it has seen
  };

  // Takes the table as its log has it. Tells those who wait for it what they have not seen; where
  // it was another before, everybody all of it.
  void Become(Replayed replayed);
  bool loaded() const { return now_.has_value(); }
  const Table& now() const { return *now_; }
  int64_t number() const { return now_ ? now_->number() : 0; }

  // Whether somebody here has seen more of it than is known here: then there is more to be read.
  bool IsBehindGuests() const;
  // All that there was when the client `newest` had come has been read: who still has seen more,
  // and was here by then, has seen another table.
  void HasCaughtUp(Hall::ClientId newest);

  // One event more, of which everybody is told.
  void Happens(const Event& event, Table after);

  // What leaves no event, of which those are told who may hear it: as the event that it would be,
  // for other processes. Or why not.
  struct Aside {
    double place;  // of what is said
    EventBody body;
  };
  Expected<Aside> HappensAside(const Person& who, const CommandBody& command, int64_t time);
  void HappensElsewhere(const Aside& aside);  // by another process
  // What has happened so, for a process that has not had the table, and there.
  std::vector<Aside> Earlier() const;
  void HappenedElsewhere(const std::vector<Aside>& earlier);
  std::vector<event::Mute> mutes() const { return asides_.mutes(); }

  void Enter(Guest guest, int64_t time);
  void Leave(Hall::ClientId client);
  void Rename(const Person& person);  // of those who are here; chairs are the table's own
  const std::vector<Guest>& guests() const { return guests_; }
  const Guest* Find(Hall::ClientId client) const;
  bool IsHere(const std::string& person) const;
  // After somebody came or went, or another sat down: tells everybody who is here now. Whether it
  // was news.
  bool SeePresence(int64_t time);
  const Table::Absences& absences() const { return absences_; }
  // Those who are at this table by another process.
  void SetElsewhere(std::set<std::string> persons) { elsewhere_ = std::move(persons); }

  // Notes what somebody else has stored: whose it was, and by which command.
  void Learn(const Event& event);
  // Whether the command with that CommandKey was done, as far as it is remembered.
  bool HasDone(uint64_t command) const;
  void Remember(uint64_t command);
  void RememberAside(
      uint64_t command);  // so that spectators do not push out what players have done

  // Gives up the last events, which spare those who come back soon the whole table.
  void Forget();
  bool remembers() const { return base_.has_value(); }

  const std::string id;
  bool shared = false;  // other processes add to it, too
  std::string maker;
  size_t last = 0;  // TextHash of the last event, where the store is shared

  // --- The hall's own notes

  struct Task {
    std::string person;                             // who sent it; empty for the server's own
    uint64_t session;                               // of that person
    std::function<void(Expected<LiveTable*>)> run;  // with the table, or why it is not there
  };
  std::deque<Task> waiting;  // while the table is busy
  bool busy = false;         // it is being loaded, or something is being stored
  int64_t busy_since = 0;
  std::string command;         // id of the one that is being done; empty if there is none
  std::optional<int64_t> due;  // when the hall's timer looks at it
  Bus::Subscription follows;   // hints of what happens here by other processes
  bool behind = false;         // more may be stored than is known here
  int64_t retry = 0;           // bots and clocks wait until then, after the store has failed
  int64_t patience = 0;        // clocks wait until then for moves that it did not take
  // Those moves, by seat: they have arrived at that moment however often they are sent again.
  struct Arrival {
    uint64_t command;  // its CommandKey
    int64_t at;
  };
  std::array<std::optional<Arrival>, kMaxSeats> arrivals;
  int64_t empty_since = 0;  // when the last client left
  int64_t put_off = 0;      // when what is due was last put off

  // What one person has stored here, but for the moves of the game.
  struct Share {
    Bucket changes, asks;
    int stored = 0;
  };
  std::unordered_map<std::string, Share> shares;  // by person

  struct BotSeat {
    bool asked = false;
    int64_t builds = 0;      // number of the last event that the bot has seen
    int64_t not_before = 0;  // when it may act
    std::optional<BotMove> answer;
  };
  std::array<BotSeat, kMaxSeats> bots;

 private:
  void Welcome(Guest& guest) const;
  // Tells a guest the event; all of the table if the guest now sits elsewhere; nothing if the event
  // is not for them.
  struct News;
  void Tell(const Guest& guest, News& news) const;
  // At the end players hear what those have said who watched.
  void TellLines(const Guest& guest) const;
  std::optional<Error> Mute(const Person& by, const command::Mute& mute);
  void Tell(const Asides::Line& line) const;
  // Whether somebody of that id has been noticed here.
  bool Knows(const std::string& person) const;
  // At which seats somebody is, and how many watch.
  struct Presence {
    std::vector<bool> seats;
    size_t watching = 0;

    bool operator==(const Presence&) const = default;
  };
  Presence PresenceNow() const;
  std::shared_ptr<const std::string> TellPresence(int64_t time) const;

  const std::function<int64_t()> spread_;
  std::optional<Table> now_;
  std::optional<Table> base_;  // the table before the recent events
  std::vector<Event> recent_;  // the last events, for those who missed some of them
  std::vector<Guest> guests_;
  std::set<std::string> elsewhere_;
  Presence presence_;  // as it was told last
  Table::Absences absences_;
  Asides asides_;
  std::vector<uint64_t> done_, done_aside_;  // CommandKeys, the oldest first
};

}  // namespace civ
