#include "onecast/objects/dimension_scales.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/make_error.hpp"
#include "onecast/objects/file.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/variable_values.hpp"

namespace onecast {
namespace {

// The names, values and types of the dimension scale specification.
constexpr const char* kClass = "CLASS";
constexpr std::string_view kClassOfScale = "DIMENSION_SCALE";
constexpr const char* kName = "NAME";
constexpr const char* kScales = "DIMENSION_LIST";
constexpr const char* kLabels = "DIMENSION_LABELS";
constexpr const char* kUsers = "REFERENCE_LIST";
constexpr const char* kUser = "dataset";
constexpr const char* kUserDimension = "dimension";

std::string where(const Object& object) {
  return object.file().path() + ": " +
         (object.path().empty() ? "an anonymous object" : object.path());
}

[[noreturn]] void refuse(const Object& object, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, where(object) + ": " + what);
}

[[noreturn]] void throw_other(const Object& object, const char* attribute) {
  throw format_error(
      "{}: attribute \"{}\": is not what the dimension scale "
      "specification says",
      where(object), attribute);
}

void require_dimension(const Dataset& dataset, std::size_t dimension) {
  const std::size_t rank = dataset.dataspace().rank();
  if (dimension >= rank)
    refuse(dataset, fmt::format("dimension: 0 to {} was expected, not {}",
                                rank == 0 ? "nothing" : std::to_string(rank - 1), dimension));
}

/// Sets a text with its NUL, as C programs do.
void set_text(Dataset& dataset, const char* name, std::string_view text) {
  std::string value(text);
  value.push_back('\0');
  dataset.set_attribute(name, Datatype::string(value.size()), Dataspace(),
                        std::as_bytes(std::span(value)));
}

std::optional<std::string> text_of(const Dataset& dataset, const char* name) {
  const auto found = dataset.find_attribute(name);
  if (!found || found->dataspace().rank() != 0 ||
      found->dataspace().kind() == Dataspace::Kind::null)
    return std::nullopt;
  const TypeClass kind = found->datatype().type_class();
  if (kind != TypeClass::string && kind != TypeClass::variable_string) return std::nullopt;
  return found->read<std::string>().front();
}

// --- DIMENSION_LIST: the scales of each dimension
// -------------------------------------------------
using References = std::vector<Reference>;

Datatype scales_type() { return Datatype::sequence(Datatype::reference()); }

/// Returns one list for each dimension.
std::vector<References> scales_in(const Dataset& dataset) {
  std::vector<References> all(dataset.dataspace().rank());
  const auto found = dataset.find_attribute(kScales);
  if (!found) return all;
  const Datatype& type = found->datatype();
  const bool fits = type.type_class() == TypeClass::sequence &&
                    type.base().type_class() == TypeClass::reference &&
                    found->dataspace().shape() == Shape{all.size()};
  if (!fits) throw_other(dataset, kScales);
  VariableValues values(*found);
  const auto bytes = found->bytes();
  const std::size_t size = type.base().size();
  for (std::size_t d = 0; d < all.size(); ++d) {
    const auto sequence = values.sequence(type, bytes.subspan(d * type.size(), type.size()));
    for (std::size_t i = 0; i < sequence.count; ++i)
      all[d].push_back(values.reference(type.base(), sequence.bytes.subspan(i * size, size)));
  }
  return all;
}

void set_scales(Dataset& dataset, const std::vector<References>& all) {
  const Datatype type = scales_type();
  NewValues values;
  std::vector<std::byte> elements(all.size() * type.size());
  for (std::size_t d = 0; d < all.size(); ++d) {
    const std::size_t size = type.base().size();
    std::vector<std::byte> references(all[d].size() * size);
    for (std::size_t i = 0; i < all[d].size(); ++i)
      values.reference(type.base(), all[d][i], std::span(references).subspan(i * size, size));
    if (!all[d].empty())
      values.sequence(type, references, std::span(elements).subspan(d * type.size(), type.size()));
  }
  dataset.set_attribute(kScales, type, Dataspace({all.size()}), elements, values);
}

// --- REFERENCE_LIST: the datasets and dimensions whose scale this is
// ------------------------------
struct User {
  Reference dataset;
  std::uint32_t dimension = 0;
};

Datatype users_type() {
  constexpr std::size_t kSize = 16;
  constexpr std::size_t kDimensionAt = 8;
  return Datatype::compound(kSize, {{kUser, 0, Datatype::reference()},
                                    {kUserDimension, kDimensionAt, Datatype::of<std::uint32_t>()}});
}

std::vector<User> users_of(const Dataset& scale) {
  std::vector<User> users;
  const auto found = scale.find_attribute(kUsers);
  if (!found) return users;
  const Datatype& type = found->datatype();
  const auto& members = type.members();
  const bool fits = members.size() == 2 && members[0].type.type_class() == TypeClass::reference &&
                    members[1].type.type_class() == TypeClass::integer &&
                    members[1].type.size() == 4;
  if (!fits) throw_other(scale, kUsers);
  VariableValues values(*found);
  const auto bytes = found->bytes();
  for (std::size_t at = 0; at + type.size() <= bytes.size(); at += type.size()) {
    const auto part = [&](const CompoundMember& m) {
      return bytes.subspan(at + m.offset, m.type.size());
    };
    User& user = users.emplace_back();
    user.dataset = values.reference(members[0].type, part(members[0]));
    std::memcpy(&user.dimension, part(members[1]).data(), sizeof user.dimension);
    if (members[1].type.byte_order() == ByteOrder::big)
      user.dimension = __builtin_bswap32(user.dimension);
  }
  return users;
}

void set_users(Dataset& scale, const std::vector<User>& users) {
  if (users.empty()) {
    if (scale.has_attribute(kUsers)) scale.remove_attribute(kUsers);
    return;
  }
  const Datatype type = users_type();
  const auto& members = type.members();
  NewValues values;
  std::vector<std::byte> elements(users.size() * type.size());
  for (std::size_t i = 0; i < users.size(); ++i) {
    const auto element = std::span(elements).subspan(i * type.size(), type.size());
    values.reference(members[0].type, users[i].dataset, element.first(members[0].type.size()));
    std::memcpy(element.subspan(members[1].offset).data(), &users[i].dimension,
                sizeof users[i].dimension);
  }
  scale.set_attribute(kUsers, type, Dataspace({users.size()}), elements, values);
}

/// Returns the scale's position in the list, or the end. An object without an address is in no
/// list, as no reference leads to it.
References::const_iterator find(const Group& root, const References& list, const Dataset& scale) {
  return std::ranges::find_if(list, [&](const Reference& reference) {
    return reference.address && root.kind_of(reference) == ObjectKind::dataset &&
           root.open_dataset(reference).same_object(scale);
  });
}

}  // namespace

