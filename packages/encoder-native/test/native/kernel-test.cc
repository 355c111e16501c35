// Compares the kernel with plain loops, and calls it with random texts. Prints a digest of all vectors, which must be the
// same for all instructions. Called with the number of random calls; compiled with the kernel's flags, and sanitizers.
#include "../../native/kernel.cc"

#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

namespace {

uint64_t state = 88172645463325252u;
uint32_t random32() {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 16);
}
int between(int least, int most) { return least + (int)(random32() % (uint32_t)(most - least + 1)); }
float real(float least, float most) { return least + (most - least) * (float)(random32() % 65537) / 65536; }

void expect(bool holds, const char* what) {
  if (holds) return;
  printf("failed: %s\n", what);
  exit(1);
}

// Parts that an encoder can have or not.
struct Parts {
  bool isExact, hasDistances, hasBias, hasWordsNorm, hasLastNorm, hasHeadNorms;
  bool input, result, sum;  // norms of each half of a layer
};
const Parts ofBert{false, false, true, true, false, false, false, false, true};

// Random weights of an encoder, in the order of `Reader`.
struct Model {
  Sizes sizes;
  Parts parts;
  std::vector<std::vector<char>> data;
  std::vector<float> numbers;
  std::vector<Tensor> tensors;

  int8_t* bytes(size_t count, int most) {
    data.emplace_back(count);
    for (char& byte : data.back()) byte = (char)between(-most, most);
    return (int8_t*)data.back().data();
  }
  void floats(size_t count, float least, float most) {
    data.emplace_back(count * sizeof(float));
    for (size_t i = 0; i < count; i++) ((float*)data.back().data())[i] = real(least, most);
  }
  void norm(int columns, bool isThere) {
    floats(isThere ? columns : 0, 0.5f, 1.5f), floats(isThere && parts.hasBias ? columns : 0, -0.3f, 0.3f);
    numbers.push_back(1e-12f);
  }
  void norms(int columns) {
    for (const bool isThere : {parts.input, parts.result, parts.sum}) norm(columns, isThere);
  }
  void bias(int columns) { floats(parts.hasBias ? columns : 0, -0.2f, 0.2f); }
  // In every second product, a few weights by columns.
  void apart(int rows, int columns) {
    std::vector<Apart> some;
    for (int column = between(0, 1) ? columns : 0; column < columns; column += between(1, columns))
      for (int row = between(0, rows - 1); row < rows; row += rows) some.push_back({row, column, real(-2, 2)});
    data.emplace_back((char*)some.data(), (char*)(some.data() + some.size()));
  }
  void product(int rows, int columns, float rounding) {
    if (parts.isExact) {
      floats((size_t)rows * columns, -0.2f, 0.2f), bias(columns);
      return;
    }
    bytes((size_t)rows * columns, maxWeight), floats(columns, 0.001f, 0.003f), bias(columns);
    floats(rounding != -1 && rows % 32 == 0 ? rows : 0, 0.25f, 1);
    apart(rows, columns);
    numbers.push_back(rounding);
  }
  Model(const Sizes& s, const Parts& parts) : sizes(s), parts(parts) {
    const float roundings[] = {0.03f, 0, 0.05f};
    if (parts.isExact) floats((size_t)s.words * s.embedding, -1, 1);
    else bytes((size_t)s.words * s.embedding, 127), floats(s.words, 0.001f, 0.01f);
    numbers.push_back(between(0, 1) ? 1 : 1.7f);
    floats((size_t)(s.turns ? between(0, 1) : s.positions) * s.embedding, -0.5f, 0.5f);
    floats(between(0, 1) ? s.embedding : 0, -0.5f, 0.5f);
    floats(parts.hasDistances ? (size_t)s.heads * (2 * (s.positions - s.firstPosition) - 1) : 0, -1, 1);
    floats((size_t)s.turns * s.positions * s.headSize, -1, 1);
    norm(s.embedding, parts.hasWordsNorm);
    if (s.widens) product(s.embedding, s.hidden, 0.03f);
    for (int i = 0; i < s.layers; i++) {
      norms(s.hidden), norms(s.hidden);
      for (int part = 0; part < 2; part++) norm(s.headSize, parts.hasHeadNorms);
      numbers.push_back((float)between(0, s.turns));
      for (int side = 0; side < 2; side++) numbers.push_back((float)(s.turns && between(0, 1) ? between(0, 12) : -1));
      for (const int heads : {s.heads, s.keyHeads, s.keyHeads}) product(s.hidden, heads * s.headSize, roundings[i % 3]);
      product(s.heads * s.headSize, s.hidden, roundings[(i + 1) % 3]);
      for (int part = 0; part <= s.isGated; part++) product(s.hidden, s.inner, roundings[i % 3]);
      product(s.inner, s.hidden, s.isGated ? 0 : i % 2 ? 0.02f : -1);
    }
    norm(s.hidden, parts.hasLastNorm);
    for (int i = 0, rows = s.hidden, columns; i < s.dense; i++, rows = columns) {
      columns = s.isScore && i == s.dense - 1 ? 1 : 16 * between(1, 6);
      const int activation = between(0, (int)Activation::count - 1);
      numbers.push_back((float)columns), numbers.push_back((float)activation);
      // A RELU can make nothing but numbers near 0. A norm would enlarge how they were rounded.
      product(rows, columns, 0), norm(columns, columns > 1 && activation != (int)Activation::relu && between(0, 1));
    }
    for (const auto& one : data) tensors.push_back({one.data(), one.size()});
  }
  Weights weights() const {
    return {sizes, tensors.data(), tensors.size(), numbers.data(), numbers.size(), false};
  }
};

