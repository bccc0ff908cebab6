#pragma once

#include "grammar/value_type.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::cgns {

/// How a value of that type lies in memory and, little-endian, in the file.
Datatype hdf5_type(ValueType type);

}  // namespace onecast::cgns
