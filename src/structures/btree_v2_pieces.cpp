#include "structures/btree_v2_pieces.hpp"

#include <stdexcept>

namespace onecast::structures {

BTreeV2Layout::BTreeV2Layout(const BTreeV2Plan& plan, const FileContext& file)
    : plan_(plan),
      header_size_(BTreeV2Header::size(file)),
      shape_(plan.node_size, plan.record_size, file.size_of_offsets) {
  if (plan.record_count == 0) return;
  unsigned depth = 0;
  for (;; ++depth) {
    if (!shape_.reach(depth))
      throw std::logic_error("BTreeV2Layout: nodes too small for the records");
    if (shape_.level(depth).max_total >= plan.record_count) break;
  }
  nodes_.push_back({depth, 0, plan.record_count, 0, 0});
  for (std::size_t i = 0; i < nodes_.size(); ++i) add_children(i);
}

void BTreeV2Layout::add_children(std::size_t parent) {
  const Node node = nodes_[parent];
  if (node.level == 0) return;
  // One record of the node lies between two children.
  const std::uint64_t child_capacity = shape_.level(node.level - 1).max_total;
  const std::uint64_t children = node.total / (child_capacity + 1) + 1;
  const std::uint64_t below = node.total - (children - 1);
  nodes_[parent].first_child = nodes_.size();
  nodes_[parent].child_count = children;
  std::uint64_t first = node.first_record;
  for (std::uint64_t i = 0; i < children; ++i) {
    const std::uint64_t total = below / children + (i < below % children ? 1 : 0);
    nodes_.push_back({node.level - 1, first, total, 0, 0});
    first += total + 1;
  }
}

void BTreeV2Layout::encode(std::size_t part, std::span<std::byte> out,
                           std::span<const Address> addresses, const FileContext& file,
                           const WriteRecord& write_record) const {
  if (part == 0) return encode_header(out, addresses, file);
  const Node& node = nodes_[part - 1];
  ByteWriter writer(out);
  if (node.level == 0)
    encode_leaf(node, writer, file, write_record);
  else
    encode_internal(node, writer, addresses, file, write_record);
  writer.zeros(writer.remaining());
}

void BTreeV2Layout::encode_header(std::span<std::byte> out, std::span<const Address> addresses,
                                  const FileContext& file) const {
  BTreeV2Header header;
  header.type = plan_.type;
  header.node_size = plan_.node_size;
  header.record_size = plan_.record_size;
  if (!nodes_.empty()) {
    const Node& root = nodes_.front();
    header.depth = static_cast<std::uint16_t>(root.level);
    header.root_node = addresses[1];
    header.root_record_count = static_cast<std::uint16_t>(root.own_records());
    header.total_record_count = plan_.record_count;
  }
  ByteWriter writer(out);
  format::encode(writer, file, header);
}

void BTreeV2Layout::encode_leaf(const Node& node, ByteWriter& out, const FileContext& file,
                                const WriteRecord& write_record) const {
  std::vector<std::byte> records(static_cast<std::size_t>(node.total * plan_.record_size));
  for (std::uint64_t i = 0; i < node.total; ++i)
    write_record(node.first_record + i,
                 std::span(records).subspan(static_cast<std::size_t>(i * plan_.record_size),
                                            plan_.record_size));
  BTreeV2LeafNode leaf;
  leaf.type = plan_.type;
  leaf.records = records;
  format::encode(out, file, leaf);
}

void BTreeV2Layout::encode_internal(const Node& node, ByteWriter& out,
                                    std::span<const Address> addresses, const FileContext& file,
                                    const WriteRecord& write_record) const {
  const BTreeV2Shape::Level& level = shape_.level(node.level);
  std::vector<std::byte> records(static_cast<std::size_t>(node.own_records() * plan_.record_size));
  BTreeV2InternalNode internal;
  internal.type = plan_.type;
  internal.record_count_size = level.record_count_size;
  internal.total_record_count_size = level.total_count_size;
  for (std::size_t i = 0; i < node.child_count; ++i) {
    const std::size_t index = node.first_child + i;
    const Node& child = nodes_[index];
    internal.children.push_back({addresses[1 + index], child.own_records(), child.total});
    if (i < node.own_records())
      write_record(child.first_record + child.total,
                   std::span(records).subspan(i * plan_.record_size, plan_.record_size));
  }
  internal.records = records;
  format::encode(out, file, internal);
}

}  // namespace onecast::structures
