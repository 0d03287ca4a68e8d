// The events of a table's log (docs/table-log.md). A table is the fold of its log: it is rebuilt by
// applying them in order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "civ/diplomacy/talk.h"
#include "civ/notation/json.h"
#include "civ/rules/rules.h"

namespace civ {

// Time to decide, in seconds: for each turn, then from a bank to which every finished turn adds.
struct TimeControl {
  int turn = 0;
  int bank = 0;
  int increment = 0;

  bool operator==(const TimeControl&) const = default;
};

enum class Takebacks : uint8_t {
  Never,
  Turn,  // within one's own turn
  Ask,   // also further back, if everybody agrees
};

struct TableOptions {
  Config config;  // the deal decides who is first
  std::optional<TimeControl> clock;
  std::string takeover = "level4";  // the bot that plays on for those who leave
  // Seconds after which somebody who has to decide and is not there has left; 0: never.
  int absence = 600;
  bool listed = true;  // in the lobby; else only those with the link find it
  bool spectators = true;
  Takebacks takebacks = Takebacks::Ask;
  bool pacts = true;  // players may make some, and bots do

  bool operator==(const TableOptions&) const = default;
};

// Who is behind a session: a guest, or a program that plays with a token.
struct Person {
  std::string id;  // known to everybody, and no secret
  std::string name;

  bool operator==(const Person&) const = default;
};

// A chair. Before the game it may be empty.
struct Chair {
  std::optional<Person> person;
  std::string bot;  // that plays here; empty where a person does

  bool operator==(const Chair&) const = default;
};

enum class Left : uint8_t { Resigned, Abandoned, Absent, OutOfTime };

namespace event {

struct Create {
  TableOptions options;
  Person by;
  std::vector<Chair> chairs;  // one for each seat; those of a rematch are taken
  // 1: a decision that comes back within a turn has the turn's time again; 2: it has not.
  int clock_rules = 2;
};
struct Sit {
  Seat seat;
  Person person;
};
struct Stand {  // also of a bot that is sent away
  Seat seat;
};
struct SeatBot {
  Seat seat;
  std::string bot;
};
struct Commit {        // the start: nobody can change chairs any more
  std::string secret;  // hexadecimal, as are the next two; published when the game is over
  std::string hash;    // of it; told at once
};
struct Contribute {
  Seat seat;
  std::string random;
};
struct Deal {
  Seat first;
  std::vector<Kind> deck;
};
struct Act {
  Seat seat;
  std::vector<Action> actions;
};
struct Pick {  // in the draft; may be replaced until everybody has picked
  Seat seat;
  int round;
  Kind card;
};
struct Ask {  // for everybody's consent: to take back actions, or to be let in again
  Seat seat;
  std::optional<int> back_to;  // how many actions to keep; nothing: to be let in again
};
struct Answer {
  Seat seat;
  bool yes;
};
struct Back {
  Seat seat;
  int to;  // how many actions are left
};
struct Leave {
  Seat seat;
  Left why;
};
struct Return {
  Seat seat;
};
struct Forfeit {
  unsigned winners;  // bit s stands for seat s
};
struct Say {
  Person person;
  std::optional<Seat> seat;  // nothing for a spectator
  std::string text;          // or
  std::string phrase;        // the key of a quick phrase
};
struct Mute {
  std::string by, whom;  // ids of persons
  bool on;
};
struct Rematch {
  std::string table;  // where it goes on
};
struct Rename {  // of somebody who has a chair
  Person person;
};
struct Talk {  // about pacts; everybody hears it
  Seat seat;
  civ::Talk talk;
};
struct Close {  // nobody plays here any more, and nobody has won
  std::string why;
};

}  // namespace event

using EventBody =
    std::variant<event::Create, event::Sit, event::Stand, event::SeatBot, event::Commit,
                 event::Contribute, event::Deal, event::Act, event::Pick, event::Ask, event::Answer,
                 event::Back, event::Leave, event::Return, event::Forfeit, event::Say, event::Mute,
                 event::Rematch, event::Rename, event::Close, event::Talk>;

// The command that has made an event; nothing for what bots and time do, and for what follows on
// another event of the same command.
struct Cause {
  std::string person;   // whose command it was: the id
  std::string command;  // its name
  std::string id;       // its sender's own
};

struct Event {
  int64_t at;  // milliseconds of service: this time stands still while the server does
  EventBody body;
  Cause cause = {};
};

// One line of the log. What ToText has written, EventFromText reads; anything else is an error.
// That of an event whose kind is not known says that a newer version of the program has written it.
inline constexpr std::string_view kNewerLog = "error.table.newer";
std::string ToText(const Event& event);
Expected<Event> EventFromText(std::string_view text);

Json ToJson(const Person& person);
Json ToJson(const TableOptions& options);
// What is left out has its default.
Expected<TableOptions> OptionsFromJson(const Json& json);

std::string_view NameOf(const EventBody& body);  // "act"
std::string_view NameOf(Left why);               // "resigned"

}  // namespace civ
