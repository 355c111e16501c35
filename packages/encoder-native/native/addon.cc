#include <node_api.h>

#include "kernel.h"

namespace {

napi_value Dot(napi_env env, napi_callback_info info) {
  std::size_t count = 2;
  napi_value args[2];
  if (napi_get_cb_info(env, info, &count, args, nullptr, nullptr) != napi_ok || count < 2) return nullptr;
  const float* values[2];
  std::size_t lengths[2];
  for (int i = 0; i < 2; i += 1) {
    napi_typedarray_type type;
    void* data;
    napi_status status =
        napi_get_typedarray_info(env, args[i], &type, &lengths[i], &data, nullptr, nullptr);
    if (status != napi_ok || type != napi_float32_array) return nullptr;
    values[i] = static_cast<const float*>(data);
  }
  std::size_t length = lengths[0] < lengths[1] ? lengths[0] : lengths[1];
  __builtin_cpu_init();
  bool isWide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
  if (!isWide && !__builtin_cpu_supports("avx2")) return nullptr;
  float sum = isWide ? avx512::dot(values[0], values[1], length) : avx2::dot(values[0], values[1], length);
  napi_value result;
  return napi_create_double(env, sum, &result) == napi_ok ? result : nullptr;
}

}  // namespace

NAPI_MODULE_INIT() {
  napi_value dot;
  napi_create_function(env, "dot", NAPI_AUTO_LENGTH, Dot, nullptr, &dot);
  napi_set_named_property(env, exports, "dot", dot);
  return exports;
}
