#include "onecast/objects/group.hpp"

#include <fmt/format.h>

#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/group_messages.hpp"
#include "objects/datatype_codec.hpp"
#include "objects/file_state.hpp"
#include "objects/limits.hpp"
#include "objects/message_codec.hpp"
#include "objects/path.hpp"
#include "objects/raw_data.hpp"
#include "objects/strings.hpp"

namespace onecast {
namespace {

Link to_link(const Node& group, const LinkEntry& entry, std::size_t position) {
  const LinkMessage& m = entry.message;
  Link link{m.name, LinkKind::hard, {}, {}, position};
  if (m.type == LinkType::soft) {
    link.kind = LinkKind::soft;
    link.target = m.soft_value;
  } else if (m.type == LinkType::external) {
    const auto value =
        decode<ExternalLinkValue>(m.user_data, group.address, group.file->store->file());
    link.kind = LinkKind::external;
    link.target = value.object_path;
    link.target_file = value.file_name;
  } else if (m.type != LinkType::hard) {
    link.kind = LinkKind::user_defined;
  }
  return link;
}

[[noreturn]] void throw_missing(const Node& group, std::string_view path) {
  throw Error(ErrorCode::not_found, fmt::format("{}: nothing at \"{}\"", group.where(), path));
}

Node& require(Node& group, std::string_view path) {
  if (Node* node = group.file->find(group, path)) return *node;
  throw_missing(group, path);
}

Node& require(Node& group, const Link& link) {
  group.file->require_open();
  auto& entries = group.links().entries;
  // A link of another group, or of this one before it changed, is looked up by its name.
  if (link.position >= entries.size() || entries[link.position].removed ||
      entries[link.position].message.name != link.name)
    return require(group, link.name);
  if (Node* node = group.file->follow(group, entries[link.position])) return *node;
  throw_missing(group, link.name);
}

void check_name(const Node& group, std::string_view name) {
  if (name.empty() || name == "." || name.size() > kMaxNameLength ||
      name.find('\0') != std::string_view::npos)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: link name \"{}\": 1 to {} bytes, not \".\", without NUL expected",
                            group.where(), name.substr(0, 80), kMaxNameLength));
}

/// Everything was checked: links a new object into its group.
Node& link_new(Node& group, std::string_view name, ObjectKind kind) {
  FileState& file = *group.file;
  group.edit();
  LinkTable& links = group.links();
  LinkMessage message;
  message.name = file.arena.keep(name);
  message.character_set = character_set_of(name);
  message.creation_order = links.next_creation_order;
  message.flags = LinkMessage::flags_for(name.size(), LinkType::hard, message.character_set,
                                         links.creation_order_tracked);
  Node& node = file.new_node(&group, message.name, kind);
  node.creation_digest = Digest(group.identity()).add(name).value();
  links.add(message, &node);
  node.edit();
  return node;
}

Node& new_group(Node& parent, std::string_view name) {
  check_name(parent, name);
  FileState& file = *parent.file;
  Node& node = link_new(parent, name, ObjectKind::group);
  node.header.messages.push_back(group_info_message(file));
  file.log.add("create group", parent, node.name, Digest());
  return node;
}

/// Where a new object goes, before anything is changed.
class Place {
 public:
  /// Throws Error (not_found, invalid_argument, already_exists).
  Place(Node& start, std::string_view path) : split_(path), group_(&start) {
    FileState& file = *start.file;
    file.require_editable();
    check_name(start, split_.name);
    missing_ = split_.above;
    if (!missing_.empty() && missing_.front() == '/') group_ = file.root;
    for (std::string_view rest = missing_;;) {
      const std::string_view part = next_name(rest);
      LinkEntry* entry = part.empty() ? nullptr : group_->links().find(part);
      if (entry == nullptr) break;
      Node* next = file.follow(*group_, *entry);
      if (next == nullptr) throw_missing(*group_, part);
      next->require_kind(ObjectKind::group);
      group_ = next;
      missing_ = rest;
    }
    std::string_view rest = missing_;
    bool in_new_group = false;
    for (auto part = next_name(rest); !part.empty(); part = next_name(rest)) {
      check_name(*group_, part);
      in_new_group = true;
    }
    if (!in_new_group && group_->links().find(split_.name) != nullptr)
      throw Error(ErrorCode::already_exists,
                  fmt::format("{}: \"{}\" is there already", group_->where(), split_.name));
  }

  [[nodiscard]] std::string_view name() const { return split_.name; }

  /// Makes the groups on the way that are not there yet; returns the last.
  Node& make_group() {
    for (auto part = next_name(missing_); !part.empty(); part = next_name(missing_))
      group_ = &new_group(*group_, part);
    return *group_;
  }

 private:
  SplitPath split_;
  Node* group_;               ///< the last that is there
  std::string_view missing_;  ///< the groups below it that are not
};

}  // namespace

HeaderMessage group_info_message(FileState& file) {
  GroupInfoMessage info;
  info.flags = GroupInfoMessage::kHasPhaseChange;
  info.max_compact_links = kMaxCompactLinks;
  info.min_dense_links = kMinDenseLinks;
  return {MessageType::group_info,
          message_flag::kConstant,
          0,
          {},
          encode_kept(info, file.store->file(), file.arena)};
}

std::vector<Link> Group::links() const {
  node_->file->require_open();
  const LinkTable& table = node_->links();
  std::vector<Link> found;
  found.reserve(table.live);
  for (std::size_t i = 0; i < table.entries.size(); ++i)
    if (!table.entries[i].removed) found.push_back(to_link(*node_, table.entries[i], i));
  return found;
}

