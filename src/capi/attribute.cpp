#include "onecast/capi/attribute.h"

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/objects/details.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

Attribute attribute_of(const onecast_object* object, const char* name) {
  return as_object(object).attribute(required_text(name, "name"));
}

}  // namespace

onecast_status onecast_attribute_set(onecast_object* object, const char* name,
                                     const onecast_type* type, const onecast_dataspace* space,
                                     const void* data, size_t size) {
  return guard([&] {
    const Datatype& stored = required(type, "type").value;
    as_object(object).set_attribute(required_text(name, "name"), stored, dataspace_of(space),
                                    bytes(data, size));
  });
}

onecast_status onecast_attribute_set_committed(onecast_object* object, const char* name,
                                               const onecast_object* committed_type,
                                               const onecast_dataspace* space, const void* data,
                                               size_t size) {
  return guard([&] {
    const Object& type = as_object(committed_type);
    const auto details = details_of(type);
    if (!details.type) reject("committed_type: " + type.path() + " is not a committed datatype");
    as_object(object).set_attribute(required_text(name, "name"), type, dataspace_of(space),
                                    bytes(data, size));
  });
}

onecast_status onecast_attribute_set_text(onecast_object* object, const char* name,
                                          const char* text) {
  return guard([&] {
    as_object(object).set_attribute(required_text(name, "name"), required_text(text, "text"));
  });
}

onecast_status onecast_attribute_set_strings(onecast_object* object, const char* name,
                                             const onecast_dataspace* space, size_t count,
                                             const char* const* first) {
  return guard([&] {
    const Datatype type = Datatype::variable_string();
    NewValues values;
    const auto elements = values.strings(type, texts(first, count));
    as_object(object).set_attribute(required_text(name, "name"), type,
                                    space != nullptr ? dataspace_of(space) : Shape{count}, elements,
                                    values);
  });
}

onecast_status onecast_attribute_remove(onecast_object* object, const char* name) {
  return guard([&] { as_object(object).remove_attribute(required_text(name, "name")); });
}

onecast_status onecast_attribute_rename(onecast_object* object, const char* name,
                                        const char* new_name) {
  return guard([&] {
    as_object(object).rename_attribute(required_text(name, "name"),
                                       required_text(new_name, "new_name"));
  });
}

onecast_status onecast_attribute_exists(const onecast_object* object, const char* name,
                                        int* exists) {
  return guard([&] {
    required(exists, "exists") =
        as_object(object).has_attribute(required_text(name, "name")) ? 1 : 0;
  });
}

onecast_status onecast_attribute_get_count(const onecast_object* object, size_t* count) {
  return guard_counting(count,
                        [&] { required(count, "count") = as_object(object).attribute_count(); });
}

onecast_status onecast_attribute_get_nth_name(const onecast_object* object, size_t n,
                                              onecast_order order, char** name) {
  return guard_making(name, [&] {
    required(name, "name");
    if (const auto found = as_object(object).nth_attribute(n, order_of(order)))
      *name = returned_text(found->name());
  });
}

onecast_status onecast_attribute_list(const onecast_object* object, onecast_order order,
                                      size_t* count, char*** names) {
  return guard_listing(names, count, [&] {
    std::vector<std::string> found;
    for (const Attribute& attribute : as_object(object).attributes(order_of(order)))
      found.emplace_back(attribute.name());
    required(count, "count");
    required(names, "names");
    *names = returned_texts(found);
    *count = found.size();
  });
}

onecast_status onecast_attribute_get_type(const onecast_object* object, const char* name,
                                          onecast_type** type) {
  return guard_making(type, [&] { give_type(type, attribute_of(object, name).datatype()); });
}

onecast_status onecast_attribute_get_space(const onecast_object* object, const char* name,
                                           onecast_dataspace* space) {
  return guard([&] { give_space(space, attribute_of(object, name).dataspace()); });
}

onecast_status onecast_attribute_read(const onecast_object* object, const char* name,
                                      const onecast_type* memory_type, void* out, size_t size) {
  return guard([&] {
    const Attribute attribute = attribute_of(object, name);
    const Datatype& type = memory_type != nullptr ? memory_type->value : attribute.datatype();
    require_plain(type, name);
    attribute.read(room(out, size), type);
  });
}

onecast_status onecast_attribute_read_strings(const onecast_object* object, const char* name,
                                              size_t* count, char*** texts) {
  return guard_listing(texts, count, [&] {
    const auto found = attribute_of(object, name).read<std::string>();
    required(count, "count");
    required(texts, "texts");
    *texts = returned_texts(found);
    *count = found.size();
  });
}
