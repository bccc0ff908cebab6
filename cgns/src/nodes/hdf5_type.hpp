#pragma once

#include "grammar/value_type.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::cgns {

/// The datatype of a value in memory and, little-endian, in the file.
Datatype hdf5_type(ValueType type);

}  // namespace onecast::cgns
