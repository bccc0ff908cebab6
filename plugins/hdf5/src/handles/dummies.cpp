#include "handles/dummies.hpp"

namespace onecast_hdf5 {

thread_local int Making::depth = 0;

void* Dummies::while_making() {
  static char zeros[1 << 16];
  return zeros;
}

Dummies::Dummies(Library& on) : library(on) {
  const Making now;
  const h5::Functions& call = library.call;
  const h5::Id access = call.H5Pcreate(library.variable("H5P_CLS_FILE_ACCESS_ID_g"));
  call.H5Pset_vol(access, library.native(), nullptr);
  call.H5Pset_fapl_core(access, 4096, false);
  file = call.H5Fcreate("onecast-in-memory", h5::kTruncate, h5::kDefaultList, access);
  call.H5Pclose(access);
  const h5::Id space = call.H5Screate(h5::SpaceClass::scalar);
  const h5::Id number = library.variable("H5T_NATIVE_INT_g");
  const h5::Id some_group = call.H5Gcreate_anon(file, h5::kDefaultList, h5::kDefaultList);
  const h5::Id some_dataset =
      call.H5Dcreate_anon(file, number, space, h5::kDefaultList, h5::kDefaultList);
  const h5::Id some_attribute =
      call.H5Acreate2(file, "a", number, space, h5::kDefaultList, h5::kDefaultList);
  call.H5Sclose(space);
  group = call.H5VLobject(some_group);
  dataset = call.H5VLobject(some_dataset);
  attribute = call.H5VLobject(some_attribute);
}

void* Dummies::take_file() {
  if (!unused_.empty()) {
    void* const taken = unused_.back();
    unused_.pop_back();
    return taken;
  }
  const Making now;
  void* made = nullptr;
  h5::FileSpecific reopen{.op = h5::FileSpecific::reopen, .file = &made};
  library.call.H5VLfile_specific(library.call.H5VLobject(file), library.native(), &reopen,
                                 library.default_transfer(), nullptr);
  return made;
}

void Dummies::give_back(void* taken) {
  if (taken != nullptr) unused_.push_back(taken);
}

h5::Id Dummies::new_type(h5::Id type) const {
  const Making now;
  const h5::Status status =
      library.call.H5Tcommit_anon(file, type, h5::kDefaultList, h5::kDefaultList);
  return status < 0 ? h5::kNoId : type;
}

}  // namespace onecast_hdf5
