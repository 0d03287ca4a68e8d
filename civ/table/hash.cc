#include "civ/table/hash.h"

#include <sodium.h>

namespace civ {

std::string Sha256(std::string_view bytes) {
  std::string digest(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(digest.data()),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return digest;
}

std::string Hex(std::string_view bytes) {
  std::string digits(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                 bytes.size());
  digits.pop_back();  // the zero at the end
  return digits;
}

std::string BytesOf(std::string_view digits) {
  std::string bytes(digits.size() / 2, '\0');
  sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), digits.data(),
                 digits.size(), nullptr, nullptr, nullptr);
  return bytes;
}

}  // namespace civ
