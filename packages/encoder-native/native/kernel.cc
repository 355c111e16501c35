// Text encoders such as BERT with integer products, compiled once for each kind of instructions: INSTRUCTIONS names its
// header. All do the same operations in the same order, so that their vectors are equal bit by bit: `Floats` are always 16
// numbers, and only `fma` joins a multiplication and an addition. ../README.md has a picture.
#include "kernel.h"

#include INSTRUCTIONS

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <initializer_list>

#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace {

constexpr int width = 16;
constexpr int maxWeight = 63;

float largestOf(Floats x) {
  float numbers[width];
  store(numbers, x);
  float largest = numbers[0];
  for (const float number : numbers) largest = number > largest ? number : largest;
  return largest;
}

// e to the power of x, to the seventh digit. Numbers beyond ±87 count as ±87.
inline Floats exponential(Floats x) {
  x = min(max(x, all(-87)), all(87));
  const Floats n = rounded(x * all(1.44269504f));  // x = n ln 2 + r
  const Floats r = fma(n, all(2.12194440e-4f), fma(n, all(-0.693359375f), x));
  Floats sum = all(1.f / 5040);
  for (const float factor : {1.f / 720, 1.f / 120, 1.f / 24, 1.f / 6, 0.5f, 1.f, 1.f})
    sum = fma(sum, r, all(factor));
  return sum * powerOf2(n);
}

// x (1 + erf(x ÷ √2)) ÷ 2 = max(x, 0) - a erfc(a ÷ √2) ÷ 2, where a = |x|. For a up to 5.5, -log(erfc(a ÷ √2)) ÷ a is
// fitted by a polynomial, with an error of 9e-9 in the result.
inline Floats gelu(Floats x) {
  const Floats a = max(x, all(0) - x), b = min(a, all(5.5f));
  Floats sum = all(1.3184115e-6f);
  for (const float factor : {-1.9447591e-5f, 9.1130300e-5f, 1.8858850e-4f, -5.0221435e-3f, 3.6478680e-2f,
                             3.1826696e-1f, 7.9788935e-1f})
    sum = fma(sum, b, all(factor));
  return fma(a * all(-0.5f), exponential(all(0) - sum * b), max(x, all(0)));
}

// x (1 + tanh(u)) ÷ 2, where u is √(2 ÷ π) (x + 0.044715 x³) and (1 + tanh u) ÷ 2 = 1 - 1 ÷ (e²ᵘ + 1).
inline Floats geluByTanh(Floats x) {
  const Floats twice = x * fma(x * x, all(0.044715f * 1.59576912f), all(1.59576912f));
  return x - x / (exponential(twice) + all(1));
}

// x ÷ (1 + e⁻ˣ)
inline Floats silu(Floats x) { return x / (exponential(all(0) - x) + all(1)); }

constexpr int vectorColumns = sizeof(Sums) / 4, vectors = tileColumns / vectorColumns;

// Adds the products of 4 rows of a matrix to the sums of a tile.
template <int count>
inline void addFourRows(Sums (&sums)[count][vectors], const uint8_t* input, int step, const int8_t* matrix) {
  Sums weights[vectors];
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++) weights[v] = loadSums(matrix + v * sizeof(Sums));
#pragma GCC unroll 6
  for (int i = 0; i < count; i++) {
    const auto four = fourOf(input + (size_t)i * step);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) addProducts(sums[i][v], four, weights[v]);
  }
}

#ifdef ADDS_IN_16_BITS
// Adds the products of 8 rows. Four products are added in 16 bits, where they must fit.
template <int count>
inline void addEightRows(Sums (&sums)[count][vectors], const uint8_t* input, int step, const int8_t* matrix) {
  const int8_t* others = matrix + tileColumns * 4;
  // The next tile, which no loop has read yet.
  prefetch(matrix + (size_t)step * tileColumns), prefetch(others + (size_t)step * tileColumns);
#pragma GCC unroll 6
  for (int i = 0; i < count; i++) {
    const Sums four = fourOf(input + (size_t)i * step), more = fourOf(input + (size_t)i * step + 4);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++)
      addProducts(sums[i][v], four, loadSums(matrix + v * sizeof(Sums)), more, loadSums(others + v * sizeof(Sums)));
  }
}

template <int count>
inline void addRows(Sums (&sums)[count][vectors], const Product& product, int column, const uint8_t* input) {
  const int rows = product.rows, tile = column / tileColumns;
  const int8_t* matrix = product.matrix + (size_t)column * rows;
  const uint16_t* eight = product.order + (size_t)tile * (rows / 8);
  const uint16_t *fitting = eight + product.fitting[tile], *end = eight + rows / 8;
  for (; eight < fitting; eight++)
    addEightRows(sums, input + *eight * 8, rows, matrix + *eight * tileColumns * 8);
  for (; eight < end; eight++)
    for (int row = *eight * 8; row < (*eight + 1) * 8; row += 4)
      addFourRows(sums, input + row, rows, matrix + row * tileColumns);
}
#else
template <int count>
inline void addRows(Sums (&sums)[count][vectors], const Product& product, int column, const uint8_t* input) {
  const int8_t* matrix = product.matrix + (size_t)column * product.rows;
  for (int row = 0; row < product.rows; row += 4, matrix += tileColumns * 4)
    addFourRows(sums, input + row, product.rows, matrix);
}
#endif

// What happens to the sums of a product before they are stored.
enum Ending { plain, withGelu, withTanhGelu, withResidual };

inline Floats activate(Floats x, Activation activation) {
  switch (activation) {
    case Activation::silu: return silu(x);
    case Activation::geluByTanh: return geluByTanh(x);
    case Activation::tanh: return all(1) - all(2) / (exponential(x * all(2)) + all(1));
    case Activation::relu: return max(x, all(0));
    case Activation::identity: return x;
    default: return gelu(x);
  }
}

template <Ending ending>
inline void finish(Floats y, float* to) {
  if (ending == withGelu) y = gelu(y);
  if (ending == withTanhGelu) y = geluByTanh(y);
  if (ending == withResidual) y = y + load(to);
  store(to, y);
}

// The input of a product: rounded, and in float32, where rows are `step` apart.
struct Input {
  const uint8_t* bytes;
  const float *rowScales, *exact;
  int step;
  // From a row on, for a matrix of this many rows.
  Input from(size_t row, int rows) const { return {bytes + row * rows, rowScales + row, exact + row * step, step}; }
};

