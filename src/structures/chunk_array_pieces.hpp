#pragma once

#include <cstdint>
#include <vector>

#include "structures/element_writer.hpp"
#include "structures/pieces.hpp"

namespace onecast {

/// A fixed or extensible array of chunks as pieces that stay where they are: when chunks are added
/// or change, only the pieces that have their elements are written again. Blocks that no element
/// needs are not there. Piece 0 is the header.
class ChunkArrayPieces : public Pieces {
 public:
  /// The element of this number has changed, or is new.
  virtual void change(std::uint64_t number) = 0;
  /// Has the file any of it?
  [[nodiscard]] bool is_in_file() const { return !addresses_.empty(); }
  /// Any element that is there may have changed.
  void change_all() {
    for (Piece& piece : pieces_) piece.changed = true;
  }

  [[nodiscard]] std::size_t count() const override { return pieces_.size(); }
  [[nodiscard]] std::uint64_t size(std::size_t piece) const override { return pieces_[piece].size; }
  [[nodiscard]] std::vector<Address> place(const Take& take) const override {
    std::vector<Address> addresses = addresses_;
    for (std::size_t i = addresses.size(); i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      addresses.push_back(piece.room != 0 ? take(piece.room)
                                          : addresses[piece.inside] + piece.offset);
    }
    return addresses;
  }
  [[nodiscard]] std::uint64_t room(std::size_t piece) const override { return pieces_[piece].room; }
  [[nodiscard]] std::uint64_t touched(std::size_t piece) const override {
    const Piece& p = pieces_[piece];
    const bool is_new = piece >= addresses_.size();
    return is_new ? std::max(p.size, p.room) : p.changed ? p.size : 0;
  }
  void adopt(std::span<const Address> addresses) override {
    addresses_.assign(addresses.begin(), addresses.end());
    for (Piece& piece : pieces_) piece.changed = false;
  }

 protected:
  explicit ChunkArrayPieces(ElementWriter elements) : elements_(std::move(elements)) {}

  [[nodiscard]] const ElementWriter& elements() const { return elements_; }
  /// Returns its number. `behind`: bytes that its pages will take behind it.
  std::size_t add(std::uint64_t size, std::uint64_t behind = 0) {
    pieces_.push_back({size, size + behind, 0, 0, true});
    return pieces_.size() - 1;
  }
  /// A page of a piece added before.
  std::size_t add_inside(std::size_t piece, std::uint64_t offset, std::uint64_t size) {
    pieces_.push_back({size, 0, piece, offset, true});
    return pieces_.size() - 1;
  }
  void mark(std::size_t piece) { pieces_[piece].changed = true; }

 private:
  struct Piece {
    std::uint64_t size;
    std::uint64_t room;
    std::size_t inside;  ///< the piece that has the room, if it has none itself
    std::uint64_t offset;
    bool changed;
  };

  ElementWriter elements_;
  std::vector<Piece> pieces_;
  std::vector<Address> addresses_;  ///< of those in the file
};

}  // namespace onecast
