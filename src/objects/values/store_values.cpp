#include "objects/values/store_values.hpp"

#include <algorithm>
#include <optional>

#include "base/make_error.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/files/file_state.hpp"
#include "objects/values/heap_writer.hpp"

namespace onecast::values {
namespace {

std::uint32_t number_at(std::span<const std::byte> element, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number |= std::to_integer<std::uint32_t>(element[offset + i]) << 8U * i;
  return number;
}

bool is_revised(const Datatype& type) {
  return type.type_class() == TypeClass::reference &&
         type.reference_kind() >= ReferenceKind::revised_object;
}

/// Returns the offset of the value's place in an element: behind a length, or behind type, flags
/// and size.
std::size_t heap_id_offset(const Datatype& type) {
  if (is_revised(type)) return 6;
  return type.type_class() == TypeClass::reference ? 0 : 4;
}

/// Returns the number of bytes that the value of an element must have; absent: any.
std::optional<std::uint64_t> value_size(const Datatype& type, std::span<const std::byte> element) {
  if (is_revised(type)) return number_at(element, 2);
  if (type.type_class() == TypeClass::reference) return std::nullopt;
  const std::uint64_t size = type.type_class() == TypeClass::sequence ? type.base().size() : 1;
  return number_at(element, 0) * size;
}

std::uint32_t value_number(std::span<const std::byte> element) {
  return number_at(element, element.size() - 4);
}

/// Puts the value into the heap, and its place into the element. `nested` stores the values of the
/// elements within the value.
template <class Nested>
void store_value(const Datatype& type, std::span<std::byte> element, ByteView value,
                 const FileContext& file, const PutValue& put, Nested&& nested) {
  const auto place_of = [&]() -> GlobalHeapId {
    if (type.type_class() != TypeClass::sequence || !type.base().points_elsewhere())
      return put(value);
    std::vector<std::byte> own(value.begin(), value.end());
    nested(type.base(), std::span(own));
    return put(own);
  };
  const GlobalHeapId id = place_of();
  ByteWriter out(element.subspan(heap_id_offset(type)));
  encode(out, file, id);
}

}  // namespace

bool uses_heap(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::variable_string:
    case TypeClass::sequence:
      return true;
    case TypeClass::array:
      return uses_heap(type.base());
    case TypeClass::compound:
      return std::ranges::any_of(type.members(),
                                 [](const CompoundMember& m) { return uses_heap(m.type); });
    case TypeClass::reference:
      return type.reference_kind() != ReferenceKind::object;
    default:
      return false;
  }
}

void require_storable(const Datatype& type, const FileContext& file, const Where& where) {
  if (!type.points_elsewhere()) return;
  const auto require = [&](std::size_t expected) {
    if (type.size() != expected)
      throw unsupported_error("{}: not supported: {} has {} bytes, in this file {}", where.text(),
                              type.describe(), type.size(), expected);
  };
  switch (type.type_class()) {
    case TypeClass::compound:
      for (const CompoundMember& m : type.members()) require_storable(m.type, file, where);
      return;
    case TypeClass::array:
      return require_storable(type.base(), file, where);
    case TypeClass::sequence:
      require(VariableLengthReference::size(file));
      return require_storable(type.base(), file, where);
    case TypeClass::variable_string:
      return require(VariableLengthReference::size(file));
    default:
      break;
  }
  if (type.reference_kind() == ReferenceKind::object) return require(file.size_of_offsets);
  if (type.reference_kind() == ReferenceKind::region) return require(file.size_of_offsets + 4U);
  if (type.reference_kind() == ReferenceKind::revised_object)
    return require(file.size_of_offsets + 10U);
  throw unsupported_error("{}: not supported: writing {}", where.text(), type.describe());
}

namespace {

/// Returns true if the element has no value of its own and is one that NewValues makes: nothing, or
/// a revised reference to an object.
bool is_plain(const Datatype& type, std::span<const std::byte> element) {
  const bool is_object = is_revised(type) && element[0] == std::byte{2} &&
                         element[1] == std::byte{0} &&
                         std::to_integer<std::size_t>(element[2]) == type.size() - 10;
  // There must be nothing behind the token.
  const auto rest = is_object ? element.subspan(type.size() - 7) : element;
  return std::ranges::all_of(rest, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

void check_values(const Datatype& type, std::span<const std::byte> elements,
                  const NewValues& values, const Where& where) {
  for_each_place(type, elements, [&](const Datatype& t, std::span<const std::byte> element) {
    const std::uint32_t number = value_number(element);
    const auto reject = [&] {
      throw Error(ErrorCode::invalid_argument,
                  where.text() +
                      ": an element of variable length, or a region reference, that is not one "
                      "of the new values");
    };
    if (number == 0) {
      if (!is_plain(t, element)) reject();
      return;
    }
    const auto address = element.first(element.size() - 4).subspan(heap_id_offset(t));
    const bool is_new = std::ranges::all_of(address, [](std::byte b) { return b == std::byte{0}; });
    if (!is_new || number > values.size()) reject();
    const auto value = values.value(number);
    if (value_size(t, element).value_or(value.size()) != value.size()) reject();
    if (t.type_class() == TypeClass::sequence) check_values(t.base(), value, values, where);
  });
}

void store_values(const Datatype& type, std::span<std::byte> elements, const NewValues& values,
                  const FileContext& file, const PutValue& put) {
  for_each_place(type, elements, [&](const Datatype& t, std::span<std::byte> element) {
    const std::uint32_t number = value_number(element);
    if (number == 0) return;
    store_value(t, element, values.value(number), file, put,
                [&](const Datatype& base, std::span<std::byte> nested) {
                  store_values(base, nested, values, file, put);
                });
  });
}

void check_new_values(Node& dataset, std::span<const std::byte> elements, const NewValues& values) {
  FileState& file = file_of(dataset);
  file.require_editable();
  const DatasetInfo& info = dataset.dataset();
  if (info.layout != Layout::compact) require_writable_storage(dataset);
  require_storable(info.type, file.store().file(), dataset);
  check_values(info.type, elements, values, dataset);
}

std::span<const std::byte> with_stored_values(Node& dataset, std::span<const std::byte> elements,
                                              const NewValues& values,
                                              std::vector<std::byte>& own) {
  FileState& file = file_of(dataset);
  std::vector<std::byte> copy(elements.begin(), elements.end());
  store_values(dataset.dataset().type, copy, values, file.store().file(),
               [&](ByteView value) { return heap_of(file).put(value, false); });
  own = std::move(copy);
  return own;
}

std::uint64_t pack_values(const Datatype& type, std::span<const std::byte> elements,
                          const NewValues& values, Packer& out) {
  std::uint64_t bytes = 0;
  for_each_place(type, elements, [&](const Datatype& t, std::span<const std::byte> element) {
    const std::uint32_t number = value_number(element);
    if (number == 0) return;
    const auto value = values.value(number);
    out.block(value);
    bytes += value.size();
    if (t.type_class() == TypeClass::sequence) bytes += pack_values(t.base(), value, values, out);
  });
  return bytes;
}

void store_packed_values(const Datatype& type, std::span<std::byte> elements, Unpacker& values,
                         const FileContext& file, const PutValue& put) {
  for_each_place(type, elements, [&](const Datatype& t, std::span<std::byte> element) {
    if (value_number(element) == 0) return;
    store_value(t, element, values.block(), file, put,
                [&](const Datatype& base, std::span<std::byte> nested) {
                  store_packed_values(base, nested, values, file, put);
                });
  });
}

}  // namespace onecast::values
