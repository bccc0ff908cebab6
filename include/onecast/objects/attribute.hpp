#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "onecast/base/character_set.hpp"
#include "onecast/base/error.hpp"
#include "onecast/objects/elements.hpp"
#include "onecast/objects/waiting_pointer.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast {

namespace files {
struct ObjectAccess;
}
namespace nodes {
struct AttributeEntry;
class Node;
}  // namespace nodes

/// An attribute: a small named value of a group, dataset or committed datatype, as it was when it
/// was looked up. Attributes are metadata, so no function here communicates. An Attribute keeps the
/// file's memory alive. All functions but name() throw Error (state) after the file is closed.
/// @independent
class Attribute {
 public:
  /// Only Onecast's own layers use it.
  Attribute(const detail::WaitingPointer<nodes::Node>& owner, const nodes::AttributeEntry& entry);

  [[nodiscard]] std::string_view name() const;
  /// The character set of the name. Throws Error (format) if the message is damaged.
  [[nodiscard]] CharacterSet character_set() const;
  /// The place in the order of creation; absent if the object does not track it, unless its
  /// attributes are in the object header (see Order).
  [[nodiscard]] std::optional<std::uint32_t> creation_order() const;
  /// The type. Throws Error (format, unsupported) if the stored type is damaged or of an unknown
  /// class. The reference is valid as long as any handle of the file exists; so is that of
  /// dataspace().
  [[nodiscard]] const Datatype& datatype() const;
  /// The dataspace. Throws Error (format, unsupported) if the stored one is damaged or unknown.
  [[nodiscard]] const Dataspace& dataspace() const;

  /// The stored value: dataspace().element_count() elements of datatype(), in its byte order. Valid
  /// as long as the file is open, this handle or a copy exists, and the attribute is not changed.
  /// Elements of variable length hold addresses; for strings use read<std::string>(). Throws Error
  /// (format) if the message is too short.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  /// Reads all elements and converts them as Dataset::read does. `out` is memory as Dataset::read
  /// takes it. Throws Error (invalid_argument) if there is no such conversion, or if `out` has
  /// another size.
  /// @param memory_type the type of the elements in memory; absent: that of the C++ type, for
  /// std::byte the stored type
  template <StayingElements Out>
  void read(Out&& out, const std::optional<Datatype>& memory_type = {}) const {
    using Element = detail::ElementOf<Out>;
    if constexpr (!std::is_same_v<Element, std::byte> && !std::is_same_v<Element, std::string>)
      if (!memory_type && !detail::type_of<Element>()) detail::fail_without_type(sizeof(Element));
    read_into(detail::room_in(out),
              memory_type ? memory_type : detail::type_of<detail::ElementOf<Out>>());
  }
  /// Reads all elements in C order into a vector of T: a number, std::string, or std::byte for the
  /// stored bytes.
  template <class T>
  [[nodiscard]] std::vector<T> read() const {
    const std::size_t bytes_stored = bytes().size();
    std::vector<T> values(std::is_same_v<T, std::byte> ? bytes_stored
                                                       : bytes_stored / datatype().size());
    read(values);
    return values;
  }

 private:
  friend class VariableValues;
  friend struct files::ObjectAccess;
  void read_into(std::span<std::byte> out, const std::optional<Datatype>& memory_type) const;
  void read_into(std::span<std::string> out, const std::optional<Datatype>& memory_type) const;

  detail::WaitingPointer<nodes::Node> owner_;
  std::shared_ptr<const void> keeps_;  ///< keeps the memory of the attribute alive
  const nodes::AttributeEntry* entry_;
};

}  // namespace onecast
