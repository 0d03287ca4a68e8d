// A game at one keyboard, from the first question to the result.
#pragma once

#include <string>

#include "app/match.h"

namespace civ {

// How those who play want it.
struct Habits {
  bool ask_all = false;  // ask even where there is only one choice
  bool brief = false;    // show the table once a turn only
  std::string file;      // save the game here after every action; empty: nowhere
  std::string language;  // if it was asked for, to be named in hints
};

// Plays until the game, the input or the players' patience ends.
void Play(Match match, const Words& words, const Habits& habits);

}  // namespace civ
