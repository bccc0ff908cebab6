#pragma once

#include <onecast/objects/file_options.hpp>

#include "library/library.hpp"

namespace onecast_hdf5 {

/// Why the native library has to create a file with these lists; null: Onecast can, with the same
/// properties.
const char* cannot_create(Library& library, h5::Id creation, h5::Id access);
/// Why the native library has to open a file with this list for writing; null: Onecast can.
const char* cannot_write(Library& library, h5::Id access);

/// Sets the options that follow from the lists with which a program creates a file.
void set_creation_options(Library& library, h5::Id creation, h5::Id access,
                          onecast::FileOptions& options);
/// Sets the options that follow from the list with which a program creates a file or opens it for
/// writing.
void set_writing_options(Library& library, h5::Id access, onecast::FileOptions& options);

}  // namespace onecast_hdf5
