// What a bot advises, and why to do that.
#pragma once

#include "civ/analysis/judge.h"
#include "civ/guide/message.h"

namespace civ {

// What a bot would do in the place of somebody who keeps all pacts. There are judgements wherever
// there are several legal actions, even if only one of them keeps the pacts.
Thought Advise(Bot& bot, const View& view, const Limits& limits, uint64_t seed,
               const Diplomacy& pacts);

// What speaks for an action of the deciding seat, played on from as the judge would, with all pacts
// kept: how it goes on, and what then holds and does not now.
Messages WhyTake(const View& view, Action action, uint64_t seed, Diplomacy pacts = {});

}  // namespace civ
