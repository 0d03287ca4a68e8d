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

// The highest bit of every four: bit 4k+3 becomes bit k.
constexpr uint64_t HighBitsOfFours(uint64_t fours) {
#if defined(__BMI2__)
  if (!std::is_constant_evaluated()) return _pext_u64(fours, 0x8888888888888888);
#endif
  fours = fours >> 3 & 0x1111111111111111;
  fours = (fours | fours >> 3) & 0x0303030303030303;
  fours = (fours | fours >> 6) & 0x000f000f000f000f;
  fours = (fours | fours >> 12) & 0x000000ff000000ff;
  return (fours | fours >> 24) & 0xffff;
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
