#pragma once

#include <functional>

#include "handles/handle.hpp"
#include "values/spaces.hpp"

namespace onecast_hdf5 {

/// The result of a try to serve a call: null if it is done, else why the shadow has to do it.
using NotServed = const char*;
constexpr NotServed kDone = nullptr;

/// Why Onecast cannot follow a transfer property list; kDone if it can.
NotServed cannot_follow(Library& library, h5::Id transfer);

/// Why the native library has to read the sources of a virtual dataset: it may have changed them;
/// kDone for other datasets.
NotServed cannot_see_sources(const Handle& on);

/// A read of elements of a dataset to `out`, as H5Dread does it.
struct DatasetRead {
  Handle& on;
  h5::Id type;
  h5::Id memory;
  h5::Id part;
  h5::Id transfer;
  void* out;
};
NotServed read_dataset(const DatasetRead& read);
/// Reads on all ranks of the file together. A rank for which Onecast cannot do it has `native` read
/// its elements, and takes part all the same; `reason` then says why. Throws an error of any rank
/// on all ranks.
/// @param native returns the status of the native library's read, without other ranks @collective
h5::Status read_together(const DatasetRead& read, const std::function<h5::Status()>& native,
                         NotServed& reason);
/// Writes elements of a dataset from `in`, as H5Dwrite does.
NotServed write_dataset(Handle& dataset, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                        const void* in);
/// A write of elements of a dataset from `in` on all ranks of the file together. Throws an error of
/// any rank on all ranks. @collective
void write_together(Handle& dataset, h5::Id type, h5::Id memory, h5::Id part, h5::Id transfer,
                    const void* in);
/// Writes the value of an attribute from `in`, as H5Awrite does.
NotServed write_attribute(Handle& attribute, h5::Id type, h5::Id transfer, const void* in);
/// Reads the value of an attribute to `out`, as H5Aread does.
NotServed read_attribute(Handle& attribute, h5::Id type, h5::Id transfer, void* out);

}  // namespace onecast_hdf5
