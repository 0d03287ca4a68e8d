// The inside of the hall, which several files share: hall_tables.cc has tables and their order of
// work, hall_clients.cc connections, hall_commands.cc what people send, hall_time.cc bots and
// clocks, hall_shared.cc what other processes do with the same store, and hall.cc the rest.
#pragma once

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "civ/server/hall.h"
#include "civ/server/live_table.h"
#include "civ/server/service_time.h"

namespace civ {

inline Error Stopping() { return {"closing.restart", {}}; }
inline Error UnknownTable() { return {"error.table.unknown", {}}; }
inline Error StoreFails() { return {"error.store", {}}; }
// What the bus is told (civ/server/bus.h): the length of a table's log, "here", "answer", …
inline std::string TopicOf(const std::string& table) { return "table." + table; }
inline constexpr const char* kJobsTopic = "jobs";
inline Error TooManyRequests() { return {"error.too-many-requests", {}}; }

struct Hall::Impl {
  Impl(Store& kept_in, Bus& told_by, BotPool* players, const HallOptions& given, Hooks wanted)
      : store(kept_in), bus(told_by), bots(players), options(given), hooks(std::move(wanted)) {}

  // For answers of the store and of bots, which may come when the hall is gone.
  template <class F>
  auto Guarded(F f) {
    return [alive = std::weak_ptr(alive), f = std::move(f)](auto&&... args) {
      if (!alive.expired()) f(std::forward<decltype(args)>(args)...);
    };
  }

  // The time of service, which stands still while the store does.
  int64_t Now() const { return service_time.At(hooks.now()); }
  // For what has nothing to do with the store.
  Bucket::Clock::time_point Moment() const {
    return Bucket::Clock::time_point(std::chrono::milliseconds(hooks.now()));
  }
  // For whatever is given to the store to be written: `then` is called with its answer.
  template <class F>
  Store::Done Written(F then) {
    service_time.Given(hooks.now());
    return Guarded([this, then = std::move(then)](Stored stored) {
      const bool reached = stored == Stored::Stored || stored == Stored::Stale;
      service_time.Answered(hooks.now(), reached);
      if (reached) reached_at = hooks.now();
      if (!reached) not_stored = true;
      then(stored);
    });
  }
  void Log(std::string_view level, std::string_view event, const Json& fields) const;
  // The same with the table's id, and with that of the command which is being done there.
  void LogAt(const LiveTable& table, std::string_view level, std::string_view event,
             const Json& fields = Json::object()) const;
  std::string NewId(const std::string& near) const;  // of a table, in the same database as another
  void Elsewhere(const Hooks::Work& work) const {
    if (hooks.elsewhere) return hooks.elsewhere(work);
    work()();
  }

  // --- Tables in memory

  LiveTable* Find(const std::string& id);
  LiveTable& Add(const std::string& id);
  // Also a table that is only in the store: it is being loaded then, and busy.
  LiveTable* FindOrLoad(const std::string& id);
  void Load(LiveTable& table);
  void Loaded(LiveTable& table, Expected<Replayed> replayed);
  // There is no such table, or it cannot be read now.
  void Drop(LiveTable& table, const Error& why);
  void Unload(LiveTable& table);
  // Does that at the table once it is its turn, wherever the table is now.
  void DoAt(const std::string& id, LiveTable::Task task);
  // Calls with the table as soon as it is loaded.
  void With(const std::string& id, std::function<void(Expected<LiveTable*>)> call);

  // What somebody is told of the game so far; it is put together where nobody waits for it.
  using Teller = std::string (*)(const Table& table, size_t actions, const Person& viewer);
  using TextAnswer = std::function<void(Expected<std::string>)>;
  void LookBack(const std::string& id, const Person& person, std::optional<size_t> actions,
                Teller tell, TextAnswer answer);

  // Of a game that is over; or why there is none.
  static Expected<Record> RecordAt(const Expected<LiveTable*>& at);
  // Judges a game here, where the store is not shared.
  Store::AskedJob Judge(const Job& job, const Record& record);

  // --- One task at a time at each table

