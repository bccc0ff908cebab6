// What the program measures: each step of each rank, and the memory of each process.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "layout.hpp"
#include "thread_rank.hpp"

namespace scale {

/// What a rank did in one step.
struct Done {
  double seconds = 0;
  double cpu = 0;
  Messages messages;
  std::uint64_t opens = 0;
  std::uint64_t reads = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t writes = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t collectives = 0;
};

/// The memory of a process after one step, in bytes.
struct Memory {
  std::int64_t proportional = 0;  ///< pages that several processes share count in parts
  std::int64_t tables = 0;        ///< the page tables
};
Memory memory_now();

/// Memory that all processes of the program share: a barrier of all ranks, and what they measured.
class Measures {
 public:
  Measures(const Layout& layout, std::vector<std::string> steps);
  Measures(const Measures&) = delete;
  Measures& operator=(const Measures&) = delete;
  ~Measures();

  /// Waits for all ranks.
  void meet();
  [[nodiscard]] Done& of_rank(std::size_t step, int rank) {
    return done_[step * static_cast<std::size_t>(layout_.ranks()) + static_cast<std::size_t>(rank)];
  }
  /// The memory before the first step is number 0.
  [[nodiscard]] Memory& of_process(std::size_t step, int process) {
    return memory_[step * static_cast<std::size_t>(layout_.processes()) +
                   static_cast<std::size_t>(process)];
  }

  /// Writes members of a JSON object: an array for each measure of each step, by rank or by
  /// process.
  void save(std::ostream& out);

 private:
  const Layout& layout_;
  std::vector<std::string> steps_;
  std::size_t size_;
  std::byte* shared_;
  pthread_barrier_t* barrier_;
  Done* done_;
  Memory* memory_;
};

}  // namespace scale
