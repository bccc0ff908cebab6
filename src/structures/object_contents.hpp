#pragma once

#include <cstdint>
#include <functional>

#include "base/namespaces.hpp"
#include "base/round_up.hpp"
#include "format/objects/attribute_message.hpp"
#include "format/objects/group_messages.hpp"
#include "format/objects/link_message.hpp"
#include "structures/dense_place.hpp"
#include "structures/object_header.hpp"
#include "structures/shared_messages.hpp"

namespace onecast::structures {

/// The information in a group's header about all its links.
struct LinksInfo {
  bool creation_order_tracked = false;
  std::uint64_t next_creation_order = 0;
  DensePlace dense;
};

LinksInfo links_info(const LinkInfoMessage& info);

/// True if this is the header of a group, old-style or new-style.
bool is_group(const ObjectHeader& header);

/// Calls `each` for every link of the symbol table, and every compact or dense link, in stored
/// order.
LinksInfo read_links(MetadataSource& source, const ObjectHeader& header,
                     const std::function<void(const LinkMessage&)>& each);
/// Reads dense links only.
void read_dense_links(MetadataSource& source, const DensePlace& place,
                      const std::function<void(const LinkMessage&)>& each);

/// An Attribute message at its place, with the sizes of its parts only, since files have very many.
class StoredAttribute {
 public:
  StoredAttribute(ByteView bytes, Address where, const FileContext& file, std::uint32_t order);
  /// A message of version 3 that was just encoded: it became these bytes.
  StoredAttribute(ByteView bytes, const AttributeMessage& message);

  [[nodiscard]] ByteView message() const { return message_; }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] std::uint32_t creation_order() const { return creation_order_; }
  void set_creation_order(std::uint32_t order) { creation_order_ = order; }

  /// These are the fields of AttributeMessage.
  [[nodiscard]] std::uint8_t version() const { return version_; }
  [[nodiscard]] std::string_view name() const {
    return {reinterpret_cast<const char*>(message_.data()) + name_at(), name_size_};
  }
  [[nodiscard]] bool datatype_is_shared() const { return is(AttributeMessage::kDatatypeShared); }
  [[nodiscard]] ByteView datatype() const {
    return message_.subspan(datatype_at(), datatype_size_);
  }
  [[nodiscard]] bool dataspace_is_shared() const { return is(AttributeMessage::kDataspaceShared); }
  [[nodiscard]] ByteView dataspace() const {
    return message_.subspan(dataspace_at(), dataspace_size_);
  }
  [[nodiscard]] ByteView data() const { return message_.subspan(data_at()); }
  /// The datatype and the dataspace as messages of their own.
  [[nodiscard]] HeaderMessage datatype_message() const {
    return part(MessageType::datatype, datatype_is_shared(), datatype());
  }
  [[nodiscard]] HeaderMessage dataspace_message() const {
    return part(MessageType::dataspace, dataspace_is_shared(), dataspace());
  }

 private:
  void note_parts(const AttributeMessage& decoded);
  /// Returns the bytes that a part of this size takes: see AttributeMessage.
  [[nodiscard]] std::size_t filled_up(std::size_t size) const {
    return version_ == 1 ? round_up(size, 8) : size;
  }
  [[nodiscard]] std::size_t name_at() const { return version_ == 3 ? 9 : 8; }
  [[nodiscard]] std::size_t datatype_at() const {
    return name_at() + filled_up(std::size_t{name_size_} + 1);
  }
  [[nodiscard]] std::size_t dataspace_at() const {
    return datatype_at() + filled_up(datatype_size_);
  }
  [[nodiscard]] std::size_t data_at() const { return dataspace_at() + filled_up(dataspace_size_); }
  [[nodiscard]] HeaderMessage part(MessageType type, bool shared, ByteView bytes) const {
    return {type, shared ? message_flag::kShared : std::uint8_t{0}, 0, address_, bytes};
  }
  [[nodiscard]] bool is(std::uint8_t flag) const { return (flags_ & flag) != 0; }

  ByteView message_;
  Address address_;
  std::uint32_t creation_order_ = 0;
  std::uint16_t name_size_;
  std::uint16_t datatype_size_;
  std::uint16_t dataspace_size_;
  std::uint8_t version_ : 4;
  std::uint8_t flags_ : 4;
};

/// Calls `each` for compact and dense attributes. Returns true if that was in creation order, which
/// is not always stored.
bool for_each_attribute(MetadataSource& source, SharedMessages& shared, const ObjectHeader& header,
                        const std::function<void(const StoredAttribute&)>& each);

}  // namespace onecast::structures
