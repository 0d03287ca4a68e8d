// How far a bot keeps its word. Everybody is told, next to its name.
#pragma once

#include <string_view>

#include "civ/rules/state.h"

namespace civ {

enum class Character : uint8_t { Faithful, Fair, Opportunist };
inline constexpr int kCharacters = 3;

// Of a bot at a seat, unless somebody says otherwise: the same in every program, and as many
// of a table differ as there are characters.
constexpr Character CharacterOf(const Config& config, Seat seat) {
  return static_cast<Character>((seat + config.first) % kCharacters);
}

// Whether a bot of that name takes part in talk: level3 to level8, and master.
constexpr bool Talks(std::string_view bot) {
  return bot == "master" || (bot.starts_with("level") && bot >= "level3");
}

}  // namespace civ