// Adds the weights apart of a tile to its bias, for each row of the input.
template <int count>
inline void addApart(const Product& product, int column, const Input& input, float (&sums)[count][tileColumns]) {
  const int32_t* first = product.firstApart + column / tileColumns;
  for (int i = 0; i < count; i++) {
    memcpy(sums[i], product.bias + column, sizeof sums[i]);
    for (const Apart *one = product.apart + first[0], *end = product.apart + first[1]; one < end; one++)
      sums[i][one->column - column] += input.exact[(size_t)i * input.step + one->row] * one->value;
  }
}

// Stores what the sums of some rows of a tile become.
template <Ending ending, int count>
inline void finishTile(const Product& product, int column, const Input& input, const Sums (&sums)[count][vectors],
                       float* result) {
  float own[count][tileColumns];
  const bool hasApart = product.apart && product.firstApart[column / tileColumns] < product.firstApart[column / tileColumns + 1];
  if (hasApart) addApart(product, column, input, own);
#pragma GCC unroll 6
  for (int i = 0; i < count; i++)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v += width / vectorColumns) {
      const int at = column + v * vectorColumns;
      const float* bias = hasApart ? own[i] + v * vectorColumns : product.bias + at;
      const Floats scaled = floatsOf(&sums[i][v]) * load(product.scales + at) * all(input.rowScales[i]);
      finish<ending>(scaled + load(bias), result + (size_t)i * product.columns + at);
    }
}

// Computes `count` rows of a tile. All sums stay in registers.
template <Ending ending, int count>
inline void multiplyTile(const Product& product, int column, const Input& input, float* result) {
  Sums sums[count][vectors];
#pragma GCC unroll 6
  for (int i = 0; i < count; i++)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) sums[i][v] = loadSums(product.starts + column + v * vectorColumns);
  addRows(sums, product, column, input.bytes);
  finishTile<ending>(product, column, input, sums, result);
}

// The same for a matrix of float32.
template <Ending ending, int count>
inline void multiplyExactTile(const Product& product, int column, const Input& input, float* result) {
  constexpr int parts = tileColumns / width;
  Floats sums[count][parts];
#pragma GCC unroll 6
  for (int i = 0; i < count; i++)
#pragma GCC unroll 4
    for (int v = 0; v < parts; v++) sums[i][v] = all(0);
  const float* matrix = product.exact + (size_t)column * product.rows;
  for (int row = 0; row < product.rows; row++, matrix += tileColumns) {
    Floats weights[parts];
#pragma GCC unroll 4
    for (int v = 0; v < parts; v++) weights[v] = load(matrix + v * width);
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) {
      const Floats x = all(input.exact[(size_t)i * input.step + row]);
#pragma GCC unroll 4
      for (int v = 0; v < parts; v++) sums[i][v] = fma(x, weights[v], sums[i][v]);
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < count; i++)
#pragma GCC unroll 4
    for (int v = 0; v < parts; v++) {
      const int at = column + v * width;
      finish<ending>(sums[i][v] + load(product.bias + at), result + (size_t)i * product.columns + at);
    }
}

#ifdef MULTIPLIES_BLOCKS
// Multiplies as `multiply` does, where the matrix consists of whole blocks.
template <Ending ending>
void multiplyInBlocks(const Product& product, const Input& input, int count, float* result) {
  constexpr int step = 2 * blockRows;
  const BlockRegisters registers;
  alignas(64) int32_t sums[step][tileColumns];
  for (int column = 0; column < product.columns; column += tileColumns)
    for (int first = 0; first < count; first += step) {
      const int rows = count - first < step ? count - first : step;
      multiplyBlocks(input.bytes + (size_t)first * product.rows, rows, product.rows,
                     product.matrix + (size_t)column * product.rows, product.starts + column, sums[0]);
      for (int i = 0; i < rows; i++) {
        Sums own[1][vectors];
        for (int v = 0; v < vectors; v++) own[0][v] = loadSums(sums[i] + v * vectorColumns);
        finishTile<ending>(product, column, input.from(first + i, product.rows), own, result + (size_t)(first + i) * product.columns);
      }
    }
}
#endif

// input: count × rows, result: count × columns. A residual is in `result`.
template <Ending ending>
void multiply(const Product& product, const Input& input, int count, float* result) {
#ifdef MULTIPLIES_BLOCKS
  if (!product.exact && product.rows % blockDepth == 0) return multiplyInBlocks<ending>(product, input, count, result);
#endif
  for (int column = 0; column < product.columns; column += tileColumns) {
    int i = 0;
    const auto next = [&](auto multiplyRows, auto multiplyExactRows, int rows) {
      (product.exact ? multiplyExactRows : multiplyRows)(product, column, input.from(i, product.rows), result + (size_t)i * product.columns);
      i += rows;
    };
#define NEXT(rows) next(multiplyTile<ending, rows>, multiplyExactTile<ending, rows>, rows)
    while (count - i >= tileRows) NEXT(tileRows);
    switch (count - i) {
      case 5: NEXT(5); break;
      case 4: NEXT(4); break;
      case 3: NEXT(3); break;
      case 2: NEXT(2); break;
      case 1: NEXT(1); break;
    }
#undef NEXT
  }
}

int zeroOf(Rounding rounding) { return rounding == activated ? 16 : 128; }
// The smallest result of a GELU is -0.17005, for which there are 16 steps.
constexpr float smallestActivated = 0.17005f * 239 / 16;

// Rounds a row to bytes and returns its scale.
float roundRow(const Product& product, const float* row, uint8_t* bytes) {
  const int zero = zeroOf(product.rounding), columns = product.rows;
  float scale = product.scale;
  if (product.rounding != constant) {
    Floats high = all(0), low = all(0);
    for (int i = 0; i < columns; i += width) {
      const Floats x = load(row + i) * load(product.factors + i);
      high = max(x, high), low = min(x, low);
    }
    const float above = largestOf(high), below = largestOf(all(0) - low);
    scale = product.rounding == activated ? fmaxf(above, smallestActivated) * (1.f / 239)
                                          : fmaxf(fmaxf(above, below), 1e-30f) * (1.f / 127);
  }
  const Floats step = all(scale), inverse = all(1 / scale), least = all(-zero), most = all(255 - zero);
  for (int i = 0; i < columns; i += width) {
    const Floats x = load(row + i) * load(product.factors + i), near = x * inverse;
    // The quotient as a division would round it.
    const Floats steps = fma(fma(all(0) - near, step, x), inverse, near);
    storeBytes(bytes + i, min(max(steps, least), most), zero);
  }
  return product.rounding == constant ? 1 : scale;
}

