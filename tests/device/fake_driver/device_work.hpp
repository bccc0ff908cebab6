#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// The memory and the streams of the fake driver, and the work that its streams have.
namespace fake_device {

struct Memory {
  std::byte* bytes;  ///< where the driver itself finds them
  std::size_t size;
  bool is_managed;
  bool has_context;
};

/// Work that a stream has, such as a copy.
struct Work {
  std::function<void()> make;  ///< null: nothing is to be done
  std::vector<std::shared_ptr<Work>> before;
  bool is_held = false;
  bool is_done = false;
};
using SharedWork = std::shared_ptr<Work>;

struct Stream {
  bool waits;  ///< for the default stream, and that one for it
  SharedWork last;
};

struct Event {
  SharedWork work;  ///< it happens when this is done
};

struct State {
  std::mutex mutex;
  std::map<std::uintptr_t, Memory> memory;
  std::map<std::uintptr_t, std::size_t> registered;
  Stream default_stream{true, {}};
  std::map<void*, std::unique_ptr<Stream>> streams;
  std::vector<SharedWork> held;
  std::string failing;
  long left = -1;
  int result = 0;
  std::map<std::string, long> calls;
};
State& state();

/// Returns the memory at an address, or null.
const std::pair<const std::uintptr_t, Memory>* memory_at(std::uintptr_t address);
/// Returns where the driver finds bytes of the device, or null.
std::byte* inside(std::uint64_t address, std::size_t size);

/// Does work, and all work before it.
void finish(const SharedWork& last);
/// Returns a stream of the program, or null.
Stream* stream_of(void* handle);
/// Puts work into a stream, which comes after `also`, too.
SharedWork put(Stream& stream, std::function<void()> make, const SharedWork& also = {});
/// Does the work of the default stream, and of all that it waits for.
void finish_default();

}  // namespace fake_device
