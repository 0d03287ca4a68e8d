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

std::string InShard(std::string id, size_t shard) {
  if (shard > 0) id += kLetters[shard - 1];
  return id;
}

size_t ShardOf(std::string_view id) {
  return id.size() == kIdLength + 1 ? kLetters.find(id.back()) + 1 : 0;
}

bool LooksLikeId(std::string_view id) {
  return (id.size() == kIdLength || id.size() == kIdLength + 1) &&
         id.find_first_not_of(kLetters) == std::string_view::npos;
}

}  // namespace civ