void normalize(const Norm& norm, const float* row, int columns, float* to) {
  Floats sum = all(0), squares = all(0);
  if (norm.hasMean)
    for (int i = 0; i < columns; i += width) sum = sum + load(row + i);
  const Floats mean = all(sumOf(sum) / columns);
  for (int i = 0; i < columns; i += width) {
    const Floats x = load(row + i) - mean;
    squares = fma(x, x, squares);
  }
  const Floats factor = all(1 / sqrtf(sumOf(squares) / columns + norm.epsilon));
  for (int i = 0; i < columns; i += width)
    store(to + i, fma((load(row + i) - mean) * factor, load(norm.scale + i), load(norm.bias + i)));
}

void normalize(const Norm& norm, float* row, int columns) {
  if (norm.scale) normalize(norm, row, columns, row);
}

// Adds up factors × vectors for some rows at once: sums[r] = Σ rows[r][i] × vectors[i × step].
inline void addUp(Floats* sums, const float* const* rows, const float* vectors, int step, int count) {
  Floats partial[queriesAtOnce];
#pragma GCC unroll 8
  for (Floats& sum : partial) sum = all(0);
  for (int i = 0; i < count; i++) {
    const Floats vector = load(vectors + (size_t)i * step);
#pragma GCC unroll 8
    for (int r = 0; r < queriesAtOnce; r++) partial[r] = fma(all(rows[r][i]), vector, partial[r]);
  }
#pragma GCC unroll 8
  for (int r = 0; r < queriesAtOnce; r++) sums[r] = partial[r];
}

// Keys of a head become columns, so that a vector has the scores of 16 tokens.
void turn(const float* keys, int step, int tokens, int size, float* turned) {
  const int full = (tokens + width - 1) / width * width;
  for (int token = 0; token < full; token++)
    for (int i = 0; i < size; i++)
      turned[i * full + token] = token < tokens ? keys[(size_t)token * step + i] : 0;
}

// The part of a text whose keys a query sees.
struct Sight {
  int tokens, before, after;
  int from(int token) const { return token > before ? token - before : 0; }
  int to(int token) const { return token < tokens - after ? token + after + 1 : tokens; }
};

// Attention of one head for some tokens of a text from `begin` on. Queries and values of a token are `step` apart.
// `distances`: what is added to the scores of the first of these queries, and to those of the next one from one number
// before, unless it is null.
void attend(const float* queries, int begin, int queryCount, const float* turned, const float* values, int step,
            const Sight& sight, int size, const float* distances, float* shares, float* result, int resultStep) {
  const int full = (sight.tokens + width - 1) / width * width;
  const Floats root = all(1 / sqrtf((float)size));
  for (int first = 0; first < queryCount; first += queriesAtOnce) {
    const int count = queryCount - first < queriesAtOnce ? queryCount - first : queriesAtOnce;
    // All that any of these queries sees.
    const int from = sight.from(begin + first) / width * width, to = sight.to(begin + first + count - 1);
    Floats sums[queriesAtOnce];
    const float *query[queriesAtOnce], *share[queriesAtOnce];
    float divisors[queriesAtOnce];
    for (int r = 0; r < queriesAtOnce; r++) {
      query[r] = queries + (size_t)(first + (r < count ? r : 0)) * step;
      share[r] = shares + r * full + from;
    }
    for (int token = from; token < to; token += width) {
      addUp(sums, query, turned + token, full, size);
      for (int r = 0; r < queriesAtOnce; r++) {
        Floats scores = sums[r] * root;
        if (distances) scores = scores + load(distances + token - first - (r < count ? r : 0));
        store(shares + r * full + token, scores);
      }
    }
    for (int r = 0; r < count; r++) {
      float* row = shares + r * full;
      const int end = (to + width - 1) / width * width, least = sight.from(begin + first + r);
      for (int token = from; token < least; token++) row[token] = -1e30f;
      for (int token = sight.to(begin + first + r); token < end; token++) row[token] = -1e30f;
      Floats most = load(row + from), sum = all(0);
      for (int token = from + width; token < to; token += width) most = max(most, load(row + token));
      const Floats largest = all(largestOf(most));
      for (int token = from; token < to; token += width) {
        const Floats value = exponential(load(row + token) - largest);
        sum = sum + value;
        store(row + token, value);
      }
      divisors[r] = 1 / sumOf(sum);
    }
    for (int at = 0; at < size; at += width) {
      addUp(sums, share, values + (size_t)from * step + at, step, to - from);
      for (int r = 0; r < count; r++)
        store(result + (size_t)(first + r) * resultStep + at, sums[r] * all(divisors[r]));
    }
  }
}

#ifdef __SANITIZE_ADDRESS__
// What lies between two buffers is poisoned, so that no access beyond one stays unseen.
constexpr size_t gap = 1 << 16;
#else
constexpr size_t gap = 0;
#endif
#if defined __linux__ && !defined __SANITIZE_ADDRESS__
constexpr bool hasLargePages = true;
#else
constexpr bool hasLargePages = false;
#endif

// Returns memory for `free`, in pages of 2 MiB where there are such. With pages of 4 KiB, encoders took 5 to 20 % longer.
void* allocateLarge(size_t bytes) {
  void* memory = nullptr;
#ifdef __linux__
  constexpr size_t page = 2 << 20;
  const size_t whole = (bytes + page - 1) / page * page;
  if (hasLargePages && bytes >= page) memory = aligned_alloc(page, whole);
  if (memory) madvise(memory, whole, MADV_HUGEPAGE);
#endif
  if (!memory) memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}

// Tokens of texts that are computed together, if not one text has more: enough to read the weights seldom.
constexpr int groupTokens = 288;
#ifdef MULTIPLIES_BLOCKS
// Rows that are computed together after attention: reading the weights takes longer than multiplying them.
constexpr int rowsAfterAttention = groupTokens;
#else
// So few that what lies between two products stays in the L2 cache.
constexpr int rowsAfterAttention = 96;
#endif

constexpr int tiled(int columns) { return (columns + tileColumns - 1) / tileColumns * tileColumns; }
// The next multiple of 64.
constexpr size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }
constexpr int larger(int a, int b) { return a > b ? a : b; }
int attentionColumns(const Sizes& s) { return (s.heads + 2 * s.keyHeads) * s.headSize; }
int steps(const Sizes& s) { return s.layers * s.repeats; }
int innerColumns(const Sizes& s) { return s.isGated ? 2 * s.inner : s.inner; }
// The distance of rows in `Buffers::context`.
int contextColumns(const Sizes& s) { return tiled(larger(s.hidden, s.heads * s.headSize)); }
// Vectors of texts that are multiplied together after the pooling.
constexpr int denseTexts = 8;
// How many rows of bytes after its input a product may read: AMX multiplies blocks of 16.
constexpr int rowsBeyond = 15;

