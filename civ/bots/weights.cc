#include "civ/bots/weights.h"

#include <algorithm>
#include <array>

namespace civ {
namespace {

// Calls visit(number) for every number of a net.
template <class AnyNet, class Visit>
void ForEachNumber(AnyNet& net, Visit visit) {
  for (auto& row : net.rows)
    for (auto& number : row) visit(number);
  for (auto& number : net.bias) visit(number);
  for (auto& number : net.out) visit(number);
  for (auto& row : net.prior)
    for (auto& number : row) visit(number);
}

Net NetOf(std::string_view kind) {
  const auto found = std::ranges::find(AllWeights(), kind, &EmbeddedWeights::kind);
  return Decode(found->bytes).value();
}

}  // namespace

std::string_view NetNameFor(const Config& config) {
  constexpr std::array<std::string_view, 3> kKindsOfGame = {"2", "3", "4"};
  return config.teams ? "teams" : kKindsOfGame[config.players - 2u];
}

std::vector<uint8_t> Encode(const Net& net) {
  std::vector<uint8_t> bytes;
  ForEachNumber(net, [&](int16_t number) {
    auto folded = static_cast<uint16_t>(number < 0 ? -2 * number - 1 : 2 * number);
    for (; folded >= 0x80; folded >>= 7) bytes.push_back(static_cast<uint8_t>(folded | 0x80));
    bytes.push_back(static_cast<uint8_t>(folded));
  });
  return bytes;
}

std::optional<Net> Decode(std::span<const uint8_t> bytes) {
  Net net;
  size_t at = 0;
  bool complete = true;
  ForEachNumber(net, [&](int16_t& number) {
    unsigned folded = 0;
    for (int shift = 0; complete; shift += 7) {
      complete = at < bytes.size() && shift <= 14;
      if (!complete) return;
      folded |= (bytes[at] & 0x7fu) << shift;
      if ((bytes[at++] & 0x80) == 0) break;
    }
    number = static_cast<int16_t>((folded & 1) != 0 ? -static_cast<int>(folded / 2) - 1
                                                    : static_cast<int>(folded / 2));
  });
  if (!complete || at != bytes.size()) return std::nullopt;
  return net;
}

const Net& NetFor(const Config& config) {
  static const std::array<Net, 4> nets = {NetOf("2"), NetOf("3"), NetOf("4"), NetOf("teams")};
  return nets[config.teams ? 3 : config.players - 2u];
}

}  // namespace civ
