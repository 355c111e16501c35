// The instructions of AMX that the kernel uses, number by number, for tests on other CPUs.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

static thread_local int8_t emulatedTiles[8][16][64];

static inline void emulatedLoadTile(int tile, const void* from, size_t step) {
  for (int row = 0; row < 16; row++) memcpy(emulatedTiles[tile][row], (const char*)from + row * step, 64);
}
static inline void emulatedStoreTile(int tile, void* to, size_t step) {
  for (int row = 0; row < 16; row++) memcpy((char*)to + row * step, emulatedTiles[tile][row], 64);
}
static inline void emulatedMultiplyTiles(int sums, int rows, int columns) {
  for (int row = 0; row < 16; row++)
    for (int column = 0; column < 16; column++) {
      int32_t sum;
      memcpy(&sum, &emulatedTiles[sums][row][column * 4], 4);
      for (int i = 0; i < 64; i++)
        sum += (uint8_t)emulatedTiles[rows][row][i] * emulatedTiles[columns][i / 4][column * 4 + i % 4];
      memcpy(&emulatedTiles[sums][row][column * 4], &sum, 4);
    }
}

#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbusd
#define _tile_loadd emulatedLoadTile
#define _tile_stored emulatedStoreTile
#define _tile_dpbusd emulatedMultiplyTiles
#define _tile_loadconfig(settings)
#define _tile_release()
