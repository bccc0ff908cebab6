#pragma once

#include <cstddef>
#include <string>

namespace onecast {

/// Registers in this process the filters of plug-ins of the HDF5 library, such as those of the
/// Python package hdf5plugin. `path` is a shared library, or a folder whose shared libraries are
/// all loaded. Filters that Onecast has, or that are registered already, are left as they are.
/// Returns the number of filters that were registered.
///
/// - A plug-in that needs the HDF5 library to set itself up for a dataset (Blosc2, ZFP, SZ3, ...)
///   can only decode; the others also encode. One thread at a time runs a plug-in.
/// - Loading a library runs its code, and its decoder sees the bytes of files: load only what you
///   trust. Without this call, Onecast looks for a filter that it does not know in the folders of
///   the environment variable HDF5_PLUGIN_PATH (separated by ':').
///
/// Throws Error: io if the path cannot be read; invalid_argument if a library that was named cannot
/// be loaded or is no plug-in with a filter. In a folder such libraries are skipped. Thread-safe.
/// @independent
std::size_t load_filter_plugins(const std::string& path);

}  // namespace onecast
