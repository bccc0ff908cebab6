#pragma once

#include <cstdint>
#include <optional>
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

  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }

 private:
  std::vector<Extent> extents_;  ///< in the order of addresses
};

}  // namespace onecast::pages
