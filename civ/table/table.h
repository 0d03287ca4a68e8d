// One live game as the fold of its event log: who sits where, what may be done now, and what
// follows. No sockets, no database, no clock of its own.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "civ/diplomacy/pacts.h"
#include "civ/notation/record.h"
#include "civ/table/command.h"
#include "civ/table/deal.h"
#include "civ/table/event.h"
#include "civ/view/view.h"

namespace civ {

enum class Status : uint8_t {
  Waiting,  // for people
  Dealing,  // for the seats' random numbers
  Running,
  Over,
  Closed,  // without a winner
};
std::string_view NameOf(Status status);

constexpr unsigned Bit(Seat seat) { return 1u << seat; }  // of a seat in a set of them
constexpr int64_t Milliseconds(int seconds) { return int64_t{1000} * seconds; }

class Table;

// What a command comes to: the events to be stored, and the table after each of them.
struct Change {
  std::vector<Event> events;
  std::vector<Table> tables;
};

// What some commands need, made by the caller because a table has no randomness of its own.
struct Given {
  std::string secret = {};   // for command::Start: the server's secret of the deal
  std::string rematch = {};  // for command::Rematch: the id of the new table
};

// The time that one seat has left, in milliseconds.
struct SeatClock {
  int64_t free = 0;  // first, so that nobody pays for being told what was before
  int64_t turn = 0;  // then, of this turn's own time
  int64_t bank = 0;  // after that

  int64_t Left() const { return free + turn + bank; }
};

// A question to everybody who plays.
struct Question {
  Seat seat;                   // who asks
  std::optional<int> back_to;  // how many actions to keep; nothing: to be let in again
  int64_t number;              // of the event that asked: its name
  unsigned yes = 0;            // the seats that have agreed
};

class Table {
 public:
  // Milliseconds that the deal waits for the seats' random numbers.
  static constexpr int64_t kContributionWait = 5'000;
  // Milliseconds that are free at the beginning of each decision.
  static constexpr int64_t kFree = 1'000;
  static constexpr int64_t kMostEvents = 20'000;
  static constexpr size_t kChatKept = 20;  // messages of players, and as many of spectators
  static constexpr size_t kNotesKept = 20;

  // Replays a log, and checks everything in it. The error says what is wrong with which event.
  static Expected<Table> FromLog(std::span<const Event> log);

  // A new table. The first chair is its maker's unless chairs are given.
  static Expected<Change> Open(TableOptions options, const Person& by, std::vector<Chair> chairs,
                               int64_t now);

  // What the person's command does.
  Expected<Change> Do(const Person& who, const Command& command, int64_t now,
                      const Given& given = {}) const;

  // What a bot has decided for its seat, having seen the table when its last event was number
  // `builds`. What it wanted to say before is left out if it cannot be said any more.
  Expected<Change> BotActs(Seat seat, int64_t builds, Action action, int64_t now,
                           const std::optional<Talk>& say = {}) const;

  // What time and absence bring about at this moment; nothing most of the time. Absences: since
  // when nobody is there, for each seat; nothing where somebody is.
  using Absences = std::array<std::optional<int64_t>, kMaxSeats>;
  std::optional<Change> Due(int64_t now, const Absences& absent_since) const;
  // The moment at which Due should be asked next; nothing if only a command can change something.
  std::optional<int64_t> NextDue(const Absences& absent_since) const;

  // Somebody who has a chair is called otherwise from now on.
  Expected<Change> Renames(const Person& person, int64_t now) const;

  // The server closes the table; `why` is a key of text/.
  Expected<Change> CloseBy(std::string why, int64_t now) const;

  // Applies one event more. The error says what is wrong with it; then nothing has changed.
  std::optional<Error> Apply(const Event& event);

  int64_t number() const { return number_; }  // of the last event, from 1
  int64_t now() const { return now_; }        // when that was
  // When something last happened to the game or the chairs; talk does not count.
  int64_t changed_at() const { return changed_at_; }
  Status status() const { return status_; }
  bool Ended() const { return status_ == Status::Over || status_ == Status::Closed; }
  const TableOptions& options() const { return options_; }
  const std::vector<Chair>& chairs() const { return chairs_; }
  Seat seats() const { return static_cast<Seat>(chairs_.size()); }
  // How the person of that seat has left.
  std::optional<Left> LeftBy(Seat seat) const { return left_[seat]; }
  // The seat of somebody who is in the game; kSpectator for everybody else.
  Seat SeatOf(std::string_view person) const;
  bool IsHost(std::string_view person) const { return Host() == person; }
  const std::string& Host() const;
  // Whether that person has a chair, and another name there.
  bool KnowsByOtherName(const Person& person) const;
  // Whether that person may look at it.
  bool MayWatch(std::string_view person) const;
  // Who has muted whom in a log of an earlier version; by now that is beside the log (asides.h).
  const std::vector<std::pair<std::string, std::string>>& mutes() const { return mutes_; }

