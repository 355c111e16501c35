// What AVX-512 and AVX2 have in common.
#pragma once
#include <immintrin.h>
#include <string.h>

namespace {

inline float sumOf(__m256 eight) {
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

inline int32_t integerOf(const uint8_t* four) {
  int32_t integer;
  memcpy(&integer, four, 4);
  return integer;
}

constexpr int inputOffset = 0;
inline void relax() { _mm_pause(); }

}  // namespace