// The same encoder with plain loops in float64, for one text. Rounds as the kernel does.
struct Plain {
  const Model& model;
  size_t tensor = 0, number = 0;
  const float* distances = nullptr;
  bool hasDistances = false;
  using Rows = std::vector<std::vector<double>>;

  const float* floats() { return (const float*)model.data[tensor++].data(); }

  // Reads a tensor that can be empty.
  const float* some() {
    const bool isThere = !model.data[tensor].empty();
    const float* numbers = floats();
    return isThere ? numbers : nullptr;
  }

  struct PlainNorm {
    const float *scale, *bias;
    float epsilon;
  };
  PlainNorm norm() {
    const float *scale = some(), *bias = some();
    return {scale, bias, model.numbers[number++]};
  }

  // Normalizes parts of rows of `size` numbers each, the first `count` ones.
  void normalize(Rows& rows, const PlainNorm& norm, int size = 0, int count = 1) const {
    if (!norm.scale) return;
    for (auto& row : rows)
      for (int part = 0; part < count; part++) {
        const int width = size ? size : (int)row.size();
        double *from = row.data() + part * width, mean = 0, variance = 0;
        for (int i = 0; i < width && !model.sizes.usesRootMeanSquare; i++) mean += from[i] / width;
        for (int i = 0; i < width; i++) variance += (from[i] - mean) * (from[i] - mean) / width;
        for (int i = 0; i < width; i++) from[i] = (from[i] - mean) / sqrt(variance + norm.epsilon) * norm.scale[i] + (norm.bias ? norm.bias[i] : 0);
      }
  }

  static std::vector<double> sums(const float* bias, int columns) {
    std::vector<double> sums(columns);
    for (int i = 0; bias && i < columns; i++) sums[i] = bias[i];
    return sums;
  }

  Rows multiplyExactly(const Rows& input, int columns) {
    const float *values = floats(), *bias = some();
    Rows result;
    for (const auto& row : input) {
      std::vector<double> sums = Plain::sums(bias, columns);
      for (int c = 0; c < columns; c++)
        for (size_t i = 0; i < row.size(); i++) sums[c] += row[i] * values[c * row.size() + i];
      result.push_back(sums);
    }
    return result;
  }

