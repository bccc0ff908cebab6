#pragma once

#include <optional>
#include <span>

#include "collective/extent_list.hpp"
#include "objects/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

/// What a rank wants of contiguous storage, if it is many small pieces: these are better written
/// together with those of the other ranks. Nothing if it is better off alone, or cannot be
/// described so. Throws Error as write_contiguous does. Does not communicate.
std::optional<ExtentList> small_pieces(Node& dataset, const BoundSelection& selection);

/// All ranks write what they want to write together: `pieces` of `packed`, or nothing. @collective
void write_small_pieces(FileState& file, const std::optional<ExtentList>& pieces,
                        std::span<const std::byte> packed);

}  // namespace onecast
