#pragma once

#include <vector>

#include "onecast/events/component.hpp"

namespace onecast::events::hdf5 {

std::vector<OutputerInfo> hdf5_outputers();
OutputerInfo columnar_outputer();
SourceInfo hdf5_source();

}  // namespace onecast::events::hdf5
