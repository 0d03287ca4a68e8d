// What a store is told of a table, beside its log.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "civ/server/bots.h"
#include "civ/server/store.h"
#include "civ/table/table.h"

namespace civ {

// All but who made it, which the table itself does not know.
Listing ListingOf(const std::string& id, const Table& table);

// The questions to its bots, which hold what their seats may see and hear and nothing else.
std::vector<Job> JobsOf(const std::string& id, const std::string& maker, const Table& table,
                        const std::function<std::string(size_t count)>& random);

// The answer to such a question: the action, or with what is said {"action":…,"say":…}. What is
// said is left out if it is not understood.
std::string AnswerOf(const BotMove& move);
std::optional<BotMove> BotMoveIn(const std::string& answer);

}  // namespace civ
