#pragma once

#include <onecast/objects/file_options.hpp>

#include "library/library.hpp"

namespace onecast_hdf5 {

/// What follows the name of the connector in HDF5_VOL_CONNECTOR (or H5Pset_vol), as the library
/// keeps it: a text such as "sharing=trust;page_size=1048576".
extern const h5::InfoCalls kInfoCalls;

/// Sets the options that the text of an access list names. If a part of the text is wrong,
/// FileOptions::problem says so.
void set_options_of_text(Library& library, h5::Id access, onecast::FileOptions& options);

}  // namespace onecast_hdf5
