#pragma once

#include <cstddef>
#include <cstdint>

// A driver of devices without a device, for tests: it has the functions of CUDA's, or of HIP's,
// that Onecast calls. Its memory cannot be touched except by copies, so that a copy which was
// forgotten is a fault. A copy is made when something waits for it, as late as a device may make
// it; so is a copy from memory that the program has changed too early.
extern "C" {

/// Returns memory of the device.
void* fake_allocate(std::size_t size);
/// Returns memory of the device that no context owns.
void* fake_allocate_without_context(std::size_t size);
/// Returns memory that the program may use, too, but of which the driver knows.
void* fake_allocate_managed(std::size_t size);
void fake_free(void* memory);

/// Copies at once.
void fake_store(void* device, const void* bytes, std::size_t size);
void fake_load(void* bytes, const void* device, std::size_t size);

/// Returns a new stream. `waits`: it waits for the default stream, and that one for it.
void* fake_stream(bool waits);
/// Puts a copy of `bytes` into a stream.
void fake_put(void* stream, void* device, const void* bytes, std::size_t size);
/// Puts work into a stream that is not complete before fake_release(). Waiting for it ends the
/// program, or on a real driver the hold.
void fake_hold(void* stream);
/// Completes the work of all fake_hold() so far. Returns false if something waited for it too long.
bool fake_release();

/// Lets a call of the function fail with the driver's error `result`, after `calls` calls that
/// succeed. A null name ends this.
void fake_failure(const char* function, long calls, int result);
/// Returns how often a function was called, or all functions for a null name; the counts begin
/// again at fake_failure().
long fake_calls(const char* function);
/// Returns the bytes of the memory of the process that the driver knows.
std::size_t fake_registered();

}  // extern "C"
