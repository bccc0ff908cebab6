#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::pages {

/// The stretches of the file that are in memory. They do not overlap. Adding one keeps all views
/// valid.
class ExtentMap {
 public:
  struct Extent {
    Address address;
    std::uint64_t size = 0;
    std::byte* data = nullptr;
  };

  /// Adds a stretch, which must begin at an unknown address; it is cut where a known one begins.
  void add(Address address, std::span<std::byte> bytes);

  /// The bytes of [address, address + length) if one stretch holds all of them.
  [[nodiscard]] std::optional<std::span<std::byte>> find(Address address,
                                                         std::uint64_t length) const;
  /// All bytes from `address` to the end of the stretch that holds it; empty if none does.
  [[nodiscard]] std::span<std::byte> rest_from(Address address) const;
  /// The stretch that holds this address.
  [[nodiscard]] const Extent* holding(Address address) const;
  /// The start of the first stretch after `address`; undefined if there is none.
  [[nodiscard]] Address next_after(Address address) const;

  /// Calls known(data, part) for the parts of `bytes`, which lie at `address`, that stretches hold,
  /// and missing(address, part) for those between them, in order. `missing` may add its part.
  template <class Byte, class Known, class Missing>
  void for_each_part(Address address, std::span<Byte> bytes, Known&& known,
                     Missing&& missing) const;

  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }

 private:
  std::vector<Extent> extents_;  ///< in the order of addresses
};

template <class Byte, class Known, class Missing>
void ExtentMap::for_each_part(Address address, std::span<Byte> bytes, Known&& known,
                              Missing&& missing) const {
  while (!bytes.empty()) {
    const Extent* there = holding(address);
    const Address next = there != nullptr ? there->address + there->size : next_after(address);
    const std::uint64_t most = next.is_defined() ? next.value - address.value : bytes.size();
    const auto part =
        bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(most, bytes.size())));
    if (there != nullptr)
      known(there->data + (address.value - there->address.value), part);
    else
      missing(address, part);
    address = address + part.size();
    bytes = bytes.subspan(part.size());
  }
}

}  // namespace onecast::pages
