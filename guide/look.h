// Looking at a game: what a seat sees at some moment of a record, what it means, and what has happened (docs/guide.md).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "guide/guide.h"
#include "guide/story.h"
#include "notation/record.h"

namespace civ {

// What some actions did, which are told as one.
struct Told {
  size_t begin, end;  // the first of these actions, and the one after the last
  Seat seat;          // who did it
  int turn;
  std::string_view effect;  // that was used or is under way; empty where there is none
  Messages lines;
};

struct Headline {
  size_t begin;
  int turn;
  Seat seat;
  Message heading;
};

// What happened, in groups of actions that are told as one.
struct Chronicle {
  std::vector<Headline> headings;  // where turns begin, within the story
  std::vector<Told> story;
};

// Of the actions from number `from` on. The course begins with the game.
Chronicle TellCourse(const Course& course, size_t from, const Listener& to);

struct Look : Chronicle {
  View view;
  bool open;  // every card may be seen
  Guide guide;
  std::optional<size_t> back;  // the number of actions that taking back leaves; nothing where nothing can be taken back
  size_t actions;              // in the whole record
};

// After the first `at` actions, with the story of those from number `from` on.
Look LookAt(const Record& record, size_t at, size_t from, const Listener& to);

// What the deciding seat would see after some actions of its own. Nothing if one of them reveals something; that is not to be guessed.
// The view must be one that ViewFromJson lets pass.
struct Preview {
  std::optional<View> view;
};
Expected<Preview> LookAhead(const View& view, const std::vector<std::string>& actions);

// The answer, as JSON, to a request to look at a record or ahead from a view, or to deal a new game.
std::string AnswerLook(std::string_view text);

}  // namespace civ
