// The folder in which a server keeps what must not be lost.
#pragma once

#include <string>

namespace civ {

// $XDG_DATA_HOME/civ or ~/.local/share/civ; /var/lib/civ for root.
std::string DefaultData();

// Where the server of that folder listens to its owner.
std::string AdminSocketIn(const std::string& data);

}  // namespace civ
