// Looking at a game: what a seat sees at some moment of a record, what it means, and what has
// happened (docs/guide.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "civ/diplomacy/pacts.h"
#include "civ/guide/guide.h"
#include "civ/guide/story.h"
#include "civ/notation/record.h"

namespace civ {

struct Look {
  std::vector<Told> story;
  View view;
  bool open;  // every card may be seen
  Guide guide;
  // The number of actions that taking back leaves; nothing where nothing can be taken back.
  std::optional<size_t> back;
  size_t actions;  // in the whole record
  // What was said so far, where there is a list of it.
  std::optional<Diplomacy> pacts;
};

// After the first `at` actions, with the story of those from number `from` on.
Look LookAt(const Record& record, size_t at, size_t from, const Listener& to);

// What the deciding seat would see after some actions of its own. Nothing if one of them reveals
// something; that is not to be guessed. The view must be one that ViewFromJson lets pass.
struct Preview {
  std::optional<View> view;
};
// The actions are also taken into the pacts, if there are any.
Expected<Preview> LookAhead(const View& view, const std::vector<std::string>& actions,
                            Diplomacy* pacts = nullptr);
// The actions over which a request asks to look ahead.
std::vector<std::string> ThenIn(Reader& request);

// Answers, as JSON, requests to look at a record or ahead from a view, or to deal a new game. It
// remembers the last record, and a request may name only what is new since then, so that a long
// game costs no more for each action than a short one. All else depends on the request alone.
class Looker {
 public:
  std::string Answer(std::string_view text);
  int64_t applied() const { return reader_.applied(); }  // actions played for all answers

 private:
  std::string AnswerRecord(Reader& request);
  std::optional<Message> Read(Reader& request);

  RecordReader reader_;
  bool has_record_ = false;  // the last one that was named was right
};

// One such answer.
std::string AnswerLook(std::string_view text);

}  // namespace civ
