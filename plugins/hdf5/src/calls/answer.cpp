#include "calls/answer.hpp"

#include <onecast/objects/details.hpp>

#include "values/types.hpp"

namespace onecast_hdf5 {

void refuse_native(Handle& on, const char* call, h5::IdType type, void* native) {
  Library& library = on.library;
  const h5::Functions& functions = library.call;
  const auto close = [&](auto function) {
    function(native, library.native(), library.default_transfer(), nullptr);
  };
  switch (type) {
    case h5::IdType::group:
      close(functions.H5VLgroup_close);
      break;
    case h5::IdType::dataset:
      close(functions.H5VLdataset_close);
      break;
    case h5::IdType::datatype:
      close(functions.H5VLdatatype_close);
      break;
    default:
      close(functions.H5VLattr_close);
      break;
  }
  report_failure(library, call,
                 Failure("H5E_VOL_g", "H5E_UNSUPPORTED_g",
                         "this needs a file that the native library has open: set "
                         "ONECAST_HDF5_WRITING=native"));
}

bool flush_at_close(Handle& on) {
  Opening& opening = *on.opening;
  const bool is_last =
      on.type == h5::IdType::file ? opening.file_handles == 1 : opening.handles == 1;
  if (!is_last || !opening.is_written()) return true;
  try {
    opening.flush();
    return true;
  } catch (...) {
    report_current_exception(on.library, "close");
    return false;
  }
}

NotServed get_type(Handle& on, h5::Id& id) {
  const auto committed = on.attribute ? onecast::committed_type_of(on.object, on.attribute->name())
                                      : onecast::details_of(on.object).committed_type;
  id = committed
           ? register_id(open_token(on, token_of(*committed)).release())
           : type_id(on.library, on.attribute ? on.attribute->datatype() : on.dataset->datatype());
  return id < 0 ? "a type that the library does not decode" : kDone;
}

}  // namespace onecast_hdf5
