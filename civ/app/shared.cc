#include "civ/app/shared.h"

#include <unistd.h>

#include <array>

namespace civ {

std::string SharedOptions::Name() const {
  if (!name.empty()) return name;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return std::string(host.data()) + ':' + std::to_string(getpid());
}

void AddShared(CLI::App& command, SharedOptions& options) {
  command
      .add_option("--store", options.stores,
                  "PostgreSQL database that several processes share, as "
                  "postgresql://user@host/name; several times for several databases")
      ->check([](const std::string& text) {
        const bool right = text.starts_with("postgresql://") || text.starts_with("postgres://");
        return right ? std::string() : std::string("the address must begin with postgresql://");
      })
      ->envname("CIV_STORE");
  command.add_option("--bus", options.bus, "Redis server between them, as redis://host:6379")
      ->check([](const std::string& text) {
        return RedisAddress::From(text) ? std::string()
                                        : std::string("no address of a Redis server");
      })
      ->envname("CIV_BUS");
  command
      .add_option("--name", options.name,
                  "Name of this process among them (default: host and process id)")
      ->check([](const std::string& text) {
        return text.find('@') == text.npos ? std::string() : std::string("no @ in a name");
      })
      ->envname("CIV_NAME");
}

}  // namespace civ
