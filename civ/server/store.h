// Where tables, people and work for bots are kept. One interface for the embedded database of one
// process and for databases that many processes share.
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
  Stale,    // a table's log is not as long as expected, or what is to be changed is not there
  Failed,   // the database refuses; nothing has changed, and it may be tried again
  Unknown,  // the answer was lost: it may be stored, now or in a moment, or not at all
};

// What is known of a table without reading its log.
struct Listing {
  std::string table;
  bool open = true;                  // not over and not closed: rebuilt when the server starts
  std::string summary;               // JSON for lists
  std::vector<std::string> persons;  // whose table it is: ids of those who sit or sat there
  // For stores that are shared: there, tables are listed and counted that nobody has in memory.
  std::string maker = {};  // id of a person
  enum class Lobby : uint8_t { No, Waits, Runs };
  Lobby lobby = Lobby::No;  // whether it is in the list of the lobby, and where
  int64_t changed = 0;      // when something last happened there, but for talk; in time of service
};

// A question to a bot, or another piece of work, for whoever has time. A bot's holds what one seat
// may see, and nothing else.
struct Job {
  std::string table;
  int seat = 0;
  int64_t builds = 0;     // number of the event that asks it: with table and seat the job's name
  std::string kind = {};  // "bot" or "analysis"
  int priority = 0;       // the lower ones are done first
  std::string person;     // for whom it is done; persons take turns
  std::string question;   // JSON
};
struct AnsweredJob {
  std::string table;
  int seat = 0;
  int64_t builds = 0;
  std::string answer;
};

// Events to be put after the first `expected` ones of a table, and what goes with them.
struct Addition {
  std::string table;
  int64_t expected;
  std::vector<std::string> events;
  Listing listing;
  // For stores that are shared.
  std::optional<int64_t> due = {};  // when time may bring something about, in time of service
  // All that bots are asked from now on. A job of that name that is there stays as it is, with its
  // claim and its answer; all others of the table's bots are dropped.
  std::vector<Job> jobs = {};
};

// A session with the person behind it. Name, mute and ban are the person's, so all sessions of one
// person have the same.
struct StoredSession {
  std::string hash;  // of the token, hexadecimal; the token itself is nowhere
  std::string person, name;
  bool bot = false;  // a program's token
  bool muted = false, banned = false;
  int64_t created = 0, seen = 0;  // seconds of the wall clock
};

// What is to be changed of a person; the rest stays as it is, whoever else changes it.
struct PersonChange {
  std::optional<std::string> name = {};
  std::optional<bool> muted = {}, banned = {};
};

// A log as it was loaded.
struct StoredLog {
  std::string table;
  std::vector<std::string> events;  // from number 1 on
};
// Its end.
struct StoredTail {
  int64_t length = 0;               // of the whole log
  std::vector<std::string> events;  // from the number that was asked for; none beyond the length
};

// How storing has gone since the start.
struct StoreFigures {
  uint64_t commits = 0, failures = 0;  // groups that were stored, and that were not
  uint64_t events = 0;                 // stored
  double seconds = 0, last = 0;        // of commits, in all and of the last one
};

// All calls may come from any thread, and none but the synchronous reads waits for the database.
// Answers are given by the thread that the store was given for that, each of them once, also when
// the database cannot be reached.
class Store {
 public:
  virtual ~Store() = default;  // what was taken on is stored, and answered, before

  using Done = std::function<void(Stored)>;
  template <class T>
  using Read = std::function<void(Expected<T>)>;

  // Whether other processes may write, too. Then time, bots and the lobby are the store's (see
  // below), and no process has to know all tables.
  virtual bool shared() const { return false; }

  // --- Logs

  // Adds to the logs of different tables, all or none. `now` is the time of service. `done` is
  // called when it is safe. What is added to one table is stored in the order of the calls. Calls
  // that wait may be stored together, but each is stored or stale by itself.
  virtual void AppendAll(std::vector<Addition> additions, int64_t now, Done done) = 0;
  void Append(std::string table, int64_t expected, std::vector<std::string> events, Listing listing,
              int64_t now, Done done) {
    std::vector<Addition> one;
    one.push_back({std::move(table), expected, std::move(events), std::move(listing)});
    AppendAll(std::move(one), now, std::move(done));
  }

