#pragma once

#include <cstdint>
#include <vector>

#include "format/objects/link_message.hpp"
#include "structures/object_header.hpp"

namespace onecast {

/// The links of a group, however they are stored.
struct StoredLinks {
  std::vector<LinkMessage> links;  ///< by creation order if it is tracked, else by name
  bool creation_order_tracked = false;
  std::uint64_t next_creation_order = 0;
};

/// Is this the header of a group, old or new?
bool is_group(const ObjectHeader& header);

/// Reads the symbol table, the compact links or the dense ones.
StoredLinks read_links(MetadataSource& source, const ObjectHeader& header);

/// An Attribute message where it lies.
struct StoredAttribute {
  ByteView message;
  Address address;
  std::uint64_t creation_order = 0;
};

/// Reads compact and dense attributes, by creation order if it is stored.
std::vector<StoredAttribute> read_attributes(MetadataSource& source, const ObjectHeader& header);

}  // namespace onecast
