#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/file_context.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// A structure that is to be written, as pieces of known size. The flush gives every piece an
/// address (no piece smaller than a page straddles a page), then encodes them.
class Pieces {
 public:
  Pieces() = default;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  virtual ~Pieces() = default;

  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual std::uint64_t size(std::size_t piece) const = 0;

  /// Writes piece `piece` into `out`, which has exactly its size. `addresses` has those of all
  /// pieces of this structure; others refer to the structure by the address of piece 0.
  virtual void encode(std::size_t piece, std::span<std::byte> out,
                      std::span<const Address> addresses, const FileContext& file) const = 0;

  // Only structures that may be in the file in part override the following functions.

  /// Gives all pieces their addresses. `take(bytes)` allocates free space and returns its address.
  using Take = std::function<Address(std::uint64_t bytes)>;
  [[nodiscard]] virtual std::vector<Address> allocate(const Take& take) const {
    std::vector<Address> addresses;
    addresses.reserve(count());
    for (std::size_t i = 0; i < count(); ++i) addresses.push_back(take(size(i)));
    return addresses;
  }
  /// The bytes that a piece takes in the file; 0: it lies inside another piece.
  [[nodiscard]] virtual std::uint64_t room(std::size_t piece) const { return size(piece); }
  /// The bytes, from its start on, that must be written; 0: it is unchanged in the file.
  [[nodiscard]] virtual std::uint64_t touched(std::size_t piece) const { return size(piece); }
  /// Notes that the pieces are now at these addresses.
  virtual void note_places(std::span<const Address> /*addresses*/) {}
};

}  // namespace onecast::structures
