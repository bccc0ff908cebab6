#pragma once

#include "handles/handle.hpp"

/// The objects for which the program's creation lists ask.
namespace onecast_hdf5 {

/// Returns the options of a new group.
/// @param on an object of the file
onecast::GroupOptions group_options_of(const Handle& on, h5::Id creation);

/// A dataset to be created, with the values of variable length for which its fill value stands.
struct NewDataset {
  onecast::DatasetDescription description;
  onecast::NewValues values{};
};
/// Returns the dataset that a program wants to create. Throws Failure if Onecast cannot create it.
NewDataset dataset_of(const Handle& on, h5::Id type, h5::Id space, h5::Id creation);

/// True if Onecast can write chunks with a filter.
bool encodes(int filter);

}  // namespace onecast_hdf5
