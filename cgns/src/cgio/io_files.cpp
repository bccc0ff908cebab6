#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include "cgio/cgio_guard.hpp"
#include "cgnslib.h"
#include "session/open_cgns.hpp"
#include "tree/copy.hpp"

using namespace onecast::cgns;
using namespace onecast::cgns::cgio;

namespace {

/// Converts CGIO_MODE_READ and so on, or a letter.
int mode_of(int mode) {
  switch (mode) {
    case CGIO_MODE_READ:
    case 'r':
    case 'R':
      return CG_MODE_READ;
    case CGIO_MODE_WRITE:
    case 'w':
    case 'W':
      return CG_MODE_WRITE;
    case CGIO_MODE_MODIFY:
    case 'm':
    case 'M':
      return CG_MODE_MODIFY;
    default:
      throw Failure(words("the mode ", mode, " is not 0, 1, 2 or 'r', 'w', 'm'"),
                    CGIO_ERR_FILE_MODE);
  }
}

/// Returns the type of a file, from its first bytes.
int type_of_file(const char* path) {
  if (path == nullptr || *path == '\0')
    throw Failure("the name of the file is empty", CGIO_ERR_NULL_FILE);
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> start{};
  if (!file.read(start.data(), start.size()) && !file.eof())
    throw Failure("the file cannot be read: " + std::string(path), CGIO_ERR_FILE_OPEN);
  if (std::string_view(start.data(), start.size()) == kSignature) return CGIO_FILE_HDF5;
  return is_adf(path) ? CGIO_FILE_ADF : CGIO_FILE_NONE;
}

/// Throws Failure unless a file of this type can be opened.
void require_type(const char* path, int mode, int file_type) {
  if (file_type < CGIO_FILE_NONE || file_type > CGIO_FILE_ADF2)
    throw Failure(std::to_string(file_type) + " is no type of file", CGIO_ERR_FILE_TYPE);
  if (mode == CG_MODE_WRITE) {
    if (file_type == CGIO_FILE_ADF || file_type == CGIO_FILE_ADF2)
      throw Failure("ADF files are not written: files are HDF5", CGIO_ERR_FILE_TYPE);
  } else if (type_of_file(path) == CGIO_FILE_NONE) {
    throw Failure("the file is neither HDF5 nor ADF: " + std::string(path), CGIO_ERR_FILE_TYPE);
  }
}

OpenFile& open(const char* path, int mode) {
  return open_cgns(path, mode, nullptr, {}, VersionNode::plain);
}

template <class Size>
void check_dimensions(int ndims, const Size* dims) {
  if (ndims != 0) check_dimension_count(ndims, CGIO_ERR_DIMENSIONS);
  for (int i = 0; i < ndims; ++i)
    if (given(dims, "dims")[i] > std::numeric_limits<cgsize_t>::max())
      throw Failure("a dimension does not fit cgsize_t: " + std::to_string(dims[i]),
                    CGIO_ERR_DIMENSIONS);
}

}  // namespace

