// One simulated run: processes, workers and people on a database, a bus and a network, with the
// weather that the seed brings.
#pragma once

#include "tests/simulation/people.h"
#include "tests/simulation/worker.h"

namespace civ::simulation {

struct Outcome {
  std::string fault;  // empty if all was well
  uint64_t hash = 0;  // of the trace
  std::vector<std::string> trace;
  uint64_t stored = 0, acknowledged = 0, told = 0, twice_sent = 0;  // how much has happened
  int64_t milliseconds = 0;                                         // how long it took
};

// `keeps`: with the trace.
Outcome Simulate(uint64_t seed, Broken broken = Broken::None, bool keeps = false);
// Twice, with a deal that differs (twin.h): `told` is how much was compared. `leaks`: everybody is
// told that deal, on purpose.
Outcome SimulateTwins(uint64_t seed, bool leaks = false);

}  // namespace civ::simulation
