// Ids that people pass on: of tables, in links, and codes that are read off one screen and typed on
// another.
#pragma once

#include <string>
#include <string_view>

namespace civ {

inline constexpr size_t kIdLength = 16;  // 80 bits: whoever has not been given one does not find it

// The id made of these bytes: a letter for each of them, by five of its bits.
std::string IdFrom(std::string bytes);
bool LooksLikeId(std::string_view id);

}  // namespace civ
