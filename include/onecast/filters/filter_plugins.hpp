#pragma once

#include <cstddef>
#include <string>

namespace onecast {

/// Registers the filters of plug-ins of the HDF5 library, such as those of the Python package
/// hdf5plugin, in this process: of a shared library, or of all shared libraries of a folder.
/// Filters that Onecast has, or that are registered, are left as they are. Returns how many were
/// registered.
///
/// - A plug-in that needs the HDF5 library to set itself up for a dataset (Blosc2, ZFP, SZ3, ...)
///   reads; the others read and write. One thread at a time runs a plug-in.
/// - Loading a library runs its code, and its decoder sees the bytes of files: load only what you
///   trust. Without this call Onecast looks where the environment variable HDF5_PLUGIN_PATH says
///   (folders, with ':' between them), when it meets a filter that it does not know.
///
/// Throws Error: io if the path cannot be read; invalid_argument if a library that was named cannot
/// be loaded or is no plug-in with a filter. In a folder such libraries are skipped. Thread-safe.
/// @independent
std::size_t load_filter_plugins(const std::string& path);

}  // namespace onecast