  // The seats that have to decide now: bit s stands for seat s.
  unsigned Deciding() const;
  // Those that the game waits for: they have to decide, or their numbers for the deal are missing.
  unsigned Awaited() const;
  // Those who decide and whom a bot plays.
  struct BotTurn {
    Seat seat;
    const std::string& bot;
  };
  std::vector<BotTurn> BotTurns() const;

  // While there is a game. In the draft everybody chooses at once, and each sees themselves as the
  // one who chooses.
  bool HasGame() const { return game_.has_value(); }
  const Game& game() const { return *game_; }
  View ViewFor(Seat viewer) const;
  const std::vector<Action>& actions() const { return actions_; }
  // What was said about pacts, and what has come of it.
  const std::vector<Said>& said() const { return said_; }
  const Diplomacy& pacts() const { return pacts_; }
  // Whether there can be pacts at all, or signals.
  bool HasTalk() const { return options_.pacts && options_.config.players > 2; }
  // Why the seat cannot say that now, if these are the threats that it may warn of.
  std::optional<Error> WhyNotSay(Seat seat, const Talk& talk, const Threats& threats) const;
  Threats ThreatsNow() const { return game_ ? ThreatsSeen(ViewFor(kSpectator)) : Threats{}; }
  // Number of the event that bots have to know, because it changed the game or made a pact: what
  // builds on an earlier one is stale.
  int64_t bots_number() const { return std::max(stale_before_, agreed_); }
  // How many of the actions cannot be taken back, because something was seen by them.
  int barrier() const { return barrier_; }
  const std::array<std::optional<Kind>, kMaxSeats>& picks() const { return picks_; }
  int DraftRound() const;  // from 1; 0 outside the draft
  std::vector<State> States() const;

  const std::optional<Question>& question() const { return question_; }
  const std::array<SeatClock, kMaxSeats>& clocks() const { return clocks_; }
  bool ClockRuns(Seat seat) const;
  const std::string& hash() const { return hash_; }
  const std::string& secret() const { return secret_; }  // not to be told before the end
  const Randoms& randoms() const { return randoms_; }
  const std::string& rematch() const { return rematch_; }
  const std::string& close_reason() const { return close_reason_; }
  Json Result() const;  // as a record has it; null while there is none

  struct ChatMessage {
    int64_t number;  // of its event
    event::Say said;
  };
  const std::vector<ChatMessage>& chat() const { return chat_; }

  // What happened beside the rules, after so many of the actions that there are now.
  struct Note {
    int at;
    Seat seat;
    std::string_view what;    // "leave", "return" or "back"
    std::optional<Left> why;  // of a leave
  };
  const std::vector<Note>& notes() const { return notes_; }  // the last ones

  // The game so far; its deck is in it, so it is for nobody's eyes before the end.
  Record ToRecord() const;

 private:
  friend struct EventCheck;
  friend struct EventEffect;
  friend class ChangeBuilder;

  bool In(Seat seat) const { return chairs_[seat].person && !left_[seat]; }  // a person plays there
  unsigned PersonsIn() const;
  void Charge(int64_t at);
  void GrantTime(unsigned deciding_before, int turn_before, Seat turn_of_before);
  int TurnNumber() const;
  void Play(Action action);
  void CloseDraftRound();
  void ReplayGame(size_t actions);  // its first actions

  int64_t number_ = 0, now_ = 0;
  int64_t changed_at_ = 0;
  int64_t waits_since_ = 0;   // when the game last changed, or the start
  int64_t stale_before_ = 0;  // commands that build on an event before this number are stale
  int64_t agreed_ = 0;        // number of the event that made the last pact
  TableOptions options_;
  std::string maker_;
  std::vector<Chair> chairs_;
  std::array<std::optional<Left>, kMaxSeats> left_;
  Status status_ = Status::Waiting;
  std::string secret_, hash_;
  Randoms randoms_;
  std::vector<Kind> deck_;
  std::optional<Game> game_;
  std::vector<Action> actions_;
  std::vector<Said> said_;
  Diplomacy pacts_;
  int barrier_ = 0;
  std::array<std::optional<Kind>, kMaxSeats> picks_;
  std::optional<Question> question_;
  std::array<SeatClock, kMaxSeats> clocks_;
  int clock_rules_ = 0;                         // as in event::Create
  std::array<int, kMaxSeats> granted_turns_{};  // in which a seat last got a turn's time
  unsigned forfeit_ = 0;                        // its winners: bit s stands for seat s
  std::vector<ChatMessage> chat_;
  std::vector<Note> notes_;
  std::vector<std::pair<std::string, std::string>> mutes_;
  std::string rematch_, close_reason_;
};

}  // namespace civ
