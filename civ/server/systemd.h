// What the service manager systemd is told of this program.
#pragma once

#include <string_view>

namespace civ {

// Sends a state ("READY=1", "STOPPING=1") as sd_notify does; nothing happens unless systemd has
// asked for it.
void NotifySystemd(std::string_view state);

}  // namespace civ
