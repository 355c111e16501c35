// The kernel as a module for Node: encoders with threads of their own, which share one copy of the weights.
#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <deque>
#include <vector>

#include "kernel.h"

// A released file must load with glibc 2.28, as Node does. So it has these parts of the C++ library itself, and takes the
// versions of functions that older ones have too.
void* operator new(size_t size) {
  void* memory = malloc(size);
  if (!memory) abort();
  return memory;
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
namespace std {
void __throw_length_error(const char*) { abort(); }
void __throw_bad_alloc() { abort(); }
void __throw_bad_array_new_length() { abort(); }
}  // namespace std
#ifdef __GLIBC__
__asm__(".symver pthread_create, pthread_create@GLIBC_2.2.5");
__asm__(".symver pthread_join, pthread_join@GLIBC_2.2.5");
__asm__(".symver pthread_setname_np, pthread_setname_np@GLIBC_2.12");
#endif

namespace {

// Gives the main thread priority on a busy core, as the threads of ONNX Runtime do.
constexpr int niceness = 19;

struct sigaction previous[NSIG];
thread_local bool isComputing = false;

// Says that the kernel crashed, and ends the process. Other threads' signals belong to Node.
void reportCrash(int number, siginfo_t* info, void* context) {
  static const char message[] = "The native encoder crashed. Set NATIVE_ENCODER=off to compute without it.\n";
  if (!isComputing && previous[number].sa_flags & SA_SIGINFO)
    return previous[number].sa_sigaction(number, info, context);
  if (isComputing && write(STDERR_FILENO, message, sizeof message - 1) < 0) abort();
  signal(number, SIG_DFL);
  raise(number);
}

// A call. Its ids are copies, and its vectors are memory of JavaScript, which `reference` keeps.
struct Job {
  std::vector<int32_t> ids, tokens;
  Batch batch;
  napi_ref reference;
  napi_deferred deferred;
};

// Calls begin in order, each on one thread. All methods are called by the main thread.
class Pool {
 public:
  Pool(napi_env env, const Kernel& kernel, Encoder* encoder, int threads)
      : env_(env), kernel_(kernel), encoder_(encoder), threads_(threads) {
    napi_value name;
    napi_create_string_utf8(env, "encoder", NAPI_AUTO_LENGTH, &name);
    napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr, settle, &done_);
    napi_add_env_cleanup_hook(env, stopPool, this);
    for (pthread_t& thread : threads_)
      if (pthread_create(&thread, nullptr, computeAll, this)) abort();
  }
  ~Pool() { stop(); }

  // Null after `stop`.
  const Encoder* encoder() const { return encoder_; }

  void add(Job* job) {
    pthread_mutex_lock(&mutex_);
    jobs_.push_back(job);
    pthread_cond_signal(&changed_);
    pthread_mutex_unlock(&mutex_);
  }

  // Returns when all calls are computed.
  void stop() {
    if (!encoder_) return;
    add(nullptr);
    for (pthread_t thread : threads_) pthread_join(thread, nullptr);
    kernel_.close(encoder_);
    encoder_ = nullptr;
    napi_remove_env_cleanup_hook(env_, stopPool, this);
    napi_release_threadsafe_function(done_, napi_tsfn_release);
  }

 private:
  static void stopPool(void* pool) { ((Pool*)pool)->stop(); }

  static void* computeAll(void* pool) {
    ((Pool*)pool)->computeAll();
    return nullptr;
  }

  void computeAll() {
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), niceness);
    pthread_setname_np(pthread_self(), "encoder");
    isComputing = true;
    Scratch scratch{};
    while (Job* job = next()) {
      kernel_.run(*encoder_, job->batch, &scratch);
      napi_call_threadsafe_function(done_, job, napi_tsfn_blocking);
    }
    free(scratch.memory);
  }

  // Waits for the next call. Null, which stays in the queue, ends all threads.
  Job* next() {
    pthread_mutex_lock(&mutex_);
    while (jobs_.empty()) pthread_cond_wait(&changed_, &mutex_);
    Job* job = jobs_.front();
    if (job) jobs_.pop_front();
    else pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&mutex_);
    return job;
  }

  static void settle(napi_env env, napi_value, void*, void* data) {
    Job* job = (Job*)data;
    napi_value vectors;
    // Without an environment, the program ends, and nobody waits.
    if (env && napi_get_reference_value(env, job->reference, &vectors) == napi_ok) {
      napi_resolve_deferred(env, job->deferred, vectors);
      napi_delete_reference(env, job->reference);
    }
    delete job;
  }

  napi_env env_;
  const Kernel& kernel_;
  Encoder* encoder_;
  napi_threadsafe_function done_;
  std::vector<pthread_t> threads_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  std::deque<Job*> jobs_;
};

// The fastest kernel that the CPU has the instructions for; null if there is none.
const Kernel* kernel = nullptr;

