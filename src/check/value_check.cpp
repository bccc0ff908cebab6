#include "check/value_check.hpp"

#include <fmt/format.h>

#include "check/heap_check.hpp"
#include "format/objects/reference_element.hpp"
#include "structures/read_record.hpp"

namespace onecast::check {
namespace {

/// The most references per element; more would take too much memory.
constexpr std::size_t kMostPlaces = 100'000;

}  // namespace

ValueCheck::ValueCheck(CheckContext& context, const Datatype& type)
    : context_(context), size_(type.size()) {
  collect(type, 0);
}

void ValueCheck::collect(const Datatype& type, std::size_t offset) {
  if (!type.points_elsewhere() || members_.size() >= kMostPlaces) return;
  switch (type.type_class()) {
    case TypeClass::compound:
      for (const CompoundMember& m : type.members()) collect(m.type, offset + m.offset);
      return;
    case TypeClass::array:
      for (std::size_t at = 0; at < type.size() && members_.size() < kMostPlaces;
           at += type.base().size())
        collect(type.base(), offset + at);
      return;
    case TypeClass::variable_string:
    case TypeClass::sequence:
      members_.push_back({offset, &type});
      return;
    case TypeClass::reference:
      if (type.reference_kind() != ReferenceKind::object) members_.push_back({offset, &type});
      return;
    default:
      return;
  }
}

void ValueCheck::check(ByteView elements, const std::string& detail) {
  if (members_.empty()) return;
  const UseGuard use(context_.source, Use::values);
  for (; elements.size() >= size_; elements = elements.subspan(size_))
    for (const Member& p : members_)
      context_.attempt(
          detail, [&] { look_up(*p.type, elements.subspan(p.offset, p.type->size()), detail); });
}

void ValueCheck::look_up_revised(ByteView element) {
  ByteReader in(element, Address{}, context_.file(), RevisedReferenceElement::kTitle);
  RevisedReferenceBody body;
  body.element = decode<RevisedReferenceElement>(in);
  if (body.element.type == 0) return;
  if (body.element.is_whole()) return decode_into(in, body);
  const auto place = decode<RevisedReferenceHeapId>(in);
  if (!place.id.collection.is_defined() || place.id.collection.value == 0) return;
  const ByteView bytes = value_in_use(context_, place.id);
  ByteReader value = reader_at(context_.source, place.id.collection, GlobalHeapObject::kTitle);
  if (place.size > bytes.size())
    value.fail("Object Size",
               fmt::format("is {}, not the {} of the reference", bytes.size(), place.size));
  value = ByteReader(bytes.first(place.size), place.id.collection, context_.file(),
                     RevisedReferenceBody::kTitle);
  decode_into(value, body);
}

void ValueCheck::look_up(const Datatype& type, ByteView element, const std::string& detail) {
  if (type.reference_kind() >= ReferenceKind::revised_object) return look_up_revised(element);
  ByteReader in(element, Address{}, context_.file(), VariableLengthReference::kTitle);
  std::uint64_t length = 1;
  if (type.type_class() != TypeClass::reference) length = in.uint(4, "Length");
  const auto id = decode<GlobalHeapId>(in);
  if (length == 0 || !id.collection.is_defined() || id.collection.value == 0) return;
  const ByteView bytes = value_in_use(context_, id);
  if (type.type_class() != TypeClass::sequence) return;
  const Datatype& base = type.base();
  if (length > bytes.size() / base.size())
    reader_at(context_.source, id.collection, GlobalHeapObject::kTitle)
        .fail("Object Size", fmt::format("is {}, too small for {} elements of {} bytes",
                                         bytes.size(), length, base.size()));
  // Nesting is limited, since datatype messages have a limited depth.
  ValueCheck nested(context_, base);
  nested.check(bytes.first(static_cast<std::size_t>(length) * base.size()), detail);
}

}  // namespace onecast::check
