#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/file_context.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

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

  // What is below differs only in structures of which a part may be in the file already.

  /// Gives all pieces their addresses; `take(bytes)` gives that of so much free space.
  using Take = std::function<Address(std::uint64_t bytes)>;
  [[nodiscard]] virtual std::vector<Address> place(const Take& take) const {
    std::vector<Address> addresses;
    addresses.reserve(count());
    for (std::size_t i = 0; i < count(); ++i) addresses.push_back(take(size(i)));
    return addresses;
  }
  /// Bytes that a piece takes in the file; 0: it lies in what another one takes.
  [[nodiscard]] virtual std::uint64_t room(std::size_t piece) const { return size(piece); }
  /// Bytes from its start on that are to be written; 0: it is in the file as it is.
  [[nodiscard]] virtual std::uint64_t touched(std::size_t piece) const { return size(piece); }
  /// They lie there now.
  virtual void adopt(std::span<const Address> /*addresses*/) {}
};

}  // namespace onecast::structures
