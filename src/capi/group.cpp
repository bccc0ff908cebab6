#include "onecast/capi/group.h"

#include <cstdint>

#include "capi/arguments.hpp"
#include "capi/dense_limits.hpp"
#include "capi/growing_struct.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/returned_links.hpp"
#include "onecast/objects/details.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

static_assert(static_cast<int>(ObjectKind::datatype) == ONECAST_DATATYPE);

onecast_group_options default_group_options() {
  const GroupOptions defaults;
  return {.size = sizeof(onecast_group_options),
          .link_order = defaults.link_order ? 1 : 0,
          .attribute_order = defaults.attribute_order ? 1 : 0,
          .times = defaults.times ? 1 : 0,
          .dense_links = to_c(defaults.dense_links),
          .dense_attributes = to_c(defaults.dense_attributes)};
}

}  // namespace

onecast_status onecast_object_open(const onecast_object* group, const char* path,
                                   onecast_object** object) {
  return guard_making(object, [&] {
    required(object, "object");
    const Group& from = as_group(group);
    const std::string_view wanted = required_text(path, "path");
    // If there is no object, open_object throws not_found.
    open_any(from, wanted, from.kind_of(wanted).value_or(ObjectKind::datatype), object);
  });
}

onecast_status onecast_group_open(const onecast_object* group, const char* path,
                                  onecast_object** opened) {
  return guard_making(opened, [&] {
    required(opened, "opened");
    give_object(opened, as_group(group).open_group(required_text(path, "path")));
  });
}

onecast_status onecast_group_contains(const onecast_object* group, const char* path,
                                      int* contains) {
  return guard([&] {
    required(contains, "contains") = as_group(group).contains(required_text(path, "path")) ? 1 : 0;
  });
}

onecast_status onecast_group_get_kind_of(const onecast_object* group, const char* path,
                                         onecast_object_kind* kind) {
  return guard([&] {
    const auto found = as_group(group).kind_of(required_text(path, "path"));
    required(kind, "kind") = found ? static_cast<onecast_object_kind>(*found) : ONECAST_NO_OBJECT;
  });
}

onecast_status onecast_group_list(const onecast_object* group, onecast_order order, size_t* count,
                                  onecast_link** links) {
  return guard_listing(links, count, [&] {
    const std::vector<Link> found = as_group(group).links(order_of(order));
    required(count, "count");
    required(links, "links");
    *links = returned_links(found);
    *count = found.size();
  });
}

onecast_status onecast_group_get_link(const onecast_object* group, const char* path,
                                      onecast_link** link) {
  return guard_making(link, [&] {
    required(link, "link");
    const Group& from = as_group(group);
    std::string_view wanted = required_text(path, "path");
    while (wanted.ends_with('/')) wanted.remove_suffix(1);
    const std::size_t slash = wanted.rfind('/');
    const std::string_view name =
        slash == std::string_view::npos ? wanted : wanted.substr(slash + 1);
    const std::string_view folder = wanted.substr(0, wanted.size() - name.size());
    const Group holder = folder.empty() ? from : from.open_group(folder);
    const auto found = holder.find_link(name);
    if (!found)
      throw Error(ErrorCode::not_found, from.path() + ": no link \"" + std::string(path) + '"');
    *link = returned_links({&*found, 1});
  });
}

onecast_status onecast_group_get_nth_link(const onecast_object* group, size_t n,
                                          onecast_order order, onecast_link** link) {
  return guard_making(link, [&] {
    required(link, "link");
    if (const auto found = as_group(group).nth_link(n, order_of(order)))
      *link = returned_links({&*found, 1});
  });
}

onecast_status onecast_group_get_link_count(const onecast_object* group, size_t* count) {
  return guard_counting(count, [&] { required(count, "count") = as_group(group).link_count(); });
}

onecast_status onecast_group_create(onecast_object* group, const char* path,
                                    onecast_object** created) {
  return guard_making(created, [&] {
    give_object(created, as_group(group).create_group(required_text(path, "path")));
  });
}

onecast_status onecast_group_options_init(onecast_group_options* options, size_t size) {
  return guard([&] { give_options(options, size, default_group_options()); });
}

