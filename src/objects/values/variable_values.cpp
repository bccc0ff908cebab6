#include "onecast/objects/variable_values.hpp"

#include "base/make_error.hpp"
#include "format/objects/reference_element.hpp"
#include "objects/codec/selection_codec.hpp"
#include "objects/files/file_state.hpp"
#include "objects/values/heap_reader.hpp"
#include "types/string_padding.hpp"

namespace onecast {

using namespace values;

namespace {

std::optional<std::uint64_t> target(Address address) {
  return is_set(address) ? std::optional(address.value) : std::nullopt;
}

}  // namespace

VariableValues::VariableValues(const Object& object)
    : node_(object.node_), heap_(std::make_unique<HeapReader>(file_of(*node_))) {}
VariableValues::VariableValues(VariableValues&&) noexcept = default;
VariableValues& VariableValues::operator=(VariableValues&&) noexcept = default;
VariableValues::~VariableValues() = default;

std::string VariableValues::where() const {
  return attribute_.empty() ? node_->where() : node_->where(attribute_);
}

void VariableValues::require(const Datatype& type, std::span<const std::byte> element,
                             TypeClass wanted, const char* name) const {
  file_of(*node_).require_open();
  if (type.type_class() != wanted || element.size() != type.size())
    throw argument_error("{}: an element of a {} expected, not {} bytes of {}", where(), name,
                         element.size(), type.describe());
}

VariableValues::Sequence VariableValues::lookup(std::span<const std::byte> element,
                                                std::size_t size) {
  const FileContext& context = file_of(*node_).store().file();
  const auto ref = decode<VariableLengthReference>(element, {}, context);
  if (ref.length == 0 || !is_set(ref.id.collection)) return {};
  HeapReader::Object found = heap_->object(ref.id, std::uint64_t{ref.length} * size, "Length");
  return {ref.length, found.bytes, std::move(found.owner)};
}

std::string_view VariableValues::string(const Datatype& type, std::span<const std::byte> element) {
  require(type, element, TypeClass::variable_string, "variable-length string");
  const Sequence found = lookup(element, 1);
  const std::string_view text(reinterpret_cast<const char*>(found.bytes.data()),
                              found.bytes.size());
  return text.substr(0, text.find('\0'));
}

void VariableValues::for_each_string(const Datatype& type, std::span<const std::byte> elements,
                                     const std::function<void(std::string_view)>& each) {
  const std::size_t size = type.size();
  const FileContext& context = file_of(*node_).store().file();
  const HeapCollection* objects = nullptr;  // the last collection: nothing is written meanwhile
  Address collection;
  for (std::size_t at = 0; at + size <= elements.size(); at += size) {
    const auto element = elements.subspan(at, size);
    if (at == 0) require(type, element, TypeClass::variable_string, "variable-length string");
    const auto ref = decode<VariableLengthReference>(element, {}, context);
    ByteView bytes;
    if (ref.length != 0 && is_set(ref.id.collection)) {
      if (objects == nullptr || ref.id.collection != collection)
        objects = &heap_->collection(collection = ref.id.collection);
      bytes = objects->object(ref.id.index);
      if (bytes.size() < ref.length) heap_->object(ref.id, ref.length, "Length");  // throws
      bytes = bytes.first(ref.length);
      heap_->count(ref.length);
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    each(text.substr(0, text.find('\0')));
  }
}

VariableValues::Sequence VariableValues::sequence(const Datatype& type,
                                                  std::span<const std::byte> element) {
  require(type, element, TypeClass::sequence, "sequence");
  return lookup(element, type.base().size());
}

Reference VariableValues::reference(const Datatype& type, std::span<const std::byte> element) {
  require(type, element, TypeClass::reference, "reference");
  const FileContext& context = file_of(*node_).store().file();
  Reference reference;
  reference.kind = type.reference_kind();
  if (reference.kind == ReferenceKind::object) {
    reference.address = target(decode<ObjectReferenceElement>(element, {}, context).object);
    return reference;
  }
  if (reference.kind == ReferenceKind::region) {
    const auto id = decode<GlobalHeapId>(element, {}, context);
    if (!is_set(id.collection)) return reference;
    const HeapReader::Object found = heap_->object(id);
    ByteReader in(found.bytes, id.collection, context, RegionReferenceObject::kTitle);
    reference.address = target(decode<RegionReferenceObject>(in).object);
    const ByteView rest = in.bytes(in.remaining(), "Selection");
    reference.region.assign(rest.begin(), rest.end());
    return reference;
  }
  return revised_reference(element);
}

Reference VariableValues::revised_reference(std::span<const std::byte> element) {
  const FileContext& context = file_of(*node_).store().file();
  ByteReader in(element, {}, context, RevisedReferenceElement::kTitle);
  RevisedReferenceBody body;
  body.element = decode<RevisedReferenceElement>(in);
  Reference reference;
  reference.kind = ReferenceKind::revised_object;
  if (body.element.type == 0) return reference;
  if (body.element.type > static_cast<std::uint8_t>(ReferenceKind::revised_attribute) ||
      body.element.type < static_cast<std::uint8_t>(ReferenceKind::revised_object))
    in.fail("Reference Type", "is none of 2, 3 and 4");
  reference.kind = static_cast<ReferenceKind>(body.element.type);
  HeapReader::Object found;
  if (!body.element.is_whole()) {
    const auto place = decode<RevisedReferenceHeapId>(in);
    if (!is_set(place.id.collection)) return reference;
    found = heap_->object(place.id, place.size, "Size");
    in = ByteReader(found.bytes, place.id.collection, context, RevisedReferenceBody::kTitle);
  }
  decode_into(in, body);
  reference.address = target(body.token);
  reference.file = body.file_name;
  reference.attribute = body.attribute_name;
  reference.region.assign(body.selection.begin(), body.selection.end());
  reference.rank = body.rank;
  return reference;
}

Selection VariableValues::region(const Reference& reference, std::size_t rank) const {
  if (reference.region.empty())
    throw Error(ErrorCode::invalid_argument, where() + ": the reference is not to a region");
  return decode_selection(reference.region, {}, file_of(*node_).store().file(), rank);
}

std::vector<std::string> VariableValues::strings(const Datatype& type,
                                                 std::span<const std::byte> elements) {
  const std::size_t size = type.size();
  const std::size_t count = elements.size() / size;
  const bool fixed = type.type_class() == TypeClass::string;
  if (!fixed && type.type_class() != TypeClass::variable_string)
    throw argument_error("{}: is {}, not strings", where(), type.describe());
  std::vector<std::string> strings;
  strings.reserve(count);
  if (!fixed)
    for_each_string(type, elements, [&](std::string_view text) { strings.emplace_back(text); });
  else
    for (std::size_t i = 0; i < count; ++i)
      strings.push_back(unpad(elements.subspan(i * size, size), type.padding()));
  return strings;
}

}  // namespace onecast
