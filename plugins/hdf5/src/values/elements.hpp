#pragma once

#include <functional>

#include "handles/handle.hpp"
#include "values/spaces.hpp"

namespace onecast_hdf5 {

/// The result of a try to serve a call: null if it is done, else why the shadow has to do it.
using NotServed = const char*;
constexpr NotServed kDone = nullptr;

/// Reads elements of a dataset to `out`, as H5Dread does.
NotServed read_dataset(Handle& dataset, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                       void* out);
/// Reads the value of an attribute to `out`, as H5Aread does.
NotServed read_attribute(Handle& attribute, h5::Id type, h5::Id transfer, void* out);

}  // namespace onecast_hdf5