struct Buffers {
  float *x, *attention[2], *context, *inner, *rowScales, *turned, *shares, *vectors;
  uint8_t *bytes, *innerBytes;
  float* sizes = nullptr;  // as in `Batch`

  // Divides the scratch memory, after making it large enough.
  Buffers(const Encoder& encoder, size_t tokens, size_t longest, Scratch* scratch) {
    const Sizes& s = encoder.sizes;
    const size_t full = longest + width, widest = larger(s.embedding, contextColumns(s)), texts = denseTexts * encoder.widest;
    const size_t ofTokens = (tokens + rowsBeyond) * widest, ofTexts = (size_t)(denseTexts + rowsBeyond) * encoder.widest;
    const struct {
      void* place;
      size_t bytes;
    } parts[] = {
        {&attention[0], tokens * tiled(attentionColumns(s)) * 4}, {&x, tokens * tiled(s.hidden) * 4},
        {&attention[1], tokens * tiled(attentionColumns(s)) * 4}, {&context, tokens * tiled((int)widest) * 4},
        {&inner, (size_t)rowsAfterAttention * tiled(larger(innerColumns(s), s.hidden)) * 4}, {&rowScales, (tokens + denseTexts) * 4},
        {&turned, full * s.headSize * 4},          {&bytes, ofTokens > ofTexts ? ofTokens : ofTexts},
        {&innerBytes, (size_t)(rowsAfterAttention + rowsBeyond) * s.inner}, {&shares, full * queriesAtOnce * 4},
        {&vectors, 2 * texts * 4},
    };
    size_t needed = 0;
    for (const auto& part : parts) needed += aligned(part.bytes) + gap;
    if (needed > scratch->bytes) {
      free(scratch->memory);
      *scratch = {allocateLarge(needed + 63), needed};
    }
    char* next = (char*)aligned((size_t)scratch->memory);
    for (const auto& part : parts) {
      *(void**)part.place = next;
#ifdef __SANITIZE_ADDRESS__
      __asan_unpoison_memory_region(next, part.bytes);
      __asan_poison_memory_region(next + part.bytes, aligned(part.bytes) + gap - part.bytes);
#endif
      next += aligned(part.bytes) + gap;
    }
  }
};

template <Ending ending>
void roundAndMultiply(const Product& product, const float* input, int step, int count, const Buffers& b,
                      uint8_t* bytes, float* result) {
  for (int i = 0; i < count; i++) {
    const float* row = input + (size_t)i * step;
    float* sizes = b.sizes ? b.sizes + product.place : nullptr;
    for (int c = 0; sizes && c < product.rows; c += width)
      store(sizes + c, max(load(sizes + c), max(load(row + c), all(0) - load(row + c))));
    if (!product.exact) b.rowScales[i] = roundRow(product, row, bytes + (size_t)i * product.rows);
  }
  multiply<ending>(product, {bytes, b.rowScales, input, step}, count, result);
}

// Writes the sum of a text's words and what is added to them, normalized.
void embed(const Encoder& encoder, const int32_t* ids, const int32_t* types, const int8_t* words, int tokens, float* to, int step) {
  const Sizes& s = encoder.sizes;
  int position = s.firstPosition;
  for (int i = 0; i < tokens; i++, to += step) {
    // As RoBERTa counts positions: its padding, where it is a text's token, has the row before the first.
    const bool isPadding = ids[i] == s.firstPosition - 1;
    const float* place = encoder.positions;
    if (place) place += (size_t)(isPadding ? ids[i] : position++) * encoder.positionStep;
    const size_t first = (size_t)ids[i] * s.embedding;
    const int8_t* row = encoder.exactWords ? nullptr : words ? words + (size_t)i * s.embedding : encoder.words + first;
    const Floats factor = all(encoder.wordFactor), scale = encoder.exactWords ? factor : all(encoder.wordScales[ids[i]]) * factor;
    for (int c = 0; c < s.embedding; c += width) {
      const Floats word = encoder.exactWords ? load(encoder.exactWords + first + c)
                                             : loadBytes(row + c);
      store(to + c, place ? fma(word, scale, load(place + c)) : word * scale);
    }
    if (types && types[i] && encoder.secondType)
      for (int c = 0; c < s.embedding; c += width) store(to + c, load(to + c) + load(encoder.secondType + c));
    normalize(encoder.wordsNorm, to, s.embedding);
  }
}

// Texts that are computed together, in as many steps as there are layers and one more. In each step, a thread takes a
// part of the rows: it ends the layer before, and computes the queries, keys and values of the next one.
struct Work {
  const Encoder& encoder;
  const int32_t* tokens;
  int texts, total, parts;
  const Buffers& b;
  Share* share;
};

// The part of a text that is among `count` rows from `first` on.
struct Piece {
  int text, tokens;  // the row of the text's first token, and how many it has
  int from, to;      // rows
};

template <typename Visit>
void eachPiece(const Work& work, int first, int count, Visit visit) {
  for (int i = 0, text = 0; i < work.texts; text += work.tokens[i++]) {
    const int tokens = work.tokens[i], from = text > first ? text : first;
    const int to = text + tokens < first + count ? text + tokens : first + count;
    if (from < to) visit(Piece{text, tokens, from, to});
  }
}

// Turns each pair of a head's numbers, which are half a head apart, by the angle of the position.
void turnBy(const float* cosines, int size, float* row) {
  const int half = size / 2;
  const float* sines = cosines + half;
  for (int i = 0; i < half; i += width) {
    const Floats a = load(row + i), b = load(row + half + i);
    store(row + i, a * load(cosines + i) - b * load(sines + i));
    store(row + half + i, b * load(cosines + i) + a * load(sines + i));
  }
}

// Computes the queries, keys and values of `count` rows from `first` on.
void beginLayer(const Work& work, const Layer& layer, int first, int count, float* attention, const Buffers& own) {
  const Sizes& s = work.encoder.sizes;
  const int columns = tiled(s.hidden), contextStep = contextColumns(s), step = layer.attention.columns;
  const float* x = work.b.x + (size_t)first * columns;
  int inputStep = columns;
  if (const Norm& norm = layer.ofAttention.input; norm.scale) {
    float* context = work.b.context + (size_t)first * contextStep;
    for (int i = 0; i < count; i++) normalize(norm, x + (size_t)i * columns, s.hidden, context + (size_t)i * contextStep);
    x = context, inputStep = contextStep;
  }
  roundAndMultiply<plain>(layer.attention, x, inputStep, count, own, own.bytes, attention + (size_t)first * step);
  if (!layer.queries.scale && !layer.keys.scale && !layer.turns) return;
  eachPiece(work, first, count, [&](const Piece& piece) {
    for (int row = piece.from; row < piece.to; row++)
      for (int head = 0; head < s.heads + s.keyHeads; head++) {
        float* place = attention + (size_t)row * step + head * s.headSize;
        normalize(head < s.heads ? layer.queries : layer.keys, place, s.headSize);
        if (layer.turns) turnBy(layer.turns + (size_t)(row - piece.text) * s.headSize, s.headSize, place);
      }
  });
}

