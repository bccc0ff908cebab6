#include "onecast/objects/file.hpp"

#include <cstdio>
#include <filesystem>

#include "api/lookup.hpp"
#include "session/open_cgns.hpp"
#include "tree/copy.hpp"

using namespace onecast;
using namespace onecast::cgns;

namespace {

void check_file_type(int file_type) {
  if (file_type == CG_FILE_ADF || file_type == CG_FILE_ADF2)
    throw Failure("ADF files are not written: files are HDF5");
  if (file_type != CG_FILE_NONE && file_type != CG_FILE_HDF5)
    throw Failure(std::to_string(file_type) + " is no type of file");
}

/// Writes all nodes of a file to a new file, which replaces `path` when it is complete. The new
/// file is closed last, so that all ranks get the error if it cannot replace `path`. @collective
void write_copy(Tree& from, const std::string& path, Links links) {
  namespace fs = std::filesystem;
  const Communicator& ranks = from.file().communicator();
  const bool is_first = ranks.rank() == 0;
  std::error_code failed;
  fs::path target = fs::weakly_canonical(path, failed);  // a symbolic link stays one
  if (failed) target = path;
  const fs::path beside = target.string() + ".part";
  File to = File::create(beside.string(), ranks, {.locking = FileLocking::best_effort});
  try {
    Tree copy(to, true, {.version_node = VersionNode::plain});
    copy_children(from.root(), copy.root(), links);
    to.flush();
    if (is_first) fs::rename(beside, target, failed);
    if (is_first && failed) throw Failure(path + " cannot be replaced: " + failed.message());
    to.close();
  } catch (const std::exception& error) {
    to.abandon(error.what());
    if (is_first) fs::remove(beside, failed);
    throw;
  }
}

void save(Tree& from, const std::string& path, Links links) {
  File& file = from.file();
  if (file.access() == Access::read_write) {
    std::error_code none;
    if (std::filesystem::equivalent(file.path(), path, none))
      throw Failure("a file that is open for writing cannot be saved as itself");
    file.flush();
  }
  write_copy(from, path, links);
}

}  // namespace

extern "C" {

int cg_is_cgns(const char* filename, int* file_type) {
  return guarded(__func__, [&] {
    *file_type = CG_FILE_NONE;
    const auto answer = [&](const std::string& why) {
      session().note("cg_is_cgns", why);
      return CG_ERROR;
    };
    if (filename == nullptr) return answer("the name of the file is NULL");
    if (is_adf(filename)) {
      *file_type = CG_FILE_ADF;
      return CG_OK;
    }
    try {
      File file = File::open(filename, Access::read_only, {.locking = FileLocking::best_effort});
      const bool is_cgns = file.root().contains("CGNSLibraryVersion");
      file.close();
      *file_type = CG_FILE_HDF5;
      if (!is_cgns) return answer(std::string(filename) + ": HDF5 without CGNSLibraryVersion");
    } catch (const Error& error) {
      return answer(error.what());
    }
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

int cg_save_as(int fn, const char* filename, int file_type, int follow_links) {
  return guarded(__func__, [&] {
    OpenFile& file = opened(fn);
    check_file_type(file_type);
    if (filename == nullptr || *filename == '\0') throw Failure("the name of the file is empty");
    save(*file.tree, filename, follow_links != 0 ? Links::expanded : Links::kept);
  });
}

int cg_set_file_type(int file_type) {
  return guarded(__func__, [&] {
    check_file_type(file_type);
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
  // cgio uses the same numbers for files.
  return guarded(__func__, [&] { *cgio_num = opened(fn).number; });
}

}  // extern "C"
