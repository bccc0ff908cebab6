#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "api/lookup.hpp"

using namespace onecast::cgns;

namespace {

int number_in(void* value) { return static_cast<int>(reinterpret_cast<std::intptr_t>(value)); }

int compression_level(void* value) {
  const int level = number_in(value);
  if (level < 0 || level > 9)
    throw failure("the compression ", level, " is not 0 (none) to 9 (smallest)");
  return level;
}

void take_communicator(const void* communicator, const void* caller) {
  const auto take = session().configuration.take_communicator;
  if (take == nullptr) throw Failure("this library was built without MPI");
  if (communicator == nullptr) throw Failure("the communicator is NULL");
  take(communicator, caller);
}

void reset(void* what) {
  if (number_in(what) != CG_CONFIG_RESET_HDF5)
    throw Failure("CG_CONFIG_RESET takes CG_CONFIG_RESET_HDF5");
  session().configuration.hdf5 = {};
}

}  // namespace

extern "C" {

int cg_configure(int what, void* value) {
  const void* const caller = __builtin_return_address(0);
  return guarded(__func__, [&] {
    Configuration& configuration = session().configuration;
    switch (what) {
      case CG_CONFIG_ERROR:
        configuration.error_handler = reinterpret_cast<void (*)(int, char*)>(value);
        return;
      case CG_CONFIG_COMPRESS:
        configuration.compress = number_in(value);
        return;
      case CG_CONFIG_SET_PATH:
      case CG_CONFIG_ADD_PATH:
        return;  // HDF5 looks in the folder of the file that has the link
      case CG_CONFIG_FILE_TYPE:
        if (cg_set_file_type(number_in(value)) != CG_OK) throw Failure("no such type of file");
        return;
      case CG_CONFIG_RIND_INDEX:
        if (value != CG_CONFIG_RIND_ZERO && value != CG_CONFIG_RIND_CORE)
          throw Failure("CG_CONFIG_RIND_INDEX takes CG_CONFIG_RIND_ZERO or CG_CONFIG_RIND_CORE");
        configuration.rind_at_core = value == CG_CONFIG_RIND_CORE;
        return;
      case CG_CONFIG_HDF5_COMPRESS:
        configuration.hdf5.compression = compression_level(value);
        return;
      case CG_CONFIG_HDF5_MPI_COMM:
        take_communicator(value, caller);
        return;
      case CG_CONFIG_HDF5_DISKLESS:
        configuration.hdf5.in_memory = number_in(value) != 0;
        return;
      case CG_CONFIG_HDF5_DISKLESS_WRITE:
        configuration.hdf5.is_kept = number_in(value) != 0;
        return;
      case CG_CONFIG_HDF5_DISKLESS_INCR:
      case CG_CONFIG_HDF5_ALIGNMENT:
      case CG_CONFIG_HDF5_MD_BLOCK_SIZE:
      case CG_CONFIG_HDF5_BUFFER:
      case CG_CONFIG_HDF5_SIEVE_BUF_SIZE:
      case CG_CONFIG_HDF5_ELINK_CACHE_SIZE:
        return;  // tunes the HDF5 library, which is not used
      case CG_CONFIG_RESET:
        reset(value);
        return;
      default:
        throw Failure(std::to_string(what) + " is nothing that can be configured");
    }
  });
}

int cg_error_handler(void (*handler)(int is_error, char* message)) {
  session().configuration.error_handler = handler;
  return CG_OK;
}

int cg_set_compress(int compress) {
  session().configuration.compress = compress;
  return CG_OK;
}

int cg_get_compress(int* compress) {
  return guarded(__func__, [&] { *compress = session().configuration.compress; });
}

int cg_set_path(const char* /*path*/) { return CG_OK; }
int cg_add_path(const char* path) {
  return guarded(__func__, [&] {
    if (path == nullptr || *path == '\0') throw Failure("the path is empty");
  });
}

int cg_free(void* data) {
  if (data == nullptr) return CG_ERROR;
  std::free(data);
  return CG_OK;
}

const char* cg_get_error() { return session().error(); }

void cgi_error(const char* format, ...) {
  std::array<char, 1024> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  session().fail(text.data());
}

void cg_error_print() { std::fprintf(stderr, "%s\n", session().error()); }

void cg_error_exit() {
  Configuration& configuration = session().configuration;
  std::string text = session().error();
  if (configuration.error_handler != nullptr)
    configuration.error_handler(-1, text.data());
  else
    cg_error_print();
  std::exit(1);
}

const char* cg_get_name(int nnames, const char** names, int type) {
  return type < 0 || type >= nnames ? "<invalid>" : names[type];
}

}  // extern "C"
