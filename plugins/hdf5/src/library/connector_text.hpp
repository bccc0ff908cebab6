#pragma once

#include <onecast/objects/file_options.hpp>

#include "library/library.hpp"

namespace onecast_hdf5 {

/// The text behind the name of the connector in HDF5_VOL_CONNECTOR (or H5Pset_vol), as the library
/// keeps it: a text such as "sharing=trust;page_size=1048576".
extern const h5::InfoCalls kInfoCalls;

/// What the user asks for: by the text of an access list, or by the environment.
struct Asked {
  onecast::FileOptions options{};
  /// True if files that are created or opened for writing are served, too.
  bool serves_writing = true;
};

/// Sets what the user asks for. If a part of it is wrong, FileOptions::problem says so.
void set_asked(Library& library, h5::Id access, Asked& asked);

}  // namespace onecast_hdf5
