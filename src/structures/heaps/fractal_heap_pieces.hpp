#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/fractal_heap.hpp"
#include "structures/btree_v2_pieces.hpp"
#include "structures/heaps/fractal_heap.hpp"
#include "structures/heaps/heap_space.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// The creation parameters of a fractal heap.
struct HeapParameters {
  std::uint16_t heap_id_length = 0;
  DoublingTable table;
  std::uint32_t max_managed_object_size = 4096;
  bool checksummed_blocks = true;
};

/// The parameters that HDF5 libraries choose for dense links and dense attributes.
inline constexpr HeapParameters kLinkHeap{7, {4, 512, 64 * 1024, 32}};
inline constexpr HeapParameters kAttributeHeap{8, {4, 1024, 64 * 1024, 40}};

/// A fractal heap as pieces: the header (piece 0), indirect blocks, direct blocks, huge objects and
/// their B-tree. Objects keep their order. There is no free-space manager, so the rest of each
/// block stays unused; other writers add objects after the last block, and free what they delete.
class FractalHeapPieces : public Pieces {
 public:
  using WriteObject = std::function<void(std::size_t object, std::span<std::byte> out)>;

  /// `write_object(i, out)` writes the i-th object; `out` has exactly its size.
  FractalHeapPieces(const HeapParameters& parameters, std::vector<std::uint64_t> object_sizes,
                    const FileContext& file, WriteObject write_object);

  [[nodiscard]] std::size_t count() const override;
  [[nodiscard]] std::uint64_t size(std::size_t piece) const override;
  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file) const override;

  /// Writes the heap ID of an object, heap_id_length() bytes, which does not depend on addresses.
  void write_heap_id(std::size_t object, std::span<std::byte> out, const FileContext& file) const;
  [[nodiscard]] std::vector<std::byte> heap_id(std::size_t object, const FileContext& file) const;
  [[nodiscard]] std::uint16_t heap_id_length() const { return parameters_.heap_id_length; }

 private:
  [[nodiscard]] bool is_huge(std::size_t object) const {
    return object_sizes_[object] > parameters_.max_managed_object_size;
  }
  void lay_out_objects();
  void encode_header(ByteWriter& out, std::span<const Address> addresses,
                     const FileContext& file) const;
  void encode_indirect(std::size_t index, ByteWriter& out, std::span<const Address> addresses,
                       const FileContext& file) const;
  void encode_direct(std::size_t index, std::span<std::byte> out,
                     std::span<const Address> addresses, const FileContext& file) const;
  void encode_huge_tree(std::size_t part, std::span<std::byte> out,
                        std::span<const Address> addresses, const FileContext& file) const;

  HeapParameters parameters_;
  std::vector<std::uint64_t> object_sizes_;
  WriteObject write_object_;
  HeapIdWidths widths_;
  std::uint64_t block_prefix_;
  HeapSpace space_;

  std::vector<std::uint64_t> object_places_;  ///< the heap offset; for huge objects, the key
  std::vector<std::size_t> huge_objects_;
  std::vector<std::size_t> first_object_;  ///< of each direct block, and one past the last
  std::vector<HeapSpace::IndirectBlock> indirect_;
  std::optional<BTreeV2Layout> huge_tree_;

  std::uint64_t header_size_;
  std::uint8_t size_of_offsets_;
  std::size_t first_indirect_ = 1;  ///< an index of pieces, as those below
  std::size_t first_direct_ = 1;
  std::size_t first_huge_ = 1;
  std::size_t first_tree_ = 1;
};

}  // namespace onecast::structures