  Rows multiply(const Rows& input, int columns) {
    if (model.parts.isExact) return multiplyExactly(input, columns);
    const int8_t* values = (const int8_t*)model.data[tensor++].data();
    const float *scales = floats(), *bias = some();
    const bool hasFactors = !model.data[tensor].empty();
    const float *factors = floats(), size = model.numbers[number++];
    const std::vector<char>& all = model.data[tensor++];
    const Apart *apart = (const Apart*)all.data(), *end = apart + all.size() / sizeof(Apart);
    const int zero = size < 0 ? 16 : 128;
    Rows result;
    for (std::vector<double> row : input) {
      double high = 0, low = 0;
      for (size_t i = 0; i < row.size(); i++) {
        row[i] *= hasFactors ? factors[i] : 1;
        high = fmax(high, row[i]), low = fmin(low, row[i]);
      }
      const double activatedScale = fmax(high, 0.17005 * 239 / 16) / 239;
      const double scale = size > 0 ? size : size < 0 ? activatedScale : fmax(fmax(high, -low), 1e-30) / 127;
      std::vector<double> sums = Plain::sums(bias, columns);
      for (int c = 0; c < columns; c++) {
        int64_t sum = 0;
        for (size_t i = 0; i < row.size(); i++) {
          const int steps = (int)fmin(fmax(nearbyint(row[i] / scale), -zero), 255 - zero);
          sum += steps * values[i * columns + c];
        }
        sums[c] += (double)sum * scale * scales[c];
      }
      for (const Apart* one = apart; one < end; one++) sums[one->column] += row[one->row] * one->value / (hasFactors ? factors[one->row] : 1);
      result.push_back(sums);
    }
    return result;
  }

  static void add(Rows& rows, const Rows& others) {
    for (size_t i = 0; i < rows.size(); i++)
      for (size_t c = 0; c < rows[i].size(); c++) rows[i][c] += others[i][c];
  }

  Rows attend(const Rows& queries, const Rows& keys, const Rows& values, int before, int after) const {
    const Sizes& s = model.sizes;
    const int size = s.headSize, most = s.positions - s.firstPosition, count = (int)queries.size();
    Rows result(count, std::vector<double>(s.heads * size));
    for (int i = 0; i < count; i++)
      for (int head = 0; head < s.heads; head++) {
        const int at = head * size, key = head / (s.heads / s.keyHeads) * size;
        double sum = 0;
        for (int j = 0; j < count; j++) {
          if ((before >= 0 && j < i - before) || (after >= 0 && j > i + after)) continue;
          double score = 0;
          for (int c = 0; c < size; c++) score += queries[i][at + c] * keys[j][key + c] / sqrt(size);
          if (hasDistances) score += distances[head * (2 * most - 1) + most - 1 + j - i];
          const double share = exp(score);
          sum += share;
          for (int c = 0; c < size; c++) result[i][at + c] += share * values[j][key + c];
        }
        for (int c = at; c < at + size; c++) result[i][c] /= sum;
      }
    return result;
  }

  void turn(Rows& rows, const float* turns, int heads) const {
    const int size = model.sizes.headSize, half = size / 2;
    for (size_t i = 0; i < rows.size(); i++)
      for (int at = 0; at < heads * size; at += size)
        for (int c = 0; c < half; c++) {
          const double a = rows[i][at + c], b = rows[i][at + half + c];
          const float cosine = turns[i * size + c], sine = turns[i * size + half + c];
          rows[i][at + c] = a * cosine - b * sine, rows[i][at + half + c] = b * cosine + a * sine;
        }
  }

  static double activated(double y, Activation activation) {
    switch (activation) {
      case Activation::tanh: return tanh(y);
      case Activation::relu: return fmax(y, 0);
      case Activation::identity: return y;
      case Activation::silu: return y / (1 + exp(-y));
      case Activation::geluByTanh: return y * (1 + tanh(sqrt(2 / M_PI) * (y + 0.044715 * y * y * y))) / 2;
      default: return y * (1 + erf(y / sqrt(2))) / 2;
    }
  }

