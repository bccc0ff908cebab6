#include "calls/answer.hpp"

#include <cstdio>
#include <onecast/objects/details.hpp>

#include "values/types.hpp"

namespace onecast_hdf5 {

bool flush_at_close(Handle& on) {
  Opening& opening = *on.opening;
  const bool is_last =
      on.type == h5::IdType::file ? opening.file_handles == 1 : opening.handles == 1;
  if (!is_last || !opening.is_written()) return true;
  // Ranks close their objects when they like.
  if (opening.is_parallel() && on.type != h5::IdType::file) return true;
  try {
    opening.flush();
    return true;
  } catch (const std::exception& error) {
    report_current_exception(on.library, "close");
    if (on.library.is_ending())
      std::fprintf(stderr,
                   "onecast: %s was not closed: the changes since its last flush are lost: %s\n",
                   opening.name().c_str(), error.what());
    if (opening.handles == 1) opening.give_up();
    on.become_native(nullptr);
    return false;
  }
}

NotServed get_type(Handle& on, h5::Id& id) {
  std::optional<std::uint64_t> committed;
  if (!on.has_own_type)
    committed = on.attribute ? onecast::committed_type_of(on.object, on.attribute->name())
                             : onecast::details_of(on.object).committed_type;
  on.has_own_type = !committed;
  id = committed
           ? register_id(open_token(on, token_of(*committed)).release())
           : type_id(on.library, on.attribute ? on.attribute->datatype() : on.dataset->datatype());
  return id < 0 ? "a type that the library does not decode" : kDone;
}

}  // namespace onecast_hdf5
