#include "onecast/objects/attribute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/make_error.hpp"
#include "format/objects/attribute_message.hpp"
#include "objects/codec/message_codec.hpp"
#include "objects/files/file_state.hpp"
#include "objects/values/heap_reader.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/variable_values.hpp"
#include "types/conversion.hpp"

namespace onecast {

using namespace handles;

Attribute::Attribute(const detail::WaitingPointer<Node>& owner, const AttributeEntry& entry)
    : owner_(owner), keeps_(file_of(*owner_.now()).keeper()), entry_(&entry) {}

std::string_view Attribute::name() const {
  // No call changes it, nor where it lies.
  static_cast<void>(owner_.now());
  return entry_->name();
}

CharacterSet Attribute::character_set() const {
  const FileState& file = file_of(*owner_);
  file.require_open();
  return decode<AttributeMessage>(entry_->message(), entry_->address(), file.store().file())
      .character_set;
}

std::optional<std::uint32_t> Attribute::creation_order() const {
  file_of(*owner_).require_open();
  const AttributeTable& stored = owner_->attributes();
  if (!stored.by_creation_order && stored.stored().is_defined()) return std::nullopt;
  return entry_->creation_order();
}

namespace {

[[noreturn]] void throw_short(const Node& owner, const AttributeEntry& entry, std::uint64_t count,
                              std::uint64_t size) {
  throw format_error("{}: address {:#x}: Data: {} elements of {} bytes do not fit into {} bytes",
                     owner.where(entry.name()), entry.address().value, count, size,
                     entry.data().size());
}

FileState& open_file_of(const detail::WaitingPointer<Node>& owner) {
  FileState& file = file_of(*owner);
  file.require_open();
  return file;
}

const Datatype& type_of_entry(FileState& file, const AttributeEntry& entry) {
  const Datatype* known = entry.datatype.load(std::memory_order_acquire);
  if (known == nullptr) {
    known = &file.datatype(entry.datatype_message());
    entry.datatype.store(known, std::memory_order_release);
  }
  return *known;
}

const Dataspace& dataspace_of(FileState& file, const AttributeEntry& entry) {
  const Dataspace* known = entry.dataspace.load(std::memory_order_acquire);
  if (known == nullptr) {
    known = &file.dataspace(entry.dataspace_message());
    entry.dataspace.store(known, std::memory_order_release);
  }
  return *known;
}

}  // namespace

const Datatype& Attribute::datatype() const { return type_of_entry(open_file_of(owner_), *entry_); }

const Dataspace& Attribute::dataspace() const {
  return dataspace_of(open_file_of(owner_), *entry_);
}

std::span<const std::byte> Attribute::bytes() const {
  FileState& file = open_file_of(owner_);
  const std::uint64_t count = dataspace_of(file, *entry_).element_count();
  const std::uint64_t size = type_of_entry(file, *entry_).size();
  const ByteView data = entry_->data();
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > data.size())
    throw_short(*owner_, *entry_, count, size);
  return data.first(static_cast<std::size_t>(bytes));
}

void Attribute::read_into(std::span<std::byte> out,
                          const std::optional<Datatype>& memory_type) const {
  const Conversion conversion(datatype(), memory_type.value_or(datatype()),
                              NamedAttribute{*owner_, name()});
  const auto stored = bytes();
  const std::size_t count = stored.size() / conversion.from_size();
  if (out.size() != count * conversion.to_size())
    throw argument_error("{}: buffer: {} elements of {} bytes expected, {} bytes given",
                         owner_->where(name()), count, conversion.to_size(), out.size());
  conversion.run(stored, out);
}

void Attribute::read_into(std::span<std::string> out,
                          const std::optional<Datatype>& memory_type) const {
  const auto reject = [&](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, owner_->where(name()) + ": " + what);
  };
  if (memory_type) reject("memory_type: not with strings");
  auto texts = VariableValues(*this).strings(datatype(), bytes());
  if (texts.size() != out.size())
    reject(fmt::format("{} strings expected, {} given", texts.size(), out.size()));
  std::ranges::move(texts, out.begin());
}

VariableValues::VariableValues(const Attribute& attribute)
    : node_(attribute.owner_),
      attribute_(attribute.name()),
      heap_(std::make_unique<HeapReader>(file_of(*node_))) {}

}  // namespace onecast