  std::vector<double> run(const int32_t* ids, const int32_t* types, int tokens, Pooling pooling) {
    const Sizes& s = model.sizes;
    const char* words = model.data[tensor++].data();
    const float* scales = model.parts.isExact ? nullptr : floats();
    const float factor = model.numbers[number++], *positions = some(), *secondType = some();
    hasDistances = !model.data[tensor].empty(), distances = floats();
    const float* turns = floats();
    Rows x(tokens, std::vector<double>(s.embedding));
    for (int i = 0, next = s.firstPosition; i < tokens; i++) {
      const int place = ids[i] == s.firstPosition - 1 ? ids[i] : next++;
      for (int c = 0; c < s.embedding; c++) {
        const int at = ids[i] * s.embedding + c;
        const double word = scales ? ((const int8_t*)words)[at] * scales[ids[i]] : ((const float*)words)[at];
        x[i][c] = word * factor + (positions ? positions[s.turns ? c : place * s.embedding + c] : 0);
        if (types && types[i] && secondType) x[i][c] += secondType[c];
      }
    }
    normalize(x, norm());
    if (s.widens) x = multiply(x, s.hidden);
    const size_t firstTensor = tensor, firstNumber = number;
    for (int step = 0; step < s.layers * s.repeats; step++) {
      if (step % s.layers == 0) tensor = firstTensor, number = firstNumber;
      PlainNorm norms[8];
      for (PlainNorm& one : norms) one = norm();
      const int table = (int)model.numbers[number++], before = (int)model.numbers[number++], after = (int)model.numbers[number++];
      Rows read = x;
      normalize(read, norms[0]);
      Rows queries = multiply(read, s.heads * s.headSize), keys = multiply(read, s.keyHeads * s.headSize);
      const Rows values = multiply(read, s.keyHeads * s.headSize);
      normalize(queries, norms[6], s.headSize, s.heads), normalize(keys, norms[7], s.headSize, s.keyHeads);
      const float* own = table ? turns + (size_t)(table - 1) * s.positions * s.headSize : nullptr;
      if (table) turn(queries, own, s.heads), turn(keys, own, s.keyHeads);
      Rows added = multiply(attend(queries, keys, values, before, after), s.hidden);
      normalize(added, norms[1]), add(x, added), normalize(x, norms[2]);
      read = x;
      normalize(read, norms[3]);
      Rows inner = multiply(read, s.inner);
      for (auto& row : inner)
        for (double& y : row) y = activated(y, (Activation)s.activation);
      if (s.isGated) {
        const Rows others = multiply(read, s.inner);
        for (size_t i = 0; i < inner.size(); i++)
          for (int c = 0; c < s.inner; c++) inner[i][c] *= others[i][c];
      }
      added = multiply(inner, s.hidden);
      normalize(added, norms[4]), add(x, added), normalize(x, norms[5]);
    }
    normalize(x, norm());
    Rows pooled{poolTokens(x, pooling)};
    if (pooling == Pooling::mean)
      for (double& y : pooled[0]) y /= tokens;
    for (int i = 0; i < s.dense; i++) {
      const int columns = (int)model.numbers[number++];
      const Activation activation = (Activation)(int)model.numbers[number++];
      pooled = multiply(pooled, columns);
      for (double& y : pooled[0]) y = activated(y, activation);
      normalize(pooled, norm());
    }
    return pooled[0];
  }

