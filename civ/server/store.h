// Where tables and sessions are kept. One small interface, so that another database can take the
// place of the embedded one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "civ/notation/error.h"

namespace civ {

enum class Stored : uint8_t {
  Stored,
  Stale,   // a table's log is not as long as expected
  Failed,  // the disk refuses; nothing has changed, and it may be tried again
};

// What is known of a table without reading its log.
struct Listing {
  std::string table;
  bool open = true;                  // not over and not closed: rebuilt when the server starts
  std::string summary;               // JSON for lists
  std::vector<std::string> persons;  // whose table it is: ids of those who sit or sat there
};

// Events to be put after the first `expected` ones of a table, and its new listing.
struct Addition {
  std::string table;
  int64_t expected;
  std::vector<std::string> events;
  Listing listing;
};

struct StoredSession {
  std::string hash;  // of the token, hexadecimal; the token itself is nowhere
  std::string person, name;
  bool bot = false;  // a program's token
  bool muted = false, banned = false;
  int64_t created = 0, seen = 0;  // seconds of the wall clock
};

// A log as it was loaded.
struct StoredLog {
  std::string table;
  std::vector<std::string> events;  // from number 1 on
};

// How storing has gone since the start.
struct StoreFigures {
  uint64_t commits = 0, failures = 0;  // groups that were stored, and that were not
  uint64_t events = 0;                 // stored
  double seconds = 0, last = 0;        // of commits, in all and of the last one
};

// All calls may come from any thread, and none but the synchronous reads waits for the disk.
class Store {
 public:
  virtual ~Store() = default;  // what was taken on is stored, and answered, before

  using Done = std::function<void(Stored)>;

  // Adds to the logs of different tables, all or none. `now` is the time of service. `done` is
  // called when it is safe on the disk, by the thread that the store was given for that. What is
  // added to one table is stored in the order of the calls.
  virtual void AppendAll(std::vector<Addition> additions, int64_t now, Done done) = 0;
  void Append(std::string table, int64_t expected, std::vector<std::string> events, Listing listing,
              int64_t now, Done done) {
    std::vector<Addition> one;
    one.push_back({std::move(table), expected, std::move(events), std::move(listing)});
    AppendAll(std::move(one), now, std::move(done));
  }

  // One log, with all that `done` has been told of; nothing if there is no such table, an error if
  // it cannot be read now.
  using Loaded = std::function<void(Expected<std::optional<StoredLog>>)>;
  virtual void Load(std::string table, Loaded loaded) = 0;

  // At the start, before anything is appended: every open table, in any order, from several threads
  // at once if it likes.
  virtual std::optional<Error> LoadOpen(const std::function<void(StoredLog)>& each) = 0;
  // A table that cannot be rebuilt is not opened again, and its log stays as it is.
  virtual void PutAside(const std::string& table, const std::string& why) = 0;

  // Listings of a person's tables, or of all if the person is empty; those made last come first.
  using Listed = std::function<void(Expected<std::vector<Listing>>)>;
  virtual void List(std::string person, bool open_only, int most, Listed listed) = 0;

  // Those of these persons who have a table.
  using Having = std::function<void(Expected<std::vector<std::string>>)>;
  virtual void WhoHasTables(std::vector<std::string> persons, Having having) = 0;

  // The sessions' hashes tell them apart: one that is put again is replaced. All or none are put.
  virtual Expected<std::vector<StoredSession>> LoadSessions() = 0;
  virtual void PutSessions(std::vector<StoredSession> sessions, Done done) = 0;
  virtual void DropSession(std::string hash, Done done) = 0;

  // The time of service that was last stored, in milliseconds: 0 for a new store. It goes on from
  // here, and never back.
  virtual Expected<int64_t> ServiceTime() = 0;
  virtual void PutServiceTime(int64_t now, Done done) = 0;

  // Whether the last thing given was stored. What is given next is tried afresh, so a heartbeat
  // finds out when the disk is well again.
  virtual bool healthy() const { return true; }
  virtual StoreFigures figures() const { return {}; }
};

}  // namespace civ
