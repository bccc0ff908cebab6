#pragma once

#include <optional>

namespace onecast::cgns {

/// The settings of cg_configure and similar functions, for the process.
struct Configuration {
  /// The settings that CG_CONFIG_RESET resets to their defaults. Open files keep theirs.
  struct OnHdf5 {
    std::optional<int> compression;  ///< CG_CONFIG_HDF5_COMPRESS: 0 none, 1..9
    bool in_memory = false;          ///< CG_CONFIG_HDF5_DISKLESS
    bool is_kept = false;            ///< CG_CONFIG_HDF5_DISKLESS_WRITE
  };

  void (*error_handler)(int, char*) = nullptr;
  int file_type = 2;         ///< CG_FILE_HDF5
  int compress = -1;         ///< cg_set_compress
  bool rind_at_core = true;  ///< CG_CONFIG_RIND_CORE: index 1 is the first element of the core
  /// Sets the communicator of CG_CONFIG_HDF5_MPI_COMM, of the MPI that `library` uses; null in
  /// programs without cgp_ functions.
  void (*take_communicator)(const void* communicator, const void* library) = nullptr;
  OnHdf5 hdf5;

  /// The compression of arrays in files that are opened now: the configured one, or that of
  /// ONECAST_CGNS_COMPRESS. Throws Failure.
  [[nodiscard]] int compression() const;
};

/// The version of files that are created now: ONECAST_CGNS_VERSION, or one that all libraries since
/// 3.4 can open. Throws Failure.
float written_version();

}  // namespace onecast::cgns