  std::vector<double> poolTokens(const Rows& x, Pooling pooling) const {
    const Sizes& s = model.sizes;
    const int tokens = (int)x.size();
    std::vector<double> vector(s.hidden);
    if (pooling == Pooling::first) return x[0];
    if (pooling == Pooling::last) return x[tokens - 1];
    const bool isLargest = pooling == Pooling::largest;
    for (int c = 0; c < s.hidden; c++) {
      vector[c] = isLargest ? -INFINITY : 0;
      for (int i = 0; i < tokens; i++) vector[c] = isLargest ? fmax(vector[c], x[i][c]) : vector[c] + x[i][c];
    }
    return vector;
  }
};

void compareSums() {
  for (int rows = 16; rows <= 1536; rows = rows < 80 ? rows + 16 : rows * 3 + 16)
    for (const int columns : {16, 48, 64, 80, 144})
      for (const int count : {1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 16, 17, 33, 48, 50}) {
        const bool isExtreme = count % 3 == 0;
        // For AVX2, four products with 32 are the largest that fit in 16 bits.
        const int extremes[] = {maxWeight, 32, -33};
        std::vector<int8_t> values((size_t)rows * columns);
        for (size_t i = 0; i < values.size(); i++) {
          const int most = i / columns / 8 % 3 == 0 ? maxWeight : 40;
          values[i] = (int8_t)(isExtreme ? extremes[count / 3 % 3] : between(-most, most));
        }
        std::vector<float> ones(columns, 1), zeros(columns, 0), scales(count, 1);
        const float one = 1;
        const Tensor tensors[] = {{values.data(), values.size()}, {ones.data(), columns * 4ul}, {zeros.data(), columns * 4ul}, {"", 0}, {"", 0}};
        const Weights weights{{}, tensors, 5, &one, 1, false};
        Encoder owner{};
        Reader reader{weights, &owner};
        const Product product = reader.product(rows, {columns});
        expect(!reader.problem, "a product is read");
        std::vector<uint8_t> input((size_t)(count + rowsBeyond) * rows);
        for (uint8_t& value : input) value = (uint8_t)((isExtreme ? 255 : between(0, 255)) - inputOffset);
        std::vector<float> result((size_t)count * product.columns);
        multiply<plain>(product, {input.data(), scales.data(), nullptr, 0}, count, result.data());
        for (int i = 0; i < count; i++)
          for (int c = 0; c < columns; c++) {
            int64_t sum = 0;
            for (int row = 0; row < rows; row++) sum += ((uint8_t)(input[i * rows + row] + inputOffset) - 128) * values[row * columns + c];
            expect(result[i * product.columns + c] == (float)sum, "sums are those of a plain loop");
          }
        for (void *block = owner.memory, *next; block; block = next) next = *(void**)block, free(block);
      }
}

// A share that a second thread helps with.
struct Helped {
  Share share;
  pthread_t thread;
};
const Share helped{
    [](Share* share) {
      const auto helper = [](void* data) -> void* {
        Scratch scratch{};
        help((Share*)data, &scratch);
        free(scratch.memory);
        return nullptr;
      };
      pthread_create(&((Helped*)share)->thread, nullptr, helper, share);
    },
    [](Share* share) { pthread_join(((Helped*)share)->thread, nullptr); },
    nullptr, 0, 0};

uint64_t digest = 14695981039346656037u;

