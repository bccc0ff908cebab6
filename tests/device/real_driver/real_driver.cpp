// The functions of the fake driver that tests call, on a real one: CUDA's libcuda.so.1. Calls do
// not fail on request, and are not counted.
#include <dlfcn.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "../fake_driver/fake_driver.hpp"

namespace {

struct RealDriver {
  RealDriver() {
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) give_up(dlerror());
    find("cuInit", initialize);
    find("cuDeviceGet", get_device);
    find("cuDevicePrimaryCtxRetain", retain);
    find("cuCtxSetCurrent", set_current);
    find("cuMemAlloc_v2", allocate);
    find("cuMemAllocManaged", allocate_managed);
    find("cuMemFree_v2", free);
    find("cuMemcpyHtoD_v2", store);
    find("cuMemcpyDtoH_v2", load);
    find("cuStreamCreate", create_stream);
    find("cuMemcpyHtoDAsync_v2", put);
    find("cuLaunchHostFunc", launch);
    int device = 0;
    if (initialize(0) != 0 || get_device(&device, 0) != 0 || retain(&context, device) != 0)
      give_up("there is no device");
  }

  [[noreturn]] static void give_up(const char* why) {
    std::fprintf(stderr, "the driver cannot be used: %s\n", why);
    std::exit(1);
  }
  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) give_up(name);
  }

  void* library;
  void* context = nullptr;
  int (*initialize)(unsigned);
  int (*get_device)(int*, int);
  int (*retain)(void**, int);
  int (*set_current)(void*);
  int (*allocate)(std::uint64_t*, std::size_t);
  int (*allocate_managed)(std::uint64_t*, std::size_t, unsigned);
  int (*free)(std::uint64_t);
  int (*store)(std::uint64_t, const void*, std::size_t);
  int (*load)(void*, std::uint64_t, std::size_t);
  int (*create_stream)(void**, unsigned);
  int (*put)(std::uint64_t, const void*, std::size_t, void*);
  int (*launch)(void*, void (*)(void*), void*);
};

/// Work of fake_hold() waits here.
struct Gate {
  std::mutex mutex;
  std::condition_variable opened;
  long asked = 0;
  long open_until = 0;
  bool was_patient = true;
};
Gate& gate() {
  static auto& only = *new Gate;
  return only;
}
void wait_at_gate(void* number) {
  std::unique_lock lock(gate().mutex);
  const long mine = static_cast<long>(reinterpret_cast<std::intptr_t>(number));
  if (!gate().opened.wait_for(lock, std::chrono::seconds(20),
                              [&] { return mine <= gate().open_until; }))
    gate().was_patient = false;
}

const RealDriver& driver() {
  static const RealDriver only;
  only.set_current(only.context);
  return only;
}

void must(int result) {
  if (result != 0) RealDriver::give_up("a call of a test failed");
}

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

}  // namespace

extern "C" {

void* fake_allocate(std::size_t size) {
  std::uint64_t address = 0;
  must(driver().allocate(&address, size == 0 ? 1 : size));
  return reinterpret_cast<void*>(address);
}
void* fake_allocate_without_context(std::size_t size) { return fake_allocate(size); }
void* fake_allocate_managed(std::size_t size) {
  constexpr unsigned kForAll = 1;
  std::uint64_t address = 0;
  must(driver().allocate_managed(&address, size, kForAll));
  return reinterpret_cast<void*>(address);
}
void fake_free(void* memory) { must(driver().free(number(memory))); }
void fake_store(void* device, const void* bytes, std::size_t size) {
  must(driver().store(number(device), bytes, size));
}
void fake_load(void* bytes, const void* device, std::size_t size) {
  must(driver().load(bytes, number(device), size));
}
void* fake_stream(bool waits) {
  void* stream = nullptr;
  must(driver().create_stream(&stream, waits ? 0 : 1));
  return stream;
}
void fake_put(void* stream, void* device, const void* bytes, std::size_t size) {
  void* copy = std::malloc(size);  // never freed: the copy may be made late
  std::memcpy(copy, bytes, size);
  must(driver().put(number(device), copy, size, stream));
}
void fake_hold(void* stream) {
  const std::scoped_lock lock(gate().mutex);
  must(driver().launch(stream, wait_at_gate, reinterpret_cast<void*>(++gate().asked)));
}
bool fake_release() {
  const std::scoped_lock lock(gate().mutex);
  gate().open_until = gate().asked;
  gate().opened.notify_all();
  return std::exchange(gate().was_patient, true);
}
void fake_failure(const char* /*function*/, long /*calls*/, int /*result*/) {}
long fake_calls(const char* /*function*/) { return -1; }
std::size_t fake_registered() { return 0; }

}  // extern "C"
