#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/btree_v2_pieces.hpp"
#include "structures/heaps/fractal_heap_pieces.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// A link or an attribute that goes into dense storage.
struct DenseObject {
  std::string_view name;
  std::uint64_t creation_order = 0;
  std::uint64_t size = 0;          ///< of the encoded message
  std::uint8_t message_flags = 0;  ///< for attributes
};

/// Dense storage as pieces: a fractal heap with the messages, a B-tree by name and, if requested,
/// one by creation order. The Link Info or Attribute Info message refers to the addresses of
/// heap_piece(), name_index_piece() and creation_order_index_piece().
class DensePieces : public Pieces {
 public:
  enum class Kind { links, attributes };

  using Describe = std::function<DenseObject(std::size_t object)>;
  /// `describe` is called only during construction. `write_message(i, out)` writes the message of
  /// object i; `out` has exactly its size.
  DensePieces(Kind kind, std::size_t count, const Describe& describe, bool index_creation_order,
              const FileContext& file, FractalHeapPieces::WriteObject write_message);

  [[nodiscard]] std::size_t count() const override;
  [[nodiscard]] std::uint64_t size(std::size_t piece) const override;
  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file) const override;

  [[nodiscard]] static std::size_t heap_piece() { return 0; }
  [[nodiscard]] std::size_t name_index_piece() const { return heap_.count(); }
  [[nodiscard]] std::optional<std::size_t> creation_order_index_piece() const;

 private:
  struct Object {
    std::uint64_t creation_order;
    std::uint32_t name_hash;
    std::uint8_t message_flags;
  };

  void sort(const Describe& describe);
  void write_name_record(std::size_t object, std::span<std::byte> out,
                         const FileContext& file) const;
  void write_creation_order_record(std::size_t object, std::span<std::byte> out,
                                   const FileContext& file) const;

  Kind kind_;
  FractalHeapPieces heap_;
  BTreeV2Layout names_;
  std::optional<BTreeV2Layout> creation_orders_;
  std::vector<Object> objects_;
  std::vector<std::uint32_t> by_name_;            ///< by the hash of the name, then by name
  std::vector<std::uint32_t> by_creation_order_;  ///< empty if the objects are in creation order
};

}  // namespace onecast::structures
