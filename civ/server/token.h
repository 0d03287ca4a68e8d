// Secrets that nobody can guess: random bytes, tokens made of them, and tokens' hashes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace civ {

// From the operating system's generator.
std::string RandomBytes(size_t count);
// The same number of random bytes, written in the letters of base64url.
std::string RandomToken(size_t bytes);

// What is kept of a token: its SHA-256, hexadecimal.
std::string TokenHash(std::string_view token);

}  // namespace civ
