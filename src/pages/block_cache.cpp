#include "pages/block_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace onecast::pages {

ByteView BlockCache::view(Address address, std::uint64_t length, const char* what) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto bytes = known(address, length)) return *bytes;
  }
  require_inside(address, length, what);
  const std::unique_lock lock(mutex_);
  for (Address at = address; at < address + length;) {
    if (const auto* e = extents_.holding(at))
      at = e->address + e->size;
    else
      read_block(at);
  }
  if (const auto bytes = known(address, length)) return *bytes;
  Buffer together(static_cast<std::size_t>(length));
  copy_locked(address, together.span());
  return stitched_.emplace(std::pair{address.value, length}, std::move(together))
      .first->second.span();
}

/// In one block, or put together before.
std::optional<ByteView> BlockCache::known(Address address, std::uint64_t length) const {
  if (const auto bytes = extents_.find(address, length)) return *bytes;
  const auto found = stitched_.find({address.value, length});
  if (found == stitched_.end()) return std::nullopt;
  return found->second.span();
}

void BlockCache::require_inside(Address address, std::uint64_t length, const char* what) const {
  if (is_inside(address, length)) return;
  ByteReader({}, address, file_, what)
      .fail("Address",
            fmt::format("{} bytes there leave the file, which ends at {:#x}", length, end_));
}

void BlockCache::read_block(Address address) {
  const Address start{address.value / kSmallestBlock * kSmallestBlock};
  std::uint64_t size = kSmallestBlock;
  const ExtentMap::Extent* before =
      start.value == 0 ? nullptr : extents_.holding({start.value - 1});
  // Reading on from a block takes twice its size: a walk through a dense file soon reads in MiB.
  if (before != nullptr) size = std::clamp(2 * before->size, kSmallestBlock, largest_);
  const ExtentMap::Extent* inside = extents_.holding(start);
  const Address first = inside == nullptr ? start : inside->address + inside->size;
  const Address next = extents_.next_after(first);
  std::uint64_t end = std::min(end_, start.value + size);
  if (next.is_defined()) end = std::min(end, next.value);

  Buffer bytes(static_cast<std::size_t>(end - first.value));
  const std::size_t got = transport_.read_at(base_ + first.value, bytes.span());
  ++reads_;
  if (got != bytes.size())
    ByteReader({}, first, file_, "file").fail("size", "the file became shorter while it was read");
  keep(first, std::move(bytes));
}

void BlockCache::add(Address address, Buffer bytes) {
  const std::unique_lock lock(mutex_);
  keep(address, std::move(bytes));
}

void BlockCache::replace(Address address, ByteView bytes) {
  const std::unique_lock lock(mutex_);
  while (!bytes.empty()) {
    std::size_t size = bytes.size();
    if (const ExtentMap::Extent* known = extents_.holding(address)) {
      const std::uint64_t skip = address.value - known->address.value;
      size = static_cast<std::size_t>(std::min<std::uint64_t>(known->size - skip, size));
      std::memcpy(known->data + skip, bytes.data(), size);
    } else {
      const Address next = extents_.next_after(address);
      if (next.is_defined())
        size = static_cast<std::size_t>(std::min<std::uint64_t>(next.value - address.value, size));
      Buffer copy(size);
      std::memcpy(copy.data(), bytes.data(), size);
      keep(address, std::move(copy));
    }
    address = address + size;
    bytes = bytes.subspan(size);
  }
}

void BlockCache::keep(Address address, Buffer bytes) {
  const auto size = std::min<std::uint64_t>(bytes.size(), end_ - std::min(end_, address.value));
  extents_.add(address, bytes.span().first(static_cast<std::size_t>(size)));
  bytes_ += bytes.size();
  buffers_.push_back(std::move(bytes));
}

void BlockCache::copy(Address address, std::span<std::byte> out) {
  require_inside(address, out.size(), "file");
  const std::unique_lock lock(mutex_);
  copy_locked(address, out);
}

void BlockCache::copy_locked(Address address, std::span<std::byte> out) {
  for (std::size_t done = 0; done < out.size();) {
    const Address at = address + done;
    const ExtentMap::Extent* e = extents_.holding(at);
    if (e == nullptr) {
      read_block(at);
      continue;
    }
    const std::uint64_t skip = at.value - e->address.value;
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(e->size - skip, out.size() - done));
    std::memcpy(out.data() + done, e->data + skip, n);
    done += n;
  }
}

}  // namespace onecast::pages
