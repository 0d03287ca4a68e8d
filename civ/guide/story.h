// What happens in a game, told in messages: the one place where actions become sentences.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "civ/guide/message.h"
#include "civ/view/view.h"

namespace civ {

// For whom something is told.
struct Listener {
  Seat seat = kSpectator;
  bool you = false;   // is spoken to: "you play" instead of "Ada plays"
  bool open = false;  // sees every card

  bool Sees(Seat of) const { return open || seat == of; }
  bool Is(Seat of) const { return you && seat == of; }
};

// The round of the turn under way; 0 during the draft.
int RoundOf(const Public& table);

// "Turn 7, round 3: Ada"; the draft has no turns.
Message Heading(const Public& table, const Listener& to);

// A course of a game: actions, and the states before, between and after them.
struct Course {
  std::span<const State> states;
  std::span<const Action> actions;
};

// How many actions from number `i` on are told as one: an action, or all cards that an effect
// discards, picks or gives back.
size_t TogetherFrom(const Course& course, size_t i);
// Whether the next action would be told together with the one before it.
bool GoesOn(const State& state);

// What the actions from `begin` to `end`, which are told as one, did. Cards that the listener may
// not see are told by their backs.
Messages Tell(const Course& course, size_t begin, size_t end, const Listener& to);

// What some actions did, which are told as one.
struct Told {
  size_t begin, end;  // the first of these actions, and the one after the last
  Seat seat;          // who did it
  int turn;
  std::string_view effect;         // that was used or is under way; empty where there is none
  std::optional<Message> heading;  // of the turn, where it is told of first
  Messages lines;
};

// What the actions from number `from` on did; the course begins with the game. `shown_turn` is the
// turn whose heading has been told already: if nothing is said, that of the action before.
std::vector<Told> TellCourse(const Course& course, size_t from, const Listener& to,
                             std::optional<int> shown_turn = std::nullopt);

}  // namespace civ