const char* chooseKernel() {
  const bool hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool hasAvx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                         __builtin_cpu_supports("avx512vnni");
  kernel = hasAvx512 && hasAvx2 ? &avx512Kernel : hasAvx2 ? &avx2Kernel : nullptr;
  return kernel == &avx512Kernel ? "AVX-512 VNNI" : kernel ? "AVX2" : "";
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

// open(sizes: Int32Array, numbers: Float32Array, tensors: Uint8Array[], threads): the encoder
napi_value open(napi_env env, napi_callback_info info) {
  size_t count = 4, sizeCount;
  napi_value arguments[4], result;
  uint32_t tensorCount = 0, threads = 0;
  Weights weights{};
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  const Sizes* sizes = (Sizes*)elements<int32_t>(env, arguments[0], &sizeCount);
  weights.numbers = elements<float>(env, arguments[1], &weights.numberCount);
  napi_get_array_length(env, arguments[2], &tensorCount);
  napi_get_value_uint32(env, arguments[3], &threads);
  std::vector<Tensor> tensors(tensorCount);
  bool areTensors = true;
  for (uint32_t i = 0; i < tensorCount; i++) {
    napi_value tensor;
    napi_get_element(env, arguments[2], i, &tensor);
    tensors[i].data = elements<uint8_t>(env, tensor, &tensors[i].bytes);
    areTensors = areTensors && tensors[i].data;
  }
  if (!sizes || sizeCount != sizeof(Sizes) / 4 || !weights.numbers || !areTensors || threads - 1 >= 1024)
    return fail(env, "wrong arguments");
  if (!kernel) return fail(env, "the processor lacks the instructions");
  weights.sizes = *sizes, weights.tensors = tensors.data(), weights.tensorCount = tensorCount;
  const char* problem;
  Encoder* encoder = kernel->open(weights, &problem);
  if (!encoder) return fail(env, problem);
  const napi_finalize remove = [](napi_env, void* pool, void*) { delete (Pool*)pool; };
  napi_create_external(env, new Pool(env, *kernel, encoder, (int)threads), remove, nullptr, &result);
  return result;
}

// Returns the pool of an encoder that is not closed; null for anything else.
Pool* poolOf(napi_env env, napi_value encoder) {
  void* pool = nullptr;
  if (napi_get_value_external(env, encoder, &pool) != napi_ok) return nullptr;
  return ((Pool*)pool)->encoder() ? (Pool*)pool : nullptr;
}

// compute(encoder, ids: Int32Array, tokens: Int32Array, isMean, vectors: Float32Array): a promise of `vectors`
napi_value compute(napi_env env, napi_callback_info info) {
  size_t count = 5, idCount, textCount, vectorCount, total = 0;
  napi_value arguments[5], promise;
  bool isMean = false;
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  Pool* pool = poolOf(env, arguments[0]);
  const int32_t *ids = elements<int32_t>(env, arguments[1], &idCount);
  const int32_t *tokens = elements<int32_t>(env, arguments[2], &textCount);
  napi_get_value_bool(env, arguments[3], &isMean);
  float* vectors = elements<float>(env, arguments[4], &vectorCount);
  if (!pool || !ids || !tokens || !vectors) return fail(env, "wrong arguments, or the encoder is closed");
  const Sizes& sizes = pool->encoder()->sizes;
  for (size_t i = 0; i < textCount; total += tokens[i++])
    if (tokens[i] < 1 || tokens[i] > sizes.positions - sizes.firstPosition)
      return fail(env, "a text has no token, or more than there are positions");
  if (total != idCount || vectorCount != textCount * sizes.hidden) return fail(env, "lengths differ");
  for (size_t i = 0; i < idCount; i++)
    if (ids[i] < 0 || ids[i] >= sizes.words) return fail(env, "the id of a token is not in the vocabulary");
  Job* job = new Job{{ids, ids + idCount}, {tokens, tokens + textCount}, {}, nullptr, nullptr};
  job->batch = {job->ids.data(), job->tokens.data(), (int)textCount, isMean, vectors};
  napi_create_reference(env, arguments[4], 1, &job->reference);
  napi_create_promise(env, &job->deferred, &promise);
  pool->add(job);
  return promise;
}

// close(encoder) waits for its calls.
napi_value close(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value encoder;
  napi_get_cb_info(env, info, &count, &encoder, nullptr, nullptr);
  if (Pool* pool = poolOf(env, encoder)) pool->stop();
  return nullptr;
}

}  // namespace

NAPI_MODULE_INIT() {
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) {
    struct sigaction action {};
    action.sa_sigaction = reportCrash;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigaction(number, &action, &previous[number]);
  }
  napi_value name;
  napi_create_string_utf8(env, chooseKernel(), NAPI_AUTO_LENGTH, &name);
  const napi_property_descriptor properties[] = {
      {"kernel", nullptr, nullptr, nullptr, nullptr, name, napi_enumerable, nullptr},
      {"open", nullptr, open, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"compute", nullptr, compute, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"close", nullptr, close, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  napi_define_properties(env, exports, sizeof properties / sizeof *properties, properties);
  return exports;
}
