// The options of a table in a test.
#pragma once

#include "civ/table/table.h"

namespace civ::test {

inline TableOptions For(int players, Setup setup = Setup::Basic, bool teams = false) {
  TableOptions options;
  options.config.players = static_cast<uint8_t>(players);
  options.config.setup = setup;
  options.config.teams = teams;
  return options;
}

}  // namespace civ::test
