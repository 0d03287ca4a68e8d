#include "civ/table/deal.h"

#include <algorithm>

#include "civ/table/hash.h"

namespace civ {
namespace {

// Numbers of 32 bits from SHA-256 over the seed and a counter: slow, and the same in every language
// that has the hash.
class HashStream {
 public:
  explicit HashStream(std::string seed) : seed_(std::move(seed)) {}

  // Uniform over 0 … n-1: numbers in the incomplete last stretch of 2^32 are passed over.
  uint32_t Below(uint32_t n) {
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): n is at least 1
    const uint64_t usable = (uint64_t{1} << 32) / n * n;
    uint32_t word = Next();
    while (word >= usable) word = Next();
    return word % n;
  }

 private:
  uint32_t Next() {
    if (used_ == block_.size()) {
      block_ = Sha256(seed_ + BigEndian(counter_++));
      used_ = 0;
    }
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<uint8_t>(block_[used_++]);
    return word;
  }

  static std::string BigEndian(uint32_t number) {
    return {static_cast<char>(number >> 24), static_cast<char>(number >> 16),
            static_cast<char>(number >> 8), static_cast<char>(number)};
  }

  std::string seed_;
  uint32_t counter_ = 0;
  std::string block_;
  size_t used_ = 0;  // bytes of the block
};

}  // namespace

bool IsSecret(std::string_view text) {
  return text.size() == kSecretDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string HashOf(std::string_view secret) { return Hex(Sha256(BytesOf(secret))); }

Deal FairDeal(Config config, std::string_view secret, const Randoms& randoms) {
  std::string all = "civ-deal/1" + BytesOf(secret);
  for (Seat seat = 0; seat < config.players; ++seat)
    all += BytesOf(randoms[seat].empty() ? std::string(kSecretDigits, '0') : randoms[seat]);
  HashStream stream(Sha256(all));
  config.first = static_cast<Seat>(stream.Below(config.players));
  return {config, ShuffledDeck(config.players, [&](uint32_t n) { return stream.Below(n); })};
}

}  // namespace civ
