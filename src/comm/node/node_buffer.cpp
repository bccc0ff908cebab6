#include "comm/node/node_buffer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace onecast::comm {
namespace {

/// The name that a descriptor of the memory has, which is not the name of a file.
std::string name_of(std::uint64_t number) { return fmt::format("onecast-{:016x}", number); }

/// Returns nothing if the system has no random bytes at once.
std::optional<std::uint64_t> random_number() {
#ifdef GRND_NONBLOCK
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
#endif
  return {};
}

#ifdef MFD_CLOEXEC
/// Gives memory its bytes in parts, because some systems begin anew if a signal comes meanwhile.
bool allocate(int descriptor, off_t size) {
  constexpr off_t kPart = off_t{4} << 20U;
  for (off_t at = 0; at < size;) {
    const off_t part = std::min(kPart, size - at);
    if (fallocate(descriptor, 0, at, part) == 0)
      at += part;
    else if (errno != EINTR)
      return false;
  }
  return true;
}
#endif

/// Returns a descriptor of memory of this size, or -1.
int make_memory(std::uint64_t number, std::size_t size) {
#ifdef MFD_CLOEXEC
  // The system would end a process that exceeds its limit for files, to which such memory counts.
  rlimit most{};
  if (getrlimit(RLIMIT_FSIZE, &most) != 0 || size > most.rlim_cur ||
      size > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()))
    return -1;
  const int descriptor = memfd_create(name_of(number).c_str(), MFD_CLOEXEC);
  if (descriptor < 0) return -1;
  // Memory that is missing must be missed now, and not when a byte is written.
  if (allocate(descriptor, static_cast<off_t>(size))) return descriptor;
  close(descriptor);
#else
  static_cast<void>(number);
  static_cast<void>(size);
#endif
  return -1;
}

/// Maps memory as this rank's own: pages that the rank changes are copied. Returns null if the
/// system refuses.
std::byte* map_own(int descriptor, std::size_t size) {
  // All pages are entered at once, before the memory may be written: entering pages of memory that
  // may be written would copy them.
#ifdef MAP_POPULATE
  constexpr int kEnterAll = MAP_POPULATE;
#else
  constexpr int kEnterAll = 0;
#endif
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | kEnterAll, descriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (mprotect(memory, size, PROT_READ | PROT_WRITE) == 0) return static_cast<std::byte*>(memory);
  munmap(memory, size);
  return nullptr;
}

/// Opens the memory that a rank offers, or returns -1. Throws std::bad_alloc. The number in its
/// name excludes files of other processes, as on a machine where another process has this number.
int open_memory(const NodeOffer& offer) {
  const std::string path = fmt::format("/proc/{}/fd/{}", offer.process, offer.descriptor);
  std::array<char, 64> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  const std::string expected = "/memfd:" + name_of(offer.number) + " (deleted)";
  if (length < 0 || std::string_view(target.data(), static_cast<std::size_t>(length)) != expected)
    return -1;
  return open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

}  // namespace

void UnmapBuffer::operator()(std::byte* bytes) const { munmap(bytes, size); }

NodeBuffer& NodeBuffer::operator=(NodeBuffer&& other) noexcept {
  if (this == &other) return *this;
  end_offer();
  own_ = std::move(other.own_);
  mapped_ = std::move(other.mapped_);
  offer_ = std::exchange(other.offer_, {});
  is_shared_ = std::exchange(other.is_shared_, false);
  return *this;
}

std::size_t NodeBuffer::share_from() {
  constexpr std::size_t kShareFrom = std::size_t{256} << 10U;
  const char* chosen = std::getenv("ONECAST_SHARE_FROM");
  return chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : kShareFrom;
}

NodeBuffer NodeBuffer::to_share(std::size_t size) {
  if (size < share_from()) return NodeBuffer(Buffer(size));
  const auto number = random_number();
  const int descriptor = number ? make_memory(*number, size) : -1;
  if (descriptor < 0) return NodeBuffer(Buffer(size));
  NodeBuffer made;
  made.offer_ = {*number, getpid(), descriptor, size};
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return NodeBuffer(Buffer(size));
#ifdef MADV_HUGEPAGE
  // A request, which the system may ignore.
  static_cast<void>(madvise(memory, size, MADV_HUGEPAGE));
#endif
  made.mapped_ = {static_cast<std::byte*>(memory), UnmapBuffer{size}};
  return made;
}

NodeBuffer NodeBuffer::find(const NodeOffer& offer) {
  if (!offer.is_made()) return {};
  int descriptor = -1;
  try {
    descriptor = open_memory(offer);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): other ranks wait for this one
  }
  if (descriptor < 0) return {};
  const auto size = static_cast<std::size_t>(offer.size);
  NodeBuffer found;
  if (std::byte* memory = map_own(descriptor, size)) found.mapped_ = {memory, UnmapBuffer{size}};
  close(descriptor);
  return found;
}

void NodeBuffer::seal() {
  if (!offer_.is_made()) return;
  const std::size_t size = this->size();
  if (std::byte* memory = map_own(offer_.descriptor, size)) {
    mapped_ = {memory, UnmapBuffer{size}};
    return;
  }
  Buffer copy(size);
  std::memcpy(copy.data(), data(), size);
  end_offer();
  mapped_.reset();
  own_ = std::move(copy);
}

void NodeBuffer::end_offer(bool is_shared) {
  is_shared_ = is_shared;
  if (offer_.is_made()) close(std::exchange(offer_, {}).descriptor);
}

}  // namespace onecast::comm
