// The files of text/ as they were when the program was built.
#pragma once

#include <span>
#include <string_view>

namespace civ {

struct EmbeddedText {
  std::string_view language;  // "en"
  std::string_view json;      // an object of keys and ICU messages
};

std::span<const EmbeddedText> EmbeddedTexts();

}  // namespace civ
