#include "civ/server/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace civ {
namespace {

constexpr int kMapped = 96;  // bits before those of an IPv4 address

}  // namespace

std::string AddressKey(const std::string& address) {
  in_addr four{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) return address;
  in6_addr six{};
  if (inet_pton(AF_INET6, address.substr(0, address.find('%')).c_str(), &six) != 1) return {};
  char text[INET6_ADDRSTRLEN];
  if (IN6_IS_ADDR_V4MAPPED(&six)) return inet_ntop(AF_INET, six.s6_addr + 12, text, sizeof text);
  if (IN6_IS_ADDR_LOOPBACK(&six)) return "::1";
  std::memset(six.s6_addr + 8, 0, 8);
  return std::string(inet_ntop(AF_INET6, &six, text, sizeof text)) + "/64";
}

std::vector<Part> NetworksOf(const std::string& key) {
  std::vector<Part> networks = {{key, 0}};
  in_addr four{};
  if (inet_pton(AF_INET, key.c_str(), &four) == 1) {
    if (key.starts_with("127.")) return networks;
    const size_t last = key.rfind('.'), third = key.rfind('.', last - 1);
    networks.push_back({key.substr(0, last) + ".0/24", 2});
    networks.push_back({key.substr(0, third) + ".0.0/16", 3});
    return networks;
  }
  in6_addr six{};
  if (!key.ends_with("/64") ||
      inet_pton(AF_INET6, key.substr(0, key.size() - 3).c_str(), &six) != 1)
    return networks;
  for (const int bytes : {7, 6}) {
    six.s6_addr[bytes] = 0;
    char text[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, &six, text, sizeof text);
    networks.push_back({std::string(text) + '/' + std::to_string(8 * bytes), 8 - bytes});
  }
  return networks;
}

std::optional<Network::Bytes> Network::BytesOf(std::string_view address) {
  const std::string text(address.substr(0, address.find('%')));
  Bytes bytes{};
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
  bytes[10] = bytes[11] = 0xff;
  if (inet_pton(AF_INET, text.c_str(), bytes.data() + kMapped / 8) == 1) return bytes;
  return std::nullopt;
}

std::optional<Network> Network::From(const std::string& text) {
  const size_t slash = text.find('/');
  const std::optional<Bytes> bytes = BytesOf(std::string_view(text).substr(0, slash));
  if (!bytes) return std::nullopt;
  Network network;
  network.bytes_ = *bytes;
  if (slash == text.npos) return network;
  const int before = text.find(':') == text.npos ? kMapped : 0;
  const char *begin = text.data() + slash + 1, *end = text.data() + text.size();
  int bits = 0;
  const auto [read, status] = std::from_chars(begin, end, bits);
  if (status != std::errc() || read != end || bits < 0 || bits > 128 - before) return std::nullopt;
  network.bits_ = before + bits;
  return network;
}

bool Network::Matches(const Bytes& other, int bits) const {
  const auto whole = static_cast<size_t>(bits / 8);
  if (!std::equal(bytes_.begin(), bytes_.begin() + bits / 8, other.begin())) return false;
  const int rest = bits % 8;
  return rest == 0 || (bytes_[whole] ^ other[whole]) >> (8 - rest) == 0;
}

bool Network::Contains(const std::string& address) const {
  const size_t slash = address.find('/');
  const std::optional<Bytes> other = BytesOf(std::string_view(address).substr(0, slash));
  return other && Matches(*other, slash == address.npos ? bits_ : std::min(bits_, 64));
}

bool Network::IsWithin(std::string_view address, int bits) const {
  return bits_ >= bits && Matches(*BytesOf(address), bits);
}

bool Network::IsLoopback() const {
  return IsWithin("127.0.0.0", kMapped + 8) || IsWithin("::1", 128);
}

bool Network::IsPrivate() const {
  return IsLoopback() || IsWithin("10.0.0.0", kMapped + 8) ||
         IsWithin("172.16.0.0", kMapped + 12) || IsWithin("192.168.0.0", kMapped + 16) ||
         IsWithin("169.254.0.0", kMapped + 16) || IsWithin("fc00::", 7) || IsWithin("fe80::", 10);
}

}  // namespace civ
