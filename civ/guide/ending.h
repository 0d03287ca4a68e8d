// How a game ended, or how it would end if Majority were counted now.
#pragma once

#include "civ/guide/message.h"
#include "civ/notation/json.h"

namespace civ {

// Majority counted on this table: Domain by Domain, the points, and how a tie is broken.
Messages TellMajority(const Public& table);

// Who leads, or has won, by that count.
Message TellLeader(const Public& table);

// Of a game that is over by the rules: who has won and how. A Majority is explained between the
// first message and the last.
Messages TellResult(const Public& table);

// Of a game that its table has ended: a result by forfeit as a record has it.
Message TellForfeit(const Json& result);

}  // namespace civ
