#include "onecast/objects/file.hpp"

#include <cstdio>

#include "api/lookup.hpp"
#include "session/open_cgns.hpp"

using namespace onecast;
using namespace onecast::cgns;

extern "C" {

int cg_is_cgns(const char* filename, int* file_type) {
  return guarded(__func__, [&] {
    *file_type = CG_FILE_NONE;
    if (filename != nullptr && is_adf(filename)) {
      *file_type = CG_FILE_ADF;
      return CG_OK;
    }
    if (filename == nullptr) return CG_ERROR;
    File file = File::open(filename, Access::read_only, {.locking = FileLocking::best_effort});
    const bool is_cgns = file.root().contains("CGNSLibraryVersion");
    file.close();
    if (!is_cgns) return CG_ERROR;
    *file_type = CG_FILE_HDF5;
    return CG_OK;
  });
}

int cg_open(const char* filename, int mode, int* fn) {
  return guarded(__func__, [&] { *fn = open_cgns(filename, mode).number; });
}

int cg_version(int fn, float* FileVersion) {
  return guarded(__func__, [&] { *FileVersion = opened(fn).tree->version(); });
}

int cg_precision(int fn, int* precision) {
  return guarded(__func__, [&] {
    *precision = 0;
    for (Node* base : opened(fn).root().children(Label::CGNSBase)) {
      const auto& zones = base->children(Label::Zone);
      if (zones.empty()) continue;
      *precision = zones.front()->type() == ValueType::I8 ? 64 : 32;
      return;
    }
  });
}

int cg_close(int fn) {
  return guarded(__func__, [&] { session().close(opened(fn)); });
}

int cg_set_file_type(int file_type) {
  return guarded(__func__, [&] {
    if (file_type == CG_FILE_ADF || file_type == CG_FILE_ADF2)
      throw Failure("ADF files are not written: files are HDF5");
    if (file_type != CG_FILE_NONE && file_type != CG_FILE_HDF5)
      throw Failure(std::to_string(file_type) + " is no type of file");
    session().configuration.file_type = CG_FILE_HDF5;
  });
}

int cg_get_file_type(int fn, int* file_type) {
  return guarded(__func__, [&] {
    opened(fn);
    *file_type = CG_FILE_HDF5;
  });
}

int cg_root_id(int fn, double* rootid) {
  return guarded(__func__, [&] { *rootid = session().ids.id_of(opened(fn).root()); });
}

int cg_get_cgio(int fn, int* cgio_num) {
  // The numbers of cgio are those of the files.
  return guarded(__func__, [&] { *cgio_num = opened(fn).number; });
}

}  // extern "C"
