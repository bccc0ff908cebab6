#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::copy {

/// Copies the elements of a dataset into a new one of the same type and shape, which is not
/// compact. Every rank gives chunks their places, rank 0 reads and writes; an error waits for the
/// next flush.
/// @param keeps_chunks chunks are the same in both, and copied as they are stored
/// @param translate elements on their way, if it is not empty; all ranks call it for all elements
/// @param advance called with bytes of elements that are done, by rank 0
void copy_elements(Node& source, Node& target, bool keeps_chunks,
                   const std::function<void(std::span<std::byte>)>& translate,
                   const std::function<void(std::uint64_t)>& advance);

}  // namespace onecast::copy
