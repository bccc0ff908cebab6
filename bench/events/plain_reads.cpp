// Reads a file with plain calls, 1 MiB at a time into one buffer, and prints the seconds:
//   plain_reads FILE PLACES
// With several places, each MiB comes from as many parts of the file, as events do whose products
// each have a dataset.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr off_t kRun = off_t{1} << 20;

/// @return seconds; negative if a call failed, with errno
double seconds_of(int file, off_t size, off_t places) {
  std::vector<char> run(kRun);
  const off_t piece = kRun / places;
  const off_t part = size / places;
  const auto start = std::chrono::steady_clock::now();
  for (off_t first = 0; first < part; first += piece)
    for (off_t place = 0; place < places; ++place) {
      const off_t bytes = std::min(piece, part - first);
      if (pread(file, run.data() + place * piece, static_cast<std::size_t>(bytes),
                place * part + first) != bytes)
        return -1;
    }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const off_t places = argc == 3 ? std::atoi(argv[2]) : 0;
  if (places < 1 || places > kRun) {
    fmt::print(stderr, "usage: plain_reads FILE PLACES\n");
    return 2;
  }
  const int file = open(argv[1], O_RDONLY | O_CLOEXEC);
  const off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  const double seconds = size < 0 ? -1 : seconds_of(file, size, places);
  if (seconds < 0) {
    std::perror(argv[1]);
    return 1;
  }
  fmt::print(R"({{"seconds": {}}})"
             "\n",
             seconds);
}
