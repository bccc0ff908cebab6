#include "hdf5/element_types.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/make_error.hpp"

namespace onecast::events::hdf5 {
namespace {

enum class Kind : std::uint8_t { with_sign, without_sign, floating };

struct Number {
  Kind kind;
  std::size_t bytes;
  char letter;  ///< in a list of ROOT's leaves
  std::vector<std::string_view> names;
};

const std::vector<Number>& numbers() {
  using enum Kind;
  static const std::vector<Number> kAll{
      {floating, 4, 'F', {"float", "Float_t"}},
      {floating, 8, 'D', {"double", "Double_t"}},
      {floating, 2, '\0', {"float16"}},  // for columns, not for ROOT
      {with_sign, 1, 'B', {"signed char", "char", "int8_t", "std::int8_t", "Char_t"}},
      {without_sign, 1, 'b', {"unsigned char", "uint8_t", "std::uint8_t", "UChar_t"}},
      {without_sign, 1, 'O', {"bool", "Bool_t"}},
      {with_sign, 2, 'S', {"short", "int16_t", "std::int16_t", "Short_t"}},
      {without_sign, 2, 's', {"unsigned short", "uint16_t", "std::uint16_t", "UShort_t"}},
      {with_sign, 4, 'I', {"int", "int32_t", "std::int32_t", "Int_t"}},
      {without_sign, 4, 'i', {"unsigned int", "unsigned", "uint32_t", "std::uint32_t", "UInt_t"}},
      {with_sign, 8, 'L', {"long", "long long", "int64_t", "std::int64_t", "Long64_t", "Long_t"}},
      {without_sign,
       8,
       'l',
       {"unsigned long", "unsigned long long", "uint64_t", "std::uint64_t", "ULong64_t",
        "ULong_t"}}};
  return kAll;
}

Datatype type_of(const Number& number) {
  return number.kind == Kind::floating
             ? Datatype::floating(number.bytes)
             : Datatype::integer(number.bytes, number.kind == Kind::with_sign);
}

template <class Is>
std::optional<Datatype> find(Is&& is) {
  const auto found = std::ranges::find_if(numbers(), is);
  return found == numbers().end() ? std::nullopt : std::optional(type_of(*found));
}

std::optional<Datatype> number_named(std::string_view name) {
  return find([&](const Number& number) { return std::ranges::count(number.names, name) != 0; });
}

/// Returns the element type of a vector, or nothing if the class is no vector.
std::optional<std::string_view> inner_of_vector(std::string_view name) {
  for (const std::string_view start : {"std::vector<", "vector<"}) {
    if (!name.starts_with(start) || !name.ends_with('>')) continue;
    name.remove_prefix(start.size());
    name.remove_suffix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    return name;
  }
  return {};
}

/// Returns the type of leaves such as run/i:lumi/i:event/l; nothing if one of them is no number.
std::optional<Datatype> leaves(std::string_view text) {
  std::vector<CompoundMember> members;
  std::size_t offset = 0;
  while (true) {
    const std::size_t end = text.find(':');
    const std::string_view leaf = text.substr(0, end);
    const std::size_t slash = leaf.find('/');
    if (slash == 0 || slash + 2 != leaf.size()) return {};
    const auto type = find([&](const Number& number) { return number.letter == leaf.back(); });
    const std::string name(leaf.substr(0, slash));
    const bool is_new =
        std::ranges::none_of(members, [&](const auto& member) { return member.name == name; });
    if (!type || !is_new) return {};
    members.push_back({name, offset, *type});
    offset += type->size();
    if (end == std::string_view::npos) return Datatype::compound(offset, members);
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<Datatype> element_type(const Product& product, const std::string& serializer) {
  // Other serializers put something before the numbers.
  const bool is_raw = serializer == "raw";
  if (!is_raw && serializer != "ROOT") return {};
  const std::string_view name = product.class_name;
  // ROOT's streamer puts something before the elements of a vector.
  if (const auto inner = inner_of_vector(name)) return is_raw ? number_named(*inner) : std::nullopt;
  if (name.find('/') != std::string_view::npos) return leaves(name);
  const std::size_t bracket = name.find('[');
  if (bracket != std::string_view::npos && !name.ends_with(']')) return {};
  return number_named(name.substr(0, bracket));
}

void require_whole_elements(const Event& event, const std::string& product, std::size_t bytes,
                            std::size_t element_bytes, const std::string& where) {
  if (bytes % element_bytes != 0)
    throw format_error("{}: event {}: product {}: {} bytes are no elements of {} bytes", where,
                       event.identity.event, product, bytes, element_bytes);
}

bool has_booleans(const Product& product) {
  const std::string_view name = product.class_name;
  const std::string_view number = inner_of_vector(name).value_or(name.substr(0, name.find('[')));
  return number == "bool" || number == "Bool_t";
}

bool is_element_type(const Datatype& type) {
  const auto is_number = [](const Datatype& of) {
    return of.type_class() == TypeClass::integer || of.type_class() == TypeClass::floating;
  };
  if (type.type_class() != TypeClass::compound) return is_number(type);
  return std::ranges::all_of(type.members(),
                             [&](const CompoundMember& member) { return is_number(member.type); });
}

}  // namespace onecast::events::hdf5
