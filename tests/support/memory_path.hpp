#pragma once

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>

namespace onecast::test {

/// A file in memory with a path, written anew for every input.
class MemoryPath {
 public:
  MemoryPath()
      : descriptor_(memfd_create("onecast", 0)),
        path_(fmt::format("/proc/self/fd/{}", descriptor_)) {
    if (descriptor_ < 0) std::abort();
  }
  const std::string& write(std::span<const std::byte> bytes) {
    const bool written =
        ftruncate(descriptor_, 0) == 0 &&
        pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (!written) std::abort();
    return path_;
  }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace onecast::test
