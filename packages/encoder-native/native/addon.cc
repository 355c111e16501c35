// The kernel as a module for Node: encoders with threads of their own, which share one copy of the weights.
#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __x86_64__
#include <cpuid.h>
#endif
#ifndef _WIN32
#include <unistd.h>
#endif
#ifdef __linux__
#include <signal.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>

// glibc 2.34 gave them a newer version. With the first one, the file also loads where glibc is older.
#ifdef __aarch64__
#define FIRST_VERSION "GLIBC_2.17"
#else
#define FIRST_VERSION "GLIBC_2.2.5"
#endif
__asm__(".symver pthread_create,pthread_create@" FIRST_VERSION);
__asm__(".symver pthread_join,pthread_join@" FIRST_VERSION);
#endif

// A digest of the sources, by which build.js recognizes the file.
extern "C" NAPI_MODULE_EXPORT const char encoderSources[] = SOURCES;

namespace {

// Beside a second thread that begins late, shorter texts take longer than alone.
constexpr int sharedTokens = 40;
// Nanoseconds for which no call is shared after one whose threads had to wait for a processor.
constexpr int64_t pause = 300000000;
// Windows measures the processor time of a thread in steps of 16 ms, by which `Turn` can't see that it waited.
#ifdef _WIN32
constexpr bool canShare = false;
#else
constexpr bool canShare = true;
#endif

#ifdef __linux__
// Gives the main thread priority on a busy core, as the threads of ONNX Runtime do.
constexpr int addedNiceness = 10;
struct sigaction previous[NSIG];
// Its place is known at the start, because a signal's handler must not allocate it.
thread_local bool isComputing __attribute__((tls_model("initial-exec"))) = false;

// Says that the kernel crashed, and ends the process. Other threads' signals belong to Node.
void reportCrash(int number, siginfo_t* info, void* context) {
  static const char message[] = "The native encoder crashed. Set NATIVE_ENCODER=off to compute without it.\n";
  if (!isComputing && previous[number].sa_flags & SA_SIGINFO)
    return previous[number].sa_sigaction(number, info, context);
  if (isComputing && write(STDERR_FILENO, message, sizeof message - 1) < 0) abort();
  signal(number, SIG_DFL);
  raise(number);
}

void prepareThread() {
  const id_t thread = (id_t)syscall(SYS_gettid);
  setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + addedNiceness);
  isComputing = true;
}

void handleCrashes() {
  constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  // A second environment loads the module again.
  static bool hasHandlers = false;
  for (const int number : crashes) {
    if (hasHandlers) break;
    struct sigaction action {};
    action.sa_sigaction = reportCrash;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigaction(number, &action, &previous[number]);
  }
  hasHandlers = true;
}
#else
void prepareThread() {}
void handleCrashes() {}
#endif

// The fastest kernel that the CPU has the instructions for.
const Kernel* kernel = &plainKernel;

// A call. Its numbers follow it in memory, and its vectors are memory of JavaScript, which `reference` keeps.
struct Job {
  Batch batch;
  const char* problem;  // why there are no vectors
  napi_ref reference;
  napi_deferred deferred;
  Job* next;
};

struct Pool;

// A share of a call in a pool.
struct Offer {
  Share share;
  Pool* pool;
  int helpers;
};

// An encoder with its threads. Calls begin in order, each on one thread.
struct Pool {
  Encoder* encoder;  // null after `stop`
  int words;  // the file with the table of words, which JavaScript closes; -1 if it is in memory
  int64_t firstWord;  // where the table begins
  napi_env env;
  napi_threadsafe_function settle;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  Job *first, **end;
  bool isStopped;
  int idleCount;
  Offer* offer;  // what an idle thread can help with
  int64_t sharesAfter;  // nanoseconds; until then, each call has one thread
  int threadCount;
  pthread_t threads[];
};

