#include "handles/dummies.hpp"

#include <algorithm>
#include <vector>

namespace onecast_hdf5 {

thread_local int Making::depth = 0;

void* Dummies::while_making() {
  static char zeros[1 << 16];
  return zeros;
}

namespace {

/// A list for files in memory.
class InMemory {
 public:
  explicit InMemory(Library& library)
      : call_(library.call), id_(call_.H5Pcreate(library.variable("H5P_CLS_FILE_ACCESS_ID_g"))) {
    constexpr std::size_t kStep = 4096;
    call_.H5Pset_vol(id_, library.native(), nullptr);
    call_.H5Pset_fapl_core(id_, kStep, false);
  }
  InMemory(const InMemory&) = delete;
  InMemory& operator=(const InMemory&) = delete;
  ~InMemory() { call_.H5Pclose(id_); }
  [[nodiscard]] h5::Id id() const { return id_; }

 private:
  const h5::Functions& call_;
  h5::Id id_;
};

/// Opens a copy of a file in memory for reading.
h5::Id opened_copy(Library& library, h5::Id file) {
  const h5::Functions& call = library.call;
  call.H5Fflush(file, 0);
  std::vector<char> image(static_cast<std::size_t>(
      std::max<std::ptrdiff_t>(call.H5Fget_file_image(file, nullptr, 0), 0)));
  call.H5Fget_file_image(file, image.data(), image.size());
  const InMemory access(library);
  call.H5Pset_file_image(access.id(), image.data(), image.size());
  return call.H5Fopen("onecast-in-memory, for reading", 0, access.id());
}

}  // namespace

Dummies::Dummies(Library& on) : library(on) {
  const Making now;
  const h5::Functions& call = library.call;
  file_ = call.H5Fcreate("onecast-in-memory", h5::kTruncate, h5::kDefaultList, InMemory(on).id());
  const h5::Id space = call.H5Screate(h5::SpaceClass::scalar);
  const h5::Id number = library.variable("H5T_NATIVE_INT_g");
  const h5::Id some_group = call.H5Gcreate_anon(file_, h5::kDefaultList, h5::kDefaultList);
  const h5::Id some_dataset =
      call.H5Dcreate_anon(file_, number, space, h5::kDefaultList, h5::kDefaultList);
  const h5::Id some_attribute =
      call.H5Acreate2(file_, "a", number, space, h5::kDefaultList, h5::kDefaultList);
  call.H5Sclose(space);
  group = call.H5VLobject(some_group);
  dataset = call.H5VLobject(some_dataset);
  attribute = call.H5VLobject(some_attribute);
  for_reading_ = opened_copy(library, file_);
}

void* Dummies::take_file() {
  const Making now;
  void* made = nullptr;
  h5::FileSpecific reopen{.op = h5::FileSpecific::reopen, .file = &made};
  library.call.H5VLfile_specific(library.call.H5VLobject(for_reading_), library.native(), &reopen,
                                 library.default_transfer(), nullptr);
  return made;
}

void Dummies::give_back(void* taken) {
  const Making now;
  library.call.H5VLfile_close(taken, library.native(), library.default_transfer(), nullptr);
}

h5::Id Dummies::new_type(h5::Id type) const {
  const Making now;
  const h5::Status status =
      library.call.H5Tcommit_anon(file_, type, h5::kDefaultList, h5::kDefaultList);
  return status < 0 ? h5::kNoId : type;
}

}  // namespace onecast_hdf5
