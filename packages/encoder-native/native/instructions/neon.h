// ARM64 with the instructions for dot products. plain.h says what each function does.
#pragma once
#include <arm_neon.h>

#define KERNEL neonKernel

namespace {

struct Floats {
  float32x4_t a, b, c, d;
};
#define OF_1(f) {f(x.a), f(x.b), f(x.c), f(x.d)}
#define OF_2(f) {f(x.a, y.a), f(x.b, y.b), f(x.c, y.c), f(x.d, y.d)}
inline Floats operator+(Floats x, Floats y) { return OF_2(vaddq_f32); }
inline Floats operator-(Floats x, Floats y) { return OF_2(vsubq_f32); }
inline Floats operator*(Floats x, Floats y) { return OF_2(vmulq_f32); }
inline Floats operator/(Floats x, Floats y) { return OF_2(vdivq_f32); }
inline Floats fma(Floats x, Floats y, Floats z) {
  return {vfmaq_f32(z.a, x.a, y.a), vfmaq_f32(z.b, x.b, y.b), vfmaq_f32(z.c, x.c, y.c), vfmaq_f32(z.d, x.d, y.d)};
}
// `vmaxq_f32` and `vminq_f32` would return a NaN.
inline float32x4_t larger(float32x4_t x, float32x4_t y) { return vbslq_f32(vcgtq_f32(x, y), x, y); }
inline float32x4_t smaller(float32x4_t x, float32x4_t y) { return vbslq_f32(vcltq_f32(x, y), x, y); }
inline Floats max(Floats x, Floats y) { return OF_2(larger); }
inline Floats min(Floats x, Floats y) { return OF_2(smaller); }
inline Floats load(const float* p) { return {vld1q_f32(p), vld1q_f32(p + 4), vld1q_f32(p + 8), vld1q_f32(p + 12)}; }
inline void store(float* p, Floats x) {
  vst1q_f32(p, x.a), vst1q_f32(p + 4, x.b), vst1q_f32(p + 8, x.c), vst1q_f32(p + 12, x.d);
}
inline Floats all(float x) { return {vdupq_n_f32(x), vdupq_n_f32(x), vdupq_n_f32(x), vdupq_n_f32(x)}; }
inline Floats rounded(Floats x) { return OF_1(vrndnq_f32); }
inline float32x4_t powerOf2(float32x4_t n) {
  return vreinterpretq_f32_s32(vshlq_n_s32(vcvtnq_s32_f32(vaddq_f32(n, vdupq_n_f32(127))), 23));
}
inline Floats powerOf2(Floats x) { return OF_1(powerOf2); }
inline float sumOf(Floats x) {
  const float32x4_t four = vaddq_f32(vaddq_f32(x.a, x.c), vaddq_f32(x.b, x.d));
  return vaddv_f32(vadd_f32(vget_low_f32(four), vget_high_f32(four)));
}
inline Floats loadBytes(const int8_t* p) {
  const int16x8_t low = vmovl_s8(vld1_s8(p)), high = vmovl_s8(vld1_s8(p + 8));
  return {vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))), vcvtq_f32_s32(vmovl_high_s16(low)),
          vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))), vcvtq_f32_s32(vmovl_high_s16(high))};
}
// The instruction multiplies signed bytes.
constexpr int inputOffset = 128;
inline void storeBytes(uint8_t* p, Floats x, int zero) {
  const int16x8_t middle = vdupq_n_s16((int16_t)(zero - inputOffset));
  const int16x8_t low = vcombine_s16(vmovn_s32(vcvtnq_s32_f32(x.a)), vmovn_s32(vcvtnq_s32_f32(x.b)));
  const int16x8_t high = vcombine_s16(vmovn_s32(vcvtnq_s32_f32(x.c)), vmovn_s32(vcvtnq_s32_f32(x.d)));
  vst1q_s8((int8_t*)p, vcombine_s8(vmovn_s16(vaddq_s16(low, middle)), vmovn_s16(vaddq_s16(high, middle))));
}

using Sums = int32x4_t;
constexpr int tileRows = 5, tileColumns = 16, queriesAtOnce = 4;
inline Sums loadSums(const void* p) { return vreinterpretq_s32_s8(vld1q_s8((const int8_t*)p)); }
inline Floats floatsOf(const Sums* sums) {
  return {vcvtq_f32_s32(sums[0]), vcvtq_f32_s32(sums[1]), vcvtq_f32_s32(sums[2]), vcvtq_f32_s32(sums[3])};
}
inline Sums fourOf(const uint8_t* input) { return vld1q_dup_s32((const int32_t*)input); }
inline void addProducts(Sums& sums, Sums four, Sums matrix) {
  // The intrinsic needs an option, for which compilers have different names.
  asm(".arch armv8.2-a+dotprod\n\tsdot %0.4s, %1.16b, %2.16b" : "+w"(sums) : "w"(matrix), "w"(four));
}
inline void relax() { asm volatile("yield"); }

}  // namespace