onecast_status onecast_group_create_with(onecast_object* group, const char* path,
                                         const onecast_group_options* options,
                                         onecast_object** created) {
  return guard_making(created, [&] {
    const auto given = completed(default_group_options(), options, "onecast_group_options_init");
    give_object(created,
                as_group(group).create_group(required_text(path, "path"),
                                             {.link_order = given.link_order != 0,
                                              .attribute_order = given.attribute_order != 0,
                                              .times = given.times != 0,
                                              .dense_links = from_c(given.dense_links),
                                              .dense_attributes = from_c(given.dense_attributes)}));
  });
}

onecast_status onecast_group_create_anonymous(onecast_object* group, onecast_object** created) {
  return guard_making(created, [&] {
    give_anonymous(created, [&] { return as_group(group).create_anonymous_group(); });
  });
}

onecast_status onecast_group_require(onecast_object* group, const char* path,
                                     onecast_object** found) {
  return guard_making(found, [&] {
    give_object(found, as_group(group).require_group(required_text(path, "path")));
  });
}

onecast_status onecast_group_create_datatype(onecast_object* group, const char* path,
                                             const onecast_type* type, onecast_object** created) {
  return guard_making(created, [&] {
    give_object(created, as_group(group).create_datatype(required_text(path, "path"),
                                                         required(type, "type").value));
  });
}

onecast_status onecast_group_create_anonymous_datatype(onecast_object* group,
                                                       const onecast_type* type,
                                                       onecast_object** created) {
  return guard_making(created, [&] {
    const Datatype& stored = required(type, "type").value;
    give_anonymous(created, [&] { return as_group(group).create_anonymous_datatype(stored); });
  });
}

onecast_status onecast_datatype_get_type(const onecast_object* datatype, onecast_type** type) {
  return guard_making(type, [&] {
    const Object& asked = as_object(datatype, "datatype");
    const auto found = details_of(asked).type;
    if (!found) reject(asked.path() + " is not a datatype");
    give_type(type, *found);
  });
}

onecast_status onecast_group_create_soft_link(onecast_object* group, const char* path,
                                              const char* target) {
  return guard([&] {
    as_group(group).create_soft_link(required_text(path, "path"), required_text(target, "target"));
  });
}

onecast_status onecast_group_create_external_link(onecast_object* group, const char* path,
                                                  const char* target_file, const char* target) {
  return guard([&] {
    as_group(group).create_external_link(required_text(path, "path"),
                                         required_text(target_file, "target_file"),
                                         required_text(target, "target"));
  });
}

onecast_status onecast_group_create_user_defined_link(onecast_object* group, const char* path,
                                                      int link_class, const void* value,
                                                      size_t size) {
  return guard([&] {
    if (link_class < 0 || link_class > UINT8_MAX)
      reject("link_class: 65 to 255 expected, " + std::to_string(link_class) + " given");
    if (value == nullptr && size != 0) reject("value: is NULL");
    as_group(group).create_user_defined_link(
        required_text(path, "path"), static_cast<std::uint8_t>(link_class), bytes(value, size));
  });
}

onecast_status onecast_group_create_hard_link(onecast_object* group, const char* path,
                                              const onecast_object* object) {
  return guard(
      [&] { as_group(group).create_hard_link(required_text(path, "path"), as_object(object)); });
}

onecast_status onecast_group_move(onecast_object* group, const char* from, const char* to) {
  return guard([&] { as_group(group).move(required_text(from, "from"), required_text(to, "to")); });
}

onecast_status onecast_group_move_into(onecast_object* group, const char* from,
                                       onecast_object* into, const char* to) {
  return guard([&] {
    Group target = as_group(into);
    as_group(group).move(required_text(from, "from"), target, required_text(to, "to"));
  });
}

onecast_status onecast_group_remove(onecast_object* group, const char* path) {
  return guard([&] { as_group(group).remove(required_text(path, "path")); });
}

onecast_status onecast_group_copy(onecast_object* group, const onecast_object* source,
                                  const char* path, const onecast_copy_options* options) {
  return guard([&] {
    CopyOptions how;
    if (options != nullptr) {
      how.shallow = options->shallow != 0;
      how.expand_soft = options->expand_soft != 0;
      how.expand_external = options->expand_external != 0;
      how.without_attributes = options->without_attributes != 0;
      how.merge_committed_types = options->merge_committed_types != 0;
      how.expand_references = options->expand_references != 0;
    }
    as_group(group).copy(as_object(source, "source"), required_text(path, "path"), how);
  });
}
