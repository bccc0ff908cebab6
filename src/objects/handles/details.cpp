#include "onecast/objects/details.hpp"

#include "base/make_error.hpp"
#include "filters/filter_name.hpp"
#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/group_messages.hpp"
#include "format/objects/shared_message.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"
#include "objects/nodes/dense_limits.hpp"
#include "objects/nodes/reference_count.hpp"
#include "objects/values/place_of_header.hpp"
#include "structures/header_description.hpp"

namespace onecast {

using namespace handles;

namespace {

const FileContext& context_of(const Node& node) { return file_of(node).store().file(); }

template <class R>
R decode_in(Node& node, const HeaderMessage& stored) {
  const HeaderMessage m = file_of(node).shared().resolve(stored);
  return decode<R>(m.data, m.address, context_of(node));
}

std::optional<std::uint64_t> committed(const Node& node, ByteView message, Address where) {
  const auto shared = decode<SharedMessage>(message, where, context_of(node));
  if (shared.is_in_heap()) return std::nullopt;
  return shared.object_header.value;
}

const char* name_of(ChunkIndexType type) {
  constexpr const char* kNames[] = {"v1 B-tree",   "single chunk",     "implicit",
                                    "fixed array", "extensible array", "v2 B-tree"};
  return kNames[static_cast<std::size_t>(type)];
}

const char* name_of(LayoutClass layout) {
  constexpr const char* kNames[] = {"compact", "contiguous", "chunked", "virtual"};
  return kNames[static_cast<std::size_t>(layout)];
}

const char* name_of(SpaceAllocationTime time) {
  constexpr const char* kNames[] = {"", "early", "late", "incremental"};
  return kNames[static_cast<std::size_t>(time)];
}

const char* name_of(FillValueWriteTime time) {
  constexpr const char* kNames[] = {"on allocation", "never", "if set"};
  return kNames[static_cast<std::size_t>(time)];
}

void set_fill(StorageDetails& storage, Node& node) {
  storage.fill = "default";
  if (const HeaderMessage* m = node.header.find(MessageType::fill_value)) {
    const auto fill = decode_in<FillValueMessage>(node, *m);
    storage.allocation_time = name_of(fill.allocation_time);
    storage.fill_time = name_of(fill.write_time);
    // Versions 1 and 2 have one flag for both.
    if (fill.undefined || (fill.version < 3 && !fill.defined)) storage.fill = "undefined";
  }
  const ByteView value = node.dataset().fill_value;
  if (value.empty()) return;
  storage.fill = "defined";
  storage.fill_value.assign(value.begin(), value.end());
}

}  // namespace

ObjectDetails details_of(const Object& object) {
  Node& node = ObjectAccess::node(object);
  file_of(node).require_open();
  ObjectDetails found;
  found.address = node.address.value;
  found.header_version = node.header.version;
  found.reference_count = nodes::reference_count(node);
  found.comment = object.comment();
  found.modification_time = object.modification_time();
  if (Node* type = node.committed_type()) found.committed_type = place_of_header(*type).value;
  if (node.header.version >= 2) found.attributes = limits_of_attributes(node);
  for (const HeaderMessage& m : node.header.messages) switch (m.type) {
      case MessageType::group_info: {
        const auto info = decode_in<GroupInfoMessage>(node, m);
        found.links = {info.max_compact_links, info.min_dense_links};
        break;
      }
      case MessageType::datatype:
        if (m.is_shared()) found.committed_type = committed(node, m.data, m.address);
        if (node.kind == ObjectKind::datatype) found.type = file_of(node).datatype(m);
        break;
      default:
        break;
    }
  return found;
}

LinkStorage link_storage_of(const Group& group) {
  Node& node = ObjectAccess::node(group);
  file_of(node).require_open();
  if (node.header.find(MessageType::symbol_table) != nullptr) return LinkStorage::symbol_table;
  const auto dense_if = [](bool are_dense) {
    return are_dense ? LinkStorage::dense : LinkStorage::compact;
  };
  if (const HeaderMessage* m = node.header.find(MessageType::link_info))
    return dense_if(decode_in<LinkInfoMessage>(node, *m).fractal_heap.is_defined());
  // The header of a changed group does not say it.
  const LinkTable& links = node.changing_links();
  const bool are_stored_so = !node.is_new() && !links.has_added() && links.missed().empty();
  const bool are_dense = links.stored().is_defined();
  return dense_if(are_stored_so ? are_dense
                                : are_many(links.live, limits_of_links(node), are_dense));
}

std::vector<HeaderRecord> header_of(const Object& object) {
  Node& node = ObjectAccess::node(object);
  file_of(node).require_open();
  if (node.is_new())
    throw Error(ErrorCode::state, node.where() + ": not in the file before the next flush");
  std::vector<HeaderRecord> records;
  for (DescribedRecord& r : describe_header(file_of(node).store(), node.address)) {
    HeaderRecord record{std::move(r.title), r.address.value, r.size, {}, std::move(r.problem)};
    for (DescribedField& f : r.fields)
      record.fields.push_back({f.address.value, f.size, std::move(f.name), std::move(f.value)});
    records.push_back(std::move(record));
  }
  return records;
}

StorageDetails storage_of(const Dataset& dataset) {
  Node& node = ObjectAccess::node(dataset);
  file_of(node).require_open();
  StorageDetails storage;
  const HeaderMessage* m = node.header.find(MessageType::data_layout);
  if (m == nullptr)
    throw Error(ErrorCode::format, node.where() + ": the header has no Data Layout message");
  const auto layout = decode_in<DataLayoutMessage>(node, *m);
  storage.layout_version = layout.version;
  storage.layout = name_of(layout.layout_class);
  if (layout.layout_class == LayoutClass::chunked) storage.chunk_index = name_of(layout.index_type);
  if (layout.address.is_defined() && layout.layout_class != LayoutClass::virtual_dataset)
    storage.address = layout.address.value;
  if (layout.layout_class == LayoutClass::compact) storage.size = layout.compact_data.size();
  if (layout.layout_class == LayoutClass::contiguous && layout.address.is_defined())
    storage.size =
        layout.version < 3 ? dataset.element_count() * dataset.datatype().size() : layout.size;
  for (const FilterSpec& f : node.dataset().filters) {
    const std::string_view known = filter_name(f.id);
    storage.filters.push_back(
        {f.id, std::string(known.empty() ? f.name : known), f.optional, f.client_data});
  }
  storage.external = dataset.external_slots();
  set_fill(storage, node);
  return storage;
}

std::optional<std::uint64_t> committed_type_of(const Object& object, std::string_view attribute) {
  Node& node = ObjectAccess::node(object);
  file_of(node).require_open();
  const AttributeEntry* entry = node.attributes().find(attribute);
  if (entry == nullptr) throw not_found_error("{}: no such attribute", node.where(attribute));
  if (entry->committed_type != nullptr) return place_of_header(*entry->committed_type).value;
  if (!entry->datatype_is_shared()) return std::nullopt;
  return committed(node, entry->StoredAttribute::datatype(), entry->address());
}

}  // namespace onecast
