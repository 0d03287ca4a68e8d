#include "app/data.h"

#include <unistd.h>

#include <cstdlib>

namespace civ {

std::string DefaultData() {
  if (geteuid() == 0) return "/var/lib/civ";
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string data = variable("XDG_DATA_HOME");
  return data.starts_with('/') ? data + "/civ" : variable("HOME") + "/.local/share/civ";
}

std::string AdminSocketIn(const std::string& data) { return data + "/admin.sock"; }

}  // namespace civ
