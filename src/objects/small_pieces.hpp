#pragma once

#include <optional>
#include <span>

#include "collective/collective_file.hpp"
#include "objects/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

/// Are its elements in the file, contiguous, at a place that all ranks know?
bool is_stored_contiguously(Node& dataset);

/// Where in the file elements of such a dataset lie. Throws Error as write_contiguous does. Does
/// not communicate.
ExtentList contiguous_extents(Node& dataset, const BoundSelection& selection);

/// Are so many pieces, of so many bytes together, better transferred with those of other ranks?
bool are_small_pieces(std::uint64_t pieces, std::uint64_t bytes);

/// Are they many small pieces? These are better transferred together with those of other ranks.
bool has_small_pieces(Node& dataset, const BoundSelection& selection);

/// What a rank writes together with the others: many small pieces, or all if the file's method says
/// so. Else nothing.
std::optional<ExtentList> pieces_to_exchange(Node& dataset, const BoundSelection& selection);

/// The file, for all ranks together. @collective
CollectiveFile& collective_file(FileState& file);

/// All ranks write what they want to write together: `pieces` of `packed`, or nothing. @collective
void write_pieces(FileState& file, const std::optional<ExtentList>& pieces,
                  std::span<const std::byte> packed);

}  // namespace onecast
