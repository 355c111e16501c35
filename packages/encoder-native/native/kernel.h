// The kernel is compiled twice, and each compilation has a namespace of its own.

#pragma once

#include <cstddef>

namespace avx512 {
float dot(const float* a, const float* b, std::size_t length);
}
namespace avx2 {
float dot(const float* a, const float* b, std::size_t length);
}
