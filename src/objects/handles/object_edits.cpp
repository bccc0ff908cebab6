// Changes of an object, except new attributes (object.cpp).

#include <fmt/format.h>

#include <optional>

#include "base/make_error.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/object_messages.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/codec/strings.hpp"
#include "objects/files/committed_types.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/handles/attribute_name.hpp"
#include "objects/lifetime/anonymous.hpp"
#include "objects/lifetime/release.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/reference_count.hpp"
#include "onecast/objects/object.hpp"

namespace onecast {

using namespace handles;

namespace {

/// Returns the attribute if the call may see it. Throws Error (not_found).
const AttributeEntry& known_attribute(Node& node, std::string_view name) {
  const LocalEdits& local = file_of(node).local_edits();
  const AttributeEntry* there = node.attributes().find(name);
  if (there == nullptr || (local.is_local(there) && !local.is_inside()))
    throw not_found_error("{}: no such attribute", node.where(name));
  return *there;
}

/// Returns the Attribute message with another name, in the arena.
ByteView renamed(FileState& file, ByteView message, Address where, std::string_view name) {
  const FileContext& context = file.store().file();
  auto attribute = decode<AttributeMessage>(message, where, context);
  // Older versions do not store the character set of the name.
  attribute.version = AttributeMessage().version;
  attribute.name = name;
  attribute.character_set = character_set_of(name);
  return encode_kept(attribute, context, file.arena());
}

}  // namespace

void Object::remove_attribute(std::string_view name) {
  require_writable(node_);
  Node& node = *node_;
  file_of(node).require_editable();
  require_addable(node, "remove_attribute");
  LocalEdits& local = file_of(node).local_edits();
  const AttributeEntry& there = known_attribute(node, name);
  if (local.is_local(&there)) {
    local.remove_attribute(node, &there);
    return node.attributes().erase(name);
  }
  require_changeable(node, "remove_attribute");
  node.edit();
  const AttributeEntry* entry = node.attributes().find(name);
  std::optional<Unlinking> type;
  if (Node* used = committed_type_of(node, *entry)) type.emplace(*used);
  file_of(node).log().add("remove attribute", node, entry->name());
  node.attributes().erase(name);
  if (type) type->carry_out();
}

void Object::rename_attribute(std::string_view from, std::string_view to) {
  begin_adding(node_);
  Node& node = *node_;
  FileState& file = file_of(node);
  file.require_editable();
  require_addable(node, "rename_attribute");
  require_attribute_name(node, to);
  LocalEdits& local = file.local_edits();
  const bool is_own = local.is_local(&known_attribute(node, from));
  if (!is_own) require_changeable(node, "rename_attribute");
  AttributeTable& attributes = node.attributes();
  if (const AttributeEntry* other = attributes.find(to)) {
    if (!local.is_local(other) || local.is_inside())
      throw Error(ErrorCode::already_exists, fmt::format("{}: exists already", node.where(to)));
    // The flush reports the conflict.
    attributes.erase(to);
  }
  if (is_own)
    node.own();
  else
    node.edit();
  const AttributeEntry& before = *attributes.find(from);
  const ByteView message = renamed(file, before.message(), before.address(), to);
  AttributeEntry& now =
      attributes.replace(from, StoredAttribute(message, {}, file.store().file(), 0));
  now.committed_type = before.committed_type;
  now.datatype.store(before.datatype.load(std::memory_order_acquire), std::memory_order_release);
  if (is_own) local.add_attribute(node, &now, &before);
  if (auto waiting = local.packed_messages.extract(&before)) {
    waiting.mapped().message = renamed(file, waiting.mapped().message, {}, to);
    waiting.key() = &now;
    local.packed_messages.insert(std::move(waiting));
  }
  file.log().grow(kMemoryOfNewAttribute, message.size());
  file.log().add("rename attribute", node, now.name(), {CallArguments::kValue, Digest().add(from)});
}

void Object::set_comment(std::string_view text) {
  begin_adding(node_);
  Node& node = *node_;
  FileState& file = file_of(node);
  file.require_editable();
  require_changeable(node, "set_comment");
  if (text.size() >= kMaxMessageSize || text.find('\0') != std::string_view::npos)
    throw argument_error("{}: comment: less than {} bytes without NUL expected", node.where(),
                         kMaxMessageSize);
  node.edit();
  auto& messages = node.header.messages;
  std::erase_if(messages, [](const HeaderMessage& m) { return m.type == MessageType::comment; });
  if (!text.empty())
    messages.push_back({MessageType::comment,
                        0,
                        0,
                        {},
                        encode_kept(CommentMessage{text}, file.store().file(), file.arena())});
  file.log().grow(0, text.size());
  file.log().add("set comment of", node, "", {CallArguments::kValue, Digest().add(text)});
}

void Object::change_link_count(std::int64_t by) {
  begin_adding(node_);
  Node& node = *node_;
  FileState& file = file_of(node);
  file.require_editable();
  require_together(file, "change_link_count");
  require_changeable(node, "change_link_count");
  const std::int64_t before = reference_count(node);
  // A flush writes only new objects to which a link leads.
  if (node.removed || node.is_new() || lifetime::is_anonymous(node))
    throw state_error(
        "{}: change_link_count: an object with a link expected, which a flush "
        "has written",
        node.where());
  if (by < 1 - before || by > std::int64_t{UINT32_MAX} - before)
    throw argument_error("{}: change_link_count: 1 to 2^32 - 1 links expected, {} given",
                         node.where(), by < 0 ? before + by : by);
  set_reference_count(node, static_cast<std::uint32_t>(before + by));
  file.log().add("change link count of", node, "",
                 {CallArguments::kValue, Digest().add(static_cast<std::uint64_t>(by))});
}

}  // namespace onecast
