#pragma once

#include <optional>

namespace onecast::cgns {

/// What cg_configure and its relatives set, for the process.
struct Configuration {
  /// What CG_CONFIG_RESET brings back to its defaults. Files that are open keep what they have.
  struct OnHdf5 {
    std::optional<int> compression;  ///< CG_CONFIG_HDF5_COMPRESS: 0 none, 1..9
    bool in_memory = false;          ///< CG_CONFIG_HDF5_DISKLESS
    bool is_kept = false;            ///< CG_CONFIG_HDF5_DISKLESS_WRITE
  };

  void (*error_handler)(int, char*) = nullptr;
  int file_type = 2;         ///< CG_FILE_HDF5
  int compress = -1;         ///< cg_set_compress
  bool rind_at_core = true;  ///< CG_CONFIG_RIND_CORE: 1 is the first element that is no rind
  /// Takes the value of CG_CONFIG_HDF5_MPI_COMM; null in programs without cgp_ functions.
  void (*take_communicator)(void*) = nullptr;
  OnHdf5 hdf5;

  /// Compression of arrays in files that are opened now: as configured, or as ONECAST_CGNS_COMPRESS
  /// says. Throws Failure.
  [[nodiscard]] int compression() const;
};

/// The version that files get which are opened now: ONECAST_CGNS_VERSION, or one that all libraries
/// since 3.4 open. Throws Failure.
float written_version();

}  // namespace onecast::cgns
