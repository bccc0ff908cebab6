// Reads attributes: their values in stored form, and values that C++ makes without Python code.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "buffer.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/variable_values.hpp"
#include "onecast/types/convert.hpp"
#include "plain_types.hpp"
#include "text.hpp"

namespace {

using onecast::Attribute;
using onecast::CharacterSet;
using onecast::Dataspace;
using onecast::Datatype;
using onecast::NewValues;
using onecast::Object;
using onecast::Order;
using onecast::TypeClass;
using onecast::VariableValues;

/// The stored attribute; valid as long as a handle of the file exists.
struct Stored {
  const Datatype* type;
  const Dataspace* space;
  std::span<const std::byte> bytes;
};

Stored stored(const Attribute& attribute) {
  const Dataspace& space = attribute.dataspace();
  const bool null = space.kind() == Dataspace::Kind::null;
  return {&attribute.datatype(), &space, null ? std::span<const std::byte>() : attribute.bytes()};
}

Stored stored(const Object& object, const Text& name) {
  const CoreRead call;
  return stored(object.attribute(name.bytes));
}

/// The stored attribute with what is needed to make its value.
struct Value : Stored {
  explicit Value(const Attribute& attribute) : Stored(stored(attribute)) {
    if (type->type_class() == TypeClass::variable_string &&
        space->kind() == Dataspace::Kind::scalar)
      text = Text{std::string(VariableValues(attribute).string(*type, bytes))};
  }

  std::optional<Text> text{};  ///< a single string of variable length
};

void convert_all(const Stored& from, const PlainType& plain, std::span<std::byte> to) {
  if (plain.memory)
    onecast::convert(*from.type, from.bytes, *plain.memory, to);
  else if (!to.empty())
    std::memcpy(to.data(), from.bytes.data(), std::min(to.size(), from.bytes.size()));
}

/// Returns one string: str if it is in UTF-8, else numpy.bytes_.
nb::object string_of(const Value& value, const PlainType& plain) {
  std::string text(value.type->size(), '\0');
  convert_all(value, plain, std::as_writable_bytes(std::span(text)));
  text.resize(text.find_last_not_of('\0') + 1);
  if (value.type->character_set() == CharacterSet::utf8) return nb::cast(Text{std::move(text)});
  return bytes_scalar(text);
}

/// Returns the value, or NotImplemented if its type is not plain.
nb::object python_value(const Value& value) {
  if (value.text) return nb::cast(*value.text);
  if (value.space->kind() == Dataspace::Kind::null) return not_implemented();
  const auto plain = plain_type(*value.type);
  if (!plain) return not_implemented();
  const bool single = value.space->rank() == 0;
  if (value.type->type_class() == TypeClass::string) {
    if (single) return string_of(value, *plain);
    if (value.type->character_set() == CharacterSet::utf8) return not_implemented();
  }
  nb::object array = plain->array(tuple_of(value.space->shape()));
  {
    const WriteBuffer buffer(array);
    convert_all(value, *plain, buffer.bytes());
  }
  const bool scalar = single && value.type->type_class() != TypeClass::array;
  return scalar ? nb::object(array[nb::tuple()]) : array;
}

Any plain_attribute(const Object& object, const Text& name) {
  const Value value = during<CoreRead>([&] { return Value(object.attribute(name.bytes)); });
  return python_value(value);
}

/// Returns the order in which h5py lists attributes.
Order order_of(const Object& object) {
  return object.tracks_attribute_order() ? Order::creation : Order::name;
}

/// Returns nothing if the value is large or damaged.
std::optional<Value> small_value(const Attribute& attribute) {
  constexpr std::size_t kLarge = 4096;
  try {
    if (Value value(attribute); value.bytes.size() <= kLarge) return value;
  } catch (const onecast::Error&) {
  }
  return std::nullopt;
}

/// Returns (name, value) of each attribute; NotImplemented as a value means: call plain_attribute.
Typed<nb::list, "list[tuple[str, typing.Any]]"> plain_attributes(const Object& object) {
  std::vector<Attribute> attributes;
  std::vector<std::optional<Value>> values;
  {
    const CoreRead call;
    attributes = object.attributes(order_of(object));
    values.reserve(attributes.size());
    for (const Attribute& attribute : attributes) values.push_back(small_value(attribute));
  }
  nb::list all;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.append(nb::make_tuple(Text{std::string(attributes[i].name())},
                              values[i] ? python_value(*values[i]) : not_implemented()));
  return all;
}

/// Returns (StoredType, Dataspace, the bytes of the value as they are stored).
std::tuple<Datatype, Dataspace, nb::bytes> attribute_value(const Object& object, const Text& name) {
  const Stored value = stored(object, name);
  return {*value.type, *value.space, nb::bytes(value.bytes.data(), value.bytes.size())};
}

std::vector<Text> attribute_names(const Object& object) {
  std::vector<Text> names;
  for (const Attribute& attribute : object.attributes(order_of(object)))
    names.push_back({std::string(attribute.name())});
  return names;
}

/// @param Type a Datatype, or the Object that is a committed one
template <class Type>
void set_attribute(Object& object, const Text& name, const Type& type, const Dataspace& space,
                   Memory data, const NewValues* values) {
  const ReadBuffer buffer(data);
  const NewValues none;
  const CoreCall call;
  object.set_attribute(name.bytes, type, space, buffer.bytes(), values ? *values : none);
}

}  // namespace

void bind_attributes(nb::class_<Object>& object) {
  object.def("attribute_names", &attribute_names, core_read())
      .def(
          "has_attribute",
          [](const Object& owner, const Text& name) { return owner.has_attribute(name.bytes); },
          core_read())
      .def("attribute_count", &Object::attribute_count, core_read())
      .def(
          "nth_attribute_name",
          [](const Object& owner, std::size_t n) -> std::optional<Text> {
            const auto found = owner.nth_attribute(n);
            return found ? std::optional(Text{std::string(found->name())}) : std::nullopt;
          },
          core_read())
      .def(
          "attribute_info",
          [](const Object& owner, const Text& name) {
            const Attribute found = owner.attribute(name.bytes);
            return std::pair(found.creation_order(),
                             found.character_set() == onecast::CharacterSet::utf8);
          },
          core_read(), "Returns (place in the order of creation or None, is the name UTF-8).")
      .def("change_link_count", &Object::change_link_count, core_call(), nb::arg("by"))
      .def("attribute_value", &attribute_value)
      .def("plain_attribute", &plain_attribute)
      .def("plain_attributes", &plain_attributes)
      .def("set_attribute", &set_attribute<Datatype>, nb::arg("name"), nb::arg("type"),
           nb::arg("space"), nb::arg("data"), nb::arg("values").none() = nb::none())
      .def("set_attribute", &set_attribute<Object>, nb::arg("name"), nb::arg("committed_type"),
           nb::arg("space"), nb::arg("data"), nb::arg("values").none() = nb::none())
      .def(
          "remove_attribute",
          [](Object& owner, const Text& name) { owner.remove_attribute(name.bytes); }, core_call())
      .def(
          "rename_attribute",
          [](Object& owner, const Text& name, const Text& new_name) {
            owner.rename_attribute(name.bytes, new_name.bytes);
          },
          core_call());
}
