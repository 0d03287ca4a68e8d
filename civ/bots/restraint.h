// What a bot leaves out of its thoughts because somebody has promised not to do it.
#pragma once

#include <algorithm>
#include <array>

#include "civ/diplomacy/pacts.h"

namespace civ {

struct Restraint {
  std::array<uint8_t, kMaxSeats> spared{};  // whom each seat does not hit: bit s stands for seat s
  ActionSet only{};  // what the deciding seat chooses from, if not from all else

  // Whether the deciding seat has promised not to do that.
  bool Forbids(const Public& table, Action action) const {
    if (table.step != Step::Effects) return false;
    for (unsigned seats = spared[table.seat]; seats != 0; seats &= seats - 1)
      if (Hits(table, action, static_cast<Seat>(std::countr_zero(seats)))) return true;
    return false;
  }

  // What is left of the legal actions: the turn can always be ended.
  ActionSet Left(const Public& table, const ActionSet& legal) const {
    if (table.step != Step::Effects || spared[table.seat] == 0) return legal;
    return EffectsOf(legal, [&](Action action) { return !Forbids(table, action); });
  }

  // Of a set of effects those that are wanted.
  template <class Wanted>
  static ActionSet EffectsOf(const ActionSet& legal, Wanted wanted) {
    std::array<uint64_t, 2> words{};
    for (const Action action : legal)
      if (wanted(action)) words[action.code / 64] |= uint64_t{1} << action.code % 64;
    return {words[0], words[1]};
  }
};

}  // namespace civ
