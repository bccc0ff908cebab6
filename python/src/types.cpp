// Datatype, Dataspace, Hyperslab: values that describe what is stored.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "onecast/objects/datatype.hpp"
#include "onecast/space/dataspace.hpp"
#include "text.hpp"

namespace {

using onecast::ByteOrder;
using onecast::CharacterSet;
using onecast::CompoundMember;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::Hyperslab;
using onecast::Shape;
using onecast::StringPadding;
using onecast::TypeClass;

nb::tuple tuple_of(const Shape& shape) {
  nb::list values;
  for (const std::uint64_t extent : shape) values.append(extent);
  return nb::tuple(values);
}

/// (name, offset, type) of each member of a compound type.
nb::list members_of(const Datatype& type) {
  nb::list members;
  if (type.type_class() != TypeClass::compound) return members;
  for (const CompoundMember& member : type.members()) {
    members.append(nb::make_tuple(Text{member.name}, member.offset, member.type));
  }
  return members;
}

Datatype compound(std::size_t size, const nb::list& members) {
  std::vector<CompoundMember> converted;
  for (nb::handle entry : members) {
    const auto member = nb::cast<nb::tuple>(entry);
    converted.push_back({nb::cast<Text>(member[0]).bytes, nb::cast<std::size_t>(member[1]),
                         nb::cast<Datatype>(member[2])});
  }
  return Datatype::compound(size, std::move(converted));
}

void bind_datatype(nb::module_& m) {
  nb::enum_<TypeClass>(m, "TypeClass")
      .value("integer", TypeClass::integer)
      .value("floating", TypeClass::floating)
      .value("string", TypeClass::string)
      .value("compound", TypeClass::compound)
      .value("variable_string", TypeClass::variable_string)
      .value("other", TypeClass::other);
  nb::enum_<ByteOrder>(m, "ByteOrder")
      .value("little", ByteOrder::little)
      .value("big", ByteOrder::big);
  nb::enum_<StringPadding>(m, "StringPadding")
      .value("null_terminated", StringPadding::null_terminated)
      .value("null_padded", StringPadding::null_padded)
      .value("space_padded", StringPadding::space_padded);
  nb::enum_<CharacterSet>(m, "CharacterSet")
      .value("ascii", CharacterSet::ascii)
      .value("utf8", CharacterSet::utf8);

  nb::class_<Datatype>(m, "StoredType",
                       "The type of one element as it is stored in the file. @independent")
      .def_static("integer", &Datatype::integer, nb::arg("size"), nb::arg("is_signed"),
                  nb::arg("order"))
      .def_static("floating", &Datatype::floating, nb::arg("size"), nb::arg("order"))
      .def_static("string", &Datatype::string, nb::arg("size"), nb::arg("padding"), nb::arg("set"))
      .def_static("compound", &compound, nb::arg("size"), nb::arg("members"))
      .def_prop_ro("type_class", &Datatype::type_class)
      .def_prop_ro("size", &Datatype::size, "Bytes of one element.")
      .def_prop_ro("byte_order", &Datatype::byte_order)
      .def_prop_ro("is_signed", &Datatype::is_signed)
      .def_prop_ro("padding", &Datatype::padding)
      .def_prop_ro("character_set", &Datatype::character_set)
      .def_prop_ro("members", &members_of, "(name, offset, type) of each member of a compound.")
      .def("__str__", &Datatype::describe)
      .def("__repr__", [](const Datatype& type) { return "<StoredType " + type.describe() + ">"; })
      .def("__eq__", [](const Datatype& a, const Datatype& b) { return a == b; })
      .def("__eq__", [](const Datatype&, nb::handle) { return false; });
}

void bind_space(nb::module_& m) {
  nb::class_<Dataspace>(m, "Dataspace", "The extents of an array; none of a null dataspace.")
      .def(nb::init<Shape>(), nb::arg("shape"))
      .def_static("null", &Dataspace::null)
      .def_prop_ro("is_null",
                   [](const Dataspace& space) { return space.kind() == Dataspace::Kind::null; })
      .def_prop_ro("shape", [](const Dataspace& space) { return tuple_of(space.shape()); })
      .def_prop_ro(
          "max_shape", [](const Dataspace& space) { return tuple_of(space.max_shape()); },
          "Empty: fixed. Extents without a limit are `unlimited`.")
      .def_prop_ro_static("unlimited", [](nb::handle) { return Dataspace::kUnlimited; });

  nb::class_<Hyperslab>(m, "Hyperslab")
      .def(
          "__init__",
          [](Hyperslab* self, Shape start, Shape count, Shape stride) {
            new (self) Hyperslab{std::move(start), std::move(count), std::move(stride), {}};
          },
          nb::arg("start"), nb::arg("count"), nb::arg("stride"));
}

}  // namespace

void bind_types(nb::module_& m) {
  bind_datatype(m);
  bind_space(m);
}
