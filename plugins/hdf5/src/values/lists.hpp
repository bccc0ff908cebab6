#pragma once

#include "handles/handle.hpp"

namespace onecast_hdf5 {

/// Make the creation lists of objects that Onecast serves. -1: a property that only the native
/// library can tell.
h5::Id dataset_creation_list(const Handle& dataset);
h5::Id group_creation_list(const Handle& group);
h5::Id type_creation_list(const Handle& type);
h5::Id attribute_creation_list(const Handle& attribute);

}  // namespace onecast_hdf5
