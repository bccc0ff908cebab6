#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::copy {

/// Copies the elements of a dataset into a new one of the same type and shape that is not compact.
/// All ranks give chunks their places; rank 0 reads and writes, and the next flush throws its
/// error.
/// @param keeps_chunks true if the chunks of both are equal, and are copied in stored form
/// @param translate if not empty, translates the elements; all ranks call it for all elements
/// @param advance called by rank 0 with the number of bytes of elements that are done
void copy_elements(Node& source, Node& target, bool keeps_chunks,
                   const std::function<void(std::span<std::byte>)>& translate,
                   const std::function<void(std::uint64_t)>& advance);

}  // namespace onecast::copy
