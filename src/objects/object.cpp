#include "onecast/objects/object.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "format/objects/attribute_message.hpp"
#include "objects/datatype_codec.hpp"
#include "objects/file_state.hpp"
#include "objects/limits.hpp"
#include "objects/message_codec.hpp"
#include "objects/strings.hpp"

namespace onecast {
ObjectKind Object::kind() const { return node_->kind; }

std::string Object::path() const { return node_->path(); }

std::vector<Attribute> Object::attributes() const {
  node_->file->require_open();
  std::vector<Attribute> found;
  found.reserve(node_->attributes().size());
  for (const StoredAttribute& a : node_->attributes()) found.push_back(Attribute(node_, a));
  return found;
}

std::optional<Attribute> Object::find_attribute(std::string_view name) const {
  node_->file->require_open();
  if (const StoredAttribute* a = node_->find_attribute(name)) return Attribute(node_, *a);
  return std::nullopt;
}

Attribute Object::attribute(std::string_view name) const {
  if (auto found = find_attribute(name)) return *found;
  throw Error(ErrorCode::not_found, fmt::format("{}: no such attribute", node_->where(name)));
}

void Object::set_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                           std::span<const std::byte> bytes) {
  Node& node = *node_;
  FileState& file = *node.file;
  file.require_editable();
  if (name.empty() || name.size() > kMaxNameLength || name.find('\0') != std::string_view::npos)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: attribute name: 1 to {} bytes without NUL expected", node.where(),
                            kMaxNameLength));
  if (space.rank() > kMaxRank)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: at most 32 dimensions", node.where(name)));
  const std::uint64_t count = space.element_count();
  if (count > bytes.size() || count * type.size() != bytes.size())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: {} elements of {} bytes expected, {} bytes given",
                            node.where(name), count, type.size(), bytes.size()));

  const FileContext& context = file.store->file();
  AttributeMessage message;
  message.name = name;
  message.character_set = character_set_of(name);
  message.datatype = encode_datatype(type, context, file.arena);
  message.dataspace = encode_dataspace(space, context, file.arena);
  message.data = bytes;
  if (message.datatype.size() > UINT16_MAX)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: the datatype's description exceeds 64 KiB", node.where(name)));
  node.edit();
  StoredAttribute* entry = node.find_attribute(name);
  const std::size_t size = encoded_size(context, message);
  if (entry != nullptr && entry->message.size() == size &&
      entry->decoded.version == message.version) {
    // The arena's memory of the value before: since edit() nothing here points into pages.
    ByteWriter out({const_cast<std::byte*>(entry->message.data()), size});
    encode(out, context, message);
    *entry = StoredAttribute(entry->message, {}, context, 0);
  } else {
    const StoredAttribute stored(encode_kept(message, context, file.arena), {}, context, 0);
    if (entry == nullptr)
      entry = &node.attributes().emplace_back(stored);
    else
      *entry = stored;
  }
  file.log.add("set attribute", node, entry->decoded.name,
               Digest().add(message.datatype).add(message.dataspace).add(bytes));
}

void Object::set_attribute(std::string_view name, std::string_view text) {
  const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
  set_attribute(name,
                Datatype::string(padded.size(), StringPadding::null_padded, CharacterSet::utf8),
                Dataspace(), std::as_bytes(std::span(padded)));
}

void Object::remove_attribute(std::string_view name) {
  Node& node = *node_;
  node.file->require_editable();
  if (node.find_attribute(name) == nullptr)
    throw Error(ErrorCode::not_found, fmt::format("{}: no such attribute", node.where(name)));
  node.edit();
  const StoredAttribute* entry = node.find_attribute(name);
  node.file->log.add("remove attribute", node, entry->decoded.name, Digest());
  node.erase_attribute(*entry);
}

Attribute::Attribute(std::shared_ptr<Node> owner, const StoredAttribute& stored)
    : owner_(std::move(owner)),
      name_(stored.decoded.name),
      flags_(stored.decoded.flags),
      datatype_(stored.decoded.datatype),
      dataspace_(stored.decoded.dataspace),
      data_(stored.decoded.data),
      address_(stored.address.value) {}

Datatype Attribute::datatype() const {
  owner_->file->require_open();
  const bool shared = (flags_ & AttributeMessage::kDatatypeShared) != 0;
  return read_datatype(*owner_->file->store, {MessageType::datatype,
                                              shared ? message_flag::kShared : std::uint8_t{0},
                                              0,
                                              {address_},
                                              datatype_});
}

Dataspace Attribute::dataspace() const {
  owner_->file->require_open();
  const bool shared = (flags_ & AttributeMessage::kDataspaceShared) != 0;
  return read_dataspace(*owner_->file->store, {MessageType::dataspace,
                                               shared ? message_flag::kShared : std::uint8_t{0},
                                               0,
                                               {address_},
                                               dataspace_});
}

std::span<const std::byte> Attribute::bytes() const {
  const std::uint64_t count = dataspace().element_count();
  const std::uint64_t size = datatype().size();
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > data_.size())
    throw Error(
        ErrorCode::format,
        fmt::format("{}: address {:#x}: Data: {} elements of {} bytes do not fit into {} bytes",
                    owner_->where(name_), address_, count, size, data_.size()));
  return data_.first(static_cast<std::size_t>(bytes));
}

void Attribute::read_as(std::span<std::byte> out, const Datatype& memory_type) const {
  const bool swap = must_swap(datatype(), memory_type, owner_->where(name_));
  const auto stored = bytes();
  std::copy(stored.begin(), stored.end(), out.begin());
  if (swap) swap_bytes(out, memory_type.size());
}

std::vector<std::string> Attribute::read_strings() const {
  return decode_strings(*owner_->file, datatype(), bytes(), owner_->where(name_));
}

}  // namespace onecast
