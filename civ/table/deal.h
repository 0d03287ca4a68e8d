// Deals that nobody can arrange: the deck follows from a secret that the server has committed to
// and from a number of every seat (docs/fair-deal.md).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "civ/notation/error.h"
#include "civ/view/deal.h"

namespace civ {

inline constexpr size_t kSecretDigits = 64;  // hexadecimal, lower case; seats' numbers are as long

// Whether this is a secret, or a seat's number, as it must be written.
bool IsSecret(std::string_view text);

// SHA-256 of the secret's 32 bytes, hexadecimal.
std::string HashOf(std::string_view secret);

// First Player and deck. A seat that gave no number, bots among them, has an empty text.
// `config.first` is ignored.
using Randoms = std::array<std::string, kMaxSeats>;
Deal FairDeal(Config config, std::string_view secret, const Randoms& randoms);

}  // namespace civ
