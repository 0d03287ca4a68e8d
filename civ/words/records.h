// What is said about game records: names for the seats, and where a record goes wrong.
#pragma once

#include <string>
#include <vector>

#include "civ/notation/record.h"
#include "civ/words/words.h"

namespace civ {

// Names for the seats of a record, fit to print.
std::vector<std::string> NamesIn(const Record& record, const Words& words);

// Where a record goes wrong, and why, in a sentence. `text` is the record.
std::string DescribeWrong(const std::string& text, const RecordError& wrong, const Words& words);

}  // namespace civ
