// A BERT encoder with integer products, compiled once for each kind of instructions: INSTRUCTIONS names its header. All do
// the same operations in the same order, so that their vectors are equal bit by bit: `Floats` are always 16 numbers, and
// only `fma` joins a multiplication and an addition. ../README.md has a picture.
#include "kernel.h"

#include INSTRUCTIONS

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <initializer_list>

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

// Computes `count` rows of a tile. All sums stay in registers.
template <Ending ending, int count>
inline void multiplyTile(const Product& product, int column, const Input& input, float* result) {
  Sums sums[count][vectors];
#pragma GCC unroll 6
  for (int i = 0; i < count; i++)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) sums[i][v] = loadSums(product.starts + column + v * vectorColumns);
  addRows(sums, product, column, input.bytes);
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

// input: count × rows, result: count × columns. A residual is in `result`.
template <Ending ending>
void multiply(const Product& product, Input input, int count, float* result) {
  for (int column = 0; column < product.columns; column += tileColumns) {
    int i = 0;
    const auto next = [&](auto multiplyRows, auto multiplyExactRows, int rows) {
      const size_t row = i;
      const Input rest{input.bytes + row * product.rows, input.rowScales + i, input.exact + row * input.step, input.step};
      (product.exact ? multiplyExactRows : multiplyRows)(product, column, rest, result + row * product.columns);
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

void normalize(const Norm& norm, float* row, int columns) {
  Floats sum = all(0), squares = all(0);
  for (int i = 0; i < columns; i += width) sum = sum + load(row + i);
  const Floats mean = all(sumOf(sum) / columns);
  for (int i = 0; i < columns; i += width) {
    const Floats x = load(row + i) - mean;
    squares = fma(x, x, squares);
  }
  const Floats factor = all(1 / sqrtf(sumOf(squares) / columns + norm.epsilon));
  for (int i = 0; i < columns; i += width)
    store(row + i, fma((load(row + i) - mean) * factor, load(norm.scale + i), load(norm.bias + i)));
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

// Attention of one head for some tokens of a text. Queries, keys and values of a token are `step` apart. `distances`:
// what is added to the scores of the first of these queries, and to those of the next one from one number before, unless
// it is null.
void attend(const float* queries, int queryCount, const float* keys, const float* values, int step, int tokens,
            int size, const float* distances, float* turned, float* shares, float* result, int resultStep) {
  const int full = (tokens + width - 1) / width * width;
  const Floats root = all(1 / sqrtf((float)size));
  // Keys become columns, so that a vector has the scores of 16 tokens.
  for (int token = 0; token < full; token++)
    for (int i = 0; i < size; i++)
      turned[i * full + token] = token < tokens ? keys[(size_t)token * step + i] : 0;
  for (int first = 0; first < queryCount; first += queriesAtOnce) {
    const int count = queryCount - first < queriesAtOnce ? queryCount - first : queriesAtOnce;
    Floats sums[queriesAtOnce];
    const float *query[queriesAtOnce], *share[queriesAtOnce];
    float divisors[queriesAtOnce];
    for (int r = 0; r < queriesAtOnce; r++) {
      query[r] = queries + (size_t)(first + (r < count ? r : 0)) * step;
      share[r] = shares + r * full;
    }
    for (int token = 0; token < full; token += width) {
      addUp(sums, query, turned + token, full, size);
      for (int r = 0; r < queriesAtOnce; r++) {
        Floats scores = sums[r] * root;
        if (distances) scores = scores + load(distances + token - first - (r < count ? r : 0));
        store(shares + r * full + token, scores);
      }
    }
    for (int r = 0; r < count; r++) {
      float* row = shares + r * full;
      for (int token = tokens; token < full; token++) row[token] = -1e30f;
      Floats most = load(row), sum = all(0);
      for (int token = width; token < full; token += width) most = max(most, load(row + token));
      const Floats largest = all(largestOf(most));
      for (int token = 0; token < full; token += width) {
        const Floats value = exponential(load(row + token) - largest);
        sum = sum + value;
        store(row + token, value);
      }
      divisors[r] = 1 / sumOf(sum);
    }
    for (int at = 0; at < size; at += width) {
      addUp(sums, share, values + at, step, tokens);
      for (int r = 0; r < count; r++)
        store(result + (size_t)(first + r) * resultStep + at, sums[r] * all(divisors[r]));
    }
  }
}

// Rows that are computed together after attention, so that what lies between two products stays in the L2 cache.
constexpr int blockRows = 96;
// Tokens of texts that are computed together, if not one text has more: enough to read the weights seldom.
constexpr int groupTokens = 144;

constexpr int tiled(int columns) { return (columns + tileColumns - 1) / tileColumns * tileColumns; }
// The next multiple of 64.
constexpr size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

struct Buffers {
  float *x, *attention[2], *context, *inner, *rowScales, *turned, *shares;
  uint8_t *bytes, *innerBytes;
  float* sizes = nullptr;  // as in `Batch`

  // Divides the scratch memory, after making it large enough.
  Buffers(const Sizes& s, size_t tokens, size_t longest, Scratch* scratch) {
    const size_t full = longest + width, widest = s.embedding > s.hidden ? s.embedding : s.hidden;
    const struct {
      void* place;
      size_t bytes;
    } parts[] = {
        {&attention[0], tokens * tiled(3 * s.hidden) * 4}, {&x, tokens * tiled(s.hidden) * 4},
        {&attention[1], tokens * tiled(3 * s.hidden) * 4}, {&context, tokens * tiled(widest) * 4},
        {&inner, (size_t)blockRows * tiled(s.inner) * 4},  {&rowScales, tokens * 4},
        {&turned, full * (s.hidden / s.heads) * 4},        {&bytes, tokens * widest},
        {&innerBytes, (size_t)blockRows * s.inner},        {&shares, full * queriesAtOnce * 4},
    };
    size_t needed = 0;
    for (const auto& part : parts) needed += aligned(part.bytes);
    if (needed > scratch->bytes) {
      free(scratch->memory);
      *scratch = {malloc(needed + 63), needed};
      if (!scratch->memory) abort();
    }
    char* next = (char*)aligned((size_t)scratch->memory);
    for (const auto& part : parts) {
      *(void**)part.place = next;
      next += aligned(part.bytes);
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

// Writes the sum of a text's words and positions, normalized.
void embed(const Encoder& encoder, const int32_t* ids, int tokens, float* to, int step) {
  const Sizes& s = encoder.sizes;
  int position = s.firstPosition;
  for (int i = 0; i < tokens; i++, to += step) {
    // As RoBERTa counts positions: its padding, where it is a text's token, has the row before the first.
    const bool isPadding = ids[i] == s.firstPosition - 1;
    const float* place = encoder.positions + (size_t)(isPadding ? ids[i] : position++) * s.embedding;
    if (encoder.exactWords) {
      const float* exact = encoder.exactWords + (size_t)ids[i] * s.embedding;
      for (int c = 0; c < s.embedding; c += width) store(to + c, load(exact + c) + load(place + c));
    } else {
      const int8_t* word = encoder.words + (size_t)ids[i] * s.embedding;
      const Floats scale = all(encoder.wordScales[ids[i]]);
      for (int c = 0; c < s.embedding; c += width)
        store(to + c, fma(loadBytes(word + c), scale, load(place + c)));
    }
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

// Ends a layer for `count` rows from `first` on. `own`: the buffers of this thread.
void endLayer(const Work& work, const Layer& layer, const float* attention, int first, int count,
              const Buffers& own) {
  const Sizes& s = work.encoder.sizes;
  const int columns = tiled(s.hidden), step = layer.attention.columns, size = s.hidden / s.heads;
  const int most = s.positions - s.firstPosition;
  for (int text = 0, token = 0; text < work.texts; token += work.tokens[text++]) {
    const int tokens = work.tokens[text], from = token > first ? token : first;
    const int to = token + tokens < first + count ? token + tokens : first + count;
    for (int at = 0; at < s.hidden && from < to; at += size) {
      const float* keys = attention + (size_t)token * step + s.hidden + at;
      const float* distances = work.encoder.distances;
      if (distances) distances += (size_t)(at / size) * (2 * most - 1) + most - 1 - (from - token);
      attend(attention + (size_t)from * step + at, to - from, keys, keys + s.hidden, step, tokens, size, distances,
             own.turned, own.shares, work.b.context + (size_t)from * columns + at, columns);
    }
  }
  for (int end = first + count; first < end; first += blockRows) {
    const int rows = end - first < blockRows ? end - first : blockRows;
    float *x = work.b.x + (size_t)first * columns, *context = work.b.context + (size_t)first * columns;
    roundAndMultiply<withResidual>(layer.context, context, columns, rows, own, own.bytes, x);
    for (int i = 0; i < rows; i++) normalize(layer.contextNorm, x + (size_t)i * columns, s.hidden);
    const auto up = s.usesTanh ? roundAndMultiply<withTanhGelu> : roundAndMultiply<withGelu>;
    up(layer.up, x, columns, rows, own, own.bytes, own.inner);
    roundAndMultiply<withResidual>(layer.down, own.inner, layer.up.columns, rows, own, own.innerBytes, x);
    for (int i = 0; i < rows; i++) normalize(layer.norm, x + (size_t)i * columns, s.hidden);
  }
}

// Takes the next unit, if it is one of the first `end`. Returns whether there was one.
bool computeUnit(const Work& work, int end, const Buffers& own) {
  const int unit = __atomic_fetch_add(&work.share->taken, 1, __ATOMIC_ACQ_REL);
  if (unit >= end) return false;
  const int number = unit / work.parts, columns = tiled(work.encoder.sizes.hidden);
  // Whole tiles.
  const int part = unit % work.parts, full = (work.total / work.parts + tileRows - 1) / tileRows * tileRows;
  const int first = part * full < work.total ? part * full : work.total;
  const int count = part < work.parts - 1 && first + full < work.total ? full : work.total - first;
  while (__atomic_load_n(&work.share->done, __ATOMIC_ACQUIRE) < number * work.parts) relax();
  const Layer* layers = work.encoder.layers;
  const auto attention = [&](int layer) { return work.b.attention[layer % work.parts]; };
  if (number > 0) endLayer(work, layers[number - 1], attention(number - 1), first, count, own);
  if (number < work.encoder.sizes.layers)
    roundAndMultiply<plain>(layers[number].attention, work.b.x + (size_t)first * columns, columns, count, own,
                            own.bytes, attention(number) + (size_t)first * layers[number].attention.columns);
  __atomic_fetch_add(&work.share->done, 1, __ATOMIC_ACQ_REL);
  return true;
}

// Pools the vectors of a text's tokens, and scales the result to length 1.
void pool(Pooling pooling, const float* x, int step, int tokens, int hidden, float* vector) {
  const int begin = pooling == Pooling::last ? tokens - 1 : 0, end = pooling == Pooling::first ? 1 : tokens;
  Floats squares = all(0);
  for (int c = 0; c < hidden; c += width) {
    Floats sum = load(x + (size_t)begin * step + c);
    for (int token = begin + 1; token < end; token++) {
      const Floats next = load(x + (size_t)token * step + c);
      sum = pooling == Pooling::largest ? max(sum, next) : sum + next;
    }
    squares = fma(sum, sum, squares);
    store(vector + c, sum);
  }
  const float length = sqrtf(sumOf(squares));
  for (int c = 0; c < hidden; c += width) store(vector + c, load(vector + c) * all(length > 0 ? 1 / length : 0));
}

void run(const Encoder& encoder, const Batch& batch, Scratch* scratch, Share* share) {
  const Sizes& s = encoder.sizes;
  const int columns = tiled(s.hidden);
  const bool widens = s.embedding != s.hidden;
  const int32_t* ids = batch.ids;
  for (int first = 0, end; first < batch.texts; first = end) {
    const int32_t* tokens = batch.tokens + first;
    int total = 0, longest = 0;
    for (end = first; end < batch.texts && (end == first || total + batch.tokens[end] <= groupTokens); end++) {
      total += batch.tokens[end];
      if (batch.tokens[end] > longest) longest = batch.tokens[end];
    }
    Buffers b(s, total, longest, scratch);
    b.sizes = batch.sizes;
    const int step = widens ? s.embedding : columns;
    for (int text = 0, token = 0; text < end - first; token += tokens[text++])
      embed(encoder, ids + token, tokens[text], (widens ? b.context : b.x) + (size_t)token * step, step);
    if (widens) roundAndMultiply<plain>(encoder.widening, b.context, step, total, b, b.bytes, b.x);
    Share alone{};
    const Work work{encoder, tokens, end - first, total, share ? 2 : 1, b, share ? share : &alone};
    const int units = (s.layers + 1) * work.parts;
    if (share) {
      for (int i = 0; i < work.parts; i++) computeUnit(work, units, b);
      share->work = &work;
      share->offer(share);
    }
    while (computeUnit(work, units, b)) {}
    while (__atomic_load_n(&work.share->done, __ATOMIC_ACQUIRE) < units) relax();
    if (share) share->withdraw(share);
    for (int text = 0, token = 0; text < end - first; token += tokens[text++])
      pool(batch.pooling, b.x + (size_t)token * columns, columns, tokens[text], s.hidden,
           batch.vectors + (size_t)(first + text) * s.hidden);
    ids += total;
  }
}

void help(Share* share, Scratch* scratch) {
  const Work& work = *(const Work*)share->work;
  const Buffers own(work.encoder.sizes, work.total, work.total, scratch);
  while (computeUnit(work, (work.encoder.sizes.layers + 1) * work.parts, own)) {}
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

  template <typename T>
  T* allocate(size_t count) {
    void** block = (void**)calloc(1, sizeof(void*) + 63 + aligned(count * sizeof(T)));
    if (!block) abort();
    *block = encoder->memory;
    encoder->memory = block;
    return (T*)aligned((size_t)(block + 1));
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

  Norm norm(int columns) {
    Norm norm{copy<float>(columns), copy<float>(columns), readNumber()};
    return norm;
  }

  // Reports whether the next tensor has `count` numbers of float32 in place of bytes.
  bool isExact(size_t count) const {
    return tensor < weights.tensorCount && weights.tensors[tensor].bytes == count * sizeof(float);
  }

  size_t nextBytes() const { return tensor < weights.tensorCount ? weights.tensors[tensor].bytes : 0; }

  Product product(int rows, int columns, int parts = 1) {
    const int full = tiled(columns * parts);
    const size_t size = (size_t)rows * full;
    Product product{};
    product.rows = rows, product.columns = full, product.scale = 1, product.place = encoder->inputs;
    encoder->inputs += rows;
    product.bias = allocate<float>(full);
    if (isExact((size_t)rows * columns)) {
      product.exact = allocate<float>(size);
      for (int part = 0; part < parts && !problem; part++) readExactPart(product, columns, columns * part);
      return product;
    }
    if (!fits((size_t)rows * columns)) return {};
    product.matrix = allocate<int8_t>(size), product.starts = allocate<int32_t>(full);
    product.scales = allocate<float>(full), product.factors = allocate<float>(rows);
    for (int part = 0; part < parts && !problem; part++) readPart(product, columns, columns * part);
#ifdef ADDS_IN_16_BITS
    if (!problem) arrange(product);
#endif
    return product;
  }

  void readExactPart(Product& product, int columns, int offset) {
    const float* values = read<float>((size_t)product.rows * columns);
    const float* bias = read<float>(columns);
    if (problem) return;
    memcpy(product.bias + offset, bias, columns * sizeof(float));
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
    const float *scales = read<float>(columns), *bias = read<float>(columns);
    const bool hasFactors = tensor < weights.tensorCount && weights.tensors[tensor].bytes > 0;
    const float *factors = read<float>(hasFactors ? product.rows : 0), size = readNumber();
    readApart(product, columns, offset);
    if (problem) return;
    const Rounding rounding = size > 0 ? constant : size == 0 ? byRow : activated;
    const float scale = size > 0 ? size : 1;
    if (!(size <= 1e30f) || (size < 0 && size != -1)) problem = "a product has no rounding that is known";
    if (offset > 0 && (rounding != product.rounding || scale != product.scale))
      problem = "queries, keys and values are rounded differently";
    if (problem) return;
    product.rounding = rounding, product.scale = scale;
    for (int row = 0; row < product.rows; row++) product.factors[row] = hasFactors ? factors[row] : 1;
    for (int column = 0; column < columns; column++) {
      const int at = offset + column;
      product.scales[at] = scales[column] * scale;
      product.bias[at] = bias[column];
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
  for (const int32_t size : {s.hidden, s.inner, s.embedding})
    if (size < width || size > 65536 || size % width) return "a width is not a multiple of 16";
  if (s.heads < 1 || s.hidden % s.heads || s.hidden / s.heads % width)
    return "the width of a head is not a multiple of 16";
  const bool isInRange = s.layers > 0 && s.layers <= 1000 && s.words > 0 && s.firstPosition >= 0;
  const bool isKnown = s.positions > s.firstPosition && (uint32_t)s.usesTanh < 2;
  return isInRange && isKnown ? nullptr : "a size of the layout is out of range";
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
    encoder->words = reader.copy<int8_t>((size_t)s.words * s.embedding);
    encoder->wordScales = reader.copy<float>(s.words);
  }
  encoder->positions = reader.copy<float>((size_t)s.positions * s.embedding);
  const size_t most = s.positions - s.firstPosition, count = reader.nextBytes() ? s.heads * (2 * most - 1) : 0;
  const float* distances = reader.read<float>(count);
  // The last 16 scores of a row can be beyond the text.
  if (distances && count)
    encoder->distances = (float*)memcpy(reader.allocate<float>(count + width), distances, count * sizeof(float));
  encoder->wordsNorm = reader.norm(s.embedding);
  if (s.embedding != s.hidden) encoder->widening = reader.product(s.embedding, s.hidden);
  encoder->layers = reader.allocate<Layer>(s.layers);
  for (int i = 0; i < s.layers && !reader.problem; i++) {
    Layer& layer = encoder->layers[i];
    layer.attention = reader.product(s.hidden, s.hidden, 3);
    layer.context = reader.product(s.hidden, s.hidden);
    layer.contextNorm = reader.norm(s.hidden);
    layer.up = reader.product(s.hidden, s.inner);
    layer.down = reader.product(s.inner, s.hidden);
    layer.norm = reader.norm(s.hidden);
  }
  const bool isAtEnd = reader.tensor == weights.tensorCount && reader.number == weights.numberCount;
  if (!reader.problem && !isAtEnd) reader.problem = "there is more than the layout states";
  if (!(*problem = reader.problem)) return encoder;
  close(encoder);
  return nullptr;
}

}  // namespace

const Kernel KERNEL{open, run, help, close};
