// Secrets that nobody can guess: random bytes, tokens made of them, and tokens' hashes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace civ {

// From the operating system's generator.
std::string RandomBytes(size_t count);
// These bytes in the letters of base64url, without padding.
std::string TokenFrom(std::string_view bytes);
// Bytes in the letters of base64, with padding.
std::string Base64(std::string_view bytes);

// What is kept of a token: its SHA-256, hexadecimal.
std::string TokenHash(std::string_view token);

}  // namespace civ
