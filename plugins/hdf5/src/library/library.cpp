#include "library/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>

#include "handles/dummies.hpp"

namespace onecast_hdf5 {
namespace {

std::mutex mutex;
std::array<Library, Library::kMost>& libraries() {
  // Never destroyed: libraries may call the plug-in until the process ends.
  static auto* const kAll = new std::array<Library, Library::kMost>();
  return *kAll;
}

template <class Function>
bool take(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

void refuse(const char* path, const char* reason) {
  std::fprintf(stderr, "onecast: %s is not served: %s\n", path, reason);
}

}  // namespace

Library* Library::of_path(const char* path) {
  const std::scoped_lock lock(mutex);
  for (std::size_t slot = 0; slot < kMost; ++slot) {
    Library& library = libraries()[slot];
    if (library.path_ == path) return &library;
    if (!library.path_.empty()) continue;
    void* handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    // A libhdf5 that is a part of the program itself.
    if (handle == nullptr) handle = dlopen(nullptr, RTLD_LAZY);
    if (!library.take_functions(handle)) {
      refuse(path, "it hides functions of HDF5, or is older than 1.14");
      return nullptr;
    }
    library.take_parallel_functions(handle);
    library.slot_ = slot;
    library.handle_ = handle;
    library.path_ = path;
    return &library;
  }
  refuse(path, "too many HDF5 libraries in one process");
  return nullptr;
}

bool Library::take_functions(void* library) {
  bool all = true;
#define ONECAST_HDF5_TAKE(name, ...) all = take(library, #name, call.name) && all;
  ONECAST_HDF5_FUNCTIONS(ONECAST_HDF5_TAKE)
#undef ONECAST_HDF5_TAKE
  if (!take(library, "H5Tdecode2", call.decode_sized))
    all = (take(library, "H5Tdecode", call.decode) || take(library, "H5Tdecode1", call.decode)) &&
          all;
  return all && call.H5get_libversion(&version_[0], &version_[1], &version_[2]) >= 0 &&
         is_at_least(1, 14);
}

void Library::take_parallel_functions(void* library) {
  h5::ParallelFunctions found;
  if (take(library, "H5Pget_fapl_mpio", found.H5Pget_fapl_mpio) &&
      take(library, "H5Pget_dxpl_mpio", found.H5Pget_dxpl_mpio) &&
      take(library, "H5Pset_dxpl_mpio", found.H5Pset_dxpl_mpio) &&
      take(library, "MPI_Comm_free", found.MPI_Comm_free) &&
      take(library, "MPI_Info_free", found.MPI_Info_free))
    parallel = found;
}

bool Library::is_at_least(unsigned major, unsigned minor) const {
  return version_[0] > major || (version_[0] == major && version_[1] >= minor);
}

h5::Id Library::variable(const char* name) const {
  const auto value = [&](void* where) {
    const auto* const found = static_cast<const h5::Id*>(dlsym(where, name));
    return found == nullptr ? h5::kNoId : *found;
  };
  const h5::Id own = value(handle_);
  // If a program uses the variable, the linker may have put it into the program: the one in the
  // library is then never set.
  return own >= 0 ? own : value(RTLD_DEFAULT);
}

bool Library::has(h5::AnyFunction function) {
  if (std::ranges::find(functions_, function) != functions_.end()) return true;
  Dl_info place{};
  Dl_info own{};
  const bool is_own = dladdr(reinterpret_cast<const void*>(function), &place) != 0 &&
                      dladdr(reinterpret_cast<const void*>(call.H5Tfind), &own) != 0 &&
                      place.dli_fbase == own.dli_fbase;
  if (is_own) functions_.push_back(function);
  return is_own;
}

h5::Id Library::connector() {
  if (connector_ < 0) connector_ = call.H5VLget_connector_id_by_name("onecast");
  return connector_;
}

h5::Status Library::begin() {
  ++start_;
  native_ = call.H5VLget_connector_id_by_name("native");
  const h5::Id list = call.H5Pcreate(variable("H5P_CLS_FILE_ACCESS_ID_g"));
  if (native_ < 0 || list < 0 || call.H5Pset_fapl_sec2(list) < 0) return -1;
  plain_driver_ = call.H5Pget_driver(list);
  call.H5Pclose(list);
  default_transfer_ = variable("H5P_LST_DATASET_XFER_ID_g");
  default_link_access_ = variable("H5P_LST_LINK_ACCESS_ID_g");
  default_dataset_access_ = variable("H5P_LST_DATASET_ACCESS_ID_g");
  return 0;
}

h5::Status Library::end() {
  // The ids end with the library.
  connector_ = h5::kNoId;
  native_class_ = nullptr;
  dummies_.reset();
  return 0;
}

bool Library::is_ending() const {
  bool is_ending = false;
  return call.H5is_library_terminating(&is_ending) >= 0 && is_ending;
}

const h5::ConnectorClass* Library::native_class(void* object) {
  if (native_class_ == nullptr)
    call.H5VLintrospect_get_conn_cls(object, native_, h5::ClassLevel::terminal, &native_class_);
  return native_class_;
}

void Library::give_back_file(void* file) {
  if (dummies_) dummies_->give_back(file);
}

Dummies& Library::dummies() {
  if (!dummies_) dummies_ = std::make_shared<Dummies>(*this);
  return *dummies_;
}

}  // namespace onecast_hdf5
