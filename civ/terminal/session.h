// A game at one keyboard, from the first question to the result.
#pragma once

#include <functional>
#include <string>

#include "civ/terminal/match.h"
#include "civ/words/words.h"

namespace civ {

struct SessionOptions {
  bool ask_all = false;  // ask even where there is only one choice
  bool brief = false;    // show the table once a turn only
  std::string file;      // save the game here after every action; empty: nowhere
  std::string language;  // if it was asked for, to be named in hints
  // Writes a text to a file; false if that is not possible.
  std::function<bool(const std::string& file, const std::string& text)> write;
};

// Plays until the game, the input or the players' patience ends. False if the game could not be
// saved or shown as it should have been.
bool Play(Match match, const Words& words, const SessionOptions& options);

}  // namespace civ
