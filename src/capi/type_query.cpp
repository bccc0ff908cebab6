// Functions that ask for properties of a type.

#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

static_assert(static_cast<int>(TypeClass::complex) == ONECAST_CLASS_COMPLEX);
static_assert(static_cast<int>(ByteOrder::vax) == ONECAST_VAX);
static_assert(static_cast<int>(StringPadding::space_padded) == ONECAST_SPACE_PADDED);
static_assert(static_cast<int>(CharacterSet::utf8) == ONECAST_UTF8);
static_assert(static_cast<int>(ReferenceKind::revised_attribute) ==
              ONECAST_REFERENCE_REVISED_ATTRIBUTE);

/// Returns the type. Throws Error (invalid_argument) if its class is none of these.
const Datatype& of_class(const onecast_type* type, std::initializer_list<TypeClass> classes) {
  const Datatype& asked = required(type, "type").value;
  if (std::find(classes.begin(), classes.end(), asked.type_class()) == classes.end())
    reject("a " + asked.describe() + " has no such property");
  return asked;
}

void require_index(std::size_t index, std::size_t count) {
  if (index >= count) reject("index " + std::to_string(index) + " of " + std::to_string(count));
}

}  // namespace

onecast_status onecast_type_get_class(const onecast_type* type, onecast_type_class* type_class) {
  return guard([&] {
    required(type_class, "type_class") =
        static_cast<onecast_type_class>(required(type, "type").value.type_class());
  });
}

onecast_status onecast_type_get_size(const onecast_type* type, size_t* size) {
  return guard_counting(size,
                        [&] { required(size, "size") = required(type, "type").value.size(); });
}

onecast_status onecast_type_get_order(const onecast_type* type, onecast_byte_order* order) {
  return guard([&] {
    const Datatype& asked = of_class(
        type, {TypeClass::integer, TypeClass::floating, TypeClass::time, TypeClass::bitfield});
    required(order, "order") = static_cast<onecast_byte_order>(asked.byte_order());
  });
}

onecast_status onecast_type_get_signed(const onecast_type* type, int* is_signed) {
  return guard([&] {
    required(is_signed, "is_signed") = of_class(type, {TypeClass::integer}).is_signed() ? 1 : 0;
  });
}

onecast_status onecast_type_get_padding(const onecast_type* type, onecast_padding* padding) {
  return guard([&] {
    required(padding, "padding") =
        static_cast<onecast_padding>(of_class(type, {TypeClass::string}).padding());
  });
}

onecast_status onecast_type_get_character_set(const onecast_type* type,
                                              onecast_character_set* set) {
  return guard([&] {
    const Datatype& asked = of_class(type, {TypeClass::string, TypeClass::variable_string});
    required(set, "set") = static_cast<onecast_character_set>(asked.character_set());
  });
}

onecast_status onecast_type_get_reference_kind(const onecast_type* type,
                                               onecast_reference_kind* kind) {
  return guard([&] {
    required(kind, "kind") = static_cast<onecast_reference_kind>(
        of_class(type, {TypeClass::reference}).reference_kind());
  });
}

onecast_status onecast_type_get_tag(const onecast_type* type, const char** tag) {
  return guard([&] { required(tag, "tag") = of_class(type, {TypeClass::opaque}).tag().c_str(); });
}

onecast_status onecast_type_get_member_count(const onecast_type* type, size_t* count) {
  return guard_counting(count, [&] {
    const Datatype& asked = of_class(type, {TypeClass::compound, TypeClass::enumeration});
    required(count, "count") =
        asked.type_class() == TypeClass::compound ? asked.members().size() : asked.values().size();
  });
}

onecast_status onecast_type_get_member(const onecast_type* type, size_t index, const char** name,
                                       size_t* offset, onecast_type** member) {
  return guard_making(member, [&] {
    const auto& members = of_class(type, {TypeClass::compound}).members();
    require_index(index, members.size());
    const CompoundMember& found = members[index];
    if (member != nullptr) give_type(member, found.type);
    if (name != nullptr) *name = found.name.c_str();
    if (offset != nullptr) *offset = found.offset;
  });
}

onecast_status onecast_type_get_enumerator(const onecast_type* type, size_t index,
                                           onecast_enumerator* enumerator) {
  return guard([&] {
    const auto& values = of_class(type, {TypeClass::enumeration}).values();
    require_index(index, values.size());
    required(enumerator, "enumerator") = {values[index].name.c_str(), values[index].value};
  });
}

onecast_status onecast_type_get_dimensions(const onecast_type* type, size_t* rank,
                                           uint32_t* dimensions) {
  return guard_counting(rank, [&] {
    const auto& found = of_class(type, {TypeClass::array}).dimensions();
    required(rank, "rank") = found.size();
    if (dimensions != nullptr) std::copy(found.begin(), found.end(), dimensions);
  });
}

onecast_status onecast_type_get_base(const onecast_type* type, onecast_type** base) {
  return guard_making(base, [&] {
    required(base, "base");
    give_type(base, of_class(type, {TypeClass::enumeration, TypeClass::sequence, TypeClass::array,
                                    TypeClass::complex})
                        .base());
  });
}

onecast_status onecast_type_equal(const onecast_type* a, const onecast_type* b, int* equal) {
  return guard(
      [&] { required(equal, "equal") = required(a, "a").value == required(b, "b").value ? 1 : 0; });
}

onecast_status onecast_type_describe(const onecast_type* type, char** text) {
  return guard_making(text, [&] {
    required(text, "text");
    *text = returned_text(required(type, "type").value.describe());
  });
}
