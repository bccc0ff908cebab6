#include <fmt/format.h>

#include "objects/codec/datatype_codec.hpp"
#include "objects/memory/limits.hpp"
#include "objects/tree/file_opening.hpp"
#include "objects/tree/file_state.hpp"
#include "objects/tree/place.hpp"
#include "onecast/objects/group.hpp"

namespace onecast {

Object Group::create_datatype(std::string_view path, const Datatype& type) {
  begin_adding(node_);
  if (const auto there = place_elsewhere(*node_, path))
    return Group(handle_from(node_, *there->group)).create_datatype(there->path, type);
  FileState& file = *node_->file;
  file.require_editable();
  const ByteView bytes = encode_datatype(type, file.store().file(), file.arena());
  if (bytes.size() > kMaxMessageSize)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: datatype \"{}\": its description exceeds {} bytes", node_->where(),
                            path, kMaxMessageSize));
  Place place(*node_, path);
  Node& group = place.make_group();
  Node& node = link_new(group, place.name(), ObjectKind::datatype);
  node.header.messages.push_back({MessageType::datatype, message_flag::kConstant, 0, {}, bytes});
  file.log().grow(bytes.size());
  file.log().add("create datatype", group, node.name, {CallArguments::kType, Digest().add(bytes)});
  return Object(handle_from(node_, node));
}

}  // namespace onecast
