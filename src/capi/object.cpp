#include "onecast/capi/object.h"

#include "capi/dense_limits.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/objects/details.hpp"

using namespace onecast;
using namespace onecast::capi;

void onecast_object_close(onecast_object** object) {
  if (object != nullptr) delete std::exchange(*object, nullptr);
}

onecast_status onecast_object_get_kind(const onecast_object* object, onecast_object_kind* kind) {
  return guard(
      [&] { required(kind, "kind") = static_cast<onecast_object_kind>(as_object(object).kind()); });
}

onecast_status onecast_object_get_path(const onecast_object* object, char** path) {
  return guard_making(path, [&] {
    required(path, "path");
    *path = returned_text(as_object(object).path());
  });
}

onecast_status onecast_object_get_file(const onecast_object* object, onecast_file** file) {
  return guard_making(file, [&] {
    required(file, "file");
    *file = new onecast_file{as_object(object).file()};
  });
}

onecast_status onecast_object_same(const onecast_object* a, const onecast_object* b, int* same) {
  return guard(
      [&] { required(same, "same") = as_object(a, "a").same_object(as_object(b, "b")) ? 1 : 0; });
}

onecast_status onecast_object_refresh(onecast_object* object) {
  return guard([&] { as_object(object).refresh(); });
}

onecast_status onecast_object_get_comment(const onecast_object* object, char** comment) {
  return guard_making(comment, [&] {
    required(comment, "comment");
    if (const auto found = as_object(object).comment()) *comment = returned_text(*found);
  });
}

onecast_status onecast_object_set_comment(onecast_object* object, const char* comment) {
  return guard([&] { as_object(object).set_comment(comment != nullptr ? comment : ""); });
}

onecast_status onecast_object_change_link_count(onecast_object* object, int64_t by) {
  return guard([&] { as_object(object).change_link_count(by); });
}

onecast_status onecast_object_get_link_count(const onecast_object* object, uint32_t* count) {
  return guard_counting(
      count, [&] { required(count, "count") = details_of(as_object(object)).reference_count; });
}

onecast_status onecast_object_get_dense_limits(const onecast_object* object,
                                               onecast_dense_limits* links,
                                               onecast_dense_limits* attributes) {
  return guard([&] {
    const ObjectDetails found = details_of(as_object(object));
    if (links != nullptr) *links = to_c(found.links);
    if (attributes != nullptr) *attributes = to_c(found.attributes);
  });
}

onecast_status onecast_object_get_modification_time(const onecast_object* object,
                                                    int64_t* seconds) {
  return guard([&] {
    const Object& asked = as_object(object);
    const auto found = asked.modification_time();
    if (!found)
      throw Error(ErrorCode::not_found, asked.path() + ": no modification time is stored");
    required(seconds, "seconds") = *found;
  });
}