// Adds a product to `rows` rows of x. `result`: memory for what is normalized before it is added.
void addProduct(const Product& product, const Norms& norms, const float* input, int step, int rows, const Buffers& own,
                uint8_t* bytes, float* x, int hidden, float* result) {
  const int columns = product.columns;
  if (norms.result.scale) roundAndMultiply<plain>(product, input, step, rows, own, bytes, result);
  else roundAndMultiply<withResidual>(product, input, step, rows, own, bytes, x);
  for (int i = 0; i < rows; i++) {
    float *row = x + (size_t)i * columns, *added = result + (size_t)i * columns;
    normalize(norms.result, added, hidden);
    for (int c = 0; norms.result.scale && c < hidden; c += width) store(row + c, load(row + c) + load(added + c));
    normalize(norms.sum, row, hidden);
  }
}

// Ends a layer for `count` rows from `first` on. `own`: the buffers of this thread.
void endLayer(const Work& work, const Layer& layer, const float* attention, int first, int count,
              const Buffers& own) {
  const Sizes& s = work.encoder.sizes;
  const int columns = tiled(s.hidden), step = layer.attention.columns, size = s.headSize, group = s.heads / s.keyHeads;
  const int contextStep = contextColumns(s), innerStep = layer.up.columns, most = s.positions - s.firstPosition;
  const Activation activation = (Activation)s.activation;
  eachPiece(work, first, count, [&](const Piece& piece) {
    const int begin = piece.from - piece.text;
    const Sight sight{piece.tokens, layer.before, layer.after};
    for (int head = 0; head < s.heads; head++) {
      const float* keys = attention + (size_t)piece.text * step + (s.heads + head / group) * size;
      if (head % group == 0) turn(keys, step, piece.tokens, size, own.turned);
      const float* distances = work.encoder.distances;
      if (distances) distances += (size_t)head * (2 * most - 1) + most - 1 - begin;
      attend(attention + (size_t)piece.from * step + head * size, begin, piece.to - piece.from, own.turned,
             keys + s.keyHeads * size, step, sight, size, distances, own.shares,
             work.b.context + (size_t)piece.from * contextStep + head * size, contextStep);
    }
  });
  for (int end = first + count; first < end; first += rowsAfterAttention) {
    const int rows = end - first < rowsAfterAttention ? end - first : rowsAfterAttention;
    float *x = work.b.x + (size_t)first * columns, *context = work.b.context + (size_t)first * contextStep;
    addProduct(layer.context, layer.ofAttention, context, contextStep, rows, own, own.bytes, x, s.hidden, own.inner);
    const float* input = x;
    int inputStep = columns;
    if (const Norm& norm = layer.ofInner.input; norm.scale) {
      for (int i = 0; i < rows; i++) normalize(norm, x + (size_t)i * columns, s.hidden, context + (size_t)i * contextStep);
      input = context, inputStep = contextStep;
    }
    const auto upAlone = activation == Activation::gelu ? roundAndMultiply<withGelu> : roundAndMultiply<withTanhGelu>;
    const auto up = s.isGated ? roundAndMultiply<plain> : upAlone;
    up(layer.up, input, inputStep, rows, own, own.bytes, own.inner);
    for (int i = 0; s.isGated && i < rows; i++)
      for (float *gate = own.inner + (size_t)i * innerStep, *last = gate + s.inner; gate < last; gate += width)
        store(gate, activate(load(gate), activation) * load(gate + s.inner));
    // With a norm of the result, the memory of `context` has room for it.
    addProduct(layer.down, layer.ofInner, own.inner, innerStep, rows, own, own.innerBytes, x, s.hidden, context);
  }
}

// Takes the next unit, if it is one of the first `end`. Returns whether there was one.
bool computeUnit(const Work& work, int end, const Buffers& own) {
  const int unit = __atomic_fetch_add(&work.share->taken, 1, __ATOMIC_ACQ_REL);
  if (unit >= end) return false;
  const int number = unit / work.parts, columns = tiled(work.encoder.sizes.hidden);
  // Whole tiles, but not whole blocks of AMX, which would gain nothing.
  const int part = unit % work.parts, full = (work.total / work.parts + tileRows - 1) / tileRows * tileRows;
  const int first = part * full < work.total ? part * full : work.total;
  const int count = part < work.parts - 1 && first + full < work.total ? full : work.total - first;
  while (__atomic_load_n(&work.share->done, __ATOMIC_ACQUIRE) < number * work.parts) relax();
  const Sizes& s = work.encoder.sizes;
  const auto layer = [&](int step) -> const Layer& { return work.encoder.layers[step % s.layers]; };
  const auto attention = [&](int step) { return work.b.attention[step % work.parts]; };
  if (number > 0) endLayer(work, layer(number - 1), attention(number - 1), first, count, own);
  if (number < steps(s)) beginLayer(work, layer(number), first, count, attention(number), own);
  else
    for (int i = first; i < first + count; i++) normalize(work.encoder.lastNorm, work.b.x + (size_t)i * columns, s.hidden);
  __atomic_fetch_add(&work.share->done, 1, __ATOMIC_ACQ_REL);
  return true;
}

void scaleToUnit(float* vector, int columns) {
  Floats squares = all(0);
  for (int c = 0; c < columns; c += width) squares = fma(load(vector + c), load(vector + c), squares);
  const float length = sqrtf(sumOf(squares));
  for (int c = 0; c < columns; c += width) store(vector + c, load(vector + c) * all(length > 0 ? 1 / length : 0));
}

// Pools the vectors of a text's tokens.
void pool(Pooling pooling, const float* x, int step, int tokens, int hidden, float* vector) {
  const int begin = pooling == Pooling::last ? tokens - 1 : 0, end = pooling == Pooling::first ? 1 : tokens;
  for (int c = 0; c < hidden; c += width) {
    Floats sum = load(x + (size_t)begin * step + c);
    for (int token = begin + 1; token < end; token++) {
      const Floats next = load(x + (size_t)token * step + c);
      sum = pooling == Pooling::largest ? max(sum, next) : sum + next;
    }
    store(vector + c, sum);
  }
}

