// Whether a record's cards were dealt as its server had promised (docs/fair-deal.md).
#pragma once

#include "civ/table/promise.h"

namespace civ {

struct Findings {
  bool hash, first, deck;
  bool right() const { return hash && first && deck; }
};

Findings Examine(const Record& record, const Promise& promise);

}  // namespace civ