int64_t nanoseconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// A thread's part of a shared call.
struct Turn {
  const int64_t since = nanoseconds(CLOCK_MONOTONIC), used = nanoseconds(CLOCK_THREAD_CPUTIME_ID);

  // Stops sharing for a while if the thread did not get a processor: beside a busy program, two threads wait for each other.
  void end(Pool* pool) const {
    const int64_t now = nanoseconds(CLOCK_MONOTONIC), computed = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - used;
    if (computed * 2 < now - since) pool->sharesAfter = now + pause;
  }
};

void offerShare(Share* share) {
  Offer* offer = (Offer*)share;
  pthread_mutex_lock(&offer->pool->mutex);
  if (offer->pool->idleCount > 0 && !offer->pool->offer) offer->pool->offer = offer;
  pthread_cond_broadcast(&offer->pool->changed);
  pthread_mutex_unlock(&offer->pool->mutex);
}

void withdrawShare(Share* share) {
  Offer* offer = (Offer*)share;
  pthread_mutex_lock(&offer->pool->mutex);
  if (offer->pool->offer == offer) offer->pool->offer = nullptr;
  while (offer->helpers > 0) pthread_cond_wait(&offer->pool->changed, &offer->pool->mutex);
  pthread_mutex_unlock(&offer->pool->mutex);
}

// What a thread keeps for its next call, in bytes: as much as a thread of ONNX Runtime (`maxKeptBytes` in memory-plan.ts).
constexpr size_t mostKept = 64 << 20;

void keepLittle(Scratch* scratch) {
  if (scratch->bytes <= mostKept) return;
  free(scratch->memory);
  *scratch = {};
}

// Reads what the file of the words has for each token of a call. Returns null if the file can't be read.
#ifdef _WIN32
// There, JavaScript reads the table into memory.
int8_t* readWords(const Pool&, const Batch&) { return nullptr; }
#else
int8_t* readWords(const Pool& pool, const Batch& batch) {
  const size_t row = pool.encoder->sizes.embedding;
  size_t total = 0;
  for (int i = 0; i < batch.texts; i++) total += batch.tokens[i];
  int8_t* words = (int8_t*)malloc(total * row + 1);
  for (size_t i = 0; words && i < total; i++) {
    const int64_t at = pool.firstWord + (int64_t)batch.ids[i] * (int64_t)row;
    if (pread(pool.words, words + i * row, row, at) == (ssize_t)row) continue;
    free(words);
    words = nullptr;
  }
  return words;
}
#endif

// Computes calls, and helps with those of others while there are none.
void* computeAll(void* data) {
  Pool* pool = (Pool*)data;
  prepareThread();
  Scratch scratch{};
  pthread_mutex_lock(&pool->mutex);
  for (;;) {
    Job* job = pool->first;
    Offer* offer = pool->offer;
    if (job) {
      if (!(pool->first = job->next)) pool->end = &pool->first;
      const Turn turn;
      const bool isLongAndAlone = job->batch.texts == 1 && job->batch.tokens[0] >= sharedTokens && !job->batch.sizes;
      const bool isShared = canShare && pool->idleCount > 0 && isLongAndAlone && turn.since >= pool->sharesAfter;
      pthread_mutex_unlock(&pool->mutex);
      Offer own{{offerShare, withdrawShare, nullptr, 0, 0}, pool, 0};
      int8_t* words = pool->words < 0 ? nullptr : readWords(*pool, job->batch);
      job->batch.words = words;
      if (pool->words >= 0 && !words) job->problem = "the file of the model's weights can't be read";
      else kernel->run(*pool->encoder, job->batch, &scratch, isShared ? &own.share : nullptr);
      free(words);
      keepLittle(&scratch);
      napi_call_threadsafe_function(pool->settle, job, napi_tsfn_blocking);
      pthread_mutex_lock(&pool->mutex);
      if (isShared) turn.end(pool);
    } else if (offer) {
      pool->offer = nullptr;
      offer->helpers++;
      pthread_mutex_unlock(&pool->mutex);
      const Turn turn;
      kernel->help(&offer->share, &scratch);
      keepLittle(&scratch);
      pthread_mutex_lock(&pool->mutex);
      turn.end(pool);
      offer->helpers--;
      pthread_cond_broadcast(&pool->changed);
    } else if (pool->isStopped) {
      break;
    } else {
      pool->idleCount++;
      pthread_cond_wait(&pool->changed, &pool->mutex);
      pool->idleCount--;
    }
  }
  pthread_mutex_unlock(&pool->mutex);
  free(scratch.memory);
  return nullptr;
}

