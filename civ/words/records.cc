#include "civ/words/records.h"

namespace civ {

std::vector<std::string> NamesIn(const Record& record, const Words& words) {
  std::vector<std::string> names;
  for (Seat seat = 0; seat < record.config.players; ++seat) {
    const std::string name = PlainText(record.NameOf(seat));
    const std::string letter(1, static_cast<char>('A' + seat));
    names.push_back(name.empty() ? words("play.player", {{"letter", letter}}) : name);
  }
  return names;
}

std::string DescribeWrong(const std::string& text, const RecordError& wrong, const Words& words) {
  std::string why = words.Describe(wrong.error);
  if (wrong.action == RecordError::kHeader) return why;
  if (wrong.at_end) return words("record.wrong-end", {{"why", why}});
  const int number = wrong.action + 1;
  if (wrong.table.step == Step::Over)
    return words("record.wrong-after", {{"number", number}, {"why", why}});
  Record begun;  // as far as it is needed for the names of its seats
  begun.config = wrong.table.config;
  begun.names = ParseJson(text)->value("names", Json());
  const std::string name = NamesIn(begun, words)[wrong.table.seat];
  return words("record.wrong-action",
               {{"number", number}, {"turn", wrong.table.turn}, {"name", name}, {"why", why}});
}

}  // namespace civ
