#include "civ/server/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <string_view>

namespace civ {
namespace {

// The first IPv4 address of a network to which this machine is connected. Tunnels are left out:
// others here are not at their far end.
std::optional<std::string> OwnAddress() {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return std::nullopt;
  std::optional<std::string> found;
  for (const ifaddrs* one = all; one != nullptr && !found; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET ||
        (one->ifa_flags & IFF_RUNNING) == 0)
      continue;
    if ((one->ifa_flags & (IFF_LOOPBACK | IFF_POINTOPOINT)) != 0) continue;
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, text,
              sizeof text);
    if (!std::string_view(text).starts_with("169.254.")) found = text;  // given by nobody
  }
  freeifaddrs(all);
  return found;
}

}  // namespace

std::optional<std::string> AddressForOthers(const std::string& bound) {
  if (bound == "0.0.0.0" || bound == "::") return OwnAddress();
  if (bound.starts_with("127.") || bound == "::1") return std::nullopt;
  return bound.find(':') == bound.npos ? bound : '[' + bound + ']';
}

}  // namespace civ
