#include <cstring>
#include <onecast/objects/details.hpp>

#include "calls/answer.hpp"
#include "calls/calls.hpp"
#include "library/guarded.hpp"
#include "values/lists.hpp"
#include "values/types.hpp"

namespace onecast_hdf5 {
namespace {

void* commit(void* object, const h5::Location* where, const char* name, h5::Id type, h5::Id link,
             h5::Id creation, h5::Id access, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return create_object(
      on, "datatype commit", h5::IdType::datatype,
      [&] {
        const onecast::Datatype stored = stored_form(on, type);
        return created_at(
            on, name, link,
            [&](onecast::Group root) { return root.create_anonymous_datatype(stored); },
            [&](onecast::Group& group, const std::string& path) {
              return group.create_datatype(path, stored);
            });
      },
      [&](void* native) {
        return on.library.call.H5VLdatatype_commit(native, where, on.library.native(), name, type,
                                                   link, creation, access, transfer, request);
      });
}

void* open_type(void* object, const h5::Location* where, const char* name, h5::Id access,
                h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return open(
      on, "datatype open", h5::IdType::datatype,
      [&] { return open_kind(h5::IdType::datatype, on, *where, name, access); },
      [&](void* native) {
        return on.library.call.H5VLdatatype_open(native, where, on.library.native(), name, access,
                                                 transfer, request);
      });
}

NotServed serve(Handle& on, h5::DatatypeGet& args) {
  if (args.op == h5::DatatypeGet::creation_list) {
    args.id = type_creation_list(on);
    return args.id < 0 ? "properties that only the native library tells" : kDone;
  }
  const auto bytes = encoded_type(onecast::details_of(on.object).type.value());
  if (args.op == h5::DatatypeGet::encoded_size)
    *args.size = bytes.size();
  else if (args.buffer.size < bytes.size())
    return "too little memory for a type";
  else
    std::memcpy(args.buffer.bytes, bytes.data(), bytes.size());
  return kDone;
}

h5::Status get(void* object, h5::DatatypeGet* args, h5::Id transfer, void** request) {
  constexpr const char* kCalls[] = {"datatype get: size", "datatype get: type",
                                    "datatype get: creation list"};
  Handle& on = handle(object);
  return answer(
      on, kCalls[args->op], [&] { return serve(on, *args); },
      [&](void* native) {
        return on.library.call.H5VLdatatype_get(native, on.library.native(), args, transfer,
                                                request);
      });
}

h5::Status specific(void* object, h5::DatatypeSpecific* args, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return answer(
      on, "datatype flush, refresh",
      [&]() -> NotServed {
        if (args->op == h5::DatatypeSpecific::flush) on.opening->flush();
        return kDone;
      },
      [&](void* native) {
        return on.library.call.H5VLdatatype_specific(native, on.library.native(), args, transfer,
                                                     request);
      });
}

h5::Status optional(void* object, h5::Optional* args, h5::Id transfer, void** request) {
  Handle& on = handle(object);
  return by_native(on, "datatype: other", [&](void* native) {
    return on.library.call.H5VLdatatype_optional(native, on.library.native(), args, transfer,
                                                 request);
  });
}

h5::Status close(void* object, h5::Id transfer, void** request) {
  return close_object(handle(object), [&](Library& library, void* native) {
    return library.call.H5VLdatatype_close(native, library.native(), transfer, request);
  });
}

}  // namespace

const h5::DatatypeCalls kDatatypeCalls{kGuarded<commit>,   kGuarded<open_type>, kGuarded<get>,
                                       kGuarded<specific>, kGuarded<optional>,  kGuarded<close>};

}  // namespace onecast_hdf5
