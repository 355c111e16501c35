// AMX multiplies 16 rows with 16 columns, 64 bytes deep, in one instruction. All else is as with AVX-512.
#pragma once
#define KERNEL amxKernel
#define TILE_COLUMNS 32
#include "avx512.h"

#define MULTIPLIES_BLOCKS

namespace {

constexpr int blockRows = 32, blockDepth = 64;

// The registers for blocks, of 16 rows with 64 bytes each. While a thread has them, switching to another one takes longer.
struct BlockRegisters {
  BlockRegisters() {
    alignas(64) struct {
      uint8_t palette = 1, start = 0, reserved[14]{};
      uint16_t bytes[16]{64, 64, 64, 64, 64, 64, 64, 64};
      uint8_t rows[16]{16, 16, 16, 16, 16, 16, 16, 16};
    } settings;
    _tile_loadconfig(&settings);
  }
  ~BlockRegisters() { _tile_release(); }
};

// Computes the sums of 32 rows of a tile, or of 16. `depth`: a multiple of 64. The rows are read beyond the input's last.
inline void multiplyBlock(const uint8_t* input, int depth, const int8_t* matrix, const int32_t* starts, bool isHalf,
                          int32_t* sums) {
  constexpr int step = tileColumns * 4;
  const uint8_t* second = input + (size_t)16 * depth;
  // Each row begins with the same sums.
  _tile_loadd(0, starts, 0); _tile_loadd(1, starts + 16, 0);
  if (isHalf) {
    for (int row = 0; row < depth; row += blockDepth, matrix += blockDepth * tileColumns) {
      _tile_loadd(4, input + row, depth); _tile_loadd(6, matrix, step); _tile_loadd(7, matrix + 64, step);
      _tile_dpbusd(0, 4, 6); _tile_dpbusd(1, 4, 7);
    }
  } else {
    _tile_loadd(2, starts, 0); _tile_loadd(3, starts + 16, 0);
    for (int row = 0; row < depth; row += blockDepth, matrix += blockDepth * tileColumns) {
      _tile_loadd(4, input + row, depth); _tile_loadd(6, matrix, step); _tile_loadd(7, matrix + 64, step);
      _tile_dpbusd(0, 4, 6); _tile_dpbusd(1, 4, 7);
      _tile_loadd(5, second + row, depth);
      _tile_dpbusd(2, 5, 6); _tile_dpbusd(3, 5, 7);
    }
    _tile_stored(2, sums + 16 * tileColumns, step); _tile_stored(3, sums + 16 * tileColumns + 16, step);
  }
  _tile_stored(0, sums, step); _tile_stored(1, sums + 16, step);
}

}  // namespace
