// C++ with the vectors of GCC and Clang, which become what instructions a processor has. The other headers have the same
// functions, with the same results bit by bit.
#pragma once
#include <math.h>
#include <string.h>

#define KERNEL plainKernel

namespace {

// A part of a vector, which has the operators of numbers.
using Part = float __attribute__((vector_size(16)));
using Integers = int32_t __attribute__((vector_size(16)));
using Pairs = int16_t __attribute__((vector_size(16)));

// 16 numbers.
struct Floats {
  Part a[4];
};
#define EACH(expression)                             \
  {                                                  \
    Floats r;                                        \
    for (int i = 0; i < 4; i++) r.a[i] = expression; \
    return r;                                        \
  }
inline Floats operator+(Floats x, Floats y) EACH(x.a[i] + y.a[i])
inline Floats operator-(Floats x, Floats y) EACH(x.a[i] - y.a[i])
inline Floats operator*(Floats x, Floats y) EACH(x.a[i] * y.a[i])
inline Floats operator/(Floats x, Floats y) EACH(x.a[i] / y.a[i])
inline Part fma(Part x, Part y, Part z) {
  for (int i = 0; i < 4; i++) z[i] = fmaf(x[i], y[i], z[i]);
  return z;
}
// x × y + z, rounded once.
inline Floats fma(Floats x, Floats y, Floats z) EACH(fma(x.a[i], y.a[i], z.a[i]))
// Of a NaN and y, both return y.
inline Floats max(Floats x, Floats y) EACH(x.a[i] > y.a[i] ? x.a[i] : y.a[i])
inline Floats min(Floats x, Floats y) EACH(x.a[i] < y.a[i] ? x.a[i] : y.a[i])
inline Floats load(const float* p) {
  Floats x;
  memcpy(&x, p, sizeof x);
  return x;
}
inline void store(float* p, Floats x) { memcpy(p, &x, sizeof x); }
inline Floats all(float x) EACH((Part{x, x, x, x}))
// To the nearest integer, of two to the even one. For numbers up to 2²².
inline Floats rounded(Floats x) EACH(x.a[i] + 12582912.f - 12582912.f)
// 2 to the power of integers from -126 to 127.
inline Floats powerOf2(Floats n) EACH((Part)((__builtin_convertvector(n.a[i], Integers) + 127) << 23))
// Adds number i + 8 to each number i, then i + 4, i + 2 and i + 1.
inline float sumOf(Floats x) {
  const Part sum = (x.a[0] + x.a[2]) + (x.a[1] + x.a[3]);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}
inline Floats loadBytes(const int8_t* p) {
  float numbers[16];
  for (int i = 0; i < 16; i++) numbers[i] = p[i];
  return load(numbers);
}
// Writes x + zero - inputOffset, rounded, where this has 8 bits.
constexpr int inputOffset = 0;
inline void storeBytes(uint8_t* p, Floats x, int zero) {
  x = rounded(x);
  for (int i = 0; i < 16; i++) p[i] = (uint8_t)((int32_t)x.a[i / 4][i % 4] + zero - inputOffset);
}

// The sums of some columns. A tile has `tileRows` × `tileColumns` of them, as many as there are registers for.
using Sums = Integers;
constexpr int tileRows = 2, tileColumns = 16, queriesAtOnce = 4;
// Loads sums, or four rows of as many columns of a matrix.
inline Sums loadSums(const void* p) {
  Sums sums;
  memcpy(&sums, p, sizeof sums);
  return sums;
}
// The first 16 of some sums.
inline Floats floatsOf(const Sums* sums) EACH(__builtin_convertvector(sums[i], Part))
// Four bytes of an input, for all columns.
struct Four {
  Pairs even, odd;
};
inline Four fourOf(const uint8_t* input) {
  return {(Pairs)(Integers{} + (input[0] | input[2] << 16)), (Pairs)(Integers{} + (input[1] | input[3] << 16))};
}
// Adds the products of four bytes with four rows of each column. Two products fit in 16 bits, because weights have 7.
inline void addProducts(Sums& sums, const Four& four, Sums matrix) {
  const Pairs weights = (Pairs)matrix, pairs = (weights << 8 >> 8) * four.even + (weights >> 8) * four.odd;
  sums += ((Sums)pairs << 16 >> 16) + ((Sums)pairs >> 16);
}
// Lets another thread of the processor work while this one waits.
inline void relax() {}

#undef EACH

}  // namespace
