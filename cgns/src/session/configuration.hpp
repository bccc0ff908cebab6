#pragma once

namespace onecast::cgns {

/// What cg_configure and its relatives set, for the process.
struct Configuration {
  void (*error_handler)(int, char*) = nullptr;
  int file_type = 2;          ///< CG_FILE_HDF5
  int compress = -1;          ///< cg_set_compress
  bool rind_at_core = true;   ///< CG_CONFIG_RIND_CORE: 1 is the first element that is no rind
  int compression_level = 0;  ///< CG_CONFIG_HDF5_COMPRESS, for arrays that ranks write
};

}  // namespace onecast::cgns
