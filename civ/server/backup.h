// A copy of the database of a server that may be running.
#pragma once

#include <cstdint>
#include <string>

#include "civ/notation/error.h"

namespace civ {

// Returns how many tables the copy has. It is of one moment, whole, checked, and safe on the disk;
// or there is none. A file that exists is replaced only by force.
Expected<int64_t> Backup(const std::string& folder, const std::string& file, bool force);

}  // namespace civ