  void Begin(LiveTable& table);
  void Finish(LiveTable& table);
  void Do(LiveTable& table, LiveTable::Task task);
  void Continue(LiveTable& table);
  // A table that is to be stored for the first time.
  struct NewTable {
    std::string id, maker;
    Change change;
    std::string command = {};  // id of the one that asks for it, if one does
  };
  // Stores the events of a change, and with them a table that begins by them; only then they have
  // happened and are told. `then` is called in any case, before the next task.
  // What was not stored because somebody else was first is known here by then.
  void Append(LiveTable& table, Change change, std::function<void(Stored)> then,
              std::optional<NewTable> begins = {});
  struct Pending {
    Change change;
    std::optional<NewTable> begins;
    std::function<void(Stored)> then;
  };
  void Appended(LiveTable& table, const std::shared_ptr<Pending>& pending, Stored stored);
  Addition AdditionOf(const std::string& id, const std::string& maker, int64_t number,
                      const Change& change) const;
  void Happen(LiveTable& table, Change& change);

  // --- New tables

  std::optional<Error> MayOpen(const std::string& person) const;
  std::optional<Error> TooMany(int64_t open, int64_t own) const;
  Expected<NewTable> Prepare(std::string id, const Person& person, TableOptions wanted,
                             std::vector<Chair> chairs) const;
  void Create(NewTable made, Opened then);
  void Settle(const std::shared_ptr<NewTable>& made, const Opened& then, Stored stored);
  // It is stored, or not.
  void Created(NewTable& made, Stored stored);
  std::optional<Error> Close(const std::string& id, const std::string& why);

  // --- Clients

  void CloseClient(ClientId client, std::string_view why);
  void Forget(const std::string& person, ClientId client);
  void Leave(ClientId client);
  void Send(LiveTable& table, ClientId client, std::string text);
  void Refuse(LiveTable& table, ClientId client, const std::string& command, const Error& error);
  void Acknowledge(LiveTable& table, ClientId client, const std::string& command);
  // Closes the clients of those who may not watch the table any more.
  void SendAway(LiveTable& table);
  // And of those who only watch, if there are too many.
  void SendCrowdAway(LiveTable& table);

  // --- Commands

  // Somebody with a client, or who had one a moment ago.
  struct Visitor {
    Bucket commands, says;
    int refused = 0;  // commands in a row that were over the rate
    std::vector<ClientId> clients;
  };

  // A command on its way.
  struct Order {
    ClientId client;
    Person person;
    uint64_t session;
    Command command;
    int64_t arrived;
    int tries = 0;         // that somebody else was quicker than
    bool checked = false;  // the table was compared with what is stored before it was refused
  };
  void Receive(ClientId client, std::string_view text);
  LiveTable::Task TaskOf(Order order);
  // Why that may not be said now; else its text is cleaned.
  std::optional<Error> MaySay(const Person& person, Visitor& visitor, command::Say& say) const;
  void Obey(LiveTable& table, const Order& order);
  // It cannot be done at the table as it is known here. Unless that is what is stored, it is tried
  // again; else it is refused.
  void Doubt(LiveTable& table, const Order& order, const Error& error);
  void Answer(LiveTable& table, const Order& order, uint64_t key, Stored stored);
  // Why the person may not store that now; else it is counted.
  std::optional<Error> TakeShare(LiveTable& table, const Person& person, const Change& change);
  void Rename(const Person& person);
  void Note(LiveTable& table, Seat seat, LiveTable::Arrival arrival, Stored stored) const;

  // --- Other processes with the same store (hall_shared.cc)

