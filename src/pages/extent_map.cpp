#include "pages/extent_map.hpp"

#include <algorithm>

namespace onecast::pages {
namespace {

constexpr auto kByAddress = [](Address at, const ExtentMap::Extent& e) { return at < e.address; };

}  // namespace

void ExtentMap::add(Address address, std::span<std::byte> bytes) {
  const auto next = std::upper_bound(extents_.begin(), extents_.end(), address, kByAddress);
  std::uint64_t size = bytes.size();
  if (next != extents_.end()) size = std::min(size, next->address.value - address.value);
  if (size != 0) extents_.insert(next, {address, size, bytes.data()});
}

const ExtentMap::Extent* ExtentMap::holding(Address address) const {
  const auto next = std::upper_bound(extents_.begin(), extents_.end(), address, kByAddress);
  if (next == extents_.begin()) return nullptr;
  const Extent& e = *std::prev(next);
  return address.value - e.address.value < e.size ? &e : nullptr;
}

std::span<std::byte> ExtentMap::rest_from(Address address) const {
  const Extent* e = holding(address);
  if (e == nullptr) return {};
  const std::uint64_t before = address.value - e->address.value;
  return {e->data + before, static_cast<std::size_t>(e->size - before)};
}

std::optional<std::span<std::byte>> ExtentMap::find(Address address, std::uint64_t length) const {
  const Extent* e = holding(address);
  if (e == nullptr) return std::nullopt;
  const std::uint64_t before = address.value - e->address.value;
  if (length > e->size - before) return std::nullopt;
  return std::span(e->data + before, static_cast<std::size_t>(length));
}

Address ExtentMap::next_after(Address address) const {
  const auto next = std::upper_bound(extents_.begin(), extents_.end(), address, kByAddress);
  return next == extents_.end() ? Address{} : next->address;
}

}  // namespace onecast::pages
