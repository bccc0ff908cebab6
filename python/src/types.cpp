// Binds Datatype and Dataspace, which describe stored data.

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"
#include "plain_types.hpp"
#include "text.hpp"

namespace {

using onecast::ByteOrder;
using onecast::CharacterSet;
using onecast::CompoundMember;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::EnumerationMember;
using onecast::Normalization;
using onecast::ReferenceKind;
using onecast::Shape;
using onecast::StringPadding;
using onecast::TypeClass;

using MemberList = Typed<nb::list, "list[tuple[str, int, StoredType]]">;  ///< name, offset, type
using Values = Typed<nb::list, "list[tuple[str, int]]">;                  ///< name, value

/// Returns (name, offset, type) of each member of a compound type.
MemberList members_of(const Datatype& type) {
  MemberList members;
  if (type.type_class() != TypeClass::compound) return members;
  for (const CompoundMember& member : type.members()) {
    members.append(nb::make_tuple(Text{member.name}, member.offset, member.type));
  }
  return members;
}

Datatype compound(std::size_t size, const MemberList& members) {
  std::vector<CompoundMember> converted;
  for (nb::handle entry : members) {
    const auto member = nb::cast<nb::tuple>(entry);
    converted.push_back({nb::cast<Text>(member[0]).bytes, nb::cast<std::size_t>(member[1]),
                         nb::cast<Datatype>(member[2])});
  }
  return Datatype::compound(size, std::move(converted));
}

/// Returns (name, value) of each member of an enumeration.
Values values_of(const Datatype& type) {
  Values values;
  if (type.type_class() != TypeClass::enumeration) return values;
  const bool is_signed = type.base().is_signed();
  for (const EnumerationMember& member : type.values()) {
    const nb::object value =
        is_signed ? nb::cast(member.value) : nb::cast(static_cast<std::uint64_t>(member.value));
    values.append(nb::make_tuple(Text{member.name}, value));
  }
  return values;
}

Datatype enumeration(const Datatype& base, const Values& members) {
  std::vector<EnumerationMember> converted;
  for (nb::handle entry : members) {
    const auto member = nb::cast<nb::tuple>(entry);
    const auto value = base.is_signed()
                           ? nb::cast<std::int64_t>(member[1])
                           : static_cast<std::int64_t>(nb::cast<std::uint64_t>(member[1]));
    converted.push_back({nb::cast<Text>(member[0]).bytes, value});
  }
  return Datatype::enumeration(base, std::move(converted));
}

Extents dimensions_of(const Datatype& type) {
  return tuple_of(Shape(type.dimensions().begin(), type.dimensions().end()));
}

using Bits = std::tuple<std::uint16_t, std::uint16_t>;

Datatype integer_of_bits(std::size_t size, bool is_signed, ByteOrder order, const Bits& bits) {
  return Datatype::integer(size, is_signed, order, {std::get<0>(bits), std::get<1>(bits)});
}

Datatype floating_of_layout(std::size_t size, ByteOrder order, const Bits& bits,
                            const std::vector<std::uint32_t>& layout) {
  if (layout.size() != 7) throw nb::value_error("layout: 7 numbers were expected");
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(layout[i]); };
  if (layout[6] > static_cast<std::uint32_t>(Normalization::implied))
    throw nb::value_error("normalization: 0, 1 or 2 was expected");
  return Datatype::floating(size, order, {std::get<0>(bits), std::get<1>(bits)},
                            {byte(0), byte(1), byte(2), byte(3), byte(4), layout[5],
                             static_cast<Normalization>(layout[6])});
}

void bind_enumerations(nb::module_& m) {
  nb::enum_<TypeClass>(m, "TypeClass")
      .value("integer", TypeClass::integer)
      .value("floating", TypeClass::floating)
      .value("time", TypeClass::time)
      .value("string", TypeClass::string)
      .value("bitfield", TypeClass::bitfield)
      .value("opaque", TypeClass::opaque)
      .value("compound", TypeClass::compound)
      .value("reference", TypeClass::reference)
      .value("enumeration", TypeClass::enumeration)
      .value("variable_string", TypeClass::variable_string)
      .value("sequence", TypeClass::sequence)
      .value("array", TypeClass::array)
      .value("complex", TypeClass::complex);
  nb::enum_<ByteOrder>(m, "ByteOrder")
      .value("little", ByteOrder::little)
      .value("big", ByteOrder::big)
      .value("vax", ByteOrder::vax);
  nb::enum_<StringPadding>(m, "StringPadding")
      .value("null_terminated", StringPadding::null_terminated)
      .value("null_padded", StringPadding::null_padded)
      .value("space_padded", StringPadding::space_padded);
  nb::enum_<CharacterSet>(m, "CharacterSet")
      .value("ascii", CharacterSet::ascii)
      .value("utf8", CharacterSet::utf8);
  nb::enum_<ReferenceKind>(m, "ReferenceKind")
      .value("object", ReferenceKind::object)
      .value("region", ReferenceKind::region)
      .value("revised_object", ReferenceKind::revised_object)
      .value("revised_region", ReferenceKind::revised_region)
      .value("revised_attribute", ReferenceKind::revised_attribute);
}

