#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/attribute.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/reference.hpp"
#include "onecast/space/selection.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast {

namespace values {
class HeapReader;
}

/// Reads values of variable length and references: their elements hold an address in the file
/// instead of the value. The elements are bytes as Dataset::read, Attribute::bytes or sequence()
/// return them, also from within a compound or an array; an element has type.size() bytes. An
/// object of this class serves one thread; there may be many objects. It keeps the file's memory
/// alive.
///
/// All functions throw Error: invalid_argument (a type of another class, an element of another
/// size), format (damaged), unsupported (values that share so many bytes that together they are far
/// longer than the file), io, state (closed). @independent
class VariableValues {
 public:
  explicit VariableValues(const Object& object);
  explicit VariableValues(const Attribute& attribute);
  VariableValues(VariableValues&&) noexcept;
  VariableValues& operator=(VariableValues&&) noexcept;
  ~VariableValues();

  /// Reads a string of variable length, up to its first NUL. The result is valid until the next
  /// call.
  std::string_view string(const Datatype& type, std::span<const std::byte> element);

  /// Calls each(text) for strings of variable length, whose elements lie one after the other. The
  /// text is valid during the call.
  void for_each_string(const Datatype& type, std::span<const std::byte> elements,
                       const std::function<void(std::string_view)>& each);

  /// Reads strings of fixed or variable length, without padding, from elements that lie one after
  /// the other.
  std::vector<std::string> strings(const Datatype& type, std::span<const std::byte> elements);

  struct Sequence {
    std::uint64_t count = 0;              ///< number of elements
    std::span<const std::byte> bytes{};   ///< count elements of the sequence's base type
    std::shared_ptr<const void> owner{};  ///< keeps the bytes alive
  };
  Sequence sequence(const Datatype& type, std::span<const std::byte> element);

  Reference reference(const Datatype& type, std::span<const std::byte> element);

  /// Decodes the selection of a region reference to a dataset with `rank` dimensions.
  [[nodiscard]] Selection region(const Reference& reference, std::size_t rank) const;

 private:
  [[nodiscard]] std::string where() const;
  void require(const Datatype& type, std::span<const std::byte> element, TypeClass wanted,
               const char* name) const;
  Sequence lookup(std::span<const std::byte> element, std::size_t size);
  Reference revised_reference(std::span<const std::byte> element);

  detail::WaitingPointer<nodes::Node> node_;
  std::string attribute_;  ///< empty: the object itself
  std::unique_ptr<values::HeapReader> heap_;
};

}  // namespace onecast
