#include "civ/server/ids.h"

#include <cstdint>

namespace civ {
namespace {

// None that looks like another.
constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";
static_assert(kLetters.size() == 32);

}  // namespace

std::string IdFrom(std::string bytes) {
  for (char& c : bytes) c = kLetters[static_cast<uint8_t>(c) % kLetters.size()];
  return bytes;
}

bool LooksLikeId(std::string_view id) {
  return id.size() == kIdLength && id.find_first_not_of(kLetters) == std::string_view::npos;
}

}  // namespace civ
