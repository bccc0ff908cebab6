#include "check/object_check.hpp"

#include "check/heap_check.hpp"
#include "check/tree_walk.hpp"
#include "format/infra/btree_v2_records.hpp"
#include "format/infra/local_heap.hpp"
#include "format/infra/symbol_table_node.hpp"
#include "format/objects/message_records.hpp"
#include "format/objects/shared_message.hpp"
#include "structures/heaps/local_heap.hpp"
#include "types/datatype_codec.hpp"

namespace onecast::check {
namespace {

std::string child_path(const std::string& group, std::string_view name) {
  return fmt::format("{}/{}", group == "/" ? "" : group, name);
}

void note_chunks(NotingSource& source, const ObjectHeader& header) {
  const auto note = [&](const FileRange& c) {
    source.map().note(c.address.value, c.size, Family::object_header, source.use(), source.owner());
  };
  note(header.first);
  for (const FileRange& c : header.continuations) note(c);
}

}  // namespace

ObjectHeader ObjectCheck::extension(Address address) {
  ObjectHeader header = read_object_header(context_.source, address);
  note_chunks(context_.source, header);
  return header;
}

void ObjectCheck::enqueue(Address address, std::string path) {
  if (seen_.insert(address).second) queue_.push_back({address, std::move(path)});
}

void ObjectCheck::run(Address root) {
  enqueue(root, "/");
  std::uint64_t done = 0;
  for (; !queue_.empty(); queue_.pop_front()) {
    visit(queue_.front());
    if (context_.options.progress) context_.options.progress({++done, seen_.size()});
  }
}

void ObjectCheck::visit(const Waiting& object) {
  NotingSource& source = context_.source;
  source.set_owner(source.map().add_owner(object.path));
  source.set_use(Use::objects);
  ObjectHeader header;
  if (!context_.attempt("", [&] { header = read_object_header(source, object.address); })) {
    ++context_.counts["unreadable objects"];
    return;
  }
  note_chunks(source, header);
  for (const HeaderMessage& m : header.messages) context_.attempt("", [&] { decode_message(m); });
  count_kind(header);
  if (is_group(header)) links(header, object.path);
  attributes(header);
  if (header.find(MessageType::data_layout) != nullptr) dataset(header);
}

void ObjectCheck::count_kind(const ObjectHeader& header) {
  const bool dataset = header.find(MessageType::data_layout) != nullptr;
  const bool type = header.find(MessageType::datatype) != nullptr;
  ++context_.counts[is_group(header) || (!dataset && !type) ? "groups"
                    : dataset                               ? "datasets"
                                                            : "committed datatypes"];
}

HeaderMessage ObjectCheck::resolve(const HeaderMessage& message) {
  if (!message.is_shared()) return message;
  const auto shared = decode<SharedMessage>(message.data, message.address, context_.file());
  if (shared.is_in_heap()) {
    // The table and the heap belong to the file: see check_shared_messages().
    const MuteGuard mute(context_.source);
    return context_.shared.resolve(message);
  }
  const auto known = committed_.find(shared.object_header);
  if (known != committed_.end()) return known->second;
  // The object is checked separately, since no link may lead to it any more.
  enqueue(shared.object_header, context_.path());
  const MuteGuard mute(context_.source);
  const HeaderMessage found = context_.shared.resolve(message);
  return committed_.emplace(shared.object_header, found).first->second;
}

void ObjectCheck::decode_message(const HeaderMessage& stored) {
  const FileContext& file = context_.file();
  const HeaderMessage m = resolve(stored);
  switch (m.type) {
    case MessageType::datatype:
      to_datatype(decode<DatatypeMessage>(m.data, m.address, file));
      return;
    case MessageType::external_data_files: {
      const auto files = decode<ExternalDataFilesMessage>(m.data, m.address, file);
      const LocalHeap names(context_.source, files.heap);
      for (const auto& slot : files.slots)
        context_.note_named_file(context_.path(), ExternalDataFilesMessage::kTitle,
                                 names.text(slot.name_offset, "Name Offset"));
      return;
    }
    case MessageType::link:
    case MessageType::attribute:
    case MessageType::symbol_table:
      return;  // checked later
    default:
      with_record_of(m.type, [&]<class R>() { decode<R>(m.data, m.address, file); });
  }
}

// --- links ---------------------------------------------------------------------------------------
void ObjectCheck::links(const ObjectHeader& header, const std::string& path) {
  const UseGuard use(context_.source, Use::links);
  for (const HeaderMessage& m : header.messages)
    context_.attempt("", [&] {
      const FileContext& file = context_.file();
      if (m.type == MessageType::link) link(decode<LinkMessage>(m.data, m.address, file), path);
      if (m.type == MessageType::symbol_table) symbol_table(m, path);
      if (m.type != MessageType::link_info) return;
      const auto info = decode<LinkInfoMessage>(m.data, m.address, file);
      if (info.fractal_heap.is_defined()) dense_links(info, path);
    });
}

void ObjectCheck::link(const LinkMessage& found, const std::string& path) {
  switch (found.type) {
    case LinkType::hard:
      ++context_.counts["hard links"];
      if (!found.object_header.is_defined())
        reader_at(context_.source, {}, LinkMessage::kTitle)
            .fail("Address of Object Header", "is undefined");
      enqueue(found.object_header, child_path(path, found.name));
      return;
    case LinkType::soft:
      ++context_.counts["soft links"];
      return;
    case LinkType::external:
      ++context_.counts["external links"];
      context_.note_named_file(
          child_path(path, found.name), LinkMessage::kTitle,
          decode<ExternalLinkValue>(found.user_data, {}, context_.file()).file_name);
      return;
    default:
      ++context_.counts["user-defined links"];
  }
}

void ObjectCheck::symbol_table(const HeaderMessage& message, const std::string& path) {
  const FileContext& file = context_.file();
  const auto table = decode<SymbolTableMessage>(message.data, message.address, file);
  if (!context_.claim(table.local_heap, LocalHeapHeader::kTitle)) return;
  const LocalHeap heap(context_.source, table.local_heap);
  if (!table.btree.is_defined()) return;
  const Superblock& superblock = context_.superblock;
  const std::size_t key_size = file.size_of_lengths;
  const BTreeV1 tree(context_.source, table.btree, BTreeV1NodeType::group, key_size);
  const auto entries = static_cast<std::uint16_t>(2 * superblock.group_internal_node_k);
  const std::uint64_t node_size =
      BTreeV1Node::prefix_size(file) + BTreeV1Node::entries_size(file, key_size, entries);
  BTreeV1Check(context_, tree, node_size, [&](const BTreeV1Path& steps) {
    const Address address = tree.child(steps.back().node, steps.back().index);
    if (!context_.claim(address, SymbolTableNode::kTitle)) return;
    const ByteView prefix =
        context_.source.view(address, SymbolTableNode::kPrefixSize, SymbolTableNode::kTitle);
    ByteReader in(prefix, address, file, SymbolTableNode::kTitle);
    std::uint16_t count = 0;
    Decoder decoder(in);
    SymbolTableNode::prefix(decoder, count);
    const auto size = [&](std::uint64_t n) {
      return SymbolTableNode::kPrefixSize + n * SymbolTableEntry::size(file);
    };
    const auto symbols = read_record<SymbolTableNode>(context_.source, address, size(count));
    context_.source.map().reserve(address.value, size(2 * superblock.group_leaf_node_k));
    for (const SymbolTableEntry& entry : symbols.entries)
      context_.attempt("", [&] {
        LinkMessage found;
        found.name = heap.text(entry.link_name_offset, "Link Name Offset");
        found.object_header = entry.object_header;
        if (entry.cache_type == SymbolCacheType::soft_link) {
          found.type = LinkType::soft;
          static_cast<void>(heap.text(entry.link_value_offset, "Offset to Link Value"));
        }
        link(found, path);
      });
  }).run();
}

void ObjectCheck::dense_links(const LinkInfoMessage& info, const std::string& path) {
  const FileContext& file = context_.file();
  const auto heap = check_fractal_heap(context_, info.fractal_heap);
  const auto found_in = [&](ByteView id, Address node) {
    return decode<LinkMessage>(heap->object(id), node, file);
  };
  std::uint64_t count = 0;
  context_.attempt("", [&] {
    const BTreeV2 names(context_.source, info.name_btree, LinkNameRecord::kType,
                        LinkNameRecord::kSize);
    count = names.header().total_record_count;
    BTreeV2Check(context_, names, [&](ByteView bytes, Address node) {
      const auto record = decode<LinkNameRecord>(bytes, node, file);
      if (!heap) return;
      const LinkMessage found = found_in(record.heap_id, node);
      link(found, path);
      if (lookup3(std::as_bytes(std::span(found.name))) != record.name_hash)
        reader_at(context_.source, node, LinkNameRecord::kTitle)
            .fail("Hash of Name", "is not that of the link's name");
    }).run();
  });
  if (!info.creation_order_btree.is_defined()) return;
  context_.attempt("", [&] {
    const BTreeV2 order(context_.source, info.creation_order_btree, LinkCreationOrderRecord::kType,
                        LinkCreationOrderRecord::kSize);
    if (order.header().total_record_count != count)
      reader_at(context_.source, info.creation_order_btree, BTreeV2Header::kTitle)
          .fail("Total Number of Records in B-tree", "is not that of the name index");
    BTreeV2Check(context_, order, [&](ByteView bytes, Address node) {
      const auto record = decode<LinkCreationOrderRecord>(bytes, node, file);
      if (heap) found_in(record.heap_id, node);
    }).run();
  });
}

// --- attributes ----------------------------------------------------------------------------------
void ObjectCheck::attributes(const ObjectHeader& header) {
  const UseGuard use(context_.source, Use::attributes);
  for (const HeaderMessage& m : header.messages)
    context_.attempt("", [&] {
      if (m.type == MessageType::attribute) {
        const HeaderMessage found = resolve(m);
        attribute(found.data, found.address);
      }
      if (m.type != MessageType::attribute_info) return;
      const auto info = decode<AttributeInfoMessage>(m.data, m.address, context_.file());
      if (info.fractal_heap.is_defined()) dense_attributes(info);
    });
}

void ObjectCheck::attribute(ByteView message, Address where) {
  const FileContext& file = context_.file();
  const auto found = decode<AttributeMessage>(message, where, file);
  ++context_.counts["attributes"];
  context_.attempt(fmt::format("attribute \"{}\"", found.name), [&] {
    const auto part = [&](MessageType type, ByteView bytes, bool shared) {
      const std::uint8_t flags = shared ? message_flag::kShared : std::uint8_t{0};
      return resolve({type, flags, 0, where, bytes});
    };
    const HeaderMessage t = part(MessageType::datatype, found.datatype, found.datatype_is_shared());
    const HeaderMessage s =
        part(MessageType::dataspace, found.dataspace, found.dataspace_is_shared());
    const Datatype type = to_datatype(decode<DatatypeMessage>(t.data, t.address, file));
    const auto space = decode<DataspaceMessage>(s.data, s.address, file);
    const std::uint64_t count = element_count(space);
    if (count > found.data.size() / type.size())
      reader_at(context_.source, where, AttributeMessage::kTitle)
          .fail("Data", fmt::format("has {} bytes, too few for {} elements of {} bytes",
                                    found.data.size(), count, type.size()));
    ValueCheck(context_, type)
        .check(found.data.first(static_cast<std::size_t>(count) * type.size()),
               fmt::format("attribute \"{}\"", found.name));
  });
}

void ObjectCheck::dense_attributes(const AttributeInfoMessage& info) {
  const FileContext& file = context_.file();
  const auto heap = check_fractal_heap(context_, info.fractal_heap);
  const auto bytes_of = [&](ByteView id, std::uint8_t flags) {
    if ((flags & message_flag::kShared) == 0) return heap->object(id);
    const MuteGuard mute(context_.source);
    return context_.shared.in_heap(MessageType::attribute, id);
  };
  context_.attempt("", [&] {
    const BTreeV2 names(context_.source, info.name_btree, AttributeNameRecord::kType,
                        AttributeNameRecord::kSize);
    BTreeV2Check(context_, names, [&](ByteView bytes, Address node) {
      const auto record = decode<AttributeNameRecord>(bytes, node, file);
      if (!heap) return;
      attribute(bytes_of(record.heap_id, record.message_flags), node);
    }).run();
  });
  if (!info.creation_order_btree.is_defined()) return;
  context_.attempt("", [&] {
    const BTreeV2 order(context_.source, info.creation_order_btree,
                        AttributeCreationOrderRecord::kType, AttributeCreationOrderRecord::kSize);
    BTreeV2Check(context_, order, [&](ByteView bytes, Address node) {
      const auto record = decode<AttributeCreationOrderRecord>(bytes, node, file);
      if (heap) bytes_of(record.heap_id, record.message_flags);
    }).run();
  });
}

// --- data ----------------------------------------------------------------------------------------
void ObjectCheck::dataset(const ObjectHeader& header) {
  context_.attempt("", [&] {
    const auto required = [&](MessageType type, const char* title) {
      const HeaderMessage* m = header.find(type);
      if (m == nullptr)
        reader_at(context_.source, header.first.address, "Object Header")
            .fail(title, "is missing from the header of a dataset");
      return resolve(*m);
    };
    const HeaderMessage type = required(MessageType::datatype, "Datatype Message");
    const HeaderMessage space = required(MessageType::dataspace, "Dataspace Message");
    const HeaderMessage layout = required(MessageType::data_layout, "Data Layout Message");
    const HeaderMessage* found = header.find(MessageType::filter_pipeline);
    HeaderMessage pipeline;
    if (found != nullptr) pipeline = resolve(*found);
    check_data(context_, type, space, layout, found == nullptr ? nullptr : &pipeline,
               header.find(MessageType::external_data_files) != nullptr);
  });
}

}  // namespace onecast::check
