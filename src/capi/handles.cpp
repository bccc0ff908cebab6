#include "capi/handles.hpp"

#include "onecast/base/error.hpp"

namespace onecast::capi {
namespace {

const char* kind_name(const onecast_object& object) {
  switch (object.any.index()) {
    case 0:
      return "a group";
    case 1:
      return "a dataset";
    default:
      return "a datatype";
  }
}

template <class Wanted, class Handle>
auto& as(Handle* handle, const char* name, const char* wanted) {
  auto& object = required(handle, name);
  auto* found = std::get_if<Wanted>(&object.any);
  if (found == nullptr)
    reject(as_object(handle).path() + " is " + kind_name(object) + ", not " + wanted);
  return *found;
}

}  // namespace

void reject(const std::string& what) { throw Error(ErrorCode::invalid_argument, what); }

Group& as_group(onecast_object* object, const char* name) {
  return as<Group>(object, name, "a group");
}
const Group& as_group(const onecast_object* object, const char* name) {
  return as<Group>(object, name, "a group");
}
Dataset& as_dataset(onecast_object* object, const char* name) {
  return as<Dataset>(object, name, "a dataset");
}
const Dataset& as_dataset(const onecast_object* object, const char* name) {
  return as<Dataset>(object, name, "a dataset");
}
Object& as_object(onecast_object* object, const char* name) {
  auto& any = required(object, name).any;
  if (auto* group = std::get_if<Group>(&any)) return *group;
  if (auto* dataset = std::get_if<Dataset>(&any)) return *dataset;
  return std::get<Object>(any);
}
const Object& as_object(const onecast_object* object, const char* name) {
  return as_object(const_cast<onecast_object*>(object), name);
}

}  // namespace onecast::capi