void callAtRandom(int calls) {
  int left = 0;
  bool isBert = false;
  Model* model = nullptr;
  Encoder* encoder = nullptr;
  Scratch scratch{};
  double lowest = 1, lowestExact = 1, worstExact = 0, sum = 0;
  int compared = 0, near = 0;
  for (int call = 0; call < calls; call++, left--) {
    if (left == 0) {
      if (encoder) close(encoder);
      delete model;
      isBert = between(0, 1);
      const bool hasTurns = !isBert && between(0, 2);
      const int size = hasTurns ? 32 * between(1, 2) : 16 * between(1, 2), keyHeads = between(1, isBert ? 3 : 2);
      const int heads = isBert ? keyHeads : keyHeads * between(1, 3), first = hasTurns ? 0 : between(0, 2);
      const int hidden = isBert ? heads * size : 16 * between(1, 8), isGated = !isBert && between(0, 1);
      const int dense = between(0, 2) ? 0 : between(1, 2);
      Sizes sizes{hidden, 16 * between(1, 8), heads, between(1, 3), between(0, 2) ? hidden : 16 * between(1, 5),
                        between(1, 500), 512 + first, first, between(0, isGated ? 2 : 1), size, keyHeads, isGated,
                        !isBert && between(0, 1), hasTurns ? 1 : 0, dense, dense ? between(0, 1) : 0, between(0, 3) ? 1 : 2, 0};
      sizes.widens = sizes.embedding != hidden || between(0, 5) == 0;
      Parts parts = ofBert;
      if (!isBert) {
        const auto maybe = [] { return between(0, 1) == 1; };
        parts = {false, false, maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), maybe()};
      }
      parts.isExact = between(0, 3) == 0, parts.hasDistances = between(0, 2) == 0;
      model = new Model(sizes, parts);
      const char* problem = nullptr;
      encoder = open(model->weights(), &problem);
      expect(encoder != nullptr, problem);
      left = between(4, 40);
    }
    const Sizes& s = model->sizes;
    // Mostly few and short texts, so that many shapes are tried.
    const int texts = between(0, 29) ? between(0, 5) : between(0, 64);
    const int longest = between(0, 9) ? 20 : texts > 5 || between(0, 9) ? 70 : 512;
    std::vector<int32_t> tokens(texts), ids, types;
    for (int32_t& count : tokens) {
      count = between(1, longest);
      for (int i = 0; i < count; i++) ids.push_back(between(0, s.words - 1)), types.push_back(i > longest / 3);
    }
    const int32_t* ofPairs = between(0, 1) ? types.data() : nullptr;
    // What a file would have for each token.
    std::vector<int8_t> rows;
    if (!model->parts.isExact && between(0, 1))
      for (const int32_t id : ids) rows.insert(rows.end(), encoder->words + id * s.embedding, encoder->words + (id + 1) * s.embedding);
    const int8_t* words = rows.empty() ? nullptr : rows.data();
    const size_t columns = encoder->dimensions;
    std::vector<float> vectors(texts * columns), alone(columns);
    const Pooling pooling = (Pooling)between(0, (int)Pooling::count - 1);
    run(*encoder, {ids.data(), tokens.data(), ofPairs, words, texts, pooling, vectors.data(), nullptr}, &scratch, nullptr);
    for (const float number : vectors) {
      expect(s.isScore ? isfinite(number) : number >= -1.001f && number <= 1.001f, "scores or numbers of unit vectors");
      uint32_t bits;
      memcpy(&bits, &number, 4);
      digest = (digest ^ bits) * 1099511628211u;
    }
    const int32_t* text = ids.data();
    for (int i = 0; i < texts; text += tokens[i++]) {
      const int32_t* ofPair = ofPairs ? ofPairs + (text - ids.data()) : nullptr;
      const float* vector = vectors.data() + i * columns;
      if (between(0, 3) == 0) {
        Helped two{helped, {}};
        run(*encoder, {text, &tokens[i], ofPair, nullptr, 1, pooling, alone.data(), nullptr}, &scratch, between(0, 1) ? &two.share : nullptr);
        expect(!memcmp(alone.data(), vector, columns * 4), "a text has the same vector alone, by two threads, and in a batch");
      }
      if (tokens[i] > 30 || between(0, 30)) continue;
      const std::vector<double> expected = Plain{*model}.run(text, ofPair, tokens[i], pooling);
      double dot = 0, squares = 0;
      for (size_t c = 0; c < columns; c++) dot += vector[c] * expected[c], squares += expected[c] * expected[c];
      // A RELU can make nothing but zeros.
      if (squares == 0) continue;
      if (s.isScore) {
        const double off = fabs(vector[0] - expected[0]) / (1 + fabs(expected[0]));
        if (model->parts.isExact) worstExact = fmax(worstExact, off);
        continue;
      }
      const double cosine = dot / sqrt(squares);
      if (model->parts.isExact) lowestExact = fmin(lowestExact, cosine);
      else sum += cosine, compared++, near += cosine > 0.9999;
      if (isBert) lowest = fmin(lowest, cosine);
    }
  }
  const double mean = sum / compared;
  printf("cosine %.7f on average, at least %.7f, %d of %d near; in float32 at least %.9f, scores at most %.1e off\n", mean, lowest, near, compared, lowestExact, worstExact);
  expect(lowestExact > 0.99999 && worstExact < 1e-4, "vectors in float32 are those of plain loops");
  // A number that rounds up in one and down in the other is one step of the few that these small encoders have. Without
  // BERT's norms it can change all that follows, so only most vectors are near.
  expect(lowest > 0.99 && mean > 0.98 && near * 2 > compared, "vectors are those of plain loops");
  if (encoder) close(encoder);
  delete model;
  free(scratch.memory);
}

