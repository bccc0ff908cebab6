#include "objects/copy/copy_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "filters/prepare_filter.hpp"
#include "format/objects/shared_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/codec/strings.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/copy/referenced_objects.hpp"
#include "objects/files/committed_types.hpp"
#include "objects/files/compact_room.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/follow_links.hpp"
#include "objects/files/object_access.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/compact_write.hpp"
#include "objects/values/copy_values.hpp"

namespace onecast::copy {

namespace {

/// Throws Error (invalid_argument, unsupported) if the filters of a change can be applied to no
/// dataset, such as with a level that does not exist. Otherwise, a change for all datasets would
/// change none, without an error.
void require_filters_for_some(const StorageChange& change, const std::string& where) {
  static const Shape kChunk{4096};
  const auto prepare = [&](const Filter& filter, const Datatype& type) {
    filters::prepare_filter(filter, {type, kChunk}, where);
  };
  for (const Filter& filter : change.filters.value_or(std::vector<Filter>{})) {
    try {
      prepare(filter, Datatype::of<double>());
    } catch (const Error&) {
      prepare(filter, Datatype::of<std::int32_t>());
    }
  }
}

/// Throws Error (state) if ranks may not read the elements of a dataset, or the values to which
/// they point, because rank 0 may not have written them yet.
void require_readable(Node& source) {
  const DatasetInfo& info = source.dataset();
  FileState& file = file_of(source);
  if (file.comm().size() == 1) return;
  const bool first_rank_knows = file.changes().first_rank_writes ||
                                (info.layout == Layout::chunked && file.changes().first_rank_keeps);
  const bool may_lack_values =
      info.type.points_elsewhere() && info.layout != Layout::compact && first_rank_knows;
  if (may_lack_values || unfilled_of(source) != nullptr)
    throw state_error("{}: {} cannot be copied by several ranks before the next flush",
                      source.where(), info.type.describe());
}

}  // namespace

CopyPlan::CopyPlan(Node& root, FileState& target, const CopyOptions& options)
    : target_(target), room_(room_for_compact(target)), options_(options), equal_types_(target) {
  file_of(root).require_open();
  add(root);
  add_below(0);
  if (options.expand_references)
    for (std::size_t i = 0; i < objects_.size(); ++i) add_referenced(objects_[i]);
  find_changes();
  for (CopiedObject& object : objects_) encode(object);
}

CopiedObject& CopyPlan::add(Node& node) {
  if (CopiedObject* merged = merge(node)) return *merged;
  CopiedObject*& known = by_node_[&node];
  if (known == nullptr) known = &objects_.emplace_back(node);
  return *known;
}

CopiedObject* CopyPlan::merge(Node& type) {
  // The root of the plan is always copied.
  if (!options_.merge_committed_types || type.kind != ObjectKind::datatype || objects_.empty())
    return nullptr;
  if (CopiedObject* known = find(&type)) return known;
  Node* equal = equal_types_.find(datatype_of(type));
  if (equal == nullptr) return nullptr;
  CopiedObject& merged = merged_.emplace_back(type);
  merged.target = equal;
  by_node_[&type] = &merged;
  return &merged;
}

void CopyPlan::add_below(std::size_t first) {
  for (std::size_t i = first; i < objects_.size(); ++i)
    if (objects_[i].source->kind == ObjectKind::group && (i == 0 || !options_.shallow))
      add_members(objects_[i]);
}

void CopyPlan::add_referenced(const CopiedObject& object) {
  if (object.source->kind == ObjectKind::dataset) require_readable(*object.source);
  for_each_referenced(
      *object.source, !options_.without_attributes, [&](Node& node, Address address) {
        if (find(&node) != nullptr) return;
        const std::size_t before = objects_.size();
        CopiedObject& added = add(node);
        if (added.target != nullptr) return;  // a type that is merged
        ++added.links;
        referenced_.push_back({&added, fmt::format("~obj_pointed_by_{}", address.value)});
        add_below(before);
      });
}

void CopyPlan::find_changes() {
  Node& root = *objects_.front().source;
  for (const auto& [path, change] : options_.storage) {
    if (path.empty()) {
      require_filters_for_some(change, root.where());
      continue;
    }
    const Node* node = root.kind == ObjectKind::group ? find_object(root, path) : nullptr;
    if (find(node) == nullptr || node->kind != ObjectKind::dataset)
      throw not_found_error("{}: copy: storage: no dataset \"{}\"", root.where(), path);
    changes_[node] = &change;
  }
}

/// Returns the object to copy in place of the link; null: copy the link itself.
Node* CopyPlan::follow(Node& group, LinkEntry& link) const {
  const LinkType type = link.type();
  if (type == LinkType::hard) return follow_link(group, link);
  if ((type == LinkType::soft && options_.expand_soft) ||
      (type == LinkType::external && options_.expand_external))
    try {
      return follow_link(group, link);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::not_found) throw;
    }
  return nullptr;
}