// Multiplies pooled vectors of texts with the products after the pooling. Returns which half of `b.vectors` has the results.
const float* multiplyPooled(const Encoder& encoder, int texts, const Buffers& b) {
  float *from = b.vectors, *to = b.vectors + (size_t)denseTexts * encoder.widest;
  int step = tiled(encoder.sizes.hidden);
  for (int i = 0; i < encoder.sizes.dense; i++) {
    const Dense& dense = encoder.dense[i];
    roundAndMultiply<plain>(dense.product, from, step, texts, b, b.bytes, to);
    step = dense.product.columns;
    for (float *number = to, *end = to + (size_t)texts * step; number < end; number += width)
      store(number, activate(load(number), dense.activation));
    for (int text = 0; text < texts; text++) normalize(dense.norm, to + (size_t)text * step, dense.columns);
    float* const read = from;
    from = to, to = read;
  }
  return from;
}

void run(const Encoder& encoder, const Batch& batch, Scratch* scratch, Share* share) {
  const Sizes& s = encoder.sizes;
  const int columns = tiled(s.hidden);
  const int32_t *ids = batch.ids, *types = batch.types;
  const int8_t* words = batch.words;
  for (int first = 0, end; first < batch.texts; first = end) {
    const int32_t* tokens = batch.tokens + first;
    int total = 0, longest = 0;
    for (end = first; end < batch.texts && (end == first || total + batch.tokens[end] <= groupTokens); end++) {
      total += batch.tokens[end];
      if (batch.tokens[end] > longest) longest = batch.tokens[end];
    }
    Buffers b(encoder, total, longest, scratch);
    b.sizes = batch.sizes;
    const int step = s.widens ? s.embedding : columns;
    for (int text = 0, token = 0; text < end - first; token += tokens[text++])
      embed(encoder, ids + token, types ? types + token : nullptr, words ? words + (size_t)token * s.embedding : nullptr,
            tokens[text], (s.widens ? b.context : b.x) + (size_t)token * step, step);
    if (s.widens) roundAndMultiply<plain>(encoder.widening, b.context, step, total, b, b.bytes, b.x);
    Share alone{};
    const Work work{encoder, tokens, end - first, total, share ? 2 : 1, b, share ? share : &alone};
    const int units = (steps(s) + 1) * work.parts;
    if (share) {
      for (int i = 0; i < work.parts; i++) computeUnit(work, units, b);
      share->work = &work;
      share->offer(share);
    }
    while (computeUnit(work, units, b)) {}
    while (__atomic_load_n(&work.share->done, __ATOMIC_ACQUIRE) < units) relax();
    if (share) share->withdraw(share);
    for (int text = 0, token = 0; text < end - first; token += tokens[text++]) {
      float* vector = batch.vectors + (size_t)(first + text) * encoder.dimensions;
      const int place = text % denseTexts;
      float* pooled = s.dense ? b.vectors + (size_t)place * columns : vector;
      pool(batch.pooling, b.x + (size_t)token * columns, columns, tokens[text], s.hidden, pooled);
      if (!s.dense) {
        scaleToUnit(vector, s.hidden);
        continue;
      }
      const Floats share = all(batch.pooling == Pooling::mean ? 1.f / (float)tokens[text] : 1);
      for (int c = 0; c < s.hidden; c += width) store(pooled + c, load(pooled + c) * share);
      if (place < denseTexts - 1 && text < end - first - 1) continue;
      const float* results = multiplyPooled(encoder, place + 1, b);
      for (int i = 0; i <= place; i++) {
        float* to = vector - (size_t)(place - i) * encoder.dimensions;
        memcpy(to, results + (size_t)i * tiled(encoder.dimensions), encoder.dimensions * sizeof(float));
        if (!s.isScore) scaleToUnit(to, encoder.dimensions);
      }
    }
    ids += total;
    if (types) types += total;
    if (words) words += (size_t)total * s.embedding;
  }
}

void help(Share* share, Scratch* scratch) {
  const Work& work = *(const Work*)share->work;
  const Buffers own(work.encoder, work.total, work.total, scratch);
  while (computeUnit(work, (steps(work.encoder.sizes) + 1) * work.parts, own)) {}
}

void close(Encoder* encoder) {
  for (void *block = encoder->memory, *next; block; block = next) {
    next = *(void**)block;
    free(block);
  }
  free(encoder);
}

// Reads tensors and numbers in order. A product has values, scales, bias, factors and weights apart, and its rounding as a
// number: a scale, 0 for one of each row, or -1 after a GELU. Factors and weights apart can be empty. The values of an
// exact product are its columns in float32, one after the other, and it has no scales. A norm has a scale, a bias, and
// epsilon.
struct Reader {
  const Weights& weights;
  Encoder* encoder;
  const char* problem = nullptr;
  size_t tensor = 0, number = 0;
  // So many that what a large tensor leaves of a chunk is little. Linux takes no memory that nothing was written to.
  static constexpr size_t chunkBytes = 64 << 20;
  char* next = nullptr;
  size_t left = 0;  // bytes of the chunk from `next` on

  // Returns zeros. With large pages, several tensors share a chunk.
  template <typename T>
  T* allocate(size_t count) {
    const size_t bytes = aligned(count * sizeof(T));
    if (!next || bytes > left) {
      left = hasLargePages && bytes < chunkBytes ? chunkBytes : bytes;
      void** chunk = (void**)allocateLarge(sizeof(void*) + 63 + left);
      *chunk = encoder->memory, encoder->memory = chunk;
      next = (char*)aligned((size_t)(chunk + 1));
    }
    char* const place = next;
    next += bytes, left -= bytes;
    return (T*)memset(place, 0, bytes);
  }

  // Reports whether the next tensor has this size.
  bool fits(size_t bytes) {
    const bool fits = tensor < weights.tensorCount && weights.tensors[tensor].bytes == bytes;
    // The first problem is the cause of the others.
    if (!fits && !problem) problem = "a tensor has another size than the layout states";
    return fits;
  }

  template <typename T>
  const T* read(size_t count) {
    return fits(count * sizeof(T)) ? (const T*)weights.tensors[tensor++].data : nullptr;
  }

  template <typename T>
  T* copy(size_t count) {
    const T* given = read<T>(count);
    return given ? (T*)memcpy(allocate<T>(count), given, count * sizeof(T)) : nullptr;
  }

  float readNumber() {
    if (!problem && number == weights.numberCount) problem = "a number is missing";
    return problem ? 1 : weights.numbers[number++];
  }

  // Returns zeros for an empty tensor.
  float* copyOrZeros(size_t count) {
    if (nextBytes() > 0) return copy<float>(count);
    read<float>(0);
    return allocate<float>(count);
  }

