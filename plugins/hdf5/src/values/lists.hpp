#pragma once

#include "handles/handle.hpp"

namespace onecast_hdf5 {

/// Make the creation lists of objects that Onecast serves. -1: a property that only the native
/// library can tell.
h5::Id file_creation_list(const Handle& object);
h5::Id dataset_creation_list(const Handle& dataset);
h5::Id group_creation_list(const Handle& group);
h5::Id type_creation_list(const Handle& type);
h5::Id attribute_creation_list(const Handle& attribute);

/// Makes the access list of a dataset, in which the cache of chunks is that of the file unless the
/// program chose another one.
h5::Id dataset_access_list(const Handle& dataset);

}  // namespace onecast_hdf5
