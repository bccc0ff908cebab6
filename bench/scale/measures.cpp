#include "measures.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <fstream>
#include <new>
#include <sstream>
#include <system_error>
#include <utility>

namespace scale {
namespace {

/// Returns a number of a file of /proc, in bytes; -1 if the system does not tell it.
std::int64_t proc_bytes(const char* path, const std::string& name) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name + ":")) continue;
    std::int64_t kilobytes = 0;
    std::istringstream(line.substr(name.size() + 1)) >> kilobytes;
    return kilobytes * 1024;
  }
  return -1;
}

template <class Value>
void write_array(std::ostream& out, const char* name, int count, Value&& value) {
  out << ",\n   \"" << name << "\": [";
  for (int i = 0; i < count; ++i) out << (i == 0 ? "" : ",") << value(i);
  out << "]";
}

struct Count {
  const char* name;
  std::uint64_t (*of)(const Done& done);
};
constexpr Count kCounts[] = {
    {"opens", [](const Done& d) { return d.opens; }},
    {"reads", [](const Done& d) { return d.reads; }},
    {"bytes_read", [](const Done& d) { return d.bytes_read; }},
    {"writes", [](const Done& d) { return d.writes; }},
    {"bytes_written", [](const Done& d) { return d.bytes_written; }},
    {"collectives", [](const Done& d) { return d.collectives; }},
    {"sent", [](const Done& d) { return d.messages.sent; }},
    {"received", [](const Done& d) { return d.messages.received; }},
    {"bytes_sent", [](const Done& d) { return d.messages.bytes_sent; }},
    {"bytes_received", [](const Done& d) { return d.messages.bytes_received; }},
    {"away_sent", [](const Done& d) { return d.messages.away_sent; }},
    {"away_received", [](const Done& d) { return d.messages.away_received; }},
    {"away_bytes_sent", [](const Done& d) { return d.messages.away_bytes_sent; }},
    {"away_bytes_received", [](const Done& d) { return d.messages.away_bytes_received; }},
};

}  // namespace

Memory memory_now() {
  return {proc_bytes("/proc/self/smaps_rollup", "Pss"), proc_bytes("/proc/self/status", "VmPTE")};
}

Measures::Measures(const Layout& layout, std::vector<std::string> steps)
    : layout_(layout), steps_(std::move(steps)) {
  const auto ranks = static_cast<std::size_t>(layout.ranks());
  const auto processes = static_cast<std::size_t>(layout.processes());
  const std::size_t done = sizeof(Done) * ranks * steps_.size();
  constexpr std::size_t kBarrier = 64;
  static_assert(sizeof(pthread_barrier_t) <= kBarrier);
  size_ = kBarrier + done + sizeof(Memory) * processes * (steps_.size() + 1);
  void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  shared_ = static_cast<std::byte*>(memory);
  barrier_ = new (shared_) pthread_barrier_t;
  done_ = new (shared_ + kBarrier) Done[ranks * steps_.size()];
  memory_ = new (shared_ + kBarrier + done) Memory[processes * (steps_.size() + 1)];
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(barrier_, &attributes, static_cast<unsigned>(ranks));
  pthread_barrierattr_destroy(&attributes);
}

Measures::~Measures() { munmap(shared_, size_); }

void Measures::meet() { pthread_barrier_wait(barrier_); }

void Measures::save(std::ostream& out) {
  const int ranks = layout_.ranks();
  const int processes = layout_.processes();
  out << "\"ranks\": " << ranks << ",\n\"nodes\": [";
  for (int p = 0; p < processes; ++p) out << (p == 0 ? "" : ",") << layout_.nodes_of(p);
  out << "],\n\"steps\": [";
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    out << (step == 0 ? "\n" : ",\n") << "  {\"name\": \"" << steps_[step] << "\"";
    write_array(out, "seconds", ranks, [&](int r) { return of_rank(step, r).seconds; });
    write_array(out, "cpu", ranks, [&](int r) { return of_rank(step, r).cpu; });
    for (const Count& count : kCounts)
      write_array(out, count.name, ranks, [&](int r) { return count.of(of_rank(step, r)); });
    // Above what the processes had before the first step.
    write_array(out, "memory", processes, [&](int p) {
      return of_process(step + 1, p).proportional - of_process(0, p).proportional;
    });
    write_array(out, "page_tables", processes,
                [&](int p) { return of_process(step + 1, p).tables - of_process(0, p).tables; });
    out << "}";
  }
  out << "\n]";
}

}  // namespace scale
