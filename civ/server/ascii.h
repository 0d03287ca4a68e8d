// Upper and lower case of ASCII letters, in which HTTP makes no difference for names.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace civ {

constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string Lower(std::string text) {
  for (char& c : text) c = Lower(c);
  return text;
}

inline bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return Lower(x) == Lower(y); });
}

}  // namespace civ
