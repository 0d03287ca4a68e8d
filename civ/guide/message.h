// What is said to a player, before it is words: a key of text/ and its arguments, which whoever
// shows it puts into a language.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "civ/notation/error.h"
#include "civ/rules/cards.h"

namespace civ {

struct Message;
using Messages = std::vector<Message>;

// Players by name.
struct Who {
  Seat seat;
  bool operator==(const Who&) const = default;
};
struct Group {
  unsigned seats;  // bit s stands for seat s
  bool operator==(const Group&) const = default;
};
struct DomainList {
  Domains domains;
  bool operator==(const DomainList&) const = default;
};
// What an effect does, in a few words.
struct Does {
  Effect effect;
  bool operator==(const Does&) const = default;
};
// Hidden cards: how many of each Age.
struct Backs {
  std::array<uint8_t, kAges> count{};
  bool operator==(const Backs&) const = default;
};

// A text is one that a message selects by ("yes"), or one from outside. Messages in a message stand
// side by side, with commas.
using Value = std::variant<int64_t, std::string, Who, Group, Domain, DomainList, Effect, Does, Kind,
                           Cards, Backs, Age, Messages>;

struct Message {
  using Arguments = std::initializer_list<std::pair<const char*, Value>>;

  // Out of line, so that the many places that make messages stay small.
  Message(std::string_view key, Arguments args);
  ~Message();
  Message(const Message&);
  Message(Message&&) noexcept;
  Message& operator=(const Message&);
  Message& operator=(Message&&) noexcept;
  Message& Add(std::string_view name, Value value);

  std::string key;
  std::vector<std::pair<std::string, Value>> args;

  bool operator==(const Message&) const = default;
};

// What a message selects by.
inline const char* YesNo(bool yes) { return yes ? "yes" : "no"; }

// An error with its arguments as what they are: numbers, Domains, and the names of what was wanted.
Message MessageOf(const Error& error);

}  // namespace civ
