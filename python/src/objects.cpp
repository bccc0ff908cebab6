// Object, Group, and the values of attributes.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <variant>

#include "bindings.hpp"
#include "buffer.hpp"
#include "onecast/objects/group.hpp"
#include "text.hpp"

namespace {

using onecast::Attribute;
using onecast::Dataset;
using onecast::DatasetOptions;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::Group;
using onecast::Layout;
using onecast::Link;
using onecast::LinkKind;
using onecast::Object;
using onecast::ObjectKind;
using onecast::Reference;

/// A Link that owns its text, for it may outlive the open file.
struct OwnedLink {
  Text name;
  LinkKind kind;
  Text target;
  Text target_file;
  std::size_t position;

  [[nodiscard]] Link view() const {
    return {name.bytes, kind, target.bytes, target_file.bytes, position};
  }
};

using AnyObject = std::variant<Group, Dataset, Object>;

/// `where`: a path, a Link or a Reference.
template <class Where>
AnyObject open_any(const Group& group, const Where& where, ObjectKind kind) {
  if (kind == ObjectKind::group) return group.open_group(where);
  if (kind == ObjectKind::dataset) return group.open_dataset(where);
  return group.open_object(where);
}

AnyObject open_path(const Group& group, const Text& path) {
  const auto kind = group.kind_of(path.bytes);
  if (!kind) return group.open_object(path.bytes);  // throws, and says what is missing
  return open_any(group, std::string_view(path.bytes), *kind);
}

AnyObject open_reference(const Group& group, const Reference& reference) {
  return open_any(group, reference, group.kind_of(reference));
}

AnyObject open_link(const Group& group, const OwnedLink& link) {
  return open_any(group, link.view(), group.kind_of(link.view()));
}

std::vector<OwnedLink> links_of(const Group& group) {
  std::vector<OwnedLink> owned;
  for (const Link& link : group.links()) {
    owned.push_back({Text{std::string(link.name)}, link.kind, Text{std::string(link.target)},
                     Text{std::string(link.target_file)}, link.position});
  }
  return owned;
}

std::vector<Text> attribute_names(const Object& object) {
  std::vector<Text> names;
  for (const Attribute& attribute : object.attributes()) {
    names.push_back({std::string(attribute.name())});
  }
  return names;
}

/// (StoredType, Dataspace, the bytes of the value as they are stored)
nb::tuple attribute_value(const Object& object, const Text& name) {
  const auto [attribute, bytes] = [&] {
    const CoreRead call;
    const Attribute found = object.attribute(name.bytes);
    const bool null = found.dataspace().kind() == Dataspace::Kind::null;
    return std::pair(found, null ? std::span<const std::byte>() : found.bytes());
  }();
  return nb::make_tuple(attribute.datatype(), attribute.dataspace(),
                        nb::bytes(bytes.data(), bytes.size()));
}

void set_attribute(Object& object, const Text& name, const Datatype& type, const Dataspace& space,
                   nb::handle data) {
  const ReadBuffer buffer(data);
  const CoreCall call;
  object.set_attribute(name.bytes, type, space, buffer.bytes());
}

Dataset create_dataset(Group& group, const Text& path, const Datatype& type, const Dataspace& space,
                       nb::handle data, std::optional<Layout> layout) {
  std::optional<ReadBuffer> buffer;
  if (!data.is_none()) buffer.emplace(data);
  const CoreCall call;
  return group.create_dataset(path.bytes, type, space,
                              buffer ? buffer->bytes() : std::span<const std::byte>(),
                              DatasetOptions{layout});
}

void bind_object(nb::module_& m) {
  nb::enum_<ObjectKind>(m, "ObjectKind")
      .value("group", ObjectKind::group)
      .value("dataset", ObjectKind::dataset)
      .value("datatype", ObjectKind::datatype);

  nb::class_<Object>(m, "Object")
      .def_prop_ro("kind", &Object::kind)
      .def_prop_ro("path", [](const Object& object) { return Text{object.path()}; })
      .def_prop_ro(
          "comment",
          [](const Object& object) -> std::optional<Text> {
            if (const auto text = object.comment()) return Text{std::string(*text)};
            return std::nullopt;
          },
          core_read())
      .def_prop_ro("modification_time", &Object::modification_time, core_read())
      .def("same_object", &Object::same_object, core_read())
      .def("attribute_names", &attribute_names, core_read())
      .def(
          "has_attribute",
          [](const Object& object, const Text& name) { return object.has_attribute(name.bytes); },
          core_read())
      .def("attribute_value", &attribute_value)
      .def("set_attribute", &set_attribute)
      .def(
          "remove_attribute",
          [](Object& object, const Text& name) { object.remove_attribute(name.bytes); },
          core_call());
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
      .def_prop_ro("target_file", [](const OwnedLink& link) { return link.target_file; });

  nb::class_<Group, Object>(m, "Group")
      .def("links", &links_of, core_read())
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
      .def("open", &open_link, core_read())
      .def("open", &open_reference, core_read())
      .def(
          "create_group",
          [](Group& group, const Text& path) { return group.create_group(path.bytes); },
          core_call())
      .def("create_dataset", &create_dataset, nb::arg("path"), nb::arg("type"), nb::arg("space"),
           nb::arg("data").none(), nb::arg("layout"))
      .def("remove", [](Group& group, const Text& path) { group.remove(path.bytes); }, core_call());
}

}  // namespace

void bind_objects(nb::module_& m) {
  nb::enum_<Layout>(m, "Layout")
      .value("compact", Layout::compact)
      .value("contiguous", Layout::contiguous)
      .value("chunked", Layout::chunked)
      .value("external", Layout::external)
      .value("virtual_dataset", Layout::virtual_dataset);
  bind_object(m);
  bind_group(m);
}
