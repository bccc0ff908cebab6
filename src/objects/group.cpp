#include "onecast/objects/group.hpp"

#include <fmt/format.h>

#include "format/objects/data_layout_message.hpp"
#include "format/objects/fill_value_message.hpp"
#include "format/objects/group_messages.hpp"
#include "objects/file_state.hpp"
#include "objects/limits.hpp"
#include "objects/datatype_codec.hpp"
#include "objects/message_codec.hpp"
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
    const auto value = decode<ExternalLinkValue>(m.user_data, group.address, group.file->store->file());
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

/// Where a new object goes: its group, made on the way if it is not there, and its name.
struct Place {
  Node* group;
  std::string_view name;
};

void check_name(const Node& group, std::string_view name) {
  if (name.empty() || name == "." || name.size() > kMaxNameLength || name.find('\0') != std::string_view::npos)
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

/// Throws without having changed anything.
Place find_place(Node& start, std::string_view path) {
  FileState& file = *start.file;
  file.require_editable();
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const std::string_view above = slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash + 1);
  check_name(start, name);
  Node* at = !above.empty() && above.front() == '/' ? file.root : &start;
  std::string_view rest = above;
  while (!rest.empty()) {
    const std::size_t end = rest.find('/');
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (part.empty() || part == ".") continue;
    check_name(*at, part);
    LinkEntry* entry = at->links().find(part);
    if (entry == nullptr) {
      at = &new_group(*at, part);
      continue;
    }
    Node* next = file.follow(*at, *entry);
    if (next == nullptr) throw_missing(*at, part);
    next->require_kind(ObjectKind::group);
    at = next;
  }
  at->require_kind(ObjectKind::group);
  if (at->links().find(name) != nullptr)
    throw Error(ErrorCode::already_exists, fmt::format("{}: \"{}\" is there already", at->where(), name));
  return {at, name};
}

}  // namespace

HeaderMessage group_info_message(FileState& file) {
  GroupInfoMessage info;
  info.flags = GroupInfoMessage::kHasPhaseChange;
  info.max_compact_links = kMaxCompactLinks;
  info.min_dense_links = kMinDenseLinks;
  return {MessageType::group_info, message_flag::kConstant, 0, {}, encode_kept(info, file.store->file(), file.arena)};
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
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  Node* group = node_->file->find(*node_, slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash + 1));
  if (group == nullptr) return false;
  if (name.empty() || name == ".") return true;
  return group->kind == ObjectKind::group && group->links().find(name) != nullptr;
}

std::optional<ObjectKind> Group::kind_of(std::string_view path) const {
  if (const Node* node = node_->file->find(*node_, path)) return node->kind;
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
  const Place place = find_place(*node_, path);
  Node& node = new_group(*place.group, place.name);
  return Group(node.file->handle(node));
}

Dataset Group::create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                              std::span<const std::byte> data, const DatasetOptions& options) {
  FileState& file = *node_->file;
  file.require_editable();
  const auto reject = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, fmt::format("{}: dataset \"{}\": {}", node_->where(), path, what));
  };
  if (space.rank() > kMaxRank) reject("at most 32 dimensions");
  if (!space.max_shape().empty()) reject("max_shape: only datasets of fixed shape can be created");
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(space.element_count(), type.size(), &size) || size > kMaxDatasetSize)
    reject("too large");
  if (!data.empty() && data.size() != size)
    reject(fmt::format("data: {} bytes expected, {} given", size, data.size()));
  const Layout layout =
      options.layout.value_or(size <= file.options.compact_limit ? Layout::compact : Layout::contiguous);
  if (layout != Layout::compact && layout != Layout::contiguous)
    reject("layout: only compact and contiguous datasets can be created");
  if (layout == Layout::compact && size > kMaxMessageSize)
    reject(fmt::format("layout: {} bytes are too many for compact storage", size));

  // All that may throw comes before the first change.
  const FileContext& context = file.store->file();
  const ByteView type_bytes = encode_datatype(type, context, file.arena);
  if (type_bytes.size() > kMaxMessageSize) reject("the datatype's description exceeds 64 KB");
  const ByteView space_bytes = encode_dataspace(space, context, file.arena);
  const Place place = find_place(*node_, path);

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

  Node& node = link_new(*place.group, place.name, ObjectKind::dataset);
  node.header.messages = {
      {MessageType::dataspace, 0, 0, {}, space_bytes},
      {MessageType::datatype, message_flag::kConstant, 0, {}, type_bytes},
      {MessageType::fill_value, message_flag::kConstant, 0, {}, encode_kept(fill_value, context, file.arena)},
      {MessageType::data_layout, 0, 0, {}, encode_kept(stored, context, file.arena)}};
  file.log.add("create dataset", *place.group, node.name,
               Digest().add(type_bytes).add(space_bytes).add(static_cast<std::uint64_t>(layout)).add(data));
  Dataset dataset(file.handle(node));
  if (layout == Layout::contiguous && !data.empty()) write_once(node, {}, data);
  return dataset;
}

void Group::remove(std::string_view path) {
  FileState& file = *node_->file;
  file.require_editable();
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  Node& group = slash == std::string_view::npos ? *node_ : require(*node_, path.substr(0, slash + 1));
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