  // Reads no norm from two empty tensors.
  Norm norm(int columns) {
    Norm norm{};
    if (nextBytes() > 0) norm.scale = copy<float>(columns), norm.bias = copyOrZeros(columns);
    else read<float>(0), read<float>(0);
    norm.epsilon = readNumber(), norm.hasMean = !encoder->sizes.usesRootMeanSquare;
    return norm;
  }

  Norms norms(int columns) {
    const Norm input = norm(columns), result = norm(columns), sum = norm(columns);
    return {input, result, sum};
  }

  // Reads a count; -1 stands for all.
  int readCount(int most) {
    const float number = readNumber();
    if (number == -1) return INT32_MAX / 2;
    if (!problem && !(number >= 0 && number <= most && number == (float)(int)number)) problem = "a count is out of range";
    return problem ? 0 : (int)number;
  }

  // Reports whether the next tensor has `count` numbers of float32 in place of bytes.
  bool isExact(size_t count) const {
    return tensor < weights.tensorCount && weights.tensors[tensor].bytes == count * sizeof(float);
  }

  size_t nextBytes() const { return tensor < weights.tensorCount ? weights.tensors[tensor].bytes : 0; }

  // Reads a product with one part after the other.
  Product product(int rows, std::initializer_list<int> parts) {
    int columns = 0;
    for (const int part : parts) columns += part;
    const int full = tiled(columns), first = *parts.begin();
    const size_t size = (size_t)rows * full;
    Product product{};
    product.rows = rows, product.columns = full, product.scale = 1, product.place = encoder->inputs;
    encoder->inputs += rows;
    product.bias = allocate<float>(full);
    const bool isExactly = isExact((size_t)rows * first);
    if (isExactly) {
      product.exact = allocate<float>(size);
    } else {
      if (!fits((size_t)rows * first)) return {};
      product.matrix = allocate<int8_t>(size), product.starts = allocate<int32_t>(full);
      product.scales = allocate<float>(full), product.factors = allocate<float>(rows);
    }
    int offset = 0;
    for (const int part : parts) {
      if (!problem && isExactly) readExactPart(product, part, offset);
      if (!problem && !isExactly) readPart(product, part, offset);
      offset += part;
    }
#ifdef ADDS_IN_16_BITS
    if (!problem && !isExactly) arrange(product);
#endif
    return product;
  }

  // Reads the bias of some columns, if there is one.
  void readBias(float* to, int columns) {
    const bool isThere = nextBytes() > 0;
    const float* bias = read<float>(isThere ? columns : 0);
    if (bias && isThere) memcpy(to, bias, columns * sizeof(float));
  }

  void readExactPart(Product& product, int columns, int offset) {
    const float* values = read<float>((size_t)product.rows * columns);
    readBias(product.bias + offset, columns);
    if (problem) return;
    for (int column = 0; column < columns; column++) {
      const int at = offset + column;
      float* tile = product.exact + (size_t)(at / tileColumns) * tileColumns * product.rows + at % tileColumns;
      for (int row = 0; row < product.rows; row++) tile[row * tileColumns] = *values++;
    }
  }

  // Adds the weights apart of a part of a product. Those of the parts before it are there.
  void readApart(Product& product, int columns, int offset) {
    const size_t more = nextBytes() / sizeof(Apart);
    const Apart* given = read<Apart>(more);
    if (problem || more == 0) return;
    const int tiles = product.columns / tileColumns;
    const int32_t before = product.apart ? product.firstApart[tiles] : 0;
    Apart* apart = allocate<Apart>(before + more);
    if (before) memcpy(apart, product.apart, before * sizeof(Apart));
    else product.firstApart = allocate<int32_t>(tiles + 1);
    product.apart = apart;
    for (size_t i = 0; i < more; i++) {
      Apart& one = apart[before + i] = given[i];
      const bool isInside = one.row >= 0 && one.row < product.rows && one.column >= 0 && one.column < columns;
      if (!isInside || (i > 0 && one.column < given[i - 1].column)) problem = "a weight apart has no place";
      if (problem) return;
      one.column += offset;
      for (int tile = one.column / tileColumns + 1; tile <= tiles; tile++) product.firstApart[tile] = before + (int)i + 1;
    }
  }

#ifdef ADDS_IN_16_BITS
  // Reports whether the products of 8 rows of a tile fit, whatever the input is.
  static bool fits16Bits(const int8_t* rows) {
    const int8_t* others = rows + tileColumns * 4;
    for (int i = 0; i < tileColumns * 4; i += 2) {
      int high = 0, low = 0;
      for (const int weight : {rows[i], rows[i + 1], others[i], others[i + 1]}) (weight > 0 ? high : low) += weight;
      if (high * 255 > INT16_MAX || low * 255 < INT16_MIN) return false;
    }
    return true;
  }

  // Finds the rows of each tile for `addEightRows`.
  void arrange(Product& product) {
    const int tiles = product.columns / tileColumns, eights = product.rows / 8;
    product.order = allocate<uint16_t>((size_t)tiles * eights);
    product.fitting = allocate<uint16_t>(tiles);
    for (int tile = 0; tile < tiles; tile++) {
      const int8_t* matrix = product.matrix + (size_t)tile * tileColumns * product.rows;
      uint16_t *const first = product.order + (size_t)tile * eights, *next = first, *last = first + eights;
      for (int eight = 0; eight < eights; eight++)
        *(fits16Bits(matrix + (size_t)eight * tileColumns * 8) ? next++ : --last) = (uint16_t)eight;
      product.fitting[tile] = (uint16_t)(next - first);
    }
  }
#endif

  void readPart(Product& product, int columns, int offset) {
    const int8_t* values = read<int8_t>((size_t)product.rows * columns);
    const float* scales = read<float>(columns);
    readBias(product.bias + offset, columns);
    const bool hasFactors = tensor < weights.tensorCount && weights.tensors[tensor].bytes > 0;
    const float *factors = read<float>(hasFactors ? product.rows : 0), size = readNumber();
    readApart(product, columns, offset);
    if (problem) return;
    const Rounding rounding = size > 0 ? constant : size == 0 ? byRow : activated;
    const float scale = size > 0 ? size : 1;
    if (!(size <= 1e30f) || (size < 0 && size != -1)) problem = "a product has no rounding that is known";
    if (offset > 0 && (rounding != product.rounding || scale != product.scale))
      problem = "products of the same input round it differently";
    if (problem) return;
    product.rounding = rounding, product.scale = scale;
    for (int row = 0; row < product.rows; row++) product.factors[row] = hasFactors ? factors[row] : 1;
    for (int column = 0; column < columns; column++) {
      const int at = offset + column;
      product.scales[at] = scales[column] * scale;
      int8_t* tile = product.matrix + (size_t)(at / tileColumns) * tileColumns * product.rows;
      int32_t sum = 0;
      for (int row = 0; row < product.rows; row++) {
        const int8_t value = values[(size_t)row * columns + column];
        if (value > maxWeight || value < -maxWeight) problem = "a weight has more than 7 bits";
        tile[(row / 4 * tileColumns + at % tileColumns) * 4 + row % 4] = value;
        sum += value;
      }
      product.starts[at] = (inputOffset - zeroOf(product.rounding)) * sum;
    }
  }
};

