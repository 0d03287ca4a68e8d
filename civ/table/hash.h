// SHA-256, and bytes as hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace civ {

std::string Sha256(std::string_view bytes);  // 32 bytes

std::string Hex(std::string_view bytes);  // digits, in lower case
// The bytes of an even number of hexadecimal digits.
std::string BytesOf(std::string_view digits);

}  // namespace civ