void CopyPlan::add_members(CopiedObject& group) {
  LinkTable& links = group.source->links();
  group.members.reserve(links.live);
  for (LinkEntry& link : links.entries) {
    if (link.removed || link.is_local) continue;
    if (link.name().size() > kMaxNameLength)
      throw unsupported_error("{}: not supported: a link name of {} bytes", group.source->where(),
                              link.name().size());
    CopiedObject* object = nullptr;
    if (Node* node = follow(*group.source, link)) {
      object = &add(*node);
      ++object->links;
    }
    group.members.push_back({link.message(), object});
  }
}

// --- encoding ------------------------------------------------------------------------------------
void CopyPlan::check_type(const Node& source, const Datatype& type,
                          const std::string& where) const {
  const unsigned size = file_of(source).store().file().size_of_offsets;
  if (type.points_elsewhere() && size != target_.store().file().size_of_offsets)
    throw unsupported_error("{}: not supported: {} from a file with offsets of {} bytes", where,
                            type.describe(), size);
}

ByteView CopyPlan::encode_type(const Node& source, const Datatype& type,
                               const std::string& where) const {
  check_type(source, type, where);
  const ByteView bytes = target_.encoded(type);
  if (bytes.size() > kMaxMessageSize)
    throw unsupported_error("{}: the datatype's description exceeds {} bytes", where,
                            kMaxMessageSize);
  return bytes;
}

CopiedObject* CopyPlan::use_type(CopiedObject* type) {
  if (type != nullptr) ++type->links;
  return type;
}

CopiedObject* CopyPlan::committed(Node* type) {
  if (type == nullptr) return nullptr;
  CopiedObject* known = find(type);
  return known != nullptr ? known : merge(*type);
}

void CopyPlan::encode(CopiedObject& object) {
  Node& source = *object.source;
  if (!options_.without_attributes) encode_attributes(object);
  if (const HeaderMessage* m = source.header.find(MessageType::comment))
    object.comment = target_.arena().keep(m->data);
  if (source.kind == ObjectKind::datatype) {
    const HeaderMessage* m = source.header.find(MessageType::datatype);
    if (m == nullptr)
      throw Error(ErrorCode::format, source.where() + ": the header has no Datatype message");
    object.type = encode_type(source, file_of(source).datatype(*m), source.where());
  }
  if (source.kind == ObjectKind::dataset) prepare_dataset(object);
}

void CopyPlan::encode_attributes(CopiedObject& object) {
  Node& source = *object.source;
  const FileContext& context = target_.store().file();
  for (const Attribute& a : ObjectAccess::object(file_of(source).handle(source)).attributes()) {
    const AttributeEntry& entry = ObjectAccess::entry(a);
    const std::string where = source.where(a.name());
    CopiedAttribute& copied = object.attributes.emplace_back();
    copied.type = &a.datatype();
    copied.committed_type = use_type(committed(committed_type_of(source, entry)));
    AttributeMessage message;
    message.name = a.name();
    message.character_set = character_set_of(a.name());
    message.datatype = encode_type(source, a.datatype(), where);
    if (copied.committed_type != nullptr) {
      message.datatype = encode_kept(SharedMessage{}, context, target_.arena());
      message.flags = AttributeMessage::kDatatypeShared;
    }
    message.dataspace = target_.encoded(a.dataspace());
    message.data = a.bytes();
    copied.message = encode_kept(message, context, target_.arena());
    ValueCopy::check(file_of(source), target_, a.datatype(), a.bytes());
  }
}

void CopyPlan::prepare_dataset(CopiedObject& object) {
  Node& source = *object.source;
  const DatasetInfo& info = source.dataset();
  check_type(source, info.type, source.where());
  require_readable(source);
  object.committed_type = use_type(committed(committed_type_of(source)));

  const auto prepare_storage = [&](const StorageChange* change, bool is_general) {
    object.storage = plan_storage(source, target_, room_, change, is_general);
    CopiedStorage& storage = *object.storage;
    ValueCopy::check(file_of(source), target_, info.type, storage.value);
    ValueCopy::check(file_of(source), target_, info.type, info.fill_value);
    object.make = create::prepare_dataset(target_, source.where(), info.type, info.space,
                                          storage.value, storage.options, storage.model);
  };
  const auto prepare = [&](const StorageChange* change, bool is_general) {
    prepare_storage(change, is_general);
    if (object.storage->options.layout == Layout::compact)
      room_ -= std::min<std::uint64_t>(room_, object.storage->value.size());
  };
  if (const auto own = changes_.find(&source); own != changes_.end())
    return prepare(own->second, false);
  const auto general = options_.storage.find("");
  if (general == options_.storage.end()) return prepare(nullptr, true);
  try {
    prepare(&general->second, true);
  } catch (const Error& error) {
    // For example, a filter may be unsuitable for such elements, or unknown to Onecast.
    if (error.code() != ErrorCode::invalid_argument && error.code() != ErrorCode::unsupported)
      throw;
    prepare(nullptr, true);
  }
}

}  // namespace onecast::copy