std::size_t Group::link_count() const {
  node_->file->require_open();
  return node_->links().live;
}

bool Group::contains(std::string_view path) const {
  const SplitPath split(path);
  Node* group = node_->file->find(*node_, split.above);
  if (group == nullptr) return false;
  if (split.name.empty() || split.name == ".") return true;
  return group->kind == ObjectKind::group && group->links().find(split.name) != nullptr;
}

std::optional<ObjectKind> Group::kind_of(std::string_view path) const {
  try {
    if (const Node* node = node_->file->find(*node_, path)) return node->kind;
  } catch (const Error& error) {
    // An external link to a file that is not there dangles like any other.
    if (error.code() != ErrorCode::not_found) throw;
  }
  return std::nullopt;
}

ObjectKind Group::kind_of(const Link& link) const { return require(*node_, link).kind; }

Group Group::open_group(std::string_view path) const {
  Node& node = require(*node_, path);
  node.require_kind(ObjectKind::group);
  return Group(node.file->handle(node));
}

Dataset Group::open_dataset(std::string_view path) const {
  Node& node = require(*node_, path);
  node.require_kind(ObjectKind::dataset);
  return Dataset(node.file->handle(node));
}

Object Group::open_object(std::string_view path) const {
  Node& node = require(*node_, path);
  return Object(node.file->handle(node));
}

Group Group::open_group(const Link& link) const {
  Node& node = require(*node_, link);
  node.require_kind(ObjectKind::group);
  return Group(node.file->handle(node));
}

Dataset Group::open_dataset(const Link& link) const {
  Node& node = require(*node_, link);
  node.require_kind(ObjectKind::dataset);
  return Dataset(node.file->handle(node));
}

Object Group::open_object(const Link& link) const {
  Node& node = require(*node_, link);
  return Object(node.file->handle(node));
}

Group Group::create_group(std::string_view path) {
  Place place(*node_, path);
  Node& node = new_group(place.make_group(), place.name());
  return Group(node.file->handle(node));
}

Dataset Group::create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                              std::span<const std::byte> data, const DatasetOptions& options) {
  FileState& file = *node_->file;
  file.require_editable();
  const auto reject = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: dataset \"{}\": {}", node_->where(), path, what));
  };
  if (space.rank() > kMaxRank) reject(fmt::format("at most {} dimensions", kMaxRank));
  if (!space.max_shape().empty()) reject("max_shape: only datasets of fixed shape can be created");
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(space.element_count(), type.size(), &size) || size > kMaxDatasetSize)
    reject("too large");
  if (!data.empty() && data.size() != size)
    reject(fmt::format("data: {} bytes expected, {} given", size, data.size()));
  const Layout layout = options.layout.value_or(
      size <= file.options.compact_limit ? Layout::compact : Layout::contiguous);
  if (layout != Layout::compact && layout != Layout::contiguous)
    reject("layout: only compact and contiguous datasets can be created");
  if (layout == Layout::compact && size > kMaxMessageSize)
    reject(fmt::format("layout: {} bytes are too many for compact storage", size));

  // All that may throw comes before the first change.
  const FileContext& context = file.store->file();
  const ByteView type_bytes = encode_datatype(type, context, file.arena);
  if (type_bytes.size() > kMaxMessageSize)
    reject(fmt::format("the datatype's description exceeds {} bytes", kMaxMessageSize));
  const ByteView space_bytes = encode_dataspace(space, context, file.arena);
  Place place(*node_, path);
  Node& group = place.make_group();

  DataLayoutMessage stored;
  stored.layout_class = layout == Layout::compact ? LayoutClass::compact : LayoutClass::contiguous;
  std::vector<std::byte> zeros;
  if (layout == Layout::compact) {
    if (data.empty()) zeros.resize(static_cast<std::size_t>(size));
    stored.compact_data = data.empty() ? ByteView(zeros) : data;
  } else {
    stored.address = file.allocator->raw_data(size);
    stored.size = size;
  }
  FillValueMessage fill_value;
  fill_value.allocation_time = SpaceAllocationTime::early;

  Node& node = link_new(group, place.name(), ObjectKind::dataset);
  node.header.messages = {
      {MessageType::dataspace, 0, 0, {}, space_bytes},
      {MessageType::datatype, message_flag::kConstant, 0, {}, type_bytes},
      {MessageType::fill_value,
       message_flag::kConstant,
       0,
       {},
       encode_kept(fill_value, context, file.arena)},
      {MessageType::data_layout, 0, 0, {}, encode_kept(stored, context, file.arena)}};
  file.log.add(
      "create dataset", group, node.name,
      Digest().add(type_bytes).add(space_bytes).add(static_cast<std::uint64_t>(layout)).add(data));
  Dataset dataset(file.handle(node));
  if (layout == Layout::contiguous && !data.empty()) write_once(node, {}, data);
  return dataset;
}

void Group::remove(std::string_view path) {
  FileState& file = *node_->file;
  file.require_editable();
  const SplitPath split(path);
  const std::string_view name = split.name;
  Node& group = require(*node_, split.above);
  group.require_kind(ObjectKind::group);
  if (group.links().find(name) == nullptr) throw_missing(group, name);
  group.edit();
  LinkEntry& entry = *group.links().find(name);
  const std::string above = group.path();
  file.forget_compact_writes(fmt::format("{}/{}", above == "/" ? "" : above, name));
  file.log.add("remove", group, entry.message.name, Digest());
  group.links().remove(entry);
}

}  // namespace onecast
