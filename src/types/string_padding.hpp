#pragma once

#include <cstddef>
#include <string>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

/// The number of bytes of a fixed-length string that are not padding.
std::size_t unpadded_size(ByteView value, StringPadding padding);

/// A fixed-length string without its padding.
std::string unpad(ByteView value, StringPadding padding);

}  // namespace onecast::types
