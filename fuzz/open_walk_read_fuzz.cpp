// Whole files: opened eagerly with a small budget, eagerly, and lazily; walked and read in full.
#include "fuzz/input.hpp"
#include "support/memory_path.hpp"
#include "support/read_everything.hpp"

namespace onecast {
namespace {

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
  static test::MemoryPath file;
  const std::string& path = file.write(bytes);
  read(path, LoadPolicy::eager, 4096);
  read(path, LoadPolicy::eager, 1U << 20U);
  read(path, LoadPolicy::lazy, 0);
}

}  // namespace onecast
