#include "civ/table/promise.h"

namespace civ {

std::string NoSecret() { return std::string(kSecretDigits, '0'); }

Expected<Promise> PromiseIn(const Record& record) {
  const Json deal = record.comments.is_object() ? record.comments.value("deal", Json()) : Json();
  if (deal.is_null()) return Error{"verify.no-deal", {}};
  Reader from(deal);
  Promise promise{from.Text("hash"), from.Text("secret"), {}};
  const Json& randoms = from.Array("randoms");
  const Error misspelt{"verify.form", {}};
  if (!from.ok() || !IsSecret(promise.hash) || !IsSecret(promise.secret) ||
      randoms.size() != record.config.players)
    return misspelt;
  if (promise.secret == NoSecret()) return Error{"verify.no-deal", {}};
  for (Seat seat = 0; seat < record.config.players; ++seat) {
    if (randoms[seat].is_null()) continue;
    if (!randoms[seat].is_string() || !IsSecret(randoms[seat].get_ref<const std::string&>()))
      return misspelt;
    promise.randoms[seat] = randoms[seat];
  }
  return promise;
}

}  // namespace civ
