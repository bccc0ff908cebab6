#pragma once

#include <memory>

#include "handles/handle.hpp"
#include "handles/opening.hpp"
#include "library/errors.hpp"

namespace onecast_hdf5 {

/// A copy of the program's list with which the native library opens a file itself.
class NativeAccess {
 public:
  NativeAccess(Library& library, h5::Id access)
      : library_(library), id_(library.call.H5Pcopy(access)) {
    library.call.H5Pset_vol(id_, library.native(), nullptr);
  }
  NativeAccess(const NativeAccess&) = delete;
  NativeAccess& operator=(const NativeAccess&) = delete;
  ~NativeAccess() {
    const ErrorStackKeeper keep(library_);
    library_.call.H5Pclose(id_);
  }
  [[nodiscard]] h5::Id id() const { return id_; }

 private:
  Library& library_;
  h5::Id id_;
};

/// Makes a handle of a file that Onecast has open.
std::unique_ptr<Handle> file_handle_of(const std::shared_ptr<Opening>& opening);

}  // namespace onecast_hdf5
