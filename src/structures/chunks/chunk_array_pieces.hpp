#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/chunks/element_writer.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// A fixed or extensible array of chunks, new or in the file, as pieces that stay where they are:
/// when chunks are added or change, only the pieces that have their elements are written again.
/// Blocks that no element needs are not there. Piece 0 is the header.
///
/// What is not touched of a piece that is in the file is as encode() finds it in `out`.
class ChunkArrayPieces : public Pieces {
 public:
  /// The element of this number has changed, or is new.
  void change(std::uint64_t number) {
    changed_.insert(number);
    mark_element(number);
  }
  /// Has the file any of it?
  [[nodiscard]] bool is_in_file() const { return !addresses_.empty(); }

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
    return !is_in_file(piece) ? std::max(p.size, p.room) : p.changed ? p.size : 0;
  }
  void adopt(std::span<const Address> addresses) override {
    addresses_.assign(addresses.begin(), addresses.end());
    for (Piece& piece : pieces_) piece.changed = false;
    changed_.clear();
  }

 protected:
  explicit ChunkArrayPieces(ElementWriter elements) : elements_(std::move(elements)) {}

  /// The pieces with this element have changed, or are new.
  virtual void mark_element(std::uint64_t number) = 0;

  [[nodiscard]] const ElementWriter& elements() const { return elements_; }
  [[nodiscard]] bool is_in_file(std::size_t piece) const { return piece < addresses_.size(); }
  /// `count` elements from `first` on, of a piece where they lie in `place`.
  [[nodiscard]] std::vector<std::byte> elements(std::size_t piece, std::span<std::byte> place,
                                                std::uint64_t first, std::uint64_t count,
                                                const FileContext& file) const {
    const auto size = static_cast<std::size_t>(count) * elements_.entry_size(file);
    const ByteView stored = is_in_file(piece) ? ByteView(place).first(size) : ByteView();
    return elements_.elements(stored, first, count, changed_, file);
  }
  /// A page of elements, with its checksum.
  void write_page(std::size_t piece, std::span<std::byte> out, std::uint64_t first,
                  std::uint64_t count, const FileContext& file) const {
    const std::vector<std::byte> bytes = elements(piece, out, first, count, file);
    ByteWriter writer(out);
    format::encode(writer, file, ChunkArrayPage{bytes.size(), bytes});
  }
  /// A piece that is in the file, before any that is not. Returns its number.
  std::size_t add_stored(Address address, std::uint64_t size) {
    pieces_.push_back({size, 0, 0, 0, false});
    addresses_.push_back(address);
    return pieces_.size() - 1;
  }
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
  std::vector<Address> addresses_;   ///< of those in the file
  std::set<std::uint64_t> changed_;  ///< elements
};

}  // namespace onecast::structures
