// AVX2 with FMA. plain.h says what each function does.
#pragma once
#include "x86.h"

#define KERNEL avx2Kernel

namespace {

struct Floats {
  __m256 a, b;
};
inline Floats operator+(Floats x, Floats y) { return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)}; }
inline Floats operator-(Floats x, Floats y) { return {_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)}; }
inline Floats operator*(Floats x, Floats y) { return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)}; }
inline Floats operator/(Floats x, Floats y) { return {_mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)}; }
inline Floats fma(Floats x, Floats y, Floats z) {
  return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
}
inline Floats max(Floats x, Floats y) { return {_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)}; }
inline Floats min(Floats x, Floats y) { return {_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)}; }
inline Floats load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
inline void store(float* p, Floats x) { _mm256_storeu_ps(p, x.a), _mm256_storeu_ps(p + 8, x.b); }
inline Floats all(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
inline Floats rounded(Floats x) {
  return {_mm256_cvtepi32_ps(_mm256_cvtps_epi32(x.a)), _mm256_cvtepi32_ps(_mm256_cvtps_epi32(x.b))};
}
inline __m256 powerOf2(__m256 n) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtps_epi32(_mm256_add_ps(n, _mm256_set1_ps(127))), 23));
}
inline Floats powerOf2(Floats n) { return {powerOf2(n.a), powerOf2(n.b)}; }
inline float sumOf(Floats x) { return sumOf(_mm256_add_ps(x.a, x.b)); }
inline Floats loadBytes(const int8_t* p) {
  const __m128i bytes = _mm_loadu_si128((const __m128i*)p);
  return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)),
          _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8)))};
}
inline void storeBytes(uint8_t* p, Floats x, int zero) {
  const __m256i middle = _mm256_set1_epi32(zero);
  const __m256i a = _mm256_add_epi32(_mm256_cvtps_epi32(x.a), middle);
  const __m256i b = _mm256_add_epi32(_mm256_cvtps_epi32(x.b), middle);
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8);
  _mm_storeu_si128((__m128i*)p, _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
}

using Sums = __m256i;
constexpr int tileRows = 4, tileColumns = 16, queriesAtOnce = 4;
inline Sums loadSums(const void* p) { return _mm256_loadu_si256((const __m256i*)p); }
inline Floats floatsOf(const Sums* sums) { return {_mm256_cvtepi32_ps(sums[0]), _mm256_cvtepi32_ps(sums[1])}; }
inline Sums fourOf(const uint8_t* input) { return _mm256_set1_epi32(integerOf(input)); }
// Two products are first added in 16 bits. They always fit, because weights have 7 bits: 2 × 255 × 63.
inline Sums addedInPairs(Sums input, Sums matrix) { return _mm256_maddubs_epi16(input, matrix); }
inline void addPairs(Sums& sums, Sums pairs) {
  sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
inline void addProducts(Sums& sums, Sums four, Sums matrix) { addPairs(sums, addedInPairs(four, matrix)); }

// Adds the products of two fours, whose pairs are first added in 16 bits too, where they must fit.
#define ADDS_IN_16_BITS
inline void addProducts(Sums& sums, Sums four, Sums matrix, Sums more, Sums others) {
  addPairs(sums, _mm256_add_epi16(addedInPairs(four, matrix), addedInPairs(more, others)));
}
inline void prefetch(const void* p) { _mm_prefetch((const char*)p, _MM_HINT_T0); }

}  // namespace
