#pragma once

#include "values/elements.hpp"

namespace onecast_hdf5 {

/// The calls about the storage of a dataset that only native files have: its chunks, its place.
const char* name_of_chunk_call(int op);
/// True if an operation changes the dataset.
bool changes_chunks(int op);
/// @param status what a function of the program returned
NotServed serve_chunk_call(Handle& dataset, h5::Optional& args, h5::Status& status);

}  // namespace onecast_hdf5
