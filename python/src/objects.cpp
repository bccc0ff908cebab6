// Binds Object and Group.

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "any_object.hpp"
#include "buffer.hpp"
#include "dense_limits.hpp"
#include "element_form.hpp"
#include "onecast/objects/file.hpp"
#include "text.hpp"

namespace {

using onecast::Dataset;
using onecast::DatasetDescription;
using onecast::DatasetOptions;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::Group;
using onecast::GroupOptions;
using onecast::HeldObjects;
using onecast::Layout;
using onecast::Link;
using onecast::LinkKind;
using onecast::NewValues;
using onecast::Object;
using onecast::ObjectKind;
using onecast::Reference;

/// A Link that owns its text, since it may outlive the open file.
struct OwnedLink {
  Text name;
  LinkKind kind;
  Text target;
  Text target_file;
  bool is_utf8;
  std::uint8_t link_class;
  std::optional<std::uint64_t> address;
  std::optional<std::uint64_t> creation_order;
  std::string value;
};

OwnedLink owned(const Link& link) {
  return {Text{std::string(link.name)},
          link.kind,
          Text{std::string(link.target)},
          Text{std::string(link.target_file)},
          link.character_set == onecast::CharacterSet::utf8,
          link.link_class,
          link.address,
          link.creation_order,
          {reinterpret_cast<const char*>(link.value.data()), link.value.size()}};
}

AnyObject open_path(const Group& group, const Text& path) {
  const auto kind = group.kind_of(path.bytes);
  if (!kind) return group.open_object(path.bytes);  // throws an error that names what is missing
  return open_any(group, std::string_view(path.bytes), *kind);
}

AnyObject open_reference(const Group& group, const Reference& reference) {
  return open_any(group, reference, group.kind_of(reference));
}

std::vector<OwnedLink> links_of(const Group& group) {
  const std::vector<Link> links = group.links();
  std::vector<OwnedLink> all;
  all.reserve(links.size());
  for (const Link& link : links) all.push_back(owned(link));
  return all;
}

std::optional<OwnedLink> find_link(const Group& group, const Text& name) {
  if (const auto link = group.find_link(name.bytes)) return owned(*link);
  return std::nullopt;
}

/// Returns link `n` in the order of link_names().
std::optional<OwnedLink> nth_link(const Group& group, std::size_t n) {
  const auto link =
      group.nth_link(n, group.tracks_link_order() ? onecast::Order::stored : onecast::Order::name);
  return link ? std::optional(owned(*link)) : std::nullopt;
}

std::vector<Text> link_names(const Group& group) {
  std::vector<Text> names;
  names.reserve(group.link_count());
  if (!group.tracks_link_order()) {
    for (const Link& link : group.links(onecast::Order::name))
      names.push_back({std::string(link.name)});
    return names;
  }
  std::size_t position = 0;
  while (const auto link = group.next_link(position)) {
    names.push_back({std::string(link->name)});
    position = link->position + 1;
  }
  return names;
}

Dataset create_dataset(Group& group, const std::optional<Text>& path, const Datatype& type,
                       const Dataspace& space, Memory data, const DatasetOptions& options,
                       Form form) {
  std::optional<ReadBuffer> buffer;
  if (!data.is_none()) buffer.emplace(data);
  const ElementForm elements(form);
  const CoreCall call;
  const DatasetDescription described{
      .type = type,
      .space = space,
      .data = buffer ? buffer->bytes() : std::span<const std::byte>(),
      .options = options,
      .values = elements.values,
      .memory_type = elements.type};
  return path ? group.create_dataset(path->bytes, described)
              : group.create_anonymous_dataset(described);
}

void bind_object(nb::module_& m) {
  nb::enum_<ObjectKind>(m, "ObjectKind")
      .value("group", ObjectKind::group)
      .value("dataset", ObjectKind::dataset)
      .value("datatype", ObjectKind::datatype);

  nb::class_<Object> bound(m, "Object");
  bound.def_prop_ro("kind", &Object::kind)
      .def_prop_ro("path", [](const Object& object) { return Text{object.path()}; })
      .def("refresh", &Object::refresh, core_call())
      .def_prop_ro(
          "comment",
          [](const Object& object) -> std::optional<Text> {
            if (const auto text = object.comment()) return Text{std::string(*text)};
            return std::nullopt;
          },
          core_read())
      .def(
          "set_comment", [](Object& object, const Text& text) { object.set_comment(text.bytes); },
          core_call())
      .def_prop_ro("modification_time", &Object::modification_time, core_read())
      .def_prop_ro("tracks_times", &Object::tracks_times, core_read())
      .def_prop_ro(
          "times",
          [](const Object& object) {
            std::optional<std::array<std::int64_t, 4>> all;
            if (const auto t = object.times())
              all = {t->access, t->modification, t->change, t->birth};
            return all;
          },
          core_read())
      .def_prop_ro("tracks_attributes", &Object::tracks_attribute_order, core_read())
      .def("reference", &Object::reference, core_call())
      .def(
          "attribute_reference",
          [](const Object& object, const Text& name) {
            return object.attribute_reference(name.bytes);
          },
          core_call())
      .def("file", &Object::file, core_read())
      .def("in_file_of", &Object::in_file_of)
      .def("same_object", &Object::same_object, core_read())
      .def("hash", &Object::hash);
  bind_attributes(bound);
}

void bind_group(nb::module_& m) {
  nb::enum_<LinkKind>(m, "LinkKind")
      .value("hard", LinkKind::hard)
      .value("soft", LinkKind::soft)
      .value("external", LinkKind::external)
      .value("user_defined", LinkKind::user_defined);

  nb::class_<OwnedLink>(m, "Link")
      .def_prop_ro("name", [](const OwnedLink& link) { return link.name; })
      .def_ro("kind", &OwnedLink::kind)
      .def_prop_ro("target", [](const OwnedLink& link) { return link.target; })
      .def_prop_ro("target_file", [](const OwnedLink& link) { return link.target_file; })
      .def_ro("is_utf8", &OwnedLink::is_utf8)
      .def_ro("link_class", &OwnedLink::link_class)
      .def_ro("address", &OwnedLink::address)
      .def_ro("creation_order", &OwnedLink::creation_order)
      .def_prop_ro("value", [](const OwnedLink& link) {
        return nb::bytes(link.value.data(), link.value.size());
      });

  nb::class_<Group, Object>(m, "Group")
      .def("links", &links_of, core_read())
      .def("find_link", &find_link, core_read())
      .def("link_names", &link_names, core_read())
      .def("nth_link", &nth_link, core_read())
      .def("link_count", &Group::link_count, core_read())
      .def(
          "contains",
          [](const Group& group, const Text& path) { return group.contains(path.bytes); },
          core_read())
      .def(
          "leads_somewhere",
          [](const Group& group, const Text& path) {
            return group.kind_of(path.bytes).has_value();
          },
          core_read())
      .def("open", &open_path, core_read())
      .def("open", &open_reference, core_read())
      .def(
          "create_group",
          [](Group& group, const std::optional<Text>& path, bool links, bool attributes, bool times,
             const Limits& dense_links, const Limits& dense_attributes) {
            const GroupOptions options{links, attributes, times, to_limits(dense_links),
                                       to_limits(dense_attributes)};
            return path ? group.create_group(path->bytes, options)
                        : group.create_anonymous_group(options);
          },
          nb::arg("path").none(), nb::arg("track_links") = true,
          nb::arg("track_attributes") = false, nb::arg("track_times") = false,
          nb::arg("dense_links") = to_python(GroupOptions().dense_links),
          nb::arg("dense_attributes") = to_python(GroupOptions().dense_attributes), core_call())
      .def_prop_ro("tracks_links", &Group::tracks_link_order, core_read())
      .def(
          "require_group",
          [](Group& group, const Text& path) { return group.require_group(path.bytes); },
          core_call())
      .def("create_dataset", &create_dataset, nb::arg("path").none(), nb::arg("type"),
           nb::arg("space"), nb::arg("data").none(), nb::arg("options"),
           nb::arg("form").none() = nb::none())
      .def(
          "create_datatype",
          [](Group& group, const std::optional<Text>& path, const Datatype& type) {
            return path ? group.create_datatype(path->bytes, type)
                        : group.create_anonymous_datatype(type);
          },
          nb::arg("path").none(), nb::arg("type"), core_call())
      .def(
          "create_soft_link",
          [](Group& group, const Text& path, const Text& target) {
            group.create_soft_link(path.bytes, target.bytes);
          },
          core_call())
      .def(
          "create_external_link",
          [](Group& group, const Text& path, const Text& file, const Text& target) {
            group.create_external_link(path.bytes, file.bytes, target.bytes);
          },
          core_call())
      .def(
          "create_user_defined_link",
          [](Group& group, const Text& path, std::uint8_t link_class, const nb::bytes& value) {
            group.create_user_defined_link(
                path.bytes, link_class,
                std::as_bytes(std::span(static_cast<const char*>(value.data()), value.size())));
          },
          core_call())
      .def(
          "create_hard_link",
          [](Group& group, const Text& path, const Object& object) {
            group.create_hard_link(path.bytes, object);
          },
          core_call())
      .def(
          "move",
          [](Group& group, const Text& from, const Text& to, std::optional<Group> into) {
            Group target = into ? *into : group;
            group.move(from.bytes, target, to.bytes);
          },
          nb::arg("source"), nb::arg("dest"), nb::arg("into").none() = nb::none(), core_call())
      .def(
          "remove",
          [](Group& group, const Text& path) { group.remove(path.bytes, HeldObjects::kept); },
          core_call());
}

}  // namespace

void bind_objects(nb::module_& m) {
  nb::enum_<Layout>(m, "Layout")
      .value("compact", Layout::compact)
      .value("contiguous", Layout::contiguous)
      .value("chunked", Layout::chunked)
      .value("virtual_dataset", Layout::virtual_dataset);
  bind_storage(m);
  bind_object(m);
  bind_group(m);
}
