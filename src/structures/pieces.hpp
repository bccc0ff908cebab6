#pragma once

#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/file_context.hpp"

namespace onecast {

/// A structure that is about to be written, as pieces of exactly known size. The flush gives every
/// piece an address (no piece smaller than a page straddles a page), then has them encoded.
class Pieces {
 public:
  Pieces() = default;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  virtual ~Pieces() = default;

  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual std::uint64_t size(std::size_t piece) const = 0;

  /// Writes piece `piece` into `out` (exactly its size). `addresses` are those of all pieces of
  /// this structure; piece 0 is the one others refer to the structure by.
  virtual void encode(std::size_t piece, std::span<std::byte> out,
                      std::span<const Address> addresses, const FileContext& file) const = 0;
};

}  // namespace onecast