void refuseOthers() {
  const Sizes sizes{32, 64, 2, 1, 32, 10, 20, 0, 0, 16, 2, 0, 0, 0, 1, 0, 1, 0};
  Model model(sizes, ofBert);
  const char* problem = nullptr;
  const auto refuses = [&](const Weights& weights) {
    Encoder* encoder = open(weights, &problem);
    if (encoder) close(encoder);
    return encoder == nullptr && problem != nullptr;
  };
  expect(!refuses(model.weights()), "the weights are right before they are changed");
  for (size_t i = 0; i < model.tensors.size(); i++) {
    Model cut(sizes, ofBert);
    if (cut.tensors[i].bytes == 0) continue;
    cut.tensors[i].bytes--;
    expect(refuses(cut.weights()), "a tensor that is cut");
  }
  Weights few = model.weights(), many = model.weights();
  few.tensorCount--;
  many.numberCount--;
  expect(refuses(few) && refuses(many), "a tensor or a number is missing");
  for (int32_t Sizes::*size : {&Sizes::hidden, &Sizes::inner, &Sizes::heads, &Sizes::layers, &Sizes::embedding,
                               &Sizes::words, &Sizes::positions, &Sizes::firstPosition, &Sizes::activation,
                               &Sizes::headSize, &Sizes::keyHeads, &Sizes::isGated, &Sizes::turns, &Sizes::dense, &Sizes::isScore, &Sizes::widens})
    for (const int32_t value : {-1, 3, 1 << 30}) {
      Weights weights = model.weights();
      weights.sizes.*size = value;
      const bool isRight = size == &Sizes::firstPosition && value == 3;
      expect(isRight || refuses(weights), "a size is wrong");
    }
  for (const int32_t repeats : {-1, 0, 1001, 1 << 30}) {
    Weights weights = model.weights();
    weights.sizes.repeats = repeats;
    expect(refuses(weights), "layers are computed too often, or never");
  }
  for (const float value : {NAN, INFINITY, -0.5f, 0.25f})
    // The first part of a product, and its second one.
    for (const size_t number : {13, 14}) {
      Model changed(sizes, ofBert);
      changed.numbers[number] = value;
      expect(refuses(changed.weights()), "a rounding is unknown, or not that of the product's other parts");
    }
  model.data[24][5] = maxWeight + 1;
  model.tensors.clear();
  for (auto& one : model.data) model.tensors.push_back({one.data(), one.size()});
  expect(sizes.embedding == sizes.hidden && refuses(model.weights()), "a weight has more than 7 bits");
}

}  // namespace

int main(int, char** arguments) {
#ifdef MULTIPLIES_BLOCKS
  syscall(SYS_arch_prctl, requestPermission, dataOfBlocks);
#endif
  compareSums();
  refuseOthers();
  callAtRandom(atoi(arguments[1]));
  printf("digest %016lx\n", (unsigned long)digest);
}
