// AMX multiplies 16 rows with 16 columns, 64 bytes deep, in one instruction. All else is as with AVX-512.
#pragma once
#define KERNEL amxKernel
// 4 registers have the sums of two blocks of rows, so that the other 4 are left for what is multiplied.
#define TILE_COLUMNS 32
#include "avx512.h"

#define MULTIPLIES_BLOCKS

namespace {

constexpr int blockRows = 16, blockDepth = 64;

// The registers for blocks. While a thread has them, switching to another thread takes longer.
struct BlockRegisters {
  BlockRegisters() {
    // Static, because GCC 12 believes that only the first 8 bytes are read, and can leave out what is written to others.
    alignas(64) static const struct {
      uint8_t palette, start, reserved[14];
      uint16_t bytes[16];
      uint8_t rows[16];
    } settings{1, 0, {}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};
    _tile_loadconfig(&settings);
  }
  ~BlockRegisters() { _tile_release(); }
};

// Computes the sums of two blocks of rows of a tile, or of one if there are no more rows. `depth` is a multiple of 64.
// Whole blocks are read, also beyond the last row.
inline void multiplyBlocks(const uint8_t* input, int rows, int depth, const int8_t* matrix, const int32_t* starts,
                           int32_t* sums) {
  constexpr int step = tileColumns * 4;
  const uint8_t* second = input + (size_t)blockRows * depth;
  const bool hasSecond = rows > blockRows;
  // The compiler doesn't know that the next instructions read memory.
  asm volatile("" ::: "memory");
  // Each row begins with the same sums.
  _tile_loadd(0, starts, 0);
  _tile_loadd(1, starts + 16, 0);
  _tile_loadd(2, starts, 0);
  _tile_loadd(3, starts + 16, 0);
  for (int row = 0; row < depth; row += blockDepth, matrix += blockDepth * tileColumns) {
    _tile_loadd(4, input + row, depth);
    _tile_loadd(6, matrix, step);
    _tile_loadd(7, matrix + 64, step);
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
    if (!hasSecond) continue;
    _tile_loadd(5, second + row, depth);
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
  _tile_stored(0, sums, step);
  _tile_stored(1, sums + 16, step);
  _tile_stored(2, sums + blockRows * tileColumns, step);
  _tile_stored(3, sums + blockRows * tileColumns + 16, step);
}

}  // namespace
