#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/chunks/element_writer.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// A fixed or extensible array of chunks, new or in the file, as pieces that keep their places:
/// when chunks are added or change, only the pieces with their elements are written again. Blocks
/// without elements do not exist. Piece 0 is the header.
///
/// encode() leaves the untouched parts of a stored piece as they are in `out`.
class ChunkArrayPieces : public Pieces {
 public:
  /// Notes that this element has changed or is new.
  void change(std::uint64_t number) {
    changed_.insert(number);
    mark_element(number);
  }
  /// True if a part of the array is in the file.
  [[nodiscard]] bool is_in_file() const { return !addresses_.empty(); }

  [[nodiscard]] std::size_t count() const override { return pieces_.size(); }
  [[nodiscard]] std::uint64_t size(std::size_t piece) const override { return pieces_[piece].size; }
  [[nodiscard]] std::vector<Address> allocate(const Take& take) const override {
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
  void note_places(std::span<const Address> addresses) override {
    addresses_.assign(addresses.begin(), addresses.end());
    for (Piece& piece : pieces_) piece.changed = false;
    changed_.clear();
  }

 protected:
  explicit ChunkArrayPieces(ElementWriter elements) : elements_(std::move(elements)) {}

  /// Marks the pieces that contain this element as changed, and adds missing ones.
  virtual void mark_element(std::uint64_t number) = 0;

  [[nodiscard]] const ElementWriter& elements() const { return elements_; }
  [[nodiscard]] bool is_in_file(std::size_t piece) const { return piece < addresses_.size(); }
  /// Encodes `count` elements from `first` on, which lie in `place` of the piece.
  [[nodiscard]] std::vector<std::byte> elements(std::size_t piece, std::span<std::byte> place,
                                                std::uint64_t first, std::uint64_t count,
                                                const FileContext& file) const {
    const auto size = static_cast<std::size_t>(count) * elements_.entry_size(file);
    const ByteView stored = is_in_file(piece) ? ByteView(place).first(size) : ByteView();
    return elements_.elements(stored, first, count, changed_, file);
  }
  /// Writes a page of elements with its checksum.
  void write_page(std::size_t piece, std::span<std::byte> out, std::uint64_t first,
                  std::uint64_t count, const FileContext& file) const {
    const std::vector<std::byte> bytes = elements(piece, out, first, count, file);
    ByteWriter writer(out);
    format::encode(writer, file, ChunkArrayPage{bytes.size(), bytes});
  }
  /// Adds a piece that is in the file; all of these come before new ones. Returns its number.
  std::size_t add_stored(Address address, std::uint64_t size) {
    pieces_.push_back({size, 0, 0, 0, false});
    addresses_.push_back(address);
    return pieces_.size() - 1;
  }
  /// Adds a new piece and returns its number. `behind`: the bytes that its pages take after it.
  std::size_t add(std::uint64_t size, std::uint64_t behind = 0) {
    pieces_.push_back({size, size + behind, 0, 0, true});
    return pieces_.size() - 1;
  }
  /// Adds a page of an existing piece.
  std::size_t add_inside(std::size_t piece, std::uint64_t offset, std::uint64_t size) {
    pieces_.push_back({size, 0, piece, offset, true});
    return pieces_.size() - 1;
  }
  void mark(std::size_t piece) { pieces_[piece].changed = true; }

 private:
  struct Piece {
    std::uint64_t size;
    std::uint64_t room;
    std::size_t inside;  ///< the piece that contains this one, if it has no room of its own
    std::uint64_t offset;
    bool changed;
  };

  ElementWriter elements_;
  std::vector<Piece> pieces_;
  std::vector<Address> addresses_;   ///< of the pieces in the file
  std::set<std::uint64_t> changed_;  ///< the changed elements
};

}  // namespace onecast::structures
