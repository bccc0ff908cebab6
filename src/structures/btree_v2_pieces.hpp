#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/btree_v2.hpp"
#include "structures/btree_v2_shape.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// The parameters of a version 2 B-tree that is to be written.
struct BTreeV2Plan {
  BTreeV2Type type = BTreeV2Type::link_name;
  std::uint16_t record_size = 0;
  std::uint64_t record_count = 0;
  std::uint32_t node_size = 512;
};

/// The nodes of a version 2 B-tree that is built at once from sorted records: as few nodes as
/// possible, with records spread evenly in each level, so that no node is below the merge threshold
/// and other writers can insert and delete. Part 0 is the header; the nodes follow, breadth first.
class BTreeV2Layout {
 public:
  BTreeV2Layout(const BTreeV2Plan& plan, const FileContext& file);

  [[nodiscard]] std::size_t count() const { return 1 + nodes_.size(); }
  [[nodiscard]] std::uint64_t size(std::size_t part) const {
    return part == 0 ? header_size_ : plan_.node_size;
  }

  using WriteRecord = std::function<void(std::uint64_t record, std::span<std::byte> out)>;
  /// `addresses` has the addresses of all parts.
  void encode(std::size_t part, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file, const WriteRecord& write_record) const;

 private:
  struct Node {
    unsigned level;
    std::uint64_t first_record;  ///< in the subtree
    std::uint64_t total;         ///< the records of the subtree
    std::size_t first_child;     ///< an index in nodes_
    std::uint64_t child_count;   ///< 0 in leaves

    [[nodiscard]] std::uint64_t own_records() const {
      return child_count == 0 ? total : child_count - 1;
    }
  };

  void add_children(std::size_t parent);
  void encode_header(std::span<std::byte> out, std::span<const Address> addresses,
                     const FileContext& file) const;
  void encode_leaf(const Node& node, ByteWriter& out, const FileContext& file,
                   const WriteRecord& write_record) const;
  void encode_internal(const Node& node, ByteWriter& out, std::span<const Address> addresses,
                       const FileContext& file, const WriteRecord& write_record) const;

  BTreeV2Plan plan_;
  std::uint64_t header_size_;
  BTreeV2Shape shape_;
  std::vector<Node> nodes_;
};

/// A version 2 B-tree as pieces. `write_record(i, out)` writes the i-th record in sorted order.
class BTreeV2Pieces : public Pieces {
 public:
  BTreeV2Pieces(const BTreeV2Plan& plan, const FileContext& file,
                BTreeV2Layout::WriteRecord write_record)
      : layout_(plan, file), write_record_(std::move(write_record)) {}

  [[nodiscard]] std::size_t count() const override { return layout_.count(); }
  [[nodiscard]] std::uint64_t size(std::size_t piece) const override { return layout_.size(piece); }
  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file) const override {
    layout_.encode(piece, out, addresses, file, write_record_);
  }

 private:
  BTreeV2Layout layout_;
  BTreeV2Layout::WriteRecord write_record_;
};

}  // namespace onecast::structures