void bind_datatype(nb::module_& m) {
  const auto size = nb::arg("size");
  const auto order = nb::arg("order");
  using Integer = Datatype (*)(std::size_t, bool, ByteOrder);
  using Floating = Datatype (*)(std::size_t, ByteOrder);
  nb::class_<Datatype>(m, "StoredType",
                       "The type of one element as it is stored in the file. @independent")
      .def_static("integer", static_cast<Integer>(&Datatype::integer), size, nb::arg("is_signed"),
                  order)
      .def_static("integer", &integer_of_bits, size, nb::arg("is_signed"), order, nb::arg("bits"),
                  "bits: (offset, precision) of the number in its bytes")
      .def_static("floating", static_cast<Floating>(&Datatype::floating), size, order)
      .def_static("floating", &floating_of_layout, size, order, nb::arg("bits"), nb::arg("layout"),
                  "layout: as float_layout")
      .def_static("bitfield", &Datatype::bitfield, size, order)
      .def_static("time", &Datatype::time, size, order)
      .def_static("bfloat16", &Datatype::bfloat16, order)
      .def_static("float80", &Datatype::float80, size, order)
      .def_static("string", &Datatype::string, size, nb::arg("padding"), nb::arg("set"))
      .def_static("variable_string", &Datatype::variable_string, nb::arg("set"))
      .def_static("sequence", &Datatype::sequence, nb::arg("base"))
      .def_static("reference", &Datatype::reference, nb::arg("kind"))
      .def_static("opaque",
                  [](std::size_t n, const Text& tag) { return Datatype::opaque(n, tag.bytes); })
      .def_static("compound", &compound, size, nb::arg("members"))
      .def_static("enumeration", &enumeration, nb::arg("base"), nb::arg("values"))
      .def_static("array", &Datatype::array, nb::arg("base"), nb::arg("dimensions"))
      .def_static("complex", &Datatype::complex, nb::arg("base"))
      .def_prop_ro("type_class", &Datatype::type_class)
      .def_prop_ro("size", &Datatype::size, "The size of one element in bytes.")
      .def_prop_ro("byte_order", &Datatype::byte_order)
      .def_prop_ro("is_signed", &Datatype::is_signed)
      .def_prop_ro(
          "bits",
          [](const Datatype& type) { return Bits(type.bits().offset, type.bits().precision); },
          "The (offset, precision) of a number in its bytes.")
      .def_prop_ro(
          "float_layout",
          [](const Datatype& type)->Typed<nb::tuple, "tuple[int, int, int, int, int, int, int]"> {
            const onecast::FloatLayout f = type.float_layout();
            return nb::make_tuple(f.sign_location, f.exponent_location, f.exponent_size,
                                  f.mantissa_location, f.mantissa_size, f.exponent_bias,
                                  static_cast<int>(f.normalization));
          },
          "(sign location, exponent location, exponent size, mantissa location, mantissa size, "
          "exponent bias, normalization); of the last 2 means an implied leading bit.")
      .def_prop_ro("padding", &Datatype::padding)
      .def_prop_ro("character_set", &Datatype::character_set)
      .def_prop_ro("reference_kind", &Datatype::reference_kind)
      .def_prop_ro("tag", [](const Datatype& type) { return Text{type.tag()}; })
      .def_prop_ro("members", &members_of, "The (name, offset, type) of each member of a compound.")
      .def_prop_ro("values", &values_of, "The (name, value) of each member of an enumeration.")
      .def_prop_ro("base", &Datatype::base, nb::rv_policy::copy,
                   "The base type of an enumeration, sequence, array or complex type.")
      .def_prop_ro("dimensions", &dimensions_of, "Of an array.")
      .def_prop_ro("points_elsewhere", &Datatype::points_elsewhere,
                   "True if the type holds references, or strings or sequences of variable length.")
      .def("__str__", &Datatype::describe)
      .def("__repr__", [](const Datatype& type) { return "<StoredType " + type.describe() + ">"; })
      .def("__hash__", &hash_of)
      .def(nb::self == nb::self, kEquals);
}

void bind_space(nb::module_& m) {
  nb::class_<Dataspace>(m, "Dataspace", "The dataspace of a dataset or attribute.")
      .def(nb::init<Shape>(), nb::arg("shape"))
      .def(nb::init<Shape, Shape>(), nb::arg("shape"), nb::arg("max_shape"))
      .def_static("null", &Dataspace::null)
      .def_prop_ro("is_null",
                   [](const Dataspace& space) { return space.kind() == Dataspace::Kind::null; })
      .def_prop_ro("shape", [](const Dataspace& space) { return tuple_of(space.shape()); })
      .def_prop_ro(
          "max_shape", [](const Dataspace& space) { return tuple_of(space.max_shape()); },
          "Empty if the shape is fixed. Extents without a limit are `unlimited`.")
      .def_prop_ro_static("unlimited", [](nb::handle) { return Dataspace::kUnlimited; });
}

}  // namespace

void bind_types(nb::module_& m) {
  bind_enumerations(m);
  bind_datatype(m);
  bind_space(m);
}
