// The hash that signatures are made with.
#pragma once

#include <cstdint>

namespace civ {

class Hash {  // FNV-1a
 public:
  void Add(uint64_t value) {
    for (int i = 0; i < 8; ++i) hash_ = (hash_ ^ (value >> 8 * i & 0xff)) * 0x100000001b3;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace civ
