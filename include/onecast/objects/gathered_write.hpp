#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "onecast/objects/dataset.hpp"

namespace onecast {

/// Writes elements from `first` on of a dataset with one dimension. Their bytes, in the datatype of
/// the dataset, lie in several pieces of memory, one behind the other; an element may lie in two
/// pieces. As Dataset::write otherwise. Where the chunks have no filters and have places (see
/// place_chunks), the bytes go to the file without a copy, and chunks that touch there by one
/// write. Throws also Error (invalid_argument): a dataset with another number of dimensions, a part
/// of an element, values of variable length. @independent
void write_gathered(Dataset& dataset, std::uint64_t first,
                    std::span<const std::span<const std::byte>> parts);

}  // namespace onecast
