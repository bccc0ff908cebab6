#include "fake_driver.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_work.hpp"

#ifdef FAKE_HIP
#define DRIVER_NAME(cuda, hip) hip
#else
#define DRIVER_NAME(cuda, hip) cuda
#endif
#define DRIVER_TEXT(name) #name
#define DRIVER_TEXT_OF(name) DRIVER_TEXT(name)

using namespace fake_device;

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kInvalidContext = 201;
constexpr int kInvalidHandle = 400;
constexpr int kAlreadyRegistered = 712;
constexpr int kNotRegistered = 713;
constexpr unsigned kDevice = 2;

thread_local std::vector<void*> contexts;
int the_context = 0;

/// Returns the result of a call that does not do anything yet.
int enter(const char* function, bool needs_context) {
  State& s = state();
  ++s.calls[function];
  if (s.failing == function && s.left >= 0 && s.left-- == 0) {
    // A device that is lost copies nothing afterwards.
    if (std::string_view(function).ends_with("StreamSynchronize")) {
      finish_default();
      for (const auto& [_, stream] : s.streams)
        if (s.held.empty()) finish(stream->last);
    }
    return s.result;
  }
  return needs_context && contexts.empty() ? kInvalidContext : kSuccess;
}

int begin_copy(void* handle, void* to, const void* from, std::size_t width, std::size_t rows,
               std::size_t to_pitch, std::size_t from_pitch) {
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return kInvalidHandle;
  if (to == nullptr || from == nullptr) return kInvalidValue;
  put(*stream, [=] {
    for (std::size_t r = 0; r < rows; ++r)
      std::memcpy(static_cast<std::byte*>(to) + r * to_pitch,
                  static_cast<const std::byte*>(from) + r * from_pitch, width);
  });
  return kSuccess;
}

void* allocate(std::size_t size, bool is_managed, bool has_context) {
  const std::scoped_lock lock(state().mutex);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t whole = (size + page - 1) / page * page;
  const int file = memfd_create("device", 0);
  if (file < 0 || ftruncate(file, static_cast<off_t>(whole)) != 0) return nullptr;
  void* own = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  void* given =
      is_managed ? own : mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  close(file);
  state().memory[reinterpret_cast<std::uintptr_t>(given)] = {static_cast<std::byte*>(own), size,
                                                             is_managed, has_context};
  return given;
}

struct Side {
  std::size_t first_byte;
  std::size_t first_row;
  unsigned memory_type;
  void* host;
  std::uint64_t device;
  void* array;
  std::size_t pitch;
};
struct Rows {
  Side from;
  Side to;
  std::size_t width;
  std::size_t rows;
};

void* start_of(const Side& side, std::size_t width, std::size_t rows) {
  if (side.pitch < width || rows == 0) return nullptr;
  return side.memory_type == kDevice ? inside(side.device, (rows - 1) * side.pitch + width)
                                     : side.host;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void* fake_allocate(std::size_t size) { return allocate(size, false, true); }
void* fake_allocate_without_context(std::size_t size) { return allocate(size, false, false); }
void* fake_allocate_managed(std::size_t size) { return allocate(size, true, true); }

void fake_free(void* memory) {
  const std::scoped_lock lock(state().mutex);
  finish_default();
  state().memory.erase(reinterpret_cast<std::uintptr_t>(memory));
}

void fake_store(void* device, const void* bytes, std::size_t size) {
  const std::scoped_lock lock(state().mutex);
  finish_default();
  std::memcpy(inside(reinterpret_cast<std::uintptr_t>(device), size), bytes, size);
}

void fake_load(void* bytes, const void* device, std::size_t size) {
  const std::scoped_lock lock(state().mutex);
  std::memcpy(bytes, inside(reinterpret_cast<std::uintptr_t>(device), size), size);
}

void* fake_stream(bool waits) {
  const std::scoped_lock lock(state().mutex);
  auto made = std::make_unique<Stream>(Stream{waits, {}});
  void* handle = made.get();
  state().streams[handle] = std::move(made);
  return handle;
}

void fake_put(void* stream, void* device, const void* bytes, std::size_t size) {
  const std::scoped_lock lock(state().mutex);
  const auto* first = static_cast<const std::byte*>(bytes);
  put(*stream_of(stream), [device, copy = std::vector<std::byte>(first, first + size)] {
    std::memcpy(inside(reinterpret_cast<std::uintptr_t>(device), copy.size()), copy.data(),
                copy.size());
  });
}

void fake_hold(void* stream) {
  const std::scoped_lock lock(state().mutex);
  const SharedWork work = put(*stream_of(stream), {});
  work->is_held = true;
  state().held.push_back(work);
}

bool fake_release() {
  const std::scoped_lock lock(state().mutex);
  for (const SharedWork& work : std::exchange(state().held, {})) work->is_held = false;
  return true;
}

void fake_failure(const char* function, long calls, int result) {
  const std::scoped_lock lock(state().mutex);
  state().failing = function != nullptr ? function : "";
  state().left = calls;
  state().result = result;
  state().calls.clear();
}

long fake_calls(const char* function) {
  const std::scoped_lock lock(state().mutex);
  if (function != nullptr) return state().calls[function];
  long all = 0;
  for (const auto& [_, count] : state().calls) all += count;
  return all;
}

std::size_t fake_registered() {
  const std::scoped_lock lock(state().mutex);
  std::size_t size = 0;
  for (const auto& [_, of_one] : state().registered) size += of_one;
  return size;
}

// --- the functions of a driver
// --------------------------------------------------------------------
#define DRIVER(cuda, hip, needs_context, ...)                                            \
  int DRIVER_NAME(cuda, hip)(__VA_ARGS__) {                                              \
    const std::scoped_lock lock(state().mutex);                                          \
    if (const int failed = enter(DRIVER_TEXT_OF(DRIVER_NAME(cuda, hip)), needs_context)) \
      return failed;

DRIVER(cuPointerGetAttribute, hipPointerGetAttribute, false, void* value, int attribute,
       std::uint64_t pointer)
constexpr int kContext = 1, kMemoryType = 2, kIsManaged = 8, kOrdinal = 9;
const auto* found = memory_at(pointer);
if (found == nullptr) return kInvalidValue;
const Memory& memory = found->second;
if (attribute == kContext)
  *static_cast<void**>(value) = memory.has_context ? &the_context : nullptr;
else if (attribute == kMemoryType)
  *static_cast<unsigned*>(value) = kDevice;
else if (attribute == kIsManaged)
  *static_cast<unsigned*>(value) = memory.is_managed ? 1 : 0;
else if (attribute == kOrdinal)
  *static_cast<int*>(value) = 0;
else
  return kInvalidValue;
return kSuccess;
}

DRIVER(cuDeviceGet, hipDeviceGet, false, int* device, int ordinal)
*device = ordinal;
return kSuccess;
}

