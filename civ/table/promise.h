// What a record says of its deal (docs/fair-deal.md).
#pragma once

#include <string>

#include "civ/notation/record.h"
#include "civ/table/deal.h"

namespace civ {

struct Promise {
  std::string hash, secret;
  Randoms randoms;
};

// An error if the record says nothing, or nothing that could be verified.
Expected<Promise> PromiseIn(const Record& record);

// Stands for the secret of a game that was dealt elsewhere, and says of its deal nothing.
std::string NoSecret();

}  // namespace civ
