#include "objects/values/place_of_header.hpp"

#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/memory/limits.hpp"
#include "objects/nodes/dense_limits.hpp"
#include "structures/header_writer.hpp"

namespace onecast::values {
namespace {

/// The room for later attributes and links. If it is too small, the header continues elsewhere.
constexpr std::uint64_t kSlack = 256;

std::uint64_t size_of_messages(Node& node) {
  const FileContext& context = file_of(node).store().file();
  std::uint64_t size = 0;
  const auto add = [&](std::uint64_t body) { size += MessageHeaderV2::size(false) + body; };
  for (const HeaderMessage& m : node.header.messages) add(m.data.size());
  if (node.kind == ObjectKind::group && node.links().live <= limits_of_links(node).max_compact)
    for (const LinkEntry& e : node.links().entries)
      if (!e.removed) add(encoded_size(context, e.message()));
  const auto attributes = node.attribute_entries();
  if (attributes.size() <= limits_of_attributes(node).max_compact)
    for (const AttributeEntry* a : attributes)
      if (a->message().size() <= kMaxMessageSize) add(a->message().size());
  return size;
}

}  // namespace

Address place_of_header(Node& node) {
  FileState& file = file_of(node);
  node.require_there();
  if (node.removed) throw state_error("{}: was removed from the file", node.where());
  if (!node.is_new()) return node.address;
  FileRange& place = node.header.first;
  if (place.address.is_defined()) return place.address;
  file.require_editable();
  require_addable(node, "reference");
  require_together(file, "reference to an object created since the last flush");
  const std::uint64_t room = size_of_messages(node) + kSlack;
  node.header.prefix.set_chunk0_size_flags(room);
  place.size = HeaderWriter::overhead(file.store().file(), node.header.prefix) + room;
  place.address = file.allocator().metadata(place.size);
  file.reserve(node);
  file.log().add("make a reference, before the first flush, to", node, "");
  return place.address;
}

}  // namespace onecast::values
