// Networks: which addresses are to be taken together.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace civ {

// What counts as one address: IPv4 as it is, of IPv6 the 64 bits that one customer has. Empty if it
// is no address.
std::string AddressKey(const std::string& address);

// What an AddressKey counts for, the smallest first: of IPv6 the /64, /56 and /48 in which it lies,
// because one customer may have any of them; of IPv4 itself, its /24 and its /16, which have many
// customers; of this machine only itself. Each has four times as much as one a level below.
struct Part {
  std::string name;
  int level;

  bool operator==(const Part&) const = default;
};
inline constexpr int kNetworkLevels = 4;
std::vector<Part> NetworksOf(const std::string& key);

// As "10.0.0.0/8", "2001:db8::/32" or one address.
class Network {
 public:
  // Nothing if that is no network.
  static std::optional<Network> From(const std::string& text);

  // An address or an AddressKey. Of a key the bits that it does not have are not compared.
  bool Contains(const std::string& address) const;
  // Whether only this machine is in it, or only machines of a private network.
  bool IsLoopback() const;
  bool IsPrivate() const;

 private:
  using Bytes = std::array<uint8_t, 16>;  // of IPv6; IPv4 is mapped into it
  static std::optional<Bytes> BytesOf(std::string_view address);
  bool IsWithin(std::string_view address, int bits) const;
  bool Matches(const Bytes& other, int bits) const;

  Bytes bytes_{};
  int bits_ = 128;
};

}  // namespace civ
