#pragma once

#include <onecast/objects/dataset.hpp>
#include <onecast/space/selection.hpp>
#include <optional>

#include "library/library.hpp"

namespace onecast_hdf5 {

h5::Id space_id(Library& library, const onecast::Dataspace& space);
/// Returns the extents of an id's dataspace, and their limits.
onecast::Dataspace dataspace_of(Library& library, h5::Id space);
/// Returns the extents of an id's dataspace; empty for a scalar and a null dataspace.
onecast::Shape shape_of(Library& library, h5::Id space);
/// Returns the elements that are selected in an id's dataspace, as a selection of an array of its
/// extents; nothing if the plug-in does not know such a selection.
/// @param rank the number of its extents
/// @param count the number of selected elements, as the library counts them
std::optional<onecast::Selection> selection_of(Library& library, h5::Id space, std::size_t rank,
                                               std::uint64_t count);

/// Does what selection_of() does, for a side of a mapping of a virtual dataset, which may be
/// unlimited.
std::optional<onecast::Selection> mapped_selection_of(Library& library, h5::Id space);

/// The two sides of a transfer, as the native library understands them.
struct Sides {
  onecast::Selection part{};                      ///< of the dataset
  std::optional<onecast::MemoryLayout> memory{};  ///< absent: one after the other
  std::uint64_t count = 0;                        ///< elements
  std::uint64_t memory_elements = 0;              ///< elements of the whole memory
  h5::Id memory_space = h5::kAllElements;         ///< the selection in memory, if not packed
};
/// Returns nothing if the sides do not fit, or if only the native library knows them; it then does
/// the transfer, or says what is wrong.
std::optional<Sides> sides_of(Library& library, const onecast::Dataspace& stored, h5::Id memory,
                              h5::Id part);

/// How much of a dataset has a place in the file.
h5::SpaceStatus space_status(const onecast::Dataset& dataset);

}  // namespace onecast_hdf5
