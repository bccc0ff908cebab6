// Whole files: opened eagerly with a small budget, eagerly, and lazily; walked and read in full.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/input.hpp"
#include "support/read_everything.hpp"

namespace onecast {
namespace {

/// A file in memory, written anew for every input.
class MemoryPath {
 public:
  MemoryPath()
      : descriptor_(memfd_create("onecast", 0)),
        path_(fmt::format("/proc/self/fd/{}", descriptor_)) {
    if (descriptor_ < 0) std::abort();
  }
  const std::string& write(fuzz::Input bytes) {
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

void read(const std::string& path, LoadPolicy policy, std::uint64_t budget) {
  fuzz::expect_errors_only([&] {
    FileOptions options;
    options.load_policy = policy;
    options.metadata_budget = budget;
    options.follow_external = onecast::FollowExternal::nowhere;  // names of any files
    test::ReadEverything({2000, 20'000, 4U << 20U}).run(path, options);
  });
}

}  // namespace

FUZZ_TARGET(bytes) {
  static MemoryPath file;
  const std::string& path = file.write(bytes);
  read(path, LoadPolicy::eager, 4096);
  read(path, LoadPolicy::eager, 1U << 20U);
  read(path, LoadPolicy::lazy, 0);
}

}  // namespace onecast
