#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::pages {

/// Stretches of the file that are in memory. They do not overlap; adding one keeps all views valid.
class ExtentMap {
 public:
  struct Extent {
    Address address;
    std::uint64_t size = 0;
    std::byte* data = nullptr;
  };

  /// Adds a stretch that begins where nothing is known yet; its end is cut where something is.
  void add(Address address, std::span<std::byte> bytes);

  /// The bytes of [address, address + length) if one stretch holds all of them.
  [[nodiscard]] std::optional<std::span<std::byte>> find(Address address,
                                                         std::uint64_t length) const;
  /// All bytes from `address` on of the stretch that holds it; empty if none does.
  [[nodiscard]] std::span<std::byte> rest_from(Address address) const;
  /// The stretch that holds this address.
  [[nodiscard]] const Extent* holding(Address address) const;
  /// Where the first stretch behind `address` begins; undefined if there is none.
  [[nodiscard]] Address next_after(Address address) const;

  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }

 private:
  std::vector<Extent> extents_;  ///< by address
};

}  // namespace onecast::pages
