// All live tables, and everybody who looks at one. One thread calls it; what the store and the bots answer comes back to that thread.
// It knows nothing of sockets: server.h has those.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/bots.h"
#include "server/limits.h"
#include "server/store.h"
#include "table/tell.h"

namespace civ {

// One open connection, as the hall sees it. It must not call the hall from within these.
class Line {
 public:
  virtual ~Line() = default;
  // In the order of the calls. The text is shared by all who are told the same.
  virtual void Send(std::shared_ptr<const std::string> text) = 0;
  virtual void Close(std::string_view why) = 0;  // a key: "error.table.unknown", "closing.restart", …
};

struct HallOptions {
  size_t most_tables = 20'000;                         // that are open
  size_t most_tables_of_one = 20;                      // open ones that one person has made
  size_t most_lines_at_one = 64;                       // connections to one table
  int64_t idle_table = int64_t{24} * 3600 * 1000;      // a table that has not started, and at which nothing happens, is closed after so long
  int64_t idle_game = int64_t{30} * 24 * 3600 * 1000;  // and a game at which nothing happens
  int64_t unload = 60'000;                             // a table that is over is forgotten so long after the last one has left; the store has it
  int64_t retry = 1'000;                               // what the server itself wants is tried again so long after the store has failed
  int64_t bot_pause = 600;                             // people can follow bots that do not act sooner than this
  int64_t lobby_age = 1'000;                           // so old a list of tables may be
  size_t most_in_lobby = 100;
  size_t most_waiting = 64;  // commands at one table, while another is being stored
  size_t longest_message = 8192;
  Rate commands{50, 2.5};  // of one person
  Rate says{5, 15};
  int most_refused = 100;  // in a row because there were too many; then the line is closed
};

class Hall {
 public:
  // `now` is the time of service; `random` gives so many random bytes.
  struct Hooks {
    std::function<int64_t()> now;
    std::function<std::string(size_t)> random;
    std::function<void(std::string_view level, std::string_view event, Json fields)> log;  // nothing secret, nothing hidden
  };
  Hall(Store& store, BotPool& bots, HallOptions options, Hooks hooks);
  ~Hall();

  // Rebuilds every open table. What cannot be rebuilt is put aside and named.
  struct Rebuilt {
    size_t tables = 0;
    std::vector<std::pair<std::string, Error>> put_aside;
  };
  Expected<Rebuilt> Rebuild();

  using Opened = std::function<void(Expected<std::string> id)>;
  void Open(const Person& person, const TableOptions& options, Opened opened);

  // Somebody looks at a table; the last number that they have seen is 0 if none. What they missed, or everything, follows on the line. Any other
  // line of theirs to that table is closed.
  using LineId = uint64_t;
  LineId Enter(const std::string& table, const Person& person, int64_t seen, std::shared_ptr<Line> line, uint64_t session = 0);
  void Receive(LineId line, std::string_view text);
  void Leave(LineId line);
  // Nothing is heard any more of a session of the person that has ended, or of any.
  void Dismiss(const std::string& person, std::optional<uint64_t> session = {});

  int64_t Now() const;  // the time of service
  Json Lobby() const;   // listed tables at which somebody sits, those that wait first, the newest first
  void TablesOf(const std::string& person, std::function<void(Expected<Json>)> answer);
  void Summary(const std::string& table, std::function<void(Expected<Json>)> answer);
  // Of a game that is over, with everything that verifies its deal.
  void RecordOf(const std::string& table, std::function<void(Expected<std::string>)> answer);

  // What a person saw of a game when so many actions had been done.
  void PastOf(const std::string& table, const Person& person, size_t actions, std::function<void(Expected<std::string>)> answer);

  void Mute(const std::string& person, bool on);  // nobody hears that person at any table
  std::optional<Error> Close(const std::string& table, const std::string& why);

  // Does what time asks for; to be called at least every second, and ten times a second where bots play with people.
  void Tick();
  // Nothing new is taken on, and everybody is told to come back. `done` when all that was taken on is stored.
  void Stop(std::function<void()> done);

  struct Figures {
    size_t tables, running, lines;
    uint64_t stored, refused, stale, failed;  // commands
    int64_t oldest_wait;                      // milliseconds that the oldest append has been waiting
  };
  Figures figures() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
