// Bit tricks that some processors do in one instruction; the portable forms give the same answers.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace civ {

// The highest bit of every byte: bit 8k+7 becomes bit k.
constexpr uint64_t HighBits(uint64_t bytes) {
#if defined(__BMI2__)
  if (!std::is_constant_evaluated()) return _pext_u64(bytes, 0x8080808080808080);
#endif
  return (bytes >> 7 & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

// The highest bits of fourteen fields of four bits and one of eight: bits 3, 7, …, 55 and 63 become
// bits 0 to 14.
constexpr uint64_t HighBitsOfKinds(uint64_t fields) {
#if defined(__BMI2__)
  if (!std::is_constant_evaluated()) return _pext_u64(fields, 0x8088888888888888);
#endif
  uint64_t bits = (fields >> 3 & 0x0011111111111111) | fields >> 63 << 56;
  bits = (bits | bits >> 3) & 0x0303030303030303;
  bits = (bits | bits >> 6) & 0x000f000f000f000f;
  bits = (bits | bits >> 12) & 0x000000ff000000ff;
  return (bits | bits >> 24) & 0xffff;
}

// The position of the set bit that has `index` set bits below it.
constexpr int NthBit(uint64_t bits, int index) {
#if defined(__BMI2__)
  if (!std::is_constant_evaluated()) return std::countr_zero(_pdep_u64(uint64_t{1} << index, bits));
#endif
  for (; index > 0; --index) bits &= bits - 1;
  return std::countr_zero(bits);
}

}  // namespace civ
