// Reads events of a source by identity, in random order, and prints the cost of one:
//   random_events SOURCE COUNT [SEED]
// Opening is not counted, nor is the index that the first search makes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "onecast/base/error.hpp"
#include "onecast/events/component.hpp"

namespace {

using namespace onecast::events;
using Clock = std::chrono::steady_clock;

/// Returns one of Linux's counts for this process: read calls, or bytes that they read.
std::uint64_t count_of(const std::string& name) {
  std::ifstream in("/proc/self/io");
  std::string key;
  for (std::uint64_t value = 0; in >> key >> value;)
    if (key == name + ":") return value;
  return 0;
}

std::size_t read_event(Source& source, Cursor& cursor, const Identity& identity) {
  const auto entry = source.find(identity);
  if (!entry || !cursor.go_to(*entry))
    throw onecast::Error(onecast::ErrorCode::not_found, "an event is not found again");
  cursor.prepare();
  std::size_t bytes = 0;
  for (std::size_t p = 0; p < source.products().size(); ++p) {
    cursor.fetch(p);
    bytes += cursor.serialized(p).size();
  }
  return bytes;
}

void measure(const std::string& text, std::size_t count, unsigned seed) {
  const auto source = standard_components().source(text);
  const auto cursor = source->cursor();
  const std::uint64_t size = source->size().value_or(0);
  if (size == 0) throw onecast::Error(onecast::ErrorCode::invalid_argument, "no events");
  std::mt19937_64 random(seed);
  std::vector<Identity> wanted;
  for (std::size_t i = 0; i < count; ++i) {
    cursor->go_to(random() % size);
    wanted.push_back(cursor->identity());
  }
  read_event(*source, *cursor, wanted.front());
  const std::uint64_t calls = count_of("syscr");
  const std::uint64_t read = count_of("rchar");
  std::size_t bytes = 0;
  double slowest = 0;
  const auto start = Clock::now();
  for (const Identity& identity : wanted) {
    const auto before = Clock::now();
    bytes += read_event(*source, *cursor, identity);
    slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - before).count());
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  fmt::print(
      R"({{"seconds": {}, "slowest": {}, "event_bytes": {}, "read_calls": {}, "read_bytes": {}}})"
      "\n",
      seconds / static_cast<double>(count), slowest, bytes / count,
      static_cast<double>(count_of("syscr") - calls) / static_cast<double>(count),
      static_cast<double>(count_of("rchar") - read) / static_cast<double>(count));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || std::atoi(argv[2]) < 1) {
    fmt::print(stderr, "usage: random_events SOURCE COUNT [SEED]\n");
    return 2;
  }
  try {
    measure(argv[1], static_cast<std::size_t>(std::atoi(argv[2])),
            argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1);
  } catch (const std::exception& error) {
    fmt::print(stderr, "random_events: {}\n", error.what());
    return 1;
  }
}
