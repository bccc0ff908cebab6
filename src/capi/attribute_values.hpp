#pragma once

#include <cstddef>
#include <string>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/transfers.hpp"
#include "onecast/objects/variable_values.hpp"

/// Attributes whose elements hold addresses of values.
namespace onecast::capi {

inline std::string where_of(const Object& object, const char* name) {
  return object.path() + ": attribute \"" + name + '"';
}

/// Reads an attribute into the list that give(attribute, where, values) returns.
template <class Out, class Give>
onecast_status read_attribute_values(const onecast_object* object, const char* name,
                                     std::size_t* count, Out** out, Give&& give) {
  return guard_listing(out, count, [&] {
    required(count, "count");
    required(out, "out");
    const Object& owner = as_object(object);
    const Attribute from = owner.attribute(required_text(name, "name"));
    VariableValues values(from);
    *out = give(from, where_of(owner, name), values);
    *count = from.bytes().size() / from.datatype().size();
  });
}

/// Sets an attribute to the elements that make(type, where, elements) makes.
/// @param space NULL: an array of `count`
template <class Make>
onecast_status set_attribute_values(onecast_object* object, const char* name,
                                    const onecast_type* type, const onecast_dataspace* space,
                                    std::size_t count, Make&& make) {
  return guard([&] {
    Object& owner = as_object(object);
    const Datatype& stored = required(type, "type").value;
    MadeElements made;
    make(stored, where_of(owner, required_text(name, "name")), made);
    owner.set_attribute(name, stored, space != nullptr ? dataspace_of(space) : Shape{count},
                        made.bytes, made.values);
  });
}

}  // namespace onecast::capi