  // One log, with all that `done` has been told of; nothing if there is no such table, an error if
  // it cannot be read now.
  using Loaded = Read<std::optional<StoredLog>>;
  virtual void Load(std::string table, Loaded loaded) = 0;
  // The events of a log from number `from` on; nothing if there is no such table. Of one moment,
  // and after everything that was stored before the call, by whatever process.
  using Tailed = Read<std::optional<StoredTail>>;
  virtual void Tail(std::string table, int64_t from, Tailed tailed) = 0;
  // How long the logs of these tables are, in their order; 0 for a table that there is not.
  virtual void Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) = 0;

  // At the start, before anything is appended: every open table, in any order, from several threads
  // at once if it likes.
  virtual std::optional<Error> LoadOpen(const std::function<void(StoredLog)>& each) = 0;
  // A table that cannot be rebuilt is not opened again, and its log stays as it is.
  virtual void PutAside(const std::string& table, const std::string& why) = 0;

  // The id under which a new table is to be stored, made of one that is free: it says in which
  // database the table is, that of `near` if one is named.
  virtual std::string Placed(std::string id, const std::string& near) const {
    (void)near;
    return id;
  }

  // --- Lists

  // Listings of a person's tables, or of all if the person is empty; those made last come first.
  using Listed = Read<std::vector<Listing>>;
  virtual void List(std::string person, bool open_only, int most, Listed listed) = 0;

  // Those of these persons who have a table.
  using Having = Read<std::vector<std::string>>;
  virtual void WhoHasTables(std::vector<std::string> persons, Having having) = 0;

  // --- People: every call changes what it names and nothing else.

  // A new session. Of a person who is there already, name, mute and ban stay as they are.
  virtual void AddSession(StoredSession session, Done done) = 0;
  // Stale: there is no such person.
  virtual void ChangePerson(std::string person, PersonChange change, Done done) = 0;
  virtual void SeeSession(std::string hash, int64_t seen, Done done) = 0;
  virtual void DropSession(std::string hash, Done done) = 0;
  virtual void BanAddress(std::string address, bool on, Done done) = 0;

  // All that there are, for a process that is the only one.
  virtual Expected<std::vector<StoredSession>> LoadSessions() = 0;
  virtual Expected<std::vector<std::string>> LoadBannedAddresses() = 0;

  // --- Time

  // The time of service that was last stored, in milliseconds: 0 for a new store. It goes on from
  // here, and never back. A shared store says what it is now.
  virtual Expected<int64_t> ServiceTime() = 0;
  virtual void PutServiceTime(int64_t now, Done done) = 0;

  // --- For stores that are shared; others answer with an error, or that it failed.
  // NOLINTBEGIN(performance-unnecessary-value-param): a store that is shared keeps what it is given

  // To be called every second by every process: so it is known that the database can be reached.
  // The time of service is the clock of the database less all that was lost; if nobody has called
  // for more than kLongestGap, that gap is lost, once. Besides it takes tables that are due: it is
  // this process that has to look at them, and unless it stores something there, or postpones them,
  // they are due again `hold` milliseconds later.
  static constexpr int64_t kLongestGap = 5'000;
  struct Beaten {
    int64_t now = 0;               // the time of service
    std::vector<std::string> due;  // tables, those due longest first
  };
  virtual void Beat(int most_due, int64_t hold, Read<Beaten> beaten) {
    (void)most_due, (void)hold;
    beaten(NotShared());
  }
  // Takes tables that are due, as Beat does, at a time of service that is another database's.
  virtual void TakeDue(int64_t now, int most, int64_t hold, Read<std::vector<std::string>> taken) {
    (void)now, (void)most, (void)hold;
    taken(NotShared());
  }
  // Puts off when a table is due, if its log still has that length; else it is stale.
  virtual void Postpone(std::string table, int64_t length, std::optional<int64_t> due, Done done) {
    (void)table, (void)length, (void)due;
    done(Stored::Failed);
  }

  // Asks for work that goes with no event, unless it is there already, or too much of its kind
  // waits: of all, or of that person. Only the last answers of a kind are kept.
  static constexpr int kMostAsked = 100, kMostAskedOfOne = 3, kMostKept = 1'000;
  struct AskedJob {
    bool asked = false;  // else too much waits
    std::optional<std::string> answer = {};
  };
  virtual void AskJob(Job job, Read<AskedJob> asked) {
    (void)job;
    asked(NotShared());
  }
  // Jobs that nobody has claimed, or whose claim has run out: they are this worker's for `hold`
  // milliseconds of the database's clock. Those with a lower priority number first, the oldest
  // first, but persons take turns.
  virtual void ClaimJobs(std::string kind, std::string worker, int most, int64_t hold,
                         Read<std::vector<Job>> claimed) {
    (void)kind, (void)worker, (void)most, (void)hold;
    claimed(NotShared());
  }
  // Stale: nobody asks that any more, or it has an answer.
  virtual void AnswerJob(std::string table, int seat, int64_t builds, std::string answer,
                         Done done) {
    (void)table, (void)seat, (void)builds, (void)answer;
    done(Stored::Failed);
  }
  // Bots' answers that nobody has taken, or whose taker has not stored what follows within `hold`:
  // of one table, or of all if it is empty.
  virtual void TakeAnswered(std::string table, int most, int64_t hold,
                            Read<std::vector<AnsweredJob>> taken) {
    (void)table, (void)most, (void)hold;
    taken(NotShared());
  }

  // The list of the lobby: those that wait for people first, then by when they were changed, the
  // newest first.
  virtual void Lobby(int most, Listed listed) {
    (void)most;
    listed(NotShared());
  }
  // How many tables are open, and how many of them that person has made.
  struct Count {
    int64_t all = 0, own = 0;
  };
  virtual void CountOpen(std::string person, Read<Count> counted) {
    (void)person;
    counted(NotShared());
  }

  // A session as it is now, if it is there, and whether the address is banned.
  struct Found {
    std::optional<StoredSession> session;
    bool address_banned = false;
  };
  virtual void FindSession(std::string hash, std::string address, Read<Found> found) {
    (void)hash, (void)address;
    found(NotShared());
  }
  // Of one person, or of all if the person is empty; those made last come first.
  virtual void ListSessions(std::string person, int most, Read<std::vector<StoredSession>> listed) {
    (void)person, (void)most;
    listed(NotShared());
  }
  virtual void ListBannedAddresses(Read<std::vector<std::string>> listed) { listed(NotShared()); }
  // Ends at most so many sessions of persons who are not banned: those not seen since `forgotten`,
  // and not since `unseated` of persons who have no table and never had one. Seconds of the wall
  // clock, and how many have ended.
  virtual void SweepSessions(int64_t forgotten, int64_t unseated, int most, Read<int64_t> swept) {
    (void)forgotten, (void)unseated, (void)most;
    swept(NotShared());
  }
  // A code (its hash) for another device of the person, until then: at most so many of one person,
  // one more ends the oldest.
  virtual void PutCode(std::string hash, std::string person, int64_t until, int most, Done done) {
    (void)hash, (void)person, (void)until, (void)most;
    done(Stored::Failed);
  }
  // Takes a code: whoever asks first has it. The person, if there is such a code at that moment.
  virtual void TakeCode(std::string hash, int64_t now, Read<std::optional<std::string>> taken) {
    (void)hash, (void)now;
    taken(NotShared());
  }
  // All codes of a person are worth nothing from now on.
  virtual void DropCodes(std::string person, Done done) {
    (void)person;
    done(Stored::Failed);
  }

  // NOLINTEND(performance-unnecessary-value-param)

  // --- How it is

  // Whether the last thing given was stored. What is given next is tried afresh, so a heartbeat
  // finds out when the database is well again.
  virtual bool healthy() const { return true; }
  virtual StoreFigures figures() const { return {}; }

 protected:
  static Error NotShared() { return {"data.not-shared", {}}; }
};

}  // namespace civ
