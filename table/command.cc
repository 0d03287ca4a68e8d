#include "table/command.h"

#include <array>

namespace civ {

std::span<const std::string_view> Phrases() {
  static constexpr std::array<std::string_view, 12> kPhrases = {"hello", "good-luck", "your-turn", "thinking", "well-played", "thanks",
                                                                "sorry", "oops",      "wow",       "careful",  "rematch",     "goodbye"};
  return kPhrases;
}

}  // namespace civ
