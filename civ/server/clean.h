// What people write, as others may see it: nothing invisible, nothing that turns the text around it
// or grows out of its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace civ {

inline constexpr size_t kLongestName = 24;  // code points

// In Unicode's composed form (NFC), with single spaces. Nothing if it is not UTF-8, or if no code
// point or more than `longest` are left.
std::optional<std::string> Clean(std::string_view text, size_t longest);

}  // namespace civ
