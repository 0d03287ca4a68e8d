#include "civ/server/token.h"

#include <sodium.h>

#include "civ/table/hash.h"

namespace civ {

std::string RandomBytes(size_t count) {
  std::string bytes(count, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

std::string RandomToken(size_t bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  const std::string random = RandomBytes(bytes);
  std::string text(sodium_base64_ENCODED_LEN(bytes, kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(random.data()),
                    random.size(), kVariant);
  text.pop_back();  // the zero at the end
  return text;
}

std::string TokenHash(std::string_view token) { return Hex(Sha256(token)); }

}  // namespace civ
