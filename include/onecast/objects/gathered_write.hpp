#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "onecast/objects/dataset.hpp"

namespace onecast {

/// Writes the elements of a one-dimensional dataset from `first` on. Their bytes, in the datatype
/// of the dataset, are the concatenation of `parts`; an element may lie in two parts. Otherwise the
/// call is like Dataset::write. If the chunks have no filters and have places (see
/// allocate_chunks), the bytes go to the file without a copy, and one write takes all chunks that
/// are adjacent in the file. Also throws Error (invalid_argument): a dataset with another number of
/// dimensions, a part of an element, values of variable length. @independent
void write_gathered(Dataset& dataset, std::uint64_t first,
                    std::span<const std::span<const std::byte>> parts);

}  // namespace onecast
