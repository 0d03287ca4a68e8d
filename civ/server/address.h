// The address of this machine on the network.
#pragma once

#include <optional>
#include <string>

namespace civ {

// The address at which others on the network reach what listens on `bound`; nothing if only this
// machine does.
std::optional<std::string> AddressForOthers(const std::string& bound);

}  // namespace civ
