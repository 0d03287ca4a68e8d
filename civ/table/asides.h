// What happens beside the log of a table: whom somebody does not want to hear, and what spectators
// say. It is kept with the live table, and goes with it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "civ/table/table.h"

namespace civ {

class Asides {
 public:
  Asides() = default;
  explicit Asides(const Table& table);  // with the mutes that earlier versions have logged

  // Whether a command leaves no event.
  static bool Takes(const Table& table, const Person& who, const CommandBody& command);

  // Nothing, or why not.
  std::optional<Error> Mute(const Table& table, const Person& by, const command::Mute& mute);
  bool HasMuted(std::string_view person, std::string_view whom) const;
  std::vector<std::string> MutedBy(std::string_view person) const;
  std::vector<event::Mute> mutes() const;  // all that there are

  struct Line {
    double place;  // between the numbers of the events around it
    event::Say said;
  };
  const Line& Say(const Table& table, const Person& who, const command::Say& say, int64_t now);
  bool Hear(const Line& line);  // said by another process; false: it was heard already
  const std::deque<Line>& lines() const { return lines_; }  // the last ones, by their places

 private:
  void Keep(Line line);

  struct Deaf {
    std::string by, whom;  // ids of persons
    bool plays;            // who does not want to hear has a seat
  };

  std::vector<Deaf> mutes_;  // the oldest first
  std::deque<Line> lines_;
};

}  // namespace civ
