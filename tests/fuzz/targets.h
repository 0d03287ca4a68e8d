// What the fuzzers run. Each throws a Finding if something is wrong; tests/fuzz/replay_test.cc runs
// kept inputs again.
#pragma once

#include <stdexcept>

#include "tests/fuzz/bytes.h"

namespace civ::fuzz {

struct Finding : std::logic_error {
  using logic_error::logic_error;
};

// A session with the referee: requests as they are, or put together from bytes. An error changes
// nothing.
void Referee(Input input);
// A record: read, written and read again.
void Record(Input input);
// An action: what is understood is written the same way.
void Action(Input input);
// A state: if it is taken, everything that a game can do works from there.
void State(Input input);
// A view: if it is taken, a state fits it, and what is legal follows from it.
void View(Input input);
// A command: if it is taken, a table answers it, and what it does can be stored and read again.
void Command(Input input);
// A table's log, a line an event: it is refused, or gives a table with which everything works.
void TableLog(Input input);
// A request to the server: understood or refused, and never for somebody else.
void Server(Input input);

}  // namespace civ::fuzz
