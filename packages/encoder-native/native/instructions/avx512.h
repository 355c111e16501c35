// AVX-512 with VNNI. plain.h says what each function does.
#pragma once
#include "x86.h"

#ifndef KERNEL
#define KERNEL avx512Kernel
#define TILE_COLUMNS 64
#endif

namespace {

struct Floats {
  __m512 a;
};
inline Floats operator+(Floats x, Floats y) { return {_mm512_add_ps(x.a, y.a)}; }
inline Floats operator-(Floats x, Floats y) { return {_mm512_sub_ps(x.a, y.a)}; }
inline Floats operator*(Floats x, Floats y) { return {_mm512_mul_ps(x.a, y.a)}; }
inline Floats operator/(Floats x, Floats y) { return {_mm512_div_ps(x.a, y.a)}; }
inline Floats fma(Floats x, Floats y, Floats z) { return {_mm512_fmadd_ps(x.a, y.a, z.a)}; }
inline Floats max(Floats x, Floats y) { return {_mm512_max_ps(x.a, y.a)}; }
inline Floats min(Floats x, Floats y) { return {_mm512_min_ps(x.a, y.a)}; }
inline Floats load(const float* p) { return {_mm512_loadu_ps(p)}; }
inline void store(float* p, Floats x) { _mm512_storeu_ps(p, x.a); }
inline Floats all(float x) { return {_mm512_set1_ps(x)}; }
inline Floats rounded(Floats x) { return {_mm512_cvtepi32_ps(_mm512_cvtps_epi32(x.a))}; }
inline Floats powerOf2(Floats n) {
  const __m512i biased = _mm512_cvtps_epi32(_mm512_add_ps(n.a, _mm512_set1_ps(127)));
  return {_mm512_castsi512_ps(_mm512_slli_epi32(biased, 23))};
}
inline float sumOf(Floats x) {
  return sumOf(_mm256_add_ps(_mm512_castps512_ps256(x.a), _mm512_extractf32x8_ps(x.a, 1)));
}
inline Floats loadBytes(const int8_t* p) {
  return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i*)p)))};
}
inline void storeBytes(uint8_t* p, Floats x, int zero) {
  const __m512i integers = _mm512_add_epi32(_mm512_cvtps_epi32(x.a), _mm512_set1_epi32(zero));
  _mm_storeu_si128((__m128i*)p, _mm512_cvtepi32_epi8(integers));
}

using Sums = __m512i;
constexpr int tileRows = 6, tileColumns = TILE_COLUMNS, queriesAtOnce = 8;
inline Sums loadSums(const void* p) { return _mm512_loadu_si512(p); }
inline Floats floatsOf(const Sums* sums) { return {_mm512_cvtepi32_ps(sums[0])}; }
inline Sums fourOf(const uint8_t* input) { return _mm512_set1_epi32(integerOf(input)); }
inline void addProducts(Sums& sums, Sums four, Sums matrix) {
#ifdef NO_ASSEMBLY
  sums = _mm512_dpbusd_epi32(sums, four, matrix);
#else
  // With the intrinsic, GCC 12 copies each sum to memory in each step.
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(four), "v"(matrix));
#endif
}

}  // namespace
