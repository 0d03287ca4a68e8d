// The commands that a client sends to its table (docs/api.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "civ/table/event.h"

namespace civ {

namespace command {

struct Sit {
  Seat seat;
};
struct Stand {};
struct SeatBot {  // by the host only
  Seat seat;
  std::string bot;
};
struct Unseat {  // by the host only
  Seat seat;
};
struct Start {};  // by the host only
struct Contribute {
  std::string random;
};
struct Act {
  int64_t builds;  // the number of the last event that the sender has seen
  std::vector<Action> actions;
};
struct Pick {
  int round;
  Kind card;
};
struct TakeBack {
  int64_t builds;  // as in Act
  int to;          // how many actions to keep
};
struct Answer {
  int64_t question;  // the number of the event that asked
  bool yes;
};
struct Resign {};
struct Abandon {};  // leave the table for good
struct Return {};
struct Say {
  std::string text, phrase;  // one of them
};
struct Mute {
  std::string whom;
  bool on;
};
struct Rematch {};
struct Talk {
  civ::Talk talk;
};

}  // namespace command

using CommandBody =
    std::variant<command::Sit, command::Stand, command::SeatBot, command::Unseat, command::Start,
                 command::Contribute, command::Act, command::Pick, command::TakeBack,
                 command::Answer, command::Resign, command::Abandon, command::Return, command::Say,
                 command::Mute, command::Rematch, command::Talk>;

struct Command {
  std::string id;  // the sender's own, for the answer; at most kLongestId characters
  CommandBody body;
};

inline constexpr size_t kLongestId = 40;
inline constexpr size_t kLongestSay = 300;  // code points
inline constexpr size_t kMostActionsAtOnce = 64;

// The quick phrases that there are, as keys.
std::span<const std::string_view> QuickPhrases();

std::string_view NameOf(const CommandBody& body);  // "act"

// A wrong command is an error that names what is wrong. `id` is set as far as it could be read, for
// the answer.
Expected<Command> CommandFromText(std::string_view text, std::string& id);

}  // namespace civ