  // Reads what others have stored at a table that is busy, tells it, and goes on: false if it
  // cannot be read now. It does not go on where the log is not what it was, or cannot be
  // understood: then the table is dropped.
  void CatchUp(LiveTable& table, std::function<void(bool)> then);
  // The same for whoever waits for an answer, which nobody can give before it is read: tries again
  // until it is, or until the hall stops.
  void CatchUpSurely(LiveTable& table, std::function<void(bool)> then);
  std::optional<Error> Follow(LiveTable& table, const std::string& text);
  void CatchUpSoon(LiveTable& table);
  // Whether an append whose answer was lost was stored after all.
  void LookUp(LiveTable& table, const std::shared_ptr<Pending>& pending);
  void LookUpNew(const std::shared_ptr<NewTable>& made, const Opened& then);
  void Subscribe(LiveTable& table);
  void Hint(const std::string& id, const std::string& text);
  void CompareLengths();
  void SharedBeat();
  void CheckDue(const std::string& id);
  void LookAtDue(LiveTable& table, const std::optional<Bus::Notes>& notes);
  Table::Absences AbsencesAt(const LiveTable& table, const std::optional<Bus::Notes>& notes);
  // When time may bring something about at the latest, if nobody was there from then on.
  std::optional<int64_t> DueOf(const Table& table, Table::Absences absences, int64_t now) const;
  void TakeAnswers(const std::string& id);
  void Came(const LiveTable& table, const std::string& person);
  void Went(const LiveTable& table, const std::string& person);
  void TellPresence();
  void ReadPresence(const std::string& id);
  // Without the bus: others may hear it, and would take those for absent who are here.
  void PutOff(LiveTable& table);
  void SomebodyCame(LiveTable& table, const std::string& text);
  // What leaves no event is told to others on the bus, and mutes are noted there. Who loads a table
  // asks the others for what was before.
  void TellAside(const LiveTable& table, const LiveTable::Aside& aside);
  void TellEarlier(const LiveTable& table, const std::string& whom);
  void HearAsides(LiveTable& table, std::string_view text);
  void ReadMutes(const std::string& id);  // and what is not noted any more is noted again
  void LoseStore();                       // if it has not answered for too long
  void SharedTick();
  // Calls that after so many milliseconds of the process's own clock.
  void Later(int64_t milliseconds, std::function<void()> call);

  // --- Bots and time

  void AskBots(LiveTable& table);
  // Does what bots have decided, once people have had the time to see what was before. Whether
  // there was any.
  bool BotsAct(LiveTable& table);
  int64_t IdleAt(const Table& table) const;
  bool MayUnload(const LiveTable& table) const;
  // So that not too many tables that are over stay in memory: those go first that have been empty
  // longest.
  void UnloadSome();
  // Sets the timer of a table to the moment at which it has to be looked at next.
  void Schedule(LiveTable& table);
  void Tick();
  // Stores the time of service now and then: so it is found out when the store is well again.
  void Beat();
  void LookAt(LiveTable& table, int64_t now);
  void StopIfDone();

  Store& store;
  Bus& bus;
  BotPool* bots;  // null where the store is shared
  const HallOptions options;
  const Hooks hooks;
  const std::shared_ptr<int> alive = std::make_shared<int>();

  std::unordered_map<std::string, std::unique_ptr<LiveTable>> tables;
  std::unordered_map<ClientId, LiveTable*> clients;
  std::unordered_map<std::string, Visitor> visitors;  // by person
  std::unordered_set<std::string> muted;              // persons
  std::set<std::pair<int64_t, LiveTable*>> timers;
  std::vector<std::string> opening;  // the persons whose new tables are being stored
  size_t under_way = 0;              // tables that are busy, and new ones
  bool more_ended = false;           // since UnloadSome
  ClientId last_client = 0;
  ServiceTime service_time;
  int64_t beaten = 0;    // when the time of service was last given to the store
  bool beating = false;  // it is not stored yet
  int64_t swept = 0;     // when those who have gone were last removed from `visitors`
  bool stopping = false;
  std::function<void()> stopped;
  Figures figures{};

  int64_t reached_at = 0;   // when the store has last answered that it can be reached
  int64_t beaten_well = 0;  // when all of it has
  bool not_stored = false;  // something, since then
  int64_t compared = 0, told_presence = 0;
  int64_t bus_well_since = 0;
  bool bus_well = false, comparing = false;
  std::vector<std::pair<int64_t, std::function<void()>>> later;

  struct Judged {
    Job job;
    std::optional<std::string> answer = {};
  };
  std::deque<Judged> judged;  // games, the oldest first, where the store is not shared

  bool lost = false;  // the store cannot be reached from here
  Json lobby = Json::array();
  std::string lobby_text;  // of a store that is shared
  std::optional<int64_t> lobby_at;
};

}  // namespace civ
