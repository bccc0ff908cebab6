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
  if (exact_ || length > kSmallestBlock) return view_large(address, length);
  for (Address at = address; at < address + length;) {
    if (const auto* e = extents_.holding(at))
      at = e->address + e->size;
    else
      read_block(at);
  }
  if (const auto bytes = known(address, length)) return *bytes;
  Buffer together(static_cast<std::size_t>(length));
  copy_locked(address, together.span());
  return stitch(address, std::move(together));
}

ByteView BlockCache::view_from(Address address, std::uint64_t length, const char* what) {
  {
    const std::shared_lock lock(mutex_);
    const ByteView rest = extents_.rest_from(address);
    if (length <= rest.size()) return rest;
  }
  return exact_ ? look(address, length, what) : view(address, length, what);
}

/// Reads a little more than `length` bytes, such as a whole object header, with one call. What lies
/// behind them is not kept for other views.
ByteView BlockCache::look(Address address, std::uint64_t length, const char* what) {
  constexpr std::uint64_t kLook = 512;
  require_inside(address, length, what);
  const std::unique_lock lock(mutex_);
  const std::uint64_t size = std::min(std::max(length, kLook), end() - address.value);
  Buffer bytes(static_cast<std::size_t>(size));
  read(address, bytes.span());
  bytes_ += bytes.size();
  buffers_.push_back(std::move(bytes));
  return buffers_.back().span();
}

/// Returns the bytes as one piece of memory. Bytes that no block holds are read into it, and are
/// then a block that others see.
ByteView BlockCache::view_large(Address address, std::uint64_t length) {
  if (const auto bytes = known(address, length)) return *bytes;
  Buffer together(static_cast<std::size_t>(length));
  std::vector<std::pair<Address, std::span<std::byte>>> missing;
  for (std::size_t done = 0; done < together.size();) {
    const Address at = address + done;
    const std::span<std::byte> rest = together.span().subspan(done);
    std::size_t size = rest.size();
    if (extents_.holding(at) != nullptr) {
      size = copy_known(at, rest);
    } else {
      const Address next = extents_.next_after(at);
      if (next.is_defined()) size = std::min<std::uint64_t>(size, next.value - at.value);
      read(at, rest.first(size));
      missing.emplace_back(at, rest.first(size));
    }
    done += size;
  }
  const ByteView view = stitch(address, std::move(together));
  for (const auto& [at, bytes] : missing) extents_.add(at, bytes);
  return view;
}

ByteView BlockCache::stitch(Address address, Buffer bytes) {
  const std::pair place{address.value, std::uint64_t{bytes.size()}};
  bytes_ += bytes.size();
  return stitched_.emplace(place, std::move(bytes)).first->second.span();
}

/// Looks in the blocks, and among the pieces that were put together before.
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
            fmt::format("{} bytes there leave the file, which ends at {:#x}", length, end()));
}

void BlockCache::read_block(Address address) {
  const Address start{address.value / kSmallestBlock * kSmallestBlock};
  std::uint64_t size = kSmallestBlock;
  const ExtentMap::Extent* before =
      start.value == 0 ? nullptr : extents_.holding({start.value - 1});
  // A block that follows a known one gets twice its size, so a walk through a dense file soon reads
  // in MiB.
  if (before != nullptr) size = std::clamp(2 * before->size, kSmallestBlock, largest_);
  const ExtentMap::Extent* inside = extents_.holding(start);
  const Address first = inside == nullptr ? start : inside->address + inside->size;
  const Address next = extents_.next_after(first);
  std::uint64_t end = std::min(end_.load(), start.value + size);
  if (next.is_defined()) end = std::min(end, next.value);

  Buffer bytes(static_cast<std::size_t>(end - first.value));
  read(first, bytes.span());
  keep(first, std::move(bytes));
}

void BlockCache::read(Address address, std::span<std::byte> out) {
  const std::size_t got = transport_.read_at(base_ + address.value, out);
  ++reads_;
  if (got != out.size())
    ByteReader({}, address, file_, "file")
        .fail("size", "the file became shorter while it was read");
}

void BlockCache::read_again(std::uint64_t end) {
  const std::unique_lock lock(mutex_);
  for (auto& [place, bytes] : stitched_) stitched_before_.push_back(std::move(bytes));
  stitched_.clear();
  extents_ = {};
  end_ = end;
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
  const auto size = std::min<std::uint64_t>(bytes.size(), end() - std::min(end(), address.value));
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
    if (extents_.holding(at) == nullptr) read_block(at);
    done += copy_known(at, out.subspan(done));
  }
}

/// Copies what the block that holds the address has. Returns how many bytes it copied.
std::size_t BlockCache::copy_known(Address address, std::span<std::byte> out) const {
  const ExtentMap::Extent* e = extents_.holding(address);
  const std::uint64_t skip = address.value - e->address.value;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(e->size - skip, out.size()));
  std::memcpy(out.data(), e->data + skip, size);
  return size;
}

}  // namespace onecast::pages
