#include "types/value_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "types/scalar.hpp"
#include "types/string_padding.hpp"

namespace onecast::types {
namespace {

constexpr std::size_t kMostParts = 8;   // of a compound or an array
constexpr std::size_t kMostBytes = 40;  // of a text, or of bytes without another form

template <class T>
std::string number_as(const Scalar& value) {
  T number{};
  store_scalar(Datatype::of<T>(), value, reinterpret_cast<std::byte*>(&number));
  return fmt::format("{}", number);
}

std::string hexadecimal(ByteView bytes) {
  std::string text = "0x";
  for (const std::byte b : bytes.first(std::min(bytes.size(), kMostBytes)))
    text += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return bytes.size() > kMostBytes ? text + "..." : text;
}

std::string number_text(const Datatype& type, ByteView element) {
  if (!is_scalar(type)) return hexadecimal(element);
  const Scalar value = load_scalar(type, element.data());
  if (type.type_class() == TypeClass::floating)
    return type.size() <= sizeof(float) ? number_as<float>(value) : number_as<double>(value);
  if (type.bits().precision > 64) return hexadecimal(element);
  return value.negative ? number_as<std::int64_t>(value) : number_as<std::uint64_t>(value);
}

std::string quoted(std::string text) {
  const bool is_long = text.size() > kMostBytes;
  if (is_long) text.resize(kMostBytes);
  return fmt::format("\"{}\"{}", text, is_long ? "..." : "");
}

std::string compound_text(const Datatype& type, ByteView element) {
  std::vector<std::string> parts;
  for (const CompoundMember& m : type.members()) {
    if (parts.size() == kMostParts) {
      parts.emplace_back("...");
      break;
    }
    parts.push_back(fmt::format("{}: {}", m.name,
                                value_text(m.type, element.subspan(m.offset, m.type.size()))));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string array_text(const Datatype& base, ByteView element) {
  std::vector<std::string> parts;
  for (; element.size() >= base.size(); element = element.subspan(base.size())) {
    if (parts.size() == kMostParts) {
      parts.emplace_back("...");
      break;
    }
    parts.push_back(value_text(base, element.first(base.size())));
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace

std::string value_text(const Datatype& type, ByteView element) {
  switch (type.type_class()) {
    case TypeClass::integer:
    case TypeClass::floating:
      return number_text(type, element);
    case TypeClass::enumeration:
      return number_text(type.base(), element);
    case TypeClass::string:
      return quoted(unpad(element, type.padding()));
    case TypeClass::compound:
      return compound_text(type, element);
    case TypeClass::array:
    case TypeClass::complex:
      return array_text(type.base(), element);
    case TypeClass::variable_string:
    case TypeClass::sequence:
    case TypeClass::reference:
      return fmt::format("a {}", type.describe());
    case TypeClass::time:
    case TypeClass::bitfield:
    case TypeClass::opaque:
      break;
  }
  return hexadecimal(element);
}

}  // namespace onecast::types
