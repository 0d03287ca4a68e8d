// One live game: who sits where, what may be done now, and what follows. No sockets, no database, no clock of its own.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "notation/record.h"
#include "table/command.h"
#include "table/event.h"
#include "view/view.h"

namespace civ {

enum class Status : uint8_t { Waiting, Dealing, Running, Over, Closed };

// One who looks at a table.
struct Viewer {
  Person person;
  Seat seat = kSpectator;  // of a person who has left it is a spectator's
};

class Table;

// What a command comes to: what is to be stored, and the table once it is.
struct Change {
  std::vector<Event> events;
  std::vector<Table> tables;  // after each of them
};

// What a command may need and a table does not have.
struct Given {
  std::string secret = {};   // for the deal, if it starts the game: 64 hexadecimal digits
  std::string rematch = {};  // the id of the table at which a rematch goes on
};

class Table {
 public:
  // Everything in a log is checked. The first event must be Create, and no other may be.
  static Expected<Table> FromLog(std::span<const Event> log);

  // A new table.
  static Expected<Change> Open(TableOptions options, const Person& by, std::vector<Chair> chairs, int64_t now);

  // What the person's command does.
  Expected<Change> Do(const Person& who, const Command& command, int64_t now, const Given& given = {}) const;

  // What a bot has decided for its seat. Refused if the table has gone on since number `builds`.
  Expected<Change> BotActs(Seat seat, int64_t builds, Action action, int64_t now) const;

  // What time and absence bring about at this moment; nothing most of the time. `absent_since`: for each seat, the time since when nobody is there;
  // nothing where somebody is.
  using Absences = std::array<std::optional<int64_t>, kMaxSeats>;
  std::optional<Change> Due(int64_t now, const Absences& absent_since) const;
  // The moment at which Due should be asked next; nothing if only a command can change something.
  std::optional<int64_t> NextDue(const Absences& absent_since) const;

  // The host of the server ends it.
  Change CloseBy(std::string why, int64_t now) const;

  // One event more. The error says what is wrong with it; then nothing has changed.
  std::optional<Error> Apply(const Event& event);

  int64_t number() const;  // of the last event, from 1
  Status status() const;
  bool Ended() const;  // over or closed
  const TableOptions& options() const;
  const std::vector<Chair>& chairs() const;
  Seat SeatOf(const std::string& person) const;  // of those who are in the game; kSpectator for everybody else
  bool IsHost(const std::string& person) const;

  // The seats that have to decide now and are played by a bot, with its name.
  struct BotTurn {
    Seat seat;
    std::string bot;
  };
  std::vector<BotTurn> BotTurns() const;
  View ViewFor(Seat viewer) const;  // only while there is a game

  // The game so far; its deck is in it, so it is for nobody's eyes before the end.
  Record ToRecord() const;
};

}  // namespace civ