DRIVER(cuDevicePrimaryCtxRetain, hipDevicePrimaryCtxRetain, false, void** context, int /*device*/)
*context = &the_context;
return kSuccess;
}

DRIVER(cuDevicePrimaryCtxRelease_v2, hipDevicePrimaryCtxRelease, false, int /*device*/)
return kSuccess;
}

DRIVER(cuCtxPushCurrent_v2, hipCtxPushCurrent, false, void* context)
contexts.push_back(context);
return kSuccess;
}

DRIVER(cuCtxPopCurrent_v2, hipCtxPopCurrent, true, void** context)
*context = contexts.back();
contexts.pop_back();
return kSuccess;
}

DRIVER(cuMemHostRegister_v2, hipHostRegister, true, void* memory, std::size_t size,
       unsigned /*flags*/)
return state().registered.emplace(reinterpret_cast<std::uintptr_t>(memory), size).second
           ? kSuccess
           : kAlreadyRegistered;
}

DRIVER(cuMemHostUnregister, hipHostUnregister, true, void* memory)
return state().registered.erase(reinterpret_cast<std::uintptr_t>(memory)) != 0 ? kSuccess
                                                                               : kNotRegistered;
}

DRIVER(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync, true, std::uint64_t to, const void* from,
       std::size_t size, void* stream)
return begin_copy(stream, inside(to, size), from, size, 1, 0, 0);
}

DRIVER(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, true, void* to, std::uint64_t from,
       std::size_t size, void* stream)
return begin_copy(stream, to, inside(from, size), size, 1, 0, 0);
}

DRIVER(cuMemcpy2DAsync_v2, hipMemcpyParam2DAsync, true, const Rows* rows, void* stream)
return begin_copy(stream, start_of(rows->to, rows->width, rows->rows),
                  start_of(rows->from, rows->width, rows->rows), rows->width, rows->rows,
                  rows->to.pitch, rows->from.pitch);
}

DRIVER(cuStreamSynchronize, hipStreamSynchronize, true, void* stream)
Stream* found = stream_of(stream);
if (found == nullptr) return kInvalidHandle;
finish(put(*found, {}));
return kSuccess;
}

DRIVER(cuStreamCreate, hipStreamCreateWithFlags, true, void** stream, unsigned flags)
auto made = std::make_unique<Stream>(Stream{flags == 0, {}});
*stream = made.get();
state().streams[*stream] = std::move(made);
return kSuccess;
}

DRIVER(cuStreamDestroy_v2, hipStreamDestroy, true, void* stream)
return state().streams.erase(stream) != 0 ? kSuccess : kInvalidHandle;
}

DRIVER(cuStreamWaitEvent, hipStreamWaitEvent, true, void* stream, void* event, unsigned /*flags*/)
Stream* found = stream_of(stream);
if (found == nullptr) return kInvalidHandle;
put(*found, {}, static_cast<Event*>(event)->work);
return kSuccess;
}

DRIVER(cuEventCreate, hipEventCreateWithFlags, true, void** event, unsigned /*flags*/)
*event = new Event;
return kSuccess;
}

DRIVER(cuEventDestroy_v2, hipEventDestroy, true, void* event)
delete static_cast<Event*>(event);
return kSuccess;
}

DRIVER(cuEventRecord, hipEventRecord, true, void* event, void* stream)
Stream* found = stream_of(stream);
if (found == nullptr) return kInvalidHandle;
static_cast<Event*>(event)->work = put(*found, {});
return kSuccess;
}

DRIVER(cuEventSynchronize, hipEventSynchronize, true, void* event)
finish(static_cast<Event*>(event)->work);
return kSuccess;
}

int DRIVER_NAME(cuGetErrorString, hipDrvGetErrorString)(int result, const char** text) {
  if (result == kSuccess) return kInvalidValue;
  *text = result == kInvalidContext ? "invalid device context" : "the fake driver fails";
  return kSuccess;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
