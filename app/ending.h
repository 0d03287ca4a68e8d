// How a game ended, or how it would end if Majority were counted now.
#pragma once

#include <string>
#include <vector>

#include "app/phrases.h"
#include "notation/json.h"

namespace civ {

// Majority counted on this table: Domain by Domain, the points, and how a tie is broken.
std::vector<std::string> TellMajority(const Phrases& say, const Public& table);

// Who leads, or has won, by that count.
std::string TellLeader(const Phrases& say, const Public& table);

// Of a game that is over by the rules: who has won and how.
std::vector<std::string> TellResult(const Phrases& say, const Public& table);

// Of a game that its table has ended: a result by forfeit as a record has it.
std::string TellForfeit(const Phrases& say, const Json& result);

}  // namespace civ
