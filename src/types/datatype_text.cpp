#include <fmt/format.h>
#include <fmt/ranges.h>

#include "onecast/types/datatype.hpp"

namespace onecast {

using namespace types;

namespace {

const char* order_of(const Datatype& t) {
  constexpr const char* kOrders[] = {"little-endian", "big-endian", "VAX order"};
  return kOrders[static_cast<std::size_t>(t.byte_order())];
}

bool takes_all_bits(const Datatype& t) {
  return t.bits().offset == 0 && t.bits().precision == 8 * t.size();
}

/// Returns " in 4 bytes, from bit 3", if the type does not use all its bits.
std::string bits_of(const Datatype& t) {
  if (takes_all_bits(t)) return "";
  const std::string from =
      t.bits().offset == 0 ? "" : fmt::format(", from bit {}", t.bits().offset);
  return fmt::format(" in {} bytes{}", t.size(), from);
}

std::string floating_text(const Datatype& t) {
  const std::size_t size = t.size();
  if ((size == 2 || size == 4 || size == 8 || size == 16) &&
      t.float_layout() == Datatype::floating(size).float_layout() && takes_all_bits(t))
    return fmt::format("float{} {}", 8 * size, order_of(t));
  const FloatLayout f = t.float_layout();
  if (f == Datatype::bfloat16().float_layout() && size == 2)
    return fmt::format("bfloat16 {}", order_of(t));
  if (f == Datatype::float80().float_layout())
    return fmt::format("float80{} {}", bits_of(t), order_of(t));
  return fmt::format("float{}{} with {} bits of exponent and {} of mantissa {}", t.bits().precision,
                     bits_of(t), f.exponent_size, f.mantissa_size, order_of(t));
}

std::string compound_text(const Datatype& t) {
  std::string text = "compound {";
  for (const CompoundMember& m : t.members())
    text += fmt::format("{}: {}; ", m.name, m.type.describe());
  return text + "}";
}

std::string enumeration_text(const Datatype& t) {
  std::string text = "enumeration {";
  for (const EnumerationMember& m : t.values())
    text += t.base().is_signed()
                ? fmt::format("{} = {}; ", m.name, m.value)
                : fmt::format("{} = {}; ", m.name, static_cast<std::uint64_t>(m.value));
  return fmt::format("{}}} of {}", text, t.base().describe());
}

std::string reference_text(const Datatype& t) {
  constexpr const char* kNames[] = {"object reference", "region reference", "revised reference",
                                    "revised region reference", "revised attribute reference"};
  return kNames[static_cast<std::size_t>(t.reference_kind())];
}

}  // namespace

std::string Datatype::describe() const {
  switch (class_) {
    case TypeClass::integer:
      return fmt::format("{}int{}{} {}", is_signed() ? "" : "u", bits_.precision, bits_of(*this),
                         order_of(*this));
    case TypeClass::floating:
      return floating_text(*this);
    case TypeClass::time:
      return fmt::format("time of {} bytes {}", size_, order_of(*this));
    case TypeClass::string:
      return fmt::format("string of {} bytes", size_);
    case TypeClass::bitfield:
      return fmt::format("bitfield of {} bits{} {}", bits_.precision, bits_of(*this),
                         order_of(*this));
    case TypeClass::opaque:
      return fmt::format("opaque of {} bytes{}", size_,
                         tag().empty() ? "" : fmt::format(", \"{}\"", tag()));
    case TypeClass::compound:
      return compound_text(*this);
    case TypeClass::reference:
      return reference_text(*this);
    case TypeClass::enumeration:
      return enumeration_text(*this);
    case TypeClass::variable_string:
      return "variable-length string";
    case TypeClass::sequence:
      return "sequence of " + base().describe();
    case TypeClass::array:
      return fmt::format("array [{}] of {}", fmt::join(dimensions(), ", "), base().describe());
    case TypeClass::complex:
      return "complex of " + base().describe();
  }
  return "unknown";
}

}  // namespace onecast
