#include "civ/server/token.h"

#include <sodium.h>

#include "civ/table/hash.h"

namespace civ {
namespace {

std::string InLetters(std::string_view bytes, int variant) {
  std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), variant);
  text.pop_back();  // the zero at the end
  return text;
}

}  // namespace

std::string RandomBytes(size_t count) {
  std::string bytes(count, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

std::string TokenFrom(std::string_view bytes) {
  return InLetters(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

std::string Base64(std::string_view bytes) {
  return InLetters(bytes, sodium_base64_VARIANT_ORIGINAL);
}

std::string TokenHash(std::string_view token) { return Hex(Sha256(token)); }

}  // namespace civ