// Settles the promise of a call. Without an environment the program ends, and nobody waits.
void settle(napi_env env, napi_value, void*, void* data) {
  Job* job = (Job*)data;
  napi_value vectors;
  if (env && napi_get_reference_value(env, job->reference, &vectors) == napi_ok) {
    napi_value message, error;
    if (!job->problem) napi_resolve_deferred(env, job->deferred, vectors);
    else if (napi_create_string_utf8(env, job->problem, NAPI_AUTO_LENGTH, &message) == napi_ok &&
             napi_create_error(env, nullptr, message, &error) == napi_ok)
      napi_reject_deferred(env, job->deferred, error);
    napi_delete_reference(env, job->reference);
  }
  free(job);
}

// Adds a call, or null to end the threads.
void add(Pool* pool, Job* job) {
  pthread_mutex_lock(&pool->mutex);
  if (job) {
    *pool->end = job;
    pool->end = &job->next;
  }
  pool->isStopped = !job;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
}

// Returns when all calls are computed.
void stop(void* data) {
  Pool* pool = (Pool*)data;
  if (!pool->encoder) return;
  add(pool, nullptr);
  for (int i = 0; i < pool->threadCount; i++) pthread_join(pool->threads[i], nullptr);
  kernel->close(pool->encoder);
  pool->encoder = nullptr;
  napi_remove_env_cleanup_hook(pool->env, stop, pool);
  napi_release_threadsafe_function(pool->settle, napi_tsfn_release);
}

void removePool(napi_env, void* pool, void*) {
  stop(pool);
  free(pool);
}

// Returns the name of the instructions.
const char* chooseKernel() {
#ifdef __x86_64__
  // Not `__builtin_cpu_supports`, because zig lacks the data of GCC's library that it reads.
  unsigned basic = 0, extended = 0, more = 0, others = 0, enabled = 0, a, b, d;
  if (__get_cpuid(1, &a, &b, &basic, &d) && basic & bit_OSXSAVE) asm("xgetbv" : "=a"(enabled), "=d"(d) : "c"(0));
  __get_cpuid_count(7, 0, &a, &extended, &more, &others);
  const unsigned ofAvx512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
  // What the system saves of registers: those of AVX are 6, those of AVX-512 e0, those of AMX 60000.
  const bool hasAvx2 = basic & bit_FMA && extended & bit_AVX2 && (enabled & 6) == 6;
  const bool hasAvx512 = (extended & ofAvx512) == ofAvx512 && more & bit_AVX512VNNI && (enabled & 0xe6) == 0xe6;
#ifdef HAS_AMX
  constexpr unsigned ofAmx = 1 << 24 | 1 << 25;  // blocks, and integers in them
  const bool hasAmx = hasAvx2 && hasAvx512 && (others & ofAmx) == ofAmx && (enabled & 0x60000) == 0x60000 &&
                      syscall(SYS_arch_prctl, requestPermission, dataOfBlocks) == 0;
  const Kernel* amx = hasAmx ? &amxKernel : nullptr;
#else
  const Kernel* amx = nullptr;
#endif
  // In one assignment: a worker loads the module again while others compute, and each kernel lays out weights in its way.
  if (hasAvx2) kernel = amx ? amx : hasAvx512 ? &avx512Kernel : &avx2Kernel;
  if (amx) return "AMX";
  if (hasAvx2) return hasAvx512 ? "AVX-512 VNNI" : "AVX2";
#else
#ifdef __linux__
  const bool hasDotProducts = getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
#else
  // As each processor of Apple.
  const bool hasDotProducts = true;
#endif
  if (hasDotProducts) kernel = &neonKernel;
  if (hasDotProducts) return "NEON with dot products";
#endif
  return "plain C++";
}

