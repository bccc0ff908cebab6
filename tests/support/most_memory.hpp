#pragma once

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace onecast::test {

/// Returns an entry of /proc/self/status, in bytes.
inline std::uint64_t memory_of_process(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what + ":")) return std::stoull(line.substr(what.size() + 1)) << 10U;
  return 0;
}

/// Makes large memory come from the system and go back to it. Otherwise remains of a heap on large
/// pages would be counted by chance.
inline const bool kMapsLarge = mallopt(M_MMAP_THRESHOLD, 1 << 19) == 1;

/// Returns the growth of resident memory at its peak during `work`.
template <class F>
std::uint64_t most_memory(F&& work) {
  malloc_trim(0);  // memory that was freed before must not be reused
  std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
  const std::uint64_t before = memory_of_process("VmRSS");
  work();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;  // sanitizers keep freed memory, and need memory for themselves
#endif
  const std::uint64_t most = memory_of_process("VmHWM");
  return most - std::min(before, most);
}

}  // namespace onecast::test
