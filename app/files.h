// Files and failures of the program.
#pragma once

#include <string>
#include <string_view>

namespace civ {

// Prints a message and ends the program with exit code 1.
[[noreturn]] void Fail(const std::string& message);

// All of a file, "-" being standard input; fails if it cannot be read.
std::string ReadFile(const std::string& path);

// Replaces a file whole or not at all; fails if it cannot be written.
void WriteFile(const std::string& path, std::string_view text);

}  // namespace civ
