#include "plain_types.hpp"

#include <unordered_map>

#include "onecast/objects/dataset.hpp"

using onecast::Datatype;

namespace {

struct Hash {
  std::size_t operator()(const Datatype& type) const { return hash_of(type); }
};

constexpr std::size_t kMostKnown = 1024;

// These are never freed, since Python has ended when static objects are destroyed.
PyObject* numpy_empty = nullptr;
PyObject* numpy_bytes = nullptr;

/// The GIL guards the table; it is never freed either.
auto& known_types() {
  static auto& known = *new std::unordered_map<Datatype, std::shared_ptr<const PlainType>, Hash>();
  return known;
}

std::shared_ptr<const PlainType> ask(const Datatype& type) {
  const nb::object answer = nb::module_::import_("onecast._types").attr("plain_type")(type);
  if (answer.is_none()) return nullptr;
  PlainType plain{answer[0], std::nullopt};
  const auto& memory = nb::cast<const Datatype&>(answer[1]);
  if (!(memory == type)) plain.memory = memory;
  return std::make_shared<const PlainType>(std::move(plain));
}

}  // namespace

nb::object PlainType::array(const nb::tuple& shape) const {
  return nb::borrow(numpy_empty)(shape, dtype);
}

nb::object bytes_scalar(std::string_view text) {
  return nb::borrow(numpy_bytes)(nb::bytes(text.data(), text.size()));
}

std::size_t hash_of(const Datatype& type) {
  std::size_t hash = static_cast<std::size_t>(type.type_class());
  for (const std::size_t part : {type.size(), std::size_t{type.class_bits()},
                                 std::size_t{type.bits().precision}, type.members().size()})
    hash = hash * 0x9e3779b97f4a7c15U + part;
  for (const onecast::CompoundMember& member : type.members())
    hash = hash * 0x9e3779b97f4a7c15U + std::hash<std::string>()(member.name);
  return hash;
}

std::shared_ptr<const PlainType> plain_type(const Datatype& type) {
  auto& known = known_types();
  if (const auto found = known.find(type); found != known.end()) return found->second;
  auto plain = ask(type);
  if (known.size() >= kMostKnown) known.clear();
  known.emplace(type, plain);
  return plain;
}

void bind_plain_types(nb::module_& m) {
  m.def(
      "forget_plain_types", [] { known_types().clear(); },
      "The package would answer otherwise by now.");
  const nb::module_ numpy = nb::module_::import_("numpy");
  numpy_empty = nb::object(numpy.attr("empty")).release().ptr();
  numpy_bytes = nb::object(numpy.attr("bytes_")).release().ptr();
}
