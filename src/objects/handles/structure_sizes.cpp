#include "onecast/objects/structure_sizes.hpp"

#include "format/infra/symbol_table_node.hpp"
#include "format/objects/attribute_info_message.hpp"
#include "format/objects/external_data_files_message.hpp"
#include "format/objects/group_messages.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/chunks/stored_chunk_index.hpp"
#include "objects/files/file_access.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"
#include "onecast/base/error.hpp"
#include "structures/btree_v1.hpp"
#include "structures/chunks/chunk_index_blocks.hpp"
#include "structures/dense.hpp"
#include "structures/header_space.hpp"
#include "structures/heaps/local_heap.hpp"

namespace onecast {

using namespace handles;

namespace {

template <class Message>
std::optional<Message> found_in(const ObjectHeader& header, MessageType type,
                                const FileContext& file) {
  const HeaderMessage* m = header.find(type);
  if (m == nullptr) return std::nullopt;
  return decode<Message>(m->data, m->address, file);
}

template <class Storage, class Info>
SizesBeside dense_sizes(MetadataStore& store, const Info& info, SharedMessages* shared) {
  SizesBeside sizes;
  if (!info.fractal_heap.is_defined()) return sizes;
  Storage dense(store, info.fractal_heap, info.name_btree, info.creation_order_btree, shared);
  dense.for_each_heap_block([&](Address, std::uint64_t size) { sizes.heap += size; });
  dense.for_each_index_block([&](Address, std::uint64_t size) { sizes.index += size; });
  return sizes;
}

std::uint64_t local_heap_size(MetadataStore& store, Address heap) {
  const FileContext& file = store.file();
  constexpr std::uint64_t kAlignment = 8;
  const std::uint64_t header = 8 + 2U * file.size_of_lengths + file.size_of_offsets;
  return (header + kAlignment - 1) / kAlignment * kAlignment + LocalHeap(store, heap).data().size();
}

SizesBeside symbol_table_sizes(MetadataStore& store, const SymbolTableMessage& table) {
  const FileContext& file = store.file();
  const Superblock& superblock = store.superblock();
  const BTreeV1 tree(store, table.btree, BTreeV1NodeType::group, file.size_of_lengths);
  BTreeV1::Walk walk(tree);
  std::uint64_t leaves = 0;
  while (walk.next()) ++leaves;
  const auto most = static_cast<std::uint16_t>(2 * superblock.group_internal_node_k);
  const std::uint64_t node =
      BTreeV1Node::prefix_size(file) + BTreeV1Node::entries_size(file, file.size_of_lengths, most);
  const std::uint64_t leaf = SymbolTableNode::kPrefixSize +
                             2U * superblock.group_leaf_node_k * SymbolTableEntry::size(file);
  return {walk.nodes() * node + leaves * leaf, local_heap_size(store, table.local_heap)};
}

SizesBeside link_sizes(MetadataStore& store, const ObjectHeader& header) {
  if (const auto info = found_in<LinkInfoMessage>(header, MessageType::link_info, store.file()))
    return dense_sizes<DenseLinks>(store, *info, nullptr);
  if (const auto table =
          found_in<SymbolTableMessage>(header, MessageType::symbol_table, store.file()))
    return symbol_table_sizes(store, *table);
  return {};
}

SizesBeside dataset_sizes(MetadataStore& store, const ObjectHeader& header, Node& dataset) {
  SizesBeside sizes;
  if (dataset.dataset().layout == Layout::chunked)
    for_each_index_block(store, chunks_of(dataset.dataset()).grid(), stored_layout(dataset),
                         has_filters(dataset), store.superblock().indexed_storage_internal_node_k,
                         [&](Address, std::uint64_t size) { sizes.index += size; });
  if (const auto external = found_in<ExternalDataFilesMessage>(
          header, MessageType::external_data_files, store.file()))
    sizes.heap = local_heap_size(store, external->heap);
  return sizes;
}

HeaderSizes header_sizes(MetadataStore& store, const ObjectHeader& header) {
  constexpr std::uint8_t kOfVersion1 = header_flag::kTimes;
  const HeaderSpace space = header_space(store, header);
  return {.version = header.version,
          .flags = header.version == 1 ? kOfVersion1 : header.prefix.flags,
          .messages = space.messages,
          .blocks = static_cast<unsigned>(1 + header.continuations.size()),
          .total = space.total,
          .structure = space.total - space.data - space.free,
          .data = space.data,
          .free = space.free,
          .present = space.present,
          .shared = space.shared};
}

}  // namespace

ObjectSizes sizes_of(const Object& object) {
  Node& node = ObjectAccess::node(object);
  FileState& file = file_of(node);
  file.require_open();
  if (node.is_new())
    throw Error(ErrorCode::state, node.where() + ": not in the file before the next flush");
  MetadataStore& store = file.store();
  const ObjectHeader header = read_object_header(store, node.address);
  ObjectSizes sizes;
  sizes.header = header_sizes(store, header);
  if (node.kind == ObjectKind::group) sizes.contents = link_sizes(store, header);
  if (node.kind == ObjectKind::dataset) sizes.contents = dataset_sizes(store, header, node);
  if (const auto info =
          found_in<AttributeInfoMessage>(header, MessageType::attribute_info, store.file()))
    sizes.attributes = dense_sizes<DenseAttributes>(store, *info, &file.shared());
  return sizes;
}

SuperblockDetails superblock_of(const File& file) {
  FileState& state = file_of(ObjectAccess::node(file.root()));
  MetadataStore& store = state.store();
  const Superblock& stored = store.superblock();
  SuperblockDetails found{.version = stored.version,
                          .size_of_offsets = stored.size_of_offsets,
                          .size_of_lengths = stored.size_of_lengths,
                          .group_leaf_k = stored.group_leaf_node_k,
                          .group_internal_k = stored.group_internal_node_k,
                          .chunk_internal_k = stored.indexed_storage_internal_node_k};
  if (stored.extension_address.is_defined())
    for (const HeaderMessage& m : read_object_header(store, stored.extension_address).messages)
      found.extension_messages.push_back(static_cast<unsigned>(m.type));
  return found;
}

void require_path(const File& file) {
  files::TransportOpener(file_of(ObjectAccess::node(file.root()))).require_place();
}

}  // namespace onecast