napi_value fail(napi_env env, const char* message) {
  napi_throw_error(env, nullptr, message);
  return nullptr;
}

// Returns the elements of a typed array; null for another value, or if its elements have another size.
template <typename T>
T* elements(napi_env env, napi_value array, size_t* count) {
  static char none;
  napi_typedarray_type type;
  void* data;
  if (napi_get_typedarray_info(env, array, &type, count, &data, nullptr, nullptr) != napi_ok) return nullptr;
  const size_t size = type == napi_uint8_array ? 1 : type == napi_int32_array || type == napi_float32_array ? 4 : 0;
  return size == sizeof(T) ? (T*)(*count ? data : &none) : nullptr;
}

// open(sizes: Int32Array, numbers: Float32Array, tensors: Uint8Array[], threads, words, firstWord): the encoder. `words` is a
// file that is open, or -1.
napi_value open(napi_env env, napi_callback_info info) {
  size_t count = 6, sizeCount;
  napi_value arguments[6], result;
  uint32_t tensorCount = 0, threads = 0;
  int32_t words = -1;
  int64_t firstWord = 0;
  Weights weights{};
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  const Sizes* sizes = (Sizes*)elements<int32_t>(env, arguments[0], &sizeCount);
  weights.numbers = elements<float>(env, arguments[1], &weights.numberCount);
  napi_get_array_length(env, arguments[2], &tensorCount);
  napi_get_value_uint32(env, arguments[3], &threads);
  napi_get_value_int32(env, arguments[4], &words);
  napi_get_value_int64(env, arguments[5], &firstWord);
  Tensor* tensors = (Tensor*)calloc((size_t)tensorCount + 1, sizeof(Tensor));
  bool areTensors = tensors;
  for (uint32_t i = 0; i < tensorCount && areTensors; i++) {
    napi_value tensor;
    napi_get_element(env, arguments[2], i, &tensor);
    tensors[i].data = elements<uint8_t>(env, tensor, &tensors[i].bytes);
    areTensors = tensors[i].data;
  }
  const char* problem = "wrong arguments";
  Encoder* encoder = nullptr;
  if (sizes && sizeCount == sizeof(Sizes) / 4 && weights.numbers && areTensors && threads - 1 < 1024) {
    weights.sizes = *sizes, weights.tensors = tensors, weights.tensorCount = tensorCount, weights.areWordsInFile = words >= 0;
    encoder = kernel->open(weights, &problem);
  }
  free(tensors);
  if (!encoder) return fail(env, problem);
  Pool* pool = (Pool*)calloc(1, sizeof(Pool) + threads * sizeof(pthread_t));
  if (!pool) abort();
  pool->encoder = encoder, pool->words = words, pool->firstWord = firstWord, pool->env = env, pool->end = &pool->first, pool->threadCount = (int)threads;
  pthread_mutex_init(&pool->mutex, nullptr);
  pthread_cond_init(&pool->changed, nullptr);
  napi_value name;
  napi_create_string_utf8(env, "encoder", NAPI_AUTO_LENGTH, &name);
  napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr, settle,
                                  &pool->settle);
  napi_add_env_cleanup_hook(env, stop, pool);
  for (uint32_t i = 0; i < threads; i++)
    if (pthread_create(&pool->threads[i], nullptr, computeAll, pool)) abort();
  napi_create_external(env, pool, removePool, nullptr, &result);
  return result;
}

