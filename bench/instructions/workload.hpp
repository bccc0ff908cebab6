#pragma once

#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include "marks.h"

namespace onecast_bench {

/// Does `work` between the marks, and prints its name.
inline void measure(const char* name, const std::function<void()>& work) {
  onecast_mark_begin();
  work();
  onecast_mark_end();
  std::printf("%s\n", name);
}

/// The main program. `run(folder)` measures one workload after the other.
inline int run_workloads(int argc, char** argv,
                         const std::function<void(const std::filesystem::path&)>& run) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

}  // namespace onecast_bench
