#pragma once

// The C++ API of Onecast. To open a file on an MPI communicator, include onecast/comm/mpi.hpp, too.

#include "onecast/base/language.hpp"

#ifdef ONECAST_HAS_LANGUAGE
#include "onecast/base/error.hpp"
#include "onecast/check/check.hpp"
#include "onecast/comm/communicator.hpp"
#include "onecast/comm/point_to_point.hpp"
#include "onecast/device/wait_for_stream.hpp"
#include "onecast/filters/filter.hpp"
#include "onecast/filters/filter_plugins.hpp"
#include "onecast/filters/known_filters.hpp"
#include "onecast/filters/register_filter.hpp"
#include "onecast/objects/details.hpp"
#include "onecast/objects/dimension_scales.hpp"
#include "onecast/objects/file.hpp"
#include "onecast/objects/forecast.hpp"
#include "onecast/objects/gathered_write.hpp"
#include "onecast/objects/multi.hpp"
#include "onecast/objects/stored_chunks.hpp"
#include "onecast/objects/structure_sizes.hpp"
#include "onecast/objects/variable_values.hpp"
#include "onecast/transport/random_access_file.hpp"
#include "onecast/types/convert.hpp"
#include "onecast/types/encode.hpp"
#endif
