// The trained nets, inside the program: one file in civ/bots/weights/ for each kind of game,
// written by civ train.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "civ/bots/net.h"

namespace civ {

struct EmbeddedWeights {
  std::string_view kind;
  std::span<const uint8_t> bytes;
};
std::span<const EmbeddedWeights> AllWeights();

// Which net plays such a game: "2", "3" or "4" by players, or "teams".
std::string_view NetNameFor(const Config& config);

// A net as bytes: its numbers in the order of the struct, each folded to an unsigned one (0, -1, 1,
// -2 …), seven bits a byte from the lowest on, the highest bit set where more follow.
std::vector<uint8_t> Encode(const Net& net);
// Nothing if these are not the bytes of a net.
std::optional<Net> Decode(std::span<const uint8_t> bytes);

}  // namespace civ
