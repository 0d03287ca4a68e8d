// The messages to clients of a table (docs/api.md), each built for one viewer from what that viewer
// may see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "civ/table/asides.h"
#include "civ/table/table.h"

namespace civ {

// The whole table as it is now, with what happened in the last two turns: {"type":"hello","n":…}.
// It does not grow with the game.
std::string TellAll(const Table& table, const Person& viewer, const Asides& asides = {});

// What the viewer saw after the first `actions` actions: {"view":…}. There must have been as many.
std::string TellPast(const Table& table, size_t actions, const Person& viewer);

// What happened in the first `actions` actions, as the viewer is told it:
// {"log":…,"headings":…,"story":…}. There must have been as many.
std::string TellStory(const Table& table, size_t actions, const Person& viewer);

// Whether the viewer is told of the event at all. What somebody said is not for everybody, who has
// muted whom is nobody else's business, and of a pick others know only that there is one: not that
// it was replaced.
bool MayHear(const Table& before, const Event& event, const Table& after, const Person& viewer,
             const Asides& asides = {});
bool MayHear(const Table& table, const event::Say& said, const Person& viewer,
             const Asides& asides);

// Tells one event, between the table before it and after it, as seats and spectators see it:
// {"type":"sit","n":…}. What is the same for all is put together once.
class EventTeller {
 public:
  EventTeller(const Table& before, const Event& event, const Table& after)
      : before_(before), event_(event), after_(after) {}

  std::string For(Seat viewer);

 private:
  void Prepare();

  const Table& before_;
  const Event& event_;
  const Table& after_;
  bool prepared_ = false, played_ = false;
  std::string table_, clock_, pacts_;  // as JSON; empty where they are not told
  std::vector<State> states_;          // of the game, if that is told
};
std::string TellEvent(const Table& before, const Event& event, const Table& after, Seat viewer);

// What has no number: a line of a spectator, {"type":"say","line":…}, where `place` is that of the
// line, and {"type":"mute",…}.
std::string TellLine(double place, const event::Say& said);
std::string TellMute(const command::Mute& mute);

// {"type":"ack","id":…,"n":…} and {"type":"refused","id":…,"n":…,"error":{"key":…,"args":{…}}}.
std::string TellStored(const std::string& id, int64_t number);
std::string TellRefused(const std::string& id, int64_t number, const Error& error);

// {"key":…,"args":{…}}, as in every answer that is an error.
Json ToJson(const Error& error);

// A line of the lobby: what anybody may know of a table.
Json TellSummary(const std::string& id, const Table& table);

}  // namespace civ
