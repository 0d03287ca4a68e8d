// Files and failures of the program.
#pragma once

#include <string>
#include <string_view>

#include "civ/notation/record.h"
#include "civ/words/words.h"

namespace civ {

// Prints a message and ends the program with exit code 1.
[[noreturn]] void Fail(const std::string& message);

// All of a file, "-" being standard input; fails if it cannot be read.
std::string ReadFile(const std::string& path);

// Replaces a file whole or not at all; fails if it cannot be written.
void WriteFile(const std::string& path, std::string_view text);

// The record in a file, "-" being standard input. Fails with a sentence that says what is wrong,
// and where.
Record LoadRecord(const std::string& file, const Words& words);

}  // namespace civ
