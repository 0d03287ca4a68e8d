// Another course that a game may have had for all that a seat knew.
#pragma once

#include <cstdint>

#include "civ/notation/record.h"

namespace civ {

// The first `at` actions of a record, with what the seat could not know by then dealt anew: from
// the first card on it sees the same. What others chose unseen and no longer have is another card
// of the same Age.
Record DealAnew(const Record& record, size_t at, Seat seat, uint64_t seed);

}  // namespace civ
