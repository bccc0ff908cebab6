#include "objects/values/copy_values.hpp"

#include <algorithm>

#include "format/objects/reference_element.hpp"
#include "objects/files/file_state.hpp"
#include "objects/values/heap_writer.hpp"
#include "objects/values/place_of_header.hpp"
#include "onecast/base/error.hpp"

namespace onecast::values {
namespace {

void clear(std::span<std::byte> element) {
  std::fill(element.begin(), element.end(), std::byte{0});
}

template <class R>
void write(const R& record, const FileContext& file, std::span<std::byte> out) {
  ByteWriter writer(out);
  encode(writer, file, record);
}

}  // namespace

ValueCopy::ValueCopy(FileState& source, FileState& target, CopyOf copy_of)
    : source_(source), target_(target), copy_of_(std::move(copy_of)), reader_(source) {}

void ValueCopy::look_at(FileState& source, FileState& target, const Datatype& type,
                        ByteView elements, CopyOf copy_of) {
  if (!type.points_elsewhere()) return;
  std::vector<std::byte> copy(elements.begin(), elements.end());
  ValueCopy values(source, target, std::move(copy_of));
  values.only_checks_ = true;
  values.translate(type, copy, false);
}

void ValueCopy::check(FileState& source, FileState& target, const Datatype& type,
                      ByteView elements) {
  look_at(source, target, type, elements, [](Address) { return nullptr; });
}

void ValueCopy::for_each_reference(FileState& file, const Datatype& type, ByteView elements,
                                   const std::function<void(Address)>& each) {
  look_at(file, file, type, elements, [&each](Address address) -> Node* {
    each(address);
    return nullptr;
  });
}

HeapReader ValueCopy::look_up(FileState& file, const Datatype& type, ByteView elements) {
  std::vector<std::byte> copy(elements.begin(), elements.end());
  ValueCopy values(file, file, [](Address) { return nullptr; });
  values.only_checks_ = true;
  const std::size_t size = type.size();
  for (std::size_t at = 0; at + size <= copy.size(); at += size) {
    try {
      values.translate(type, std::span(copy).subspan(at, size), false);
    } catch (const Error&) {
      continue;  // ranks that look up the damaged value get the error
    }
  }
  return std::move(values.reader_);
}

GlobalHeapId ValueCopy::put(ByteView value, bool keep) {
  return only_checks_ ? GlobalHeapId{} : heap_of(target_).put(value, keep);
}

void ValueCopy::translate(const Datatype& type, std::span<std::byte> elements, bool keep) {
  if (!type.points_elsewhere()) return;
  const std::size_t size = type.size();
  for (std::size_t at = 0; at + size <= elements.size(); at += size) {
    const auto element = elements.subspan(at, size);
    switch (type.type_class()) {
      case TypeClass::array:
        translate(type.base(), element, keep);
        break;
      case TypeClass::compound:
        for (const CompoundMember& m : type.members())
          translate(m.type, element.subspan(m.offset, m.type.size()), keep);
        break;
      case TypeClass::reference:
        translate_reference(type, element, keep);
        break;
      default:
        translate_sequence(type, element, keep);
    }
  }
}

void ValueCopy::translate_sequence(const Datatype& type, std::span<std::byte> element, bool keep) {
  auto place = decode<VariableLengthReference>(element, {}, source_.store().file());
  if (place.length == 0 || !is_set(place.id.collection)) return clear(element);
  const bool is_string = type.type_class() == TypeClass::variable_string;
  const std::uint64_t size = is_string ? 1 : type.base().size();
  const HeapReader::Object found = reader_.object(place.id, place.length * size, "Length");
  std::vector<std::byte> value(found.bytes.begin(), found.bytes.end());
  if (!is_string) translate(type.base(), value, keep);
  place.id = put(value, keep);
  write(place, target_.store().file(), element);
}

/// Returns false if the address leads to nothing.
bool ValueCopy::translate_address(std::span<std::byte> bytes) const {
  const auto reference = decode<ObjectReferenceElement>(bytes, {}, source_.store().file());
  if (!is_set(reference.object)) return false;
  if (Node* copy = copy_of_(reference.object)) {
    write(ObjectReferenceElement{place_of_header(*copy)}, target_.store().file(), bytes);
    return true;
  }
  return &source_ == &target_;
}

void ValueCopy::translate_reference(const Datatype& type, std::span<std::byte> element, bool keep) {
  if (type.reference_kind() == ReferenceKind::object) {
    if (!translate_address(element)) clear(element);
    return;
  }
  if (type.reference_kind() != ReferenceKind::region) return translate_revised(element, keep);
  const FileContext& context = source_.store().file();
  const auto id = decode<GlobalHeapId>(element, {}, context);
  if (!is_set(id.collection)) return clear(element);
  const HeapReader::Object found = reader_.object(id);
  std::vector<std::byte> value(found.bytes.begin(), found.bytes.end());
  decode<RegionReferenceObject>(
      ByteView(value).first(std::min<std::size_t>(value.size(), context.size_of_offsets)),
      id.collection, context);
  if (!translate_address(std::span(value).first(context.size_of_offsets))) return clear(element);
  write(put(value, keep), target_.store().file(), element);
}

/// Translates "Reference Encoding (Revised)": a token, which is one byte for its size and an
/// address, stands in the element or at the start of its value.
void ValueCopy::translate_revised(std::span<std::byte> element, bool keep) {
  const FileContext& context = source_.store().file();
  ByteReader in(element, {}, context, RevisedReferenceElement::kTitle);
  RevisedReferenceBody body;
  body.element = decode<RevisedReferenceElement>(in);
  if (body.element.type == 0) return clear(element);
  constexpr std::size_t kHeader = 2;  // type and flags
  const auto token = [&](std::span<std::byte> bytes) {
    return bytes.subspan(1, context.size_of_offsets);
  };
  if (body.element.is_whole()) {
    decode_into(in, body);
    if (!translate_address(token(element.subspan(kHeader)))) clear(element);
    return;
  }
  auto place = decode<RevisedReferenceHeapId>(in);
  if (!is_set(place.id.collection)) return clear(element);
  const HeapReader::Object found = reader_.object(place.id, place.size, "Size");
  std::vector<std::byte> value(found.bytes.begin(), found.bytes.end());
  ByteReader value_in(value, place.id.collection, context, RevisedReferenceBody::kTitle);
  decode_into(value_in, body);
  // References to objects of another file stay as they are.
  const bool external = (body.element.flags & RevisedReferenceElement::kExternal) != 0;
  if (!external && !translate_address(token(value))) return clear(element);
  place.id = put(value, keep);
  write(place, target_.store().file(), element.subspan(kHeader));
}

}  // namespace onecast::values
