#include "objects/flush/freed_space.hpp"

#include <algorithm>
#include <bit>

#include "onecast/base/error.hpp"

namespace onecast::flush {

void give_back_unused_space(FileState& file) {
  if (file.comm().rank() != 0) return;
  Transport& transport = file.transport();
  const std::uint64_t base = file.store().base();
  std::vector<FileRange> unused = file.allocator().unused_space();
  // Space of removed objects is still used on the disk, unless no flush has seen them.
  const ReleasedSpace& released = file.changes().released;
  const auto add_unused = [&](std::uint64_t start, std::uint64_t end) {
    if (start < end) unused.push_back({{start}, end - start});
  };
  auto unseen = released.unseen.stretches().begin();
  const auto none = released.unseen.stretches().end();
  for (const FreeSpace::Stretch removed : released.raw_data.stretches()) {
    add_unused(std::max(removed.address, file.committed().end), removed.end());
    // Space that was given to other data meanwhile is not among the removed any more.
    while (unseen != none && unseen->end() <= removed.address) ++unseen;
    for (; unseen != none && unseen->address < removed.end(); ++unseen) {
      add_unused(std::max(removed.address, unseen->address),
                 std::min(removed.end(), unseen->end()));
      if (unseen->end() > removed.end()) break;
    }
  }
  for (const FileRange& r : unused) transport.give_back(base + r.address.value, r.size);
  try {
    const std::uint64_t end = base + file.allocator().end();
    transport.give_back(end, std::max(transport.size(), end) - end);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the flush goes on without
  }
}

namespace {

/// Returns the bytes that a flush frees, without metadata, which is small.
std::uint64_t freed_bytes(const FileState& file) {
  const ReleasedSpace& released = file.changes().released;
  std::uint64_t freed = released.raw_data.bytes();
  for (const HeapRoom& room : released.heap_rooms) freed += room.size;
  return freed;
}

}  // namespace

void list_if_freed_space_adds_up(FileState& file) {
  constexpr std::uint64_t kShare = 8;
  constexpr std::uint64_t kLeastStep = std::uint64_t{64} << 10U;
  if (file.allocator().is_paged()) return;
  const std::uint64_t before = file.committed().end;
  const std::uint64_t now = file.allocator().end();
  const std::uint64_t step = std::max(std::bit_floor(now) / kShare, kLeastStep);
  if (before / step == now / step || freed_bytes(file) < (now - before) / kShare) return;
  file.begin_pages();
}

}  // namespace onecast::flush
