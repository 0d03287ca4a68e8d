// Two bit tricks that some processors do in one instruction; the portable forms give the same answers.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace civ {

// Gathers the lowest bit of every four: bit 4k of `bits` becomes bit k.
constexpr uint64_t SqueezeFours(uint64_t bits) {
#if defined(__BMI2__)
  if (!std::is_constant_evaluated()) return _pext_u64(bits, 0x1111111111111111);
#endif
  bits &= 0x1111111111111111;
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
