#include "onecast/objects/new_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_writer.hpp"
#include "format/objects/dataspace_selection.hpp"
#include "format/objects/reference_element.hpp"
#include "onecast/base/error.hpp"
#include "types/gaps.hpp"

namespace onecast {

using namespace values;

namespace {

constexpr std::size_t kNumberSize = 4;
/// The bytes of a revised reference's element beside the address: type, flags, size, index.
constexpr std::size_t kRevisedOverhead = 10;

[[noreturn]] void reject(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "new values: " + what);
}

void require(const Datatype& type, std::span<const std::byte> element, TypeClass wanted,
             const char* name) {
  if (type.type_class() != wanted || element.size() != type.size())
    reject(fmt::format("an element of a {} expected, not {} bytes of {}", name, element.size(),
                       type.describe()));
}

/// Writes a number, with zeros in front, where a stored element has the address and the index of
/// its value.
void put_number(std::uint32_t number, std::span<std::byte> element) {
  std::fill(element.begin(), element.end(), std::byte{0});
  ByteWriter(element.last(kNumberSize)).uint(number, kNumberSize);
}

/// Returns the rank of the region's dataset.
std::uint32_t rank_of(const Reference& reference) {
  if (reference.region.empty()) return 0;
  const FileContext any;
  const std::size_t rank = reference.rank != 0
                               ? reference.rank
                               : decode<DataspaceSelection>(reference.region, {}, any).rank;
  if (rank == 0) reject("a reference to a region of a dataset of unknown rank");
  return static_cast<std::uint32_t>(rank);
}

void put(std::uint64_t length, std::uint32_t number, std::span<std::byte> element) {
  put_number(number, element);
  ByteWriter(element.first(4)).uint(length, 4);
}

}  // namespace

std::uint32_t NewValues::keep(std::span<const std::byte> value) {
  if (ends_.size() >= UINT32_MAX) reject("more than 2^32 of them");
  bytes_.insert(bytes_.end(), value.begin(), value.end());
  ends_.push_back(bytes_.size());
  return static_cast<std::uint32_t>(ends_.size());
}

std::span<const std::byte> NewValues::value(std::uint32_t number) const {
  if (number == 0 || number > ends_.size())
    reject(fmt::format("there is no value {}: was the element made by another object?", number));
  const std::size_t begin = number == 1 ? 0 : ends_[number - 2];
  return std::span(bytes_).subspan(begin, ends_[number - 1] - begin);
}

void NewValues::string(const Datatype& type, std::string_view text, std::span<std::byte> element) {
  require(type, element, TypeClass::variable_string, "variable-length string");
  if (const std::size_t end = text.find('\0'); end != std::string_view::npos)
    reject(fmt::format("text \"{}\"...: has NUL characters, which mark its end",
                       text.substr(0, std::min<std::size_t>(80, end))));
  if (text.size() > UINT32_MAX) reject("a text of more than 2^32 bytes");
  // An empty text has a value of no bytes; an element without a value has no text at all.
  put(text.size(), keep(std::as_bytes(std::span(text))), element);
}

std::vector<std::byte> NewValues::strings(const Datatype& type,
                                          std::span<const std::string> texts) {
  std::vector<std::byte> elements(texts.size() * type.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    string(type, texts[i], std::span(elements).subspan(i * type.size(), type.size()));
  return elements;
}

void NewValues::sequence(const Datatype& type, std::span<const std::byte> elements,
                         std::span<std::byte> element) {
  require(type, element, TypeClass::sequence, "sequence");
  const std::size_t size = type.base().size();
  if (elements.size() % size != 0)
    reject(fmt::format("a sequence: {} bytes are not elements of {} bytes", elements.size(), size));
  if (elements.size() / size > UINT32_MAX) reject("a sequence of more than 2^32 elements");
  if (elements.empty()) return put_number(0, element);
  put(elements.size() / size, keep(PlainBytes(type.base(), elements).get()), element);
}

void NewValues::reference(const Datatype& type, const Reference& reference,
                          std::span<std::byte> element) {
  require(type, element, TypeClass::reference, "reference");
  const bool region = type.reference_kind() == ReferenceKind::region;
  std::fill(element.begin(), element.end(), std::byte{0});
  if (!reference.address) return;
  if (type.reference_kind() == ReferenceKind::revised_object)
    return revised_reference(reference, element);
  if (!region && type.reference_kind() != ReferenceKind::object)
    throw Error(ErrorCode::unsupported, "writing: not supported: " + type.describe());
  if (!reference.file.empty() || !reference.attribute.empty())
    reject(fmt::format("a reference to an attribute, or to another file, in an element of {}",
                       type.describe()));
  if (region != !reference.region.empty())
    reject(region ? "the reference is not to a region" : "the reference is to a region");
  // The address has the size of those in the file: an object's element is as large, a region's is 4
  // bytes larger.
  const std::size_t width = element.size() - (region ? kNumberSize : 0);
  std::vector<std::byte> value(width + reference.region.size());
  ByteWriter out(value);
  out.uint(*reference.address, width);
  out.bytes(reference.region);
  if (region)
    put_number(keep(value), element);
  else
    std::copy(value.begin(), value.end(), element.begin());
}

void NewValues::revised_reference(const Reference& reference, std::span<std::byte> element) {
  if (!reference.attribute.empty() && !reference.region.empty())
    reject("a reference to an attribute and to a region");
  if (std::max(reference.attribute.size(), reference.file.size()) > UINT16_MAX)
    reject("a reference with a name of more than 65535 bytes");
  RevisedReferenceBody body;
  body.element.type =
      static_cast<std::uint8_t>(!reference.attribute.empty() ? ReferenceKind::revised_attribute
                                : !reference.region.empty()  ? ReferenceKind::revised_region
                                                             : ReferenceKind::revised_object);
  body.element.flags = reference.file.empty() ? 0 : RevisedReferenceElement::kExternal;
  body.token = Address{*reference.address};
  body.file_name = reference.file;
  body.attribute_name = reference.attribute;
  body.selection = reference.region;
  body.rank = rank_of(reference);
  FileContext file;
  file.size_of_offsets = static_cast<std::uint8_t>(element.size() - kRevisedOverhead);
  ByteWriter out(element);
  encode(out, file, body.element);
  if (body.element.is_whole()) return encode(out, file, body);
  std::vector<std::byte> value(encoded_size(file, body));
  ByteWriter value_out(value);
  encode(value_out, file, body);
  RevisedReferenceHeapId place;
  place.size = static_cast<std::uint32_t>(value.size());
  place.id.collection = Address{0};
  place.id.index = keep(value);
  encode(out, file, place);
}

}  // namespace onecast
