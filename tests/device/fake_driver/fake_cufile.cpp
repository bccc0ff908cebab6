#include "fake_cufile.hpp"

#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fake_driver.hpp"

namespace {

struct Result {
  int error;
  int driver_error;
};
struct Description {
  int kind;
  union {
    int descriptor;
    void* other;
  };
  const void* operations;
};

struct State {
  std::mutex mutex;
  std::string failing;
  long left = -1;
  int result = 0;
  std::map<std::string, long> calls;
  std::map<void*, int> descriptors;
  bool is_open = false;
};
State& state() {
  static auto& only = *new State;
  return only;
}

/// Returns true if the call fails.
bool fails(const char* function) {
  State& s = state();
  ++s.calls[function];
  return s.failing == function && s.left >= 0 && s.left-- == 0;
}

template <class Function>
Function of_driver(const char* name) {
  void* driver = dlopen(std::getenv("ONECAST_DEVICE_DRIVER"), RTLD_NOW);
  void* found = driver != nullptr ? dlsym(driver, name) : nullptr;
  if (found == nullptr) {
    std::fprintf(stderr, "fake cuFile: no %s: it is for the fake driver\n", name);
    std::abort();
  }
  return reinterpret_cast<Function>(found);
}

/// Returns the result of a transfer that fails, as cuFile does.
ssize_t failed() {
  constexpr int kFirstOfCuFile = -5000;
  const int result = state().result;
  if (result <= kFirstOfCuFile || result >= 0) return result;
  errno = -result;
  return -1;
}

constexpr std::size_t kMost = std::size_t{1} << 20U;
constexpr int kInvalid = 5022;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void fake_cufile_failure(const char* function, long calls, int result) {
  const std::scoped_lock lock(state().mutex);
  state().failing = function != nullptr ? function : "";
  state().left = calls;
  state().result = result;
  state().calls.clear();
}

long fake_cufile_calls(const char* function) {
  const std::scoped_lock lock(state().mutex);
  return state().calls[function];
}

long fake_cufile_handles() {
  const std::scoped_lock lock(state().mutex);
  return static_cast<long>(state().descriptors.size());
}

Result cuFileDriverOpen() {
  const std::scoped_lock lock(state().mutex);
  if (fails("cuFileDriverOpen")) return {state().result, 0};
  state().is_open = true;
  return {0, 0};
}

Result cuFileHandleRegister(void** handle, Description* description) {
  const std::scoped_lock lock(state().mutex);
  if (fails("cuFileHandleRegister")) return {state().result, 0};
  if (!state().is_open || description->kind != 1) return {kInvalid, 0};
  *handle = new int(description->descriptor);
  state().descriptors[*handle] = description->descriptor;
  return {0, 0};
}

void cuFileHandleDeregister(void* handle) {
  const std::scoped_lock lock(state().mutex);
  state().descriptors.erase(handle);
  delete static_cast<int*>(handle);
}

ssize_t cuFileRead(void* handle, void* device, std::size_t size, off_t offset, off_t in_device) {
  const std::scoped_lock lock(state().mutex);
  if (fails("cuFileRead")) return failed();
  // The file may be open without the page cache, whose rules for memory an aligned buffer meets.
  std::vector<std::byte> room(std::min(size, kMost) + 4096);
  const auto first = reinterpret_cast<std::uintptr_t>(room.data());
  std::byte* aligned = room.data() + (4096 - first % 4096) % 4096;
  const ssize_t got = pread(state().descriptors.at(handle), aligned, std::min(size, kMost), offset);
  if (got > 0)
    of_driver<decltype(&fake_store)>("fake_store")(static_cast<std::byte*>(device) + in_device,
                                                   aligned, static_cast<std::size_t>(got));
  return got;
}

ssize_t cuFileWrite(void* handle, const void* device, std::size_t size, off_t offset,
                    off_t in_device) {
  const std::scoped_lock lock(state().mutex);
  if (fails("cuFileWrite")) return failed();
  std::vector<std::byte> room(std::min(size, kMost) + 4096);
  const auto first = reinterpret_cast<std::uintptr_t>(room.data());
  std::byte* aligned = room.data() + (4096 - first % 4096) % 4096;
  of_driver<decltype(&fake_load)>("fake_load")(
      aligned, static_cast<const std::byte*>(device) + in_device, std::min(size, kMost));
  return pwrite(state().descriptors.at(handle), aligned, std::min(size, kMost), offset);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
