// What somebody who builds is aiming at.
#pragma once

#include "civ/rules/rules.h"

namespace civ {

// Whether there is a column worth digging for.
inline bool HasAim(const Public& table, Seat seat) { return LeastLack(table, seat) <= 4; }

// The longest column of the deciding seat, cards in hand counted as half.
inline Domain BestColumn(const State& state) {
  const auto length = [&](Domain domain) {
    return 2 * state.Count(state.seat, domain) + state.hands[state.seat].Of(domain).Count();
  };
  Domain best{};
  for (int d = 1; d < kDomains; ++d)
    if (const auto domain = static_cast<Domain>(d); length(domain) > length(best)) best = domain;
  return best;
}

}  // namespace civ