const char* problemOf(const Sizes& s) {
  for (const int32_t size : {s.hidden, s.inner, s.embedding, s.headSize})
    if (size < width || size > 65536 || size % width) return "a width is not a multiple of 16";
  if (s.heads < 1 || s.heads > 65536 / s.headSize) return "a number of heads is out of range";
  if (s.keyHeads < 1 || s.heads % s.keyHeads) return "heads of keys don't divide those of queries";
  const bool isInRange = s.layers > 0 && s.layers <= 1000 && s.words > 0 && s.firstPosition >= 0 && s.dense >= 0 && s.dense <= 16;
  const bool areTurns = s.turns >= 0 && s.turns <= s.layers && (s.turns == 0 || s.headSize % (2 * width) == 0);
  const bool isKnown = (uint32_t)s.isGated < 2 && (uint32_t)s.usesRootMeanSquare < 2 && (uint32_t)s.activation <= (uint32_t)Activation::silu;
  const bool hasItsScore = s.isScore == 0 || (s.isScore == 1 && s.dense > 0);
  if (isInRange && (s.repeats < 1 || s.repeats > 1000 / s.layers)) return "layers are computed too often, or never";
  const bool isWidened = s.widens == 1 || (s.widens == 0 && s.embedding == s.hidden);
  const bool hasPositions = s.positions > s.firstPosition;
  const bool fitsActivation = s.isGated || (Activation)s.activation != Activation::silu;
  return isInRange && areTurns && isKnown && hasItsScore && hasPositions && fitsActivation && isWidened ? nullptr : "a size of the layout is out of range";
}

Encoder* open(const Weights& weights, const char** problem) {
  const Sizes& s = weights.sizes;
  if ((*problem = problemOf(s))) return nullptr;
  Encoder* encoder = (Encoder*)calloc(1, sizeof(Encoder));
  if (!encoder) abort();
  Reader reader{weights, encoder};
  encoder->sizes = s;
  if (reader.isExact((size_t)s.words * s.embedding)) {
    encoder->exactWords = reader.copy<float>((size_t)s.words * s.embedding);
  } else {
    if (weights.areWordsInFile) reader.read<int8_t>(0);
    else encoder->words = reader.copy<int8_t>((size_t)s.words * s.embedding);
    encoder->wordScales = reader.copy<float>(s.words);
  }
  encoder->wordFactor = reader.readNumber();
  if (const size_t bytes = reader.nextBytes(); bytes == 0) {
    reader.read<float>(0);
  } else {
    encoder->positionStep = bytes == s.embedding * sizeof(float) ? 0 : s.embedding;
    encoder->positions = reader.copy<float>((size_t)(encoder->positionStep ? s.positions : 1) * s.embedding);
  }
  if (reader.nextBytes() > 0) encoder->secondType = reader.copy<float>(s.embedding);
  else reader.read<float>(0);
  const size_t most = s.positions - s.firstPosition, count = reader.nextBytes() ? s.heads * (2 * most - 1) : 0;
  const float* distances = reader.read<float>(count);
  // The last 16 scores of a row can be beyond the text.
  if (distances && count)
    encoder->distances = (float*)memcpy(reader.allocate<float>(count + width), distances, count * sizeof(float));
  const size_t turnSize = (size_t)s.positions * s.headSize;
  encoder->turns = reader.copy<float>(s.turns * turnSize);
  encoder->wordsNorm = reader.norm(s.embedding);
  if (s.widens) encoder->widening = reader.product(s.embedding, {s.hidden});
  encoder->layers = reader.allocate<Layer>(s.layers);
  for (int i = 0; i < s.layers && !reader.problem; i++) {
    Layer& layer = encoder->layers[i];
    const int queries = s.heads * s.headSize, keys = s.keyHeads * s.headSize;
    layer.ofAttention = reader.norms(s.hidden), layer.ofInner = reader.norms(s.hidden);
    layer.queries = reader.norm(s.headSize), layer.keys = reader.norm(s.headSize);
    const int turns = reader.readCount(s.turns);
    layer.before = reader.readCount(INT32_MAX / 2), layer.after = reader.readCount(INT32_MAX / 2);
    layer.turns = turns > 0 ? encoder->turns + (turns - 1) * turnSize : nullptr;
    layer.attention = reader.product(s.hidden, {queries, keys, keys});
    layer.context = reader.product(queries, {s.hidden});
    layer.up = s.isGated ? reader.product(s.hidden, {s.inner, s.inner}) : reader.product(s.hidden, {s.inner});
    layer.down = reader.product(s.inner, {s.hidden});
  }
  encoder->lastNorm = reader.norm(s.hidden);
  encoder->dense = reader.allocate<Dense>(s.dense);
  encoder->dimensions = s.hidden, encoder->widest = s.dense ? tiled(s.hidden) : 0;
  for (int i = 0; i < s.dense && !reader.problem; i++) {
    Dense& dense = encoder->dense[i];
    dense.columns = reader.readCount(65536), dense.activation = (Activation)reader.readCount((int)Activation::count - 1);
    const bool isScore = s.isScore && i == s.dense - 1;
    const bool isRight = isScore ? dense.columns == 1 : dense.columns >= width && dense.columns % width == 0;
    if (!reader.problem && !isRight) reader.problem = "the width of a product after the pooling is not a multiple of 16, or 1 for a score";
    if (reader.problem) break;
    dense.product = reader.product(encoder->dimensions, {dense.columns});
    dense.norm = reader.norm(dense.columns);
    encoder->dimensions = dense.columns;
    encoder->widest = larger(encoder->widest, tiled(dense.columns));
  }
  const bool isAtEnd = reader.tensor == weights.tensorCount && reader.number == weights.numberCount;
  if (!reader.problem && !isAtEnd) reader.problem = "there is more than the layout states";
  if (!(*problem = reader.problem)) return encoder;
  close(encoder);
  return nullptr;
}

}  // namespace

const Kernel KERNEL{open, run, help, close};
