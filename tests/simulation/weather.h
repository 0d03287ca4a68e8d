// How bad it is: what may go wrong by itself, how often, and how badly. Each seed has a weather of
// its own; at the end of a run it clears.
#pragma once

#include "tests/simulation/stage.h"

namespace civ::simulation {

// Promises that are broken on purpose, to see that it is noticed.
enum class Broken : uint8_t {
  None,
  AcknowledgesBeforeTheCommit,
  ForgetsCommands,  // what other processes have done is read without the ids of commands
  ChargesAnOutage,  // the time of service runs on while the database is gone
};

struct Weather {
  // Of each request to the database, and of each message of the bus.
  double answer_lost = 0, answer_late = 0;
  double hint_lost = 0, hint_twice = 0, hint_late = 0;
  int64_t slow = 3;  // milliseconds that the database takes at most, and each way to it
  // How many of each come in the storm.
  int crashes = 0, stops = 0, cuts = 0, links = 0, stalls = 0, refusals = 0, fail_overs = 0;
  int bus_losses = 0, bus_cuts = 0, dead_workers = 0, renames = 0;
  bool outage = false;  // a long one, of the database or of all processes
  bool skew = false;    // clocks of processes are wrong, and not equally fast

  static Weather Of(Stage& stage) {
    Weather weather;
    const auto some = [&](int most) {
      return stage.Chance(0.5) ? static_cast<int>(stage.Between(1, most)) : 0;
    };
    if (stage.Chance(0.6)) weather.answer_lost = 0.001 * static_cast<double>(stage.Between(1, 40));
    if (stage.Chance(0.6)) weather.answer_late = 0.001 * static_cast<double>(stage.Between(1, 60));
    if (stage.Chance(0.6)) weather.hint_lost = 0.01 * static_cast<double>(stage.Between(1, 100));
    if (stage.Chance(0.4)) weather.hint_twice = 0.01 * static_cast<double>(stage.Between(1, 50));
    if (stage.Chance(0.4)) weather.hint_late = 0.01 * static_cast<double>(stage.Between(1, 50));
    weather.slow = stage.Chance(0.3) ? stage.Between(10, 150) : 3;
    weather.crashes = some(4);
    weather.stops = some(2);
    weather.cuts = some(12);
    weather.links = some(3);
    weather.stalls = some(3);
    weather.refusals = some(2);
    weather.fail_overs = some(2);
    weather.bus_losses = some(2);
    weather.bus_cuts = some(2);
    weather.dead_workers = some(3);
    weather.renames = some(4);
    weather.outage = stage.Chance(0.4);
    weather.skew = stage.Chance(0.5);
    return weather;
  }
  void Clear() {
    answer_lost = answer_late = hint_lost = hint_twice = hint_late = 0;
    slow = 3;
  }
};

}  // namespace civ::simulation
