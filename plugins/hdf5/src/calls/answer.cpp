#include "calls/answer.hpp"

#include <onecast/objects/details.hpp>

#include "values/types.hpp"

namespace onecast_hdf5 {

NotServed get_type(Handle& on, h5::Id& id) {
  const auto committed = on.attribute ? onecast::committed_type_of(on.object, on.attribute->name())
                                      : onecast::details_of(on.object).committed_type;
  id = committed
           ? register_id(open_token(on, token_of(*committed)).release())
           : type_id(on.library, on.attribute ? on.attribute->datatype() : on.dataset->datatype());
  return id < 0 ? "a type that the library does not decode" : kDone;
}

}  // namespace onecast_hdf5
