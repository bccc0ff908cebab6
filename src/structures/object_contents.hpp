#pragma once

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <vector>

#include "format/objects/attribute_message.hpp"
#include "format/objects/link_message.hpp"
#include "structures/object_header.hpp"

namespace onecast {

/// What a group's header says of all its links.
struct LinksInfo {
  bool creation_order_tracked = false;
  std::uint64_t next_creation_order = 0;
};

/// Is this the header of a group, old or new?
bool is_group(const ObjectHeader& header);

/// Calls `each` for every link of the symbol table, of the compact or the dense links, in stored
/// order.
LinksInfo read_links(MetadataSource& source, const ObjectHeader& header,
                     const std::function<void(const LinkMessage&)>& each);

/// An Attribute message where it lies, and its parts.
struct StoredAttribute {
  StoredAttribute(ByteView bytes, Address where, const FileContext& file, std::uint64_t order);

  ByteView message;
  Address address;
  std::uint64_t creation_order;
  AttributeMessage decoded;
};

/// Reads compact and dense attributes, by creation order if it is stored.
/// The result is kept in `memory`.
std::pmr::vector<StoredAttribute> read_attributes(
    MetadataSource& source, const ObjectHeader& header,
    std::pmr::memory_resource* memory = std::pmr::get_default_resource());

}  // namespace onecast