// Returns the pool of an encoder that is not closed; null for anything else.
Pool* poolOf(napi_env env, napi_value encoder) {
  void* pool = nullptr;
  if (napi_get_value_external(env, encoder, &pool) != napi_ok) return nullptr;
  return ((Pool*)pool)->encoder ? (Pool*)pool : nullptr;
}

// compute(encoder, ids: Int32Array, types: Int32Array, tokens: Int32Array, pooling, vectors: Float32Array): a promise of
// `vectors`. These begin with those of the texts. The largest sizes of what the products read can follow. Without types,
// all are 0.
napi_value compute(napi_env env, napi_callback_info info) {
  size_t count = 6, idCount, typeCount, textCount, vectorCount, total = 0;
  napi_value arguments[6], promise;
  uint32_t pooling = (uint32_t)Pooling::count;
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  Pool* pool = poolOf(env, arguments[0]);
  const int32_t *ids = elements<int32_t>(env, arguments[1], &idCount);
  const int32_t* types = elements<int32_t>(env, arguments[2], &typeCount);
  const int32_t *tokens = elements<int32_t>(env, arguments[3], &textCount);
  napi_get_value_uint32(env, arguments[4], &pooling);
  float* vectors = elements<float>(env, arguments[5], &vectorCount);
  if (!pool || !ids || !types || !tokens || !vectors || pooling >= (uint32_t)Pooling::count) return fail(env, "wrong arguments, or the encoder is closed");
  const Sizes& stated = pool->encoder->sizes;
  for (size_t i = 0; i < textCount; total += tokens[i++])
    if (tokens[i] < 1 || tokens[i] > stated.positions - stated.firstPosition)
      return fail(env, "a text has no token, or more than there are positions");
  const size_t own = textCount * pool->encoder->dimensions, inputs = pool->encoder->inputs;
  if (total != idCount || (typeCount && typeCount != idCount) || (vectorCount != own && vectorCount != own + inputs)) return fail(env, "lengths differ");
  for (size_t i = 0; i < idCount; i++)
    if (ids[i] < 0 || ids[i] >= stated.words) return fail(env, "the id of a token is not in the vocabulary");
  Job* job = (Job*)calloc(1, sizeof(Job) + (idCount + typeCount + textCount) * sizeof(int32_t));
  if (!job) abort();
  int32_t* copies = (int32_t*)(job + 1);
  memcpy(copies, ids, idCount * sizeof(int32_t));
  memcpy(copies + idCount, types, typeCount * sizeof(int32_t));
  memcpy(copies + idCount + typeCount, tokens, textCount * sizeof(int32_t));
  float* sizes = vectorCount > own ? vectors + own : nullptr;
  job->batch = {copies, copies + idCount + typeCount, typeCount ? copies + idCount : nullptr, nullptr, (int)textCount, (Pooling)pooling, vectors, sizes};
  napi_create_reference(env, arguments[5], 1, &job->reference);
  napi_create_promise(env, &job->deferred, &promise);
  add(pool, job);
  return promise;
}

// close(encoder) waits for its calls.
napi_value close(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value encoder;
  napi_get_cb_info(env, info, &count, &encoder, nullptr, nullptr);
  if (Pool* pool = poolOf(env, encoder)) stop(pool);
  return nullptr;
}

// Returns to the system what the process has freed. Of the C libraries, glibc keeps nearly all of it.
napi_value trim(napi_env, napi_callback_info) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return nullptr;
}

}  // namespace

NAPI_MODULE_INIT() {
  handleCrashes();
  napi_value name;
  napi_create_string_utf8(env, chooseKernel(), NAPI_AUTO_LENGTH, &name);
  const napi_property_descriptor properties[] = {
      {"kernel", nullptr, nullptr, nullptr, nullptr, name, napi_enumerable, nullptr},
      {"open", nullptr, open, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"compute", nullptr, compute, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"close", nullptr, close, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"trim", nullptr, trim, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  napi_define_properties(env, exports, sizeof properties / sizeof *properties, properties);
  return exports;
}