bool is_scale(const Dataset& dataset) { return text_of(dataset, kClass) == kClassOfScale; }

std::string scale_name(const Dataset& scale) { return text_of(scale, kName).value_or(""); }

void make_scale(Dataset& scale, std::string_view name) {
  if (scale.has_attribute(kScales)) refuse(scale, "make_scale: it has scales itself");
  set_text(scale, kClass, kClassOfScale);
  if (!name.empty()) set_text(scale, kName, name);
}

void attach_scale(Dataset& dataset, std::size_t dimension, Dataset& scale) {
  require_dimension(dataset, dimension);
  if (!dataset.in_file_of(scale))
    refuse(dataset, fmt::format("attach_scale: {} is in another file", where(scale)));
  if (dataset.same_object(scale) || is_scale(dataset))
    refuse(dataset, "attach_scale: a scale has no scales itself");
  const Group root = dataset.file().root();
  auto all = scales_in(dataset);
  if (find(root, all[dimension], scale) != all[dimension].end()) return;
  auto users = users_of(scale);
  if (!is_scale(scale)) make_scale(scale);
  all[dimension].push_back(scale.reference());
  users.push_back({dataset.reference(), static_cast<std::uint32_t>(dimension)});
  set_scales(dataset, all);
  set_users(scale, users);
}

void detach_scale(Dataset& dataset, std::size_t dimension, Dataset& scale) {
  require_dimension(dataset, dimension);
  const Group root = dataset.file().root();
  auto all = scales_in(dataset);
  const auto found = find(root, all[dimension], scale);
  if (found == all[dimension].end())
    throw not_found_error("{}: dimension {}: {} is not one of its scales", where(dataset),
                          dimension, where(scale));
  auto users = users_of(scale);
  const Reference itself = dataset.reference();
  all[dimension].erase(found);
  std::erase_if(users, [&](const User& user) {
    return user.dataset == itself && user.dimension == dimension;
  });
  set_scales(dataset, all);
  set_users(scale, users);
}

bool is_attached(const Dataset& dataset, std::size_t dimension, const Dataset& scale) {
  require_dimension(dataset, dimension);
  const auto all = scales_in(dataset);
  return find(dataset.file().root(), all[dimension], scale) != all[dimension].end();
}

std::vector<Dataset> scales_of(const Dataset& dataset, std::size_t dimension) {
  require_dimension(dataset, dimension);
  const Group root = dataset.file().root();
  const auto all = scales_in(dataset);
  std::vector<Dataset> scales;
  for (const Reference& reference : all[dimension])
    if (reference.address) scales.push_back(root.open_dataset(reference));
  return scales;
}

void set_dimension_label(Dataset& dataset, std::size_t dimension, std::string_view label) {
  require_dimension(dataset, dimension);
  std::vector<std::string> labels(dataset.dataspace().rank());
  if (const auto found = dataset.find_attribute(kLabels)) {
    if (found->dataspace().shape() != Shape{labels.size()}) throw_other(dataset, kLabels);
    labels = found->read<std::string>();
  }
  labels[dimension] = label;
  const Datatype type = Datatype::variable_string(CharacterSet::utf8);
  NewValues values;
  std::vector<std::byte> elements(labels.size() * type.size());
  for (std::size_t d = 0; d < labels.size(); ++d)
    if (!labels[d].empty())
      values.string(type, labels[d], std::span(elements).subspan(d * type.size(), type.size()));
  dataset.set_attribute(kLabels, type, Dataspace({labels.size()}), elements, values);
}

std::string dimension_label(const Dataset& dataset, std::size_t dimension) {
  require_dimension(dataset, dimension);
  const auto found = dataset.find_attribute(kLabels);
  if (!found) return {};
  if (found->dataspace().shape() != Shape{dataset.dataspace().rank()})
    throw_other(dataset, kLabels);
  return found->read<std::string>().at(dimension);
}

}  // namespace onecast
