#include "civ/app/fairness.h"

#include <algorithm>

namespace civ {

Findings Examine(const Record& record, const Promise& promise) {
  const Deal deal = FairDeal(record.config, promise.secret, promise.randoms);
  return {HashOf(promise.secret) == promise.hash, deal.config.first == record.config.first,
          std::ranges::equal(deal.deck.Span(), record.deck)};
}

}  // namespace civ
