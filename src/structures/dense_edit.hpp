#pragma once

#include <functional>
#include <memory>
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

/// Changes dense storage where it lies: what is added or removed costs as many nodes and blocks as
/// lead to it, however much there is. What cannot be changed so throws Error (unsupported), what is
/// damaged Error (format); it is to be written anew then.
class DenseEdit {
 public:
  using Kind = DensePieces::Kind;

  DenseEdit(Kind kind, const DensePlace& place, MetadataSource& stored, BlockEdits::Take take);

  /// See FractalHeapEdit.
  [[nodiscard]] bool is_wasteful() { return heap_.is_wasteful(); }

  /// Of one that is in the file, name and creation order.
  void remove(const DenseObject& object);
  /// One of a name that is not there. Its bytes are numbered in the order of these calls and those
  /// of change().
  void add(const DenseObject& object);
  /// One that is in the file gets other bytes of the same number; name and creation order stay.
  void change(const DenseObject& object);

  /// When all is told: then what blocks() will write, and where, is known.
  void lay_out();
  /// Writes the bytes of what was added or changed, by `write_message`. Can be done again.
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
  std::vector<HeapId> written_;               ///< whose bytes encode() writes
  std::vector<std::span<std::byte>> places_;  ///< theirs
  std::unordered_map<std::uint64_t, std::string_view> added_names_;  ///< by heap ID
};

}  // namespace onecast::structures
