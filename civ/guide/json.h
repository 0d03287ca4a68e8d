// Messages, guides and looks as JSON, in the form that docs/guide.md has.
#pragma once

#include <string>
#include <string_view>

#include "civ/guide/look.h"

namespace civ {

// JSON being written. What is put into it must be put in order; commas come by themselves.
class JsonText {
 public:
  const std::string& text() const { return text_; }

  JsonText& Key(std::string_view key);
  JsonText& Open(char bracket);
  JsonText& Close(char bracket);
  JsonText& Raw(std::string_view json);
  JsonText& Number(int64_t number);
  JsonText& Name(std::string_view name);  // one of our own, in which nothing has to be escaped
  JsonText& Text(const std::string& text);

 private:
  void Comma();

  std::string text_;
};

std::string Dump(const Json& json);

void Put(JsonText& to, const Message& message);
void PutAll(JsonText& to, const Messages& messages);
void PutSeat(JsonText& to, Seat seat);  // null for none
void PutActions(JsonText& to, const std::vector<Action>& actions);
void Put(JsonText& to, const Guide& guide, const Config& config);
// "headings" and "story", into an object that is open.
void PutStory(JsonText& to, const std::vector<Told>& story);
void Put(JsonText& to, const Look& look);
// The answer to what cannot be answered.
std::string Refusal(const Message& error);

}  // namespace civ
