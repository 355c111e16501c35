// What an encoder is, and how it is computed. Nothing here has code: the linker keeps one copy of inline code, and that
// of a file compiled for AVX-512 would end the program on another CPU.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct Sizes {
  int32_t hidden, inner, heads, layers;
  int32_t embedding;  // columns of the tables
  int32_t words, positions;
  int32_t firstPosition;  // the row of a text's first token
  int32_t activation;     // of `Activation`
  int32_t headSize, keyHeads;  // each head of keys and values serves heads ÷ keyHeads heads of queries
  int32_t isGated;             // whether `up` begins with as many columns again, whose activation multiplies the others
  int32_t usesRootMeanSquare;  // whether norms divide by it, and don't subtract the mean
  int32_t turns;               // tables of rotary positions
  int32_t dense;               // products after the pooling
  int32_t isScore;             // whether the last of them makes the score of a pair, which is not scaled to length 1
  int32_t repeats;             // how often all layers are computed, one time after the other
  int32_t widens;              // whether a product turns the tables' columns into `hidden` ones
};

// The GELU, its formula with tanh, and x ÷ (1 + e⁻ˣ); the others follow only products after the pooling.
enum class Activation { gelu, geluByTanh, silu, tanh, relu, identity, count };

// How the input of a product is rounded: with one scale, or with one for each row. See docs/int8.md.
enum Rounding { constant, byRow, activated };

// A weight that is multiplied in float32, because it is far above its column. It is 0 in the matrix.
struct Apart {
  int32_t row, column;
  float value;
};

struct Product {
  int rows, columns;  // Columns end with a whole tile.
  size_t place;  // how many numbers the products before this one read for a token
  float* exact;  // a float32 matrix by tiles; the members for integers are then not used
  Rounding rounding;
  float scale;  // of a constant rounding
  int8_t* matrix;   // by tiles; in each, 4 rows of a column follow each other
  int32_t* starts;  // -zero × sum of a column, where zero is the byte that stands for 0
  float *scales, *bias;
  float* factors;  // what a column of the input is multiplied by before it is rounded
  // For AVX2: the rows of each tile, 8 at a time. The first `fitting` ones of a tile are those whose products, four at a
  // time, fit in 16 bits.
  uint16_t *order, *fitting;
  Apart* apart;         // by columns; null if there are none
  int32_t* firstApart;  // of each tile, and at last how many there are
};

// Without a scale, nothing is normalized.
struct Norm {
  float *scale, *bias, epsilon;
  bool hasMean;
};

// What a half of a layer normalizes: what its products read, their result, and its sum with what the half began with.
struct Norms {
  Norm input, result, sum;
};

struct Layer {
  Product attention;  // queries, keys and values beside each other
  Product context, up, down;
  Norms ofAttention, ofInner;
  Norm queries, keys;    // of each head
  const float* turns;    // positions × head size: cosines, then sines; null if positions don't turn queries and keys
  int before, after;     // how many tokens before and after its own one a query sees
};

// A product after the pooling, whose input is a text's vector.
struct Dense {
  Product product;
  int columns;
  Activation activation;
  Norm norm;  // of what is activated
};

struct Encoder {
  Sizes sizes;
  int8_t* words;  // null if the words are exact, or in a file
  float *exactWords, *wordScales, wordFactor;
  float* positions;  // added to words; null if nothing is
  int positionStep;  // 0 if the same is added to all
  float* secondType;  // added to the tokens of a pair's second text too; null if nothing is
  float* turns;
  float* distances;  // heads × (2 × most tokens - 1): added to scores, by the distance from query to key; can be null
  size_t inputs;  // how many numbers the products read for a token
  Norm wordsNorm, lastNorm;
  Product widening;
  Layer* layers;
  Dense* dense;
  int dimensions;  // of a text's vector
  int widest;      // columns of the widest vector that `dense` reads or makes
  void* memory;  // a list of all that is allocated for the above
};

struct Tensor {
  const void* data;
  size_t bytes;
};

// In the order in which `open` in kernel.cc reads them.
struct Weights {
  Sizes sizes;
  const Tensor* tensors;
  size_t tensorCount;
  const float* numbers;
  size_t numberCount;
  bool areWordsInFile;  // The tensor of the words is then empty.
};

// How the vectors of tokens become one: as their mean, as that of the first or of the last, or by the largest numbers.
enum class Pooling { mean, first, last, largest, count };

// Texts follow each other in `ids`, each with 1 token or more. Ids are below `words`, and texts fit the positions.
struct Batch {
  const int32_t *ids, *tokens;  // the ids of all tokens, and how many each text has
  const int32_t* types;  // null, or for each token 0 if it is not of a pair's second text
  const int8_t* words;   // null, or what the file of the words has for each token
  int texts;
  Pooling pooling;
  float* vectors;  // texts × dimensions
  float* sizes;  // null, or for each number of `inputs` the largest size that it had yet
};

// The memory of one thread, which grows to what the longest text needs.
struct Scratch {
  void* memory;
  size_t bytes;
};

// Lets a second thread compute half of the rows of a batch. All zero before, but for the functions.
struct Share {
  void (*offer)(Share*);     // called when there is something to share
  void (*withdraw)(Share*);  // returns when no other thread uses the share
  const void* work;
  int taken, done;  // units: a part of the rows in one step
};

struct Kernel {
  // Copies the weights. Returns null and sets `problem` if they don't fit the sizes.
  Encoder* (*open)(const Weights&, const char** problem);
  // `share` is null if one thread computes the batch, and must be if there is more than one text.
  void (*run)(const Encoder&, const Batch&, Scratch*, Share* share);
  void (*help)(Share*, Scratch*);
  void (*close)(Encoder*);
};

// The request for the registers of AMX, which a process has to make before it uses them: ARCH_REQ_XCOMP_PERM and
// XFEATURE_XTILEDATA of Linux.
constexpr int requestPermission = 0x1023, dataOfBlocks = 18;

extern const Kernel amxKernel, avx512Kernel, avx2Kernel, neonKernel, plainKernel;
