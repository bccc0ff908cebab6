#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/block_edits.hpp"
#include "structures/dense_pieces.hpp"
#include "structures/dense_place.hpp"
#include "structures/heaps/fractal_heap_edit.hpp"

namespace onecast::structures {

/// Changes dense storage in place: an added or removed object costs only the nodes and blocks that
/// lead to it, whatever the number of objects. Throws Error (unsupported) if this is not possible,
/// and Error (format) if the storage is damaged; it must then be written anew.
class DenseEdit {
 public:
  using Kind = DensePieces::Kind;

  DenseEdit(Kind kind, const DensePlace& place, MetadataSource& stored, BlockEdits::Take take);

  /// See FractalHeapEdit.
  [[nodiscard]] bool is_wasteful() { return heap_.is_wasteful(); }

  /// Removes an object that is in the file; needs its name and creation order.
  void remove(const DenseObject& object);
  /// Adds an object with a new name. Objects are numbered in the order of calls of add() and
  /// change().
  void add(const DenseObject& object);
  /// Replaces the bytes of an object by as many others; name and creation order stay.
  void change(const DenseObject& object);

  /// Must be called after all changes. Then it is known what blocks() will write, and where.
  void lay_out();
  /// Writes the messages of added or changed objects, by `write_message`. Can be repeated.
  void encode(const FractalHeapPieces::WriteObject& write_message);

  [[nodiscard]] const BlockEdits& blocks() const { return blocks_; }

 private:
  using HeapId = std::vector<std::byte>;

  struct FoundRecord {
    HeapId heap_id;
    std::uint8_t message_flags = 0;
  };
  [[nodiscard]] FoundRecord decode_name_record(ByteView record) const;
  FoundRecord find(const DenseObject& object);
  [[nodiscard]] BTreeV2Edit::Compare by_name(std::string_view name);
  [[nodiscard]] BTreeV2Edit::Compare by_creation_order(std::uint64_t order) const;
  std::string_view name_of(const HeapId& id);
  [[nodiscard]] std::vector<std::byte> name_record(const DenseObject& object,
                                                   const HeapId& id) const;
  [[nodiscard]] std::vector<std::byte> creation_order_record(const DenseObject& object,
                                                             const HeapId& id) const;
  template <class R>
  [[nodiscard]] std::vector<std::byte> encoded(const R& record) const;

  Kind kind_;
  Address heap_address_;
  BlockEdits blocks_;
  FractalHeapEdit heap_;
  BTreeV2Edit names_;
  std::optional<BTreeV2Edit> creation_orders_;
  std::vector<HeapId> written_;               ///< the IDs of the objects that encode() writes
  std::vector<std::span<std::byte>> places_;  ///< their bytes in the blocks
  std::unordered_map<std::uint64_t, std::string_view> added_names_;  ///< by heap ID
};

}  // namespace onecast::structures
