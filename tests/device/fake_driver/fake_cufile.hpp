#pragma once

// NVIDIA's cuFile without a device, for tests: it has the functions that Onecast calls. It
// transfers between a file and memory of the fake driver, at most 1 MiB in one call.
extern "C" {

/// Lets a call of the function fail, after `calls` calls that succeed: with `result`, which is one
/// of cuFile, or the negative of an errno; for a transfer whose result is 0, as if the file ended.
/// A null name ends this.
void fake_cufile_failure(const char* function, long calls, int result);
/// Returns how often a function was called since fake_cufile_failure().
long fake_cufile_calls(const char* function);
/// Returns the number of files that are registered.
long fake_cufile_handles();

}  // extern "C"
