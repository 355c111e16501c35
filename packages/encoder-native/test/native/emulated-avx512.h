// The instructions of AVX-512 that the kernel uses, number by number, for tests on other CPUs.
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

struct Emulated {
  union {
    float f[16];
    int32_t i[16];
    uint8_t u[64];
    int8_t s[64];
  };
};

#define EACH(expression)                                  \
  {                                                       \
    Emulated r;                                           \
    for (int n = 0; n < 16; n++) r.expression;            \
    return r;                                             \
  }
static inline Emulated emulatedLoad(const void* p) {
  Emulated r;
  memcpy(&r, p, sizeof r);
  return r;
}
static inline void emulatedStore(float* p, Emulated x) { memcpy(p, x.f, sizeof x); }
static inline Emulated emulatedAll(float x) EACH(f[n] = x)
static inline Emulated emulatedAllIntegers(int x) EACH(i[n] = x)
static inline Emulated emulatedAdd(Emulated x, Emulated y) EACH(f[n] = x.f[n] + y.f[n])
static inline Emulated emulatedSubtract(Emulated x, Emulated y) EACH(f[n] = x.f[n] - y.f[n])
static inline Emulated emulatedMultiply(Emulated x, Emulated y) EACH(f[n] = x.f[n] * y.f[n])
static inline Emulated emulatedDivide(Emulated x, Emulated y) EACH(f[n] = x.f[n] / y.f[n])
static inline Emulated emulatedFuse(Emulated x, Emulated y, Emulated z) EACH(f[n] = fmaf(x.f[n], y.f[n], z.f[n]))
static inline Emulated emulatedMax(Emulated x, Emulated y) EACH(f[n] = x.f[n] > y.f[n] ? x.f[n] : y.f[n])
static inline Emulated emulatedMin(Emulated x, Emulated y) EACH(f[n] = x.f[n] < y.f[n] ? x.f[n] : y.f[n])
static inline Emulated emulatedRound(Emulated x) EACH(i[n] = _mm_cvtss_si32(_mm_set_ss(x.f[n])))
static inline Emulated emulatedFloats(Emulated x) EACH(f[n] = (float)x.i[n])
static inline Emulated emulatedShift(Emulated x, int bits) EACH(i[n] = (int32_t)((uint32_t)x.i[n] << bits))
static inline Emulated emulatedAddIntegers(Emulated x, Emulated y) EACH(i[n] = x.i[n] + y.i[n])
static inline Emulated emulatedDotProduct(Emulated sum, Emulated x, Emulated y) {
  for (int n = 0; n < 64; n++) sum.i[n / 4] += x.u[n] * y.s[n];
  return sum;
}
static inline Emulated emulatedWiden(__m128i bytes) {
  int8_t s[16];
  memcpy(s, &bytes, sizeof s);
  EACH(i[n] = s[n])
}
static inline __m128i emulatedNarrow(Emulated x) {
  uint8_t u[16];
  for (int n = 0; n < 16; n++) u[n] = (uint8_t)x.i[n];
  return _mm_loadu_si128((const __m128i*)u);
}
static inline __m256 emulatedHalf(Emulated x, int half) { return _mm256_loadu_ps(x.f + 8 * half); }

#define __m512 Emulated
#define __m512i Emulated
#define _mm512_loadu_ps emulatedLoad
#define _mm512_loadu_si512 emulatedLoad
#define _mm512_storeu_ps emulatedStore
#define _mm512_set1_ps emulatedAll
#define _mm512_set1_epi32 emulatedAllIntegers
#define _mm512_add_ps emulatedAdd
#define _mm512_sub_ps emulatedSubtract
#define _mm512_mul_ps emulatedMultiply
#define _mm512_div_ps emulatedDivide
#define _mm512_fmadd_ps emulatedFuse
#define _mm512_max_ps emulatedMax
#define _mm512_min_ps emulatedMin
#define _mm512_cvtps_epi32 emulatedRound
#define _mm512_cvtepi32_ps emulatedFloats
#define _mm512_slli_epi32 emulatedShift
#define _mm512_add_epi32 emulatedAddIntegers
#define _mm512_dpbusd_epi32 emulatedDotProduct
#define _mm512_cvtepi8_epi32 emulatedWiden
#define _mm512_cvtepi32_epi8 emulatedNarrow
#define _mm512_castsi512_ps
#define _mm512_castps512_ps256(x) emulatedHalf(x, 0)
#define _mm512_extractf32x8_ps emulatedHalf
