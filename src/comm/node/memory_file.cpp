#include "comm/node/memory_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace onecast::comm {
namespace {

/// The name that a descriptor of the memory has, which is not the name of a file.
std::string name_of(std::uint64_t number) { return fmt::format("onecast-{:016x}", number); }

/// Returns true if the system would not end a process that makes a file of this size. It ends one
/// that exceeds its limit for files, to which memory of this kind counts.
bool may_have(std::size_t size) {
  rlimit most{};
  return getrlimit(RLIMIT_FSIZE, &most) == 0 && size <= most.rlim_cur &&
         size <= static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
}

bool leads_to(const std::string& target, const std::string& path) {
  std::array<char, 64> found{};
  const ssize_t length = readlink(path.c_str(), found.data(), found.size());
  return length >= 0 && std::string_view(found.data(), static_cast<std::size_t>(length)) == target;
}

/// Opens the descriptor of a process if it leads to `target`; else returns -1.
int open_if_it_leads_to(const std::string& target, const std::string& path) {
  if (!leads_to(target, path)) return -1;
  const int opened = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  // The process may have used its descriptor for another file meanwhile.
  if (opened < 0 || leads_to(target, fmt::format("/proc/self/fd/{}", opened))) return opened;
  close(opened);
  return -1;
}

/// Opens the memory that a rank offers, or returns -1. Throws std::bad_alloc. The number in its
/// name excludes files of other processes, as on a machine where another process has this number.
int open_memory(const NodeOffer& offer) {
  const std::string target = "/memfd:" + name_of(offer.number) + " (deleted)";
  const std::string folder = fmt::format("/proc/{}/fd/", offer.process);
  if (offer.descriptor != NodeOffer::kAnyDescriptor)
    return open_if_it_leads_to(target, folder + std::to_string(offer.descriptor));
  const std::unique_ptr<DIR, int (*)(DIR*)> all(opendir(folder.c_str()), closedir);
  if (!all) return -1;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread reads this folder
  while (const dirent* each = readdir(all.get()))
    if (const int found = open_if_it_leads_to(target, folder + each->d_name); found >= 0)
      return found;
  return -1;
}

}  // namespace

std::optional<std::uint64_t> random_number() {
#ifdef GRND_NONBLOCK
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
#endif
  return {};
}

void UnmapBuffer::operator()(std::byte* bytes) const { munmap(bytes, size); }

MemoryFile& MemoryFile::operator=(MemoryFile&& other) noexcept {
  if (this == &other) return *this;
  close();
  descriptor_ = std::exchange(other.descriptor_, -1);
  made_here_ = other.made_here_;
  number_ = other.number_;
  return *this;
}

MemoryFile MemoryFile::make() noexcept {
  const auto number = random_number();
  return number ? make(*number) : MemoryFile();
}

MemoryFile MemoryFile::make([[maybe_unused]] std::uint64_t number) noexcept {
  MemoryFile file;
#ifdef MFD_CLOEXEC
  try {
    file.descriptor_ = memfd_create(name_of(number).c_str(), MFD_CLOEXEC);
    file.made_here_ = true;
    file.number_ = number;
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): other ranks wait for this one
  }
#endif
  return file;
}

MemoryFile MemoryFile::find(const NodeOffer& offer) noexcept {
  MemoryFile file;
  try {
    if (offer.is_made()) file.descriptor_ = open_memory(offer);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): other ranks wait for this one
  }
  return file;
}

NodeOffer MemoryFile::offer(std::size_t size) const {
  if (!is_made_here()) return {};
  return {number_, getpid(), descriptor_, size};
}

std::size_t MemoryFile::size() const {
  struct stat found{};
  return fstat(descriptor_, &found) == 0 ? static_cast<std::size_t>(found.st_size) : 0;
}

bool MemoryFile::allocate(std::size_t size) {
  if (!may_have(size)) return false;
  // Memory that is missing must be missed now, and not when a byte is written. Some systems begin
  // anew if a signal comes meanwhile, so it comes in parts.
  constexpr off_t kPart = off_t{4} << 20U;
  const auto all = static_cast<off_t>(size);
  for (off_t at = 0; at < all;) {
    const off_t part = std::min(kPart, all - at);
    if (fallocate(descriptor_, 0, at, part) == 0)
      at += part;
    else if (errno != EINTR)
      return false;
  }
  return true;
}

std::byte* MemoryFile::map_to_write(std::size_t size) const {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) return nullptr;
#ifdef MADV_HUGEPAGE
  // A request, which the system may ignore.
  static_cast<void>(madvise(memory, size, MADV_HUGEPAGE));
#endif
  return static_cast<std::byte*>(memory);
}

std::byte* MemoryFile::map_own(std::size_t size, bool enter) const {
  // All pages are entered at once, before the memory may be written: entering pages of memory that
  // may be written would copy them.
#ifdef MAP_POPULATE
  const int enters_all = enter ? MAP_POPULATE : 0;
#else
  constexpr int enters_all = 0;
#endif
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | enters_all, descriptor_, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (mprotect(memory, size, PROT_READ | PROT_WRITE) == 0) return static_cast<std::byte*>(memory);
  munmap(memory, size);
  return nullptr;
}

void MemoryFile::close() {
  if (is_open()) ::close(std::exchange(descriptor_, -1));
}

}  // namespace onecast::comm
