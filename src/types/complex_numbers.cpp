#include "types/complex_numbers.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "types/datatype_access.hpp"

namespace onecast::types {
namespace {

bool has_complex_class(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::complex:
      return true;
    case TypeClass::compound:
      return std::ranges::any_of(type.members(), has_complex_class, &CompoundMember::type);
    case TypeClass::array:
    case TypeClass::sequence:
      return has_complex_class(type.base());
    default:
      return false;
  }
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::optional<ComplexParts> complex_parts(const Datatype& type) {
  if (type.type_class() == TypeClass::complex)
    return ComplexParts{{{type.base(), 0}, {type.base(), type.base().size()}}};
  const auto& members = type.members();
  if (members.size() != 2) return std::nullopt;
  for (const CompoundMember& member : members)
    if (member.type.type_class() != TypeClass::floating) return std::nullopt;
  return ComplexParts{{{members[0].type, members[0].offset}, {members[1].type, members[1].offset}}};
}

bool is_named_like_complex(const Datatype& type) {
  using Names = std::pair<std::string_view, std::string_view>;
  constexpr Names kKnown[] = {{"r", "i"}, {"re", "im"}, {"real", "imag"}, {"real", "imaginary"}};
  const auto& members = type.members();
  return members.size() == 2 && std::ranges::any_of(kKnown, [&](const Names& names) {
           return equal_in_any_case(members[0].name, names.first) &&
                  equal_in_any_case(members[1].name, names.second);
         });
}

Datatype without_complex_class(const Datatype& type) {
  if (!has_complex_class(type)) return type;
  switch (type.type_class()) {
    case TypeClass::complex:
      return Datatype::complex_pair(type.base());
    case TypeClass::sequence:
      return Datatype::sequence(without_complex_class(type.base()));
    case TypeClass::array:
      return Datatype::array(without_complex_class(type.base()), type.dimensions());
    default: {
      // Keeps everything else, since a compound of another program may break the rules for new
      // ones.
      std::vector<CompoundMember> members = type.members();
      for (CompoundMember& member : members) member.type = without_complex_class(member.type);
      return DatatypeAccess::with_parts(DatatypeAccess::make(TypeClass::compound, type.size()),
                                        {{}, std::move(members), {}, {}, {}});
    }
  }
}

}  // namespace onecast::types
