// Why to do what a bot advises.
#pragma once

#include "civ/analysis/judge.h"
#include "civ/guide/message.h"

namespace civ {

// What speaks for an action of the deciding seat, played on from as the judge would: what then
// holds and does not now.
Messages WhyTake(const View& view, Action action, uint64_t seed);

}  // namespace civ