extern "C" {

int cgio_is_supported(int file_type) {
  return numbered([&] {
    if (file_type != CGIO_FILE_HDF5)
      throw Failure(words("files of type ", file_type, " are not supported"), CGIO_ERR_FILE_TYPE);
  });
}

int cgio_configure(int what, void* value) {
  return numbered([&] {
    // Only these options concern files.
    if (what < CG_CONFIG_HDF5_COMPRESS || what > CG_CONFIG_RESET || cg_configure(what, value) != 0)
      throw Failure(std::to_string(what) + " is nothing that can be configured",
                    CGIO_ERR_BAD_OPTION);
  });
}

void cgio_cleanup() {
  static_cast<void>(cgio_path_delete(nullptr));
  static_cast<void>(numbered([] { session().close_all(); }));
}

int cgio_check_file(const char* filename, int* file_type) {
  return numbered([&] {
    *given(file_type, "file_type") = type_of_file(filename);
    if (*file_type == CGIO_FILE_NONE)
      throw Failure("the file is neither HDF5 nor ADF: " + std::string(filename),
                    CGIO_ERR_FILE_TYPE);
  });
}

int cgio_compute_data_size(const char* data_type, int num_dims, const cgsize_t* dim_vals,
                           cglong_t* count) {
  return numbered([&]() -> int {
    *given(count, "count") = num_dims > 0 ? 1 : 0;
    for (int i = 0; i < num_dims; ++i) *count *= given(dim_vals, "dim_vals")[i];
    try {
      return static_cast<int>(size_of(value_type_of(given(data_type, "data_type"))));
    } catch (const Failure&) {
      return 0;  // no type of the library has this size
    }
  });
}

int cgio_check_dimensions(int ndims, const cglong_t* dims) {
  return numbered([&] { check_dimensions(ndims, dims); });
}

int cgio_copy_dimensions(int ndims, const cglong_t* dims64, cgsize_t* dims) {
  return numbered([&] {
    check_dimensions(ndims, dims64);
    for (int i = 0; i < ndims; ++i) given(dims, "dims")[i] = static_cast<cgsize_t>(dims64[i]);
  });
}

int cgio_open_file(const char* filename, int file_mode, int file_type, int* cgio_num) {
  return numbered([&] {
    const int mode = mode_of(file_mode);
    if (filename == nullptr || *filename == '\0')
      throw Failure("the name of the file is empty", CGIO_ERR_NULL_FILE);
    require_type(filename, mode, file_type);
    *given(cgio_num, "cgio_num") = open(filename, mode).number;
  });
}

int cgio_close_file(int cgio_num) {
  return numbered([&] { session().close(file_of(cgio_num)); });
}

int cgio_compress_file(int cgio_num, const char* filename) {
  return numbered([&] {
    namespace fs = std::filesystem;
    OpenFile& file = file_of(cgio_num);
    if (filename == nullptr || *filename == '\0')
      throw Failure("the name of the file is empty", CGIO_ERR_NULL_FILE);
    const std::string target = filename;
    const std::string fresh = target + ".new";
    OpenFile& copy = open(fresh.c_str(), CG_MODE_WRITE);
    try {
      copy_children(file.root(), copy.root(), Links::kept);
      copy.tree->file().flush();
    } catch (...) {
      session().abandon(copy, "it could not be written");
      fs::remove(fresh);
      throw;
    }
    session().close(copy);
    session().close(file);
    std::error_code failed;
    fs::rename(fresh, target, failed);
    if (failed)
      throw Failure(fresh + " cannot become " + target + ": " + failed.message(),
                    CGIO_ERR_FILE_RENAME);
  });
}

int cgio_copy_file(int cgio_num_inp, int cgio_num_out, int follow_links) {
  return numbered([&] {
    OpenFile& from = file_of(cgio_num_inp);
    OpenFile& to = writable_file_of(cgio_num_out);
    if (&from == &to) throw Failure("a file cannot be copied into itself", CGIO_ERR_BAD_CGIO);
    copy_children(from.root(), to.root(), follow_links != 0 ? Links::expanded : Links::kept);
  });
}

int cgio_flush_to_disk(int cgio_num) {
  return numbered([&] { writable_file_of(cgio_num).tree->file().flush(); });
}

int cgio_library_version(int cgio_num, char* version) {
  return numbered([&] {
    file_of(cgio_num);
    give("Onecast " ONECAST_VERSION, version);
  });
}

int cgio_file_version(int cgio_num, char* file_version, char* creation_date, char* modified_date) {
  return numbered([&] {
    give(hdf5_version_of(file_of(cgio_num).root().group()), file_version);
    give("", creation_date);
    give("", modified_date);
  });
}

int cgio_get_root_id(int cgio_num, double* rootid) {
  return numbered(
      [&] { *given(rootid, "rootid") = session().ids.id_of(file_of(cgio_num).root()); });
}

int cgio_get_file_type(int cgio_num, int* file_type) {
  return numbered([&] {
    file_of(cgio_num);
    *given(file_type, "file_type") = CGIO_FILE_HDF5;
  });
}

}  // extern "C"
