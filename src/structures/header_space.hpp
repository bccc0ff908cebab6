#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "structures/object_header.hpp"

namespace onecast::structures {

/// How the bytes of an object header are used.
struct HeaderSpace {
  unsigned messages = 0;  ///< all, also NIL and continuation messages
  std::uint64_t total = 0;
  std::uint64_t data = 0;     ///< of messages other than NIL and continuation messages
  std::uint64_t free = 0;     ///< NIL messages with their headers, and gaps
  std::uint64_t present = 0;  ///< bit n: there is a message of type n; 24: of an unknown type
  std::uint64_t shared = 0;   ///< bit n: a message of type n is stored elsewhere
};

/// @param header as read_object_header() has read it from `source`
HeaderSpace header_space(MetadataSource& source, const ObjectHeader& header);

}  // namespace onecast::structures
