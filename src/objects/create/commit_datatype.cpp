#include <fmt/format.h>

#include "base/make_error.hpp"
#include "objects/files/file_opening.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/new_path.hpp"
#include "objects/memory/digest.hpp"
#include "objects/memory/limits.hpp"
#include "objects/values/store_values.hpp"
#include "onecast/objects/group.hpp"

namespace onecast {

using namespace create;

namespace {

ByteView encoded_type(FileState& file, const Datatype& type, const std::string& where) {
  require_storable(type, file.store().file(), where);
  const ByteView bytes = file.encoded(type);
  if (bytes.size() > kMaxMessageSize)
    throw argument_error("{}: its description exceeds {} bytes", where, kMaxMessageSize);
  return bytes;
}

/// Turns a new node into a committed datatype.
Node& make_datatype(Node& node, ByteView type) {
  node.header.messages.push_back({MessageType::datatype, message_flag::kConstant, 0, {}, type});
  CallLog& log = file_of(node).log();
  log.grow(0, type.size());
  log.add("create datatype", created_in(node), node.name,
          {CallArguments::kType, Digest().add(type)});
  return node;
}

}  // namespace

Object Group::create_datatype(std::string_view path, const Datatype& type) {
  begin_adding(node_);
  if (const auto there = path_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).create_datatype(there->path, type);
  FileState& file = file_of(*node_);
  file.require_editable();
  const ByteView bytes =
      encoded_type(file, type, fmt::format("{}: datatype \"{}\"", node_->where(), path));
  NewPath at(*node_, path);
  Node& group = at.make_group();
  return Object(
      handle_from(node_, make_datatype(link_new(group, at.name(), ObjectKind::datatype), bytes)));
}

Object Group::create_anonymous_datatype(const Datatype& type) {
  begin_adding(node_);
  FileState& file = file_of(*node_);
  file.require_editable();
  const ByteView bytes = encoded_type(file, type, file.path() + ": anonymous datatype");
  return Object(
      handle_from(node_, make_datatype(new_anonymous(file, ObjectKind::datatype), bytes)));
}

}  // namespace onecast
