// The hall: all live tables, and everybody who is connected to one. One thread calls it, and what
// the store and the bots answer comes back to that thread. It knows nothing of sockets.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "civ/server/bots.h"
#include "civ/server/bus.h"
#include "civ/server/limits.h"
#include "civ/server/store.h"
#include "civ/table/event.h"

namespace civ {

// A connection to one table, as the hall sees it. It must not call the hall from within these.
class Client {
 public:
  virtual ~Client() = default;
  // In the order of the calls. The text is shared by all who are told the same.
  virtual void Send(std::shared_ptr<const std::string> text) = 0;
  // `why` is a key of text/: "error.table.unknown", "closing.restart", …
  virtual void Close(std::string_view why) = 0;
};

// Times are in milliseconds of service.
struct HallOptions {
  size_t most_tables = 20'000;        // that are open
  size_t most_tables_of_one = 20;     // open ones that one person has made
  size_t most_watching = 64;          // clients of one table who do not play there
  size_t most_ended = 1'000;          // tables that are over and still in memory
  size_t most_waiting = 64;           // commands at one table, while an earlier one is being stored
  size_t longest_message = 8192;      // bytes
  size_t most_in_lobby = 100;         // tables in the list
  int64_t lobby_age = 1'000;          // the list of tables is made anew when it is older than this
  int64_t idle_table = 86'400'000;    // a table that waits for people is closed if only talk comes
  int64_t idle_game = 2'592'000'000;  // the same for a game that has begun
  int64_t unload = 60'000;  // after the last client has left, a table that is over leaves memory
  int64_t retry = 1'000;    // after the store has failed, before bots and clocks go on
  int64_t beat = 5'000;     // between two times that the time of service is stored
  // Where the store is shared, in milliseconds of the process's own clock:
  int64_t shared_beat = 1'000;  // between two times that the store is asked for what is due
  int64_t compare = 3'000;      // between two looks at the lengths of all logs that are in memory
  int64_t presence = 10'000;    // between two times that it is said who is here
  int64_t lost =
      5'000;  // after the store's last answer all clients are closed: others may reach it
  // After the store did not take a move, in which nobody loses on time: it may be sent again.
  int64_t resend = 15'000;
  int64_t bot_pause = 600;  // before a bot acts, so that people can follow
  Rate commands{50, 2.5};   // of one person
  Rate says{5, 15};         // of one person
  // Of one person at one table: changes of chairs and what is taken back, and questions.
  Rate changes{60, 300}, asks{5, 60};
  int most_stored_of_one = 2'000;  // events of one person in a log, but for moves of the game
  int most_refused = 100;          // commands over the rate, in a row; then the client is closed
  int64_t returns = 2'000;         // so many clients come back in a second after a restart

  // The milliseconds over which so many clients come back.
  int64_t Spread(size_t clients) const { return static_cast<int64_t>(clients) * 1000 / returns; }
};

class Hall {
 public:
  struct Hooks {
    // Milliseconds of a clock that goes on from the time of service that was stored last. The
    // hall's own time stands still besides while the store does.
    std::function<int64_t()> now;
    std::function<std::string(size_t count)> random;  // that many random bytes
    // Fields with nothing secret and nothing hidden in them.
    std::function<void(std::string_view level, std::string_view event, const Json& fields)> log;
    // Runs something where nobody waits for it, and then, on the hall's thread, what it returns. If
    // there is none it is done at once.
    using Work = std::function<std::function<void()>()>;
    std::function<void(Work)> elsewhere = {};
    bool debug = true;  // whether lines of that level are read
    // Of this process, among those that share the store.
    std::string name = "civ";
  };
  // Where the store is shared, bots think elsewhere (civ/server/worker.h), and none are needed
  // here.
  Hall(Store& store, Bus& bus, BotPool* bots, HallOptions options, Hooks hooks);
  ~Hall();

  // Replays the log of every open table. A table that cannot be rebuilt is put aside and named.
  struct Rebuilt {
    size_t tables = 0;
    std::vector<std::pair<std::string, Error>> put_aside;
  };
  Expected<Rebuilt> Rebuild();

  using Opened = std::function<void(Expected<std::string> id)>;
  void Open(const Person& person, const TableOptions& options, const Opened& opened);

  // A person's client joins a table. `seen` is the number of the last event that the client knows,
  // 0 for none: it is sent those that it missed, or the whole table. Any other client of that
  // person at that table is closed. `session` says by which of the person's sessions it came.
  using ClientId = uint64_t;
  ClientId Enter(const std::string& table, const Person& person, int64_t seen,
                 std::shared_ptr<Client> client, uint64_t session = 0);
  void Receive(ClientId client, std::string_view text);
  void Leave(ClientId client);
  // Closes the clients of one session of a person that has ended, or of all, and drops their
  // commands that still wait.
  void Dismiss(const std::string& person, std::optional<uint64_t> session = {});

  bool IsHere(const std::string& person) const;  // at any table

  int64_t Now() const;  // the time of service
  // The listed tables at which a person sits: those that wait for people first, the newest first.
  // Those that this process has in memory.
  Json Lobby() const;
  // Of all processes, as the text of a JSON array.
  void ListLobby(std::function<void(Expected<std::string>)> answer);
  // All tables of a person, as the text of a JSON array: those that are open first, then the
  // newest.
  void TablesOf(const std::string& person, std::function<void(Expected<std::string>)> answer);
  void Summary(const std::string& table, std::function<void(Expected<Json>)> answer);
  // The record of a game that is over, with everything that verifies its deal.
  void RecordOf(const std::string& table, std::function<void(Expected<std::string>)> answer);
  // What `civ analyze` says of that record (docs/analysis.md), in JSON; nothing while that is being
  // found out, so that it has to be asked again. `person`: who asks, if that is known.
  void AnalysisOf(const std::string& table, const std::string& person,
                  std::function<void(Expected<std::optional<std::string>>)> answer);
  // What a person saw of a game after its first `actions` actions.
  void PastOf(const std::string& table, const Person& person, size_t actions,
              std::function<void(Expected<std::string>)> answer);
  // What happened in those, told to that person; in all that there are if nothing is said.
  void StoryOf(const std::string& table, const Person& person, std::optional<size_t> actions,
               std::function<void(Expected<std::string>)> answer);

  // Somebody is called otherwise from now on, also on the chairs that they have.
  void Rename(const Person& person);
  // The same, where another process has taken care of the chairs.
  void Called(const Person& person);
  void Mute(const std::string& person, bool on);  // nobody hears that person at any table
  std::optional<Error> Close(const std::string& table, const std::string& why);

  // Does what is due; to be called at least every second, and ten times a second where bots play
  // with people.
  void Tick();
  // Takes on nothing new, and tells everybody to come back. Calls `done` when all that was taken on
  // is stored.
  void Stop(std::function<void()> done);

  struct Figures {
    size_t tables, running, clients;
    uint64_t stored, refused, stale, failed;  // commands
    int64_t oldest_wait;  // milliseconds that the oldest append has been waiting
    // Where the store is shared: commands that were tried again because somebody else was first,
    // appends whose answer was lost, and logs that were found shorter than they had been.
    uint64_t retried, unknown, shorter;
    bool lost;  // this process cannot reach the store
  };
  Figures figures() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
