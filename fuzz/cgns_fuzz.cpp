// Whole CGNS files: opened, walked and read; opened to be modified, in memory, and closed.
#include "fuzz/input.hpp"
#include "support/memory_path.hpp"
#include "support/walk_cgns.hpp"

FUZZ_TARGET(bytes) {
  static onecast::test::MemoryPath file;
  const std::string& path = file.write(bytes);
  cg_configure(CG_CONFIG_HDF5_DISKLESS, reinterpret_cast<void*>(1));
  for (const int mode : {CG_MODE_READ, CG_MODE_MODIFY}) onecast::test::WalkCgns().run(path, mode);
}
