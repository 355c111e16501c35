#include "kernel.h"

#ifdef AVX512
namespace avx512 {
#else
namespace avx2 {
#endif

float dot(const float* a, const float* b, std::size_t length) {
  float sum = 0;
  for (std::size_t i = 0; i < length; i += 1) sum += a[i] * b[i];
  return sum;
}

}
