#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/attribute.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/objects/order.hpp"
#include "onecast/objects/reference.hpp"
#include "onecast/objects/settled.hpp"

namespace onecast {

class File;

enum class ObjectKind : std::uint8_t { group, dataset, datatype };

/// What groups, datasets and committed datatypes have in common: a place and attributes. A handle:
/// copies mean the same object, and keep the file's memory alive. Once the file is closed what
/// needs it throws Error (state).
///
/// Structural calls (set, remove, create) are @collective with the @same arguments on every rank of
/// the file's communicator, and do not communicate: each rank makes the change in its own copy, and
/// flush compares. But see FileOptions::metadata_budget: there one may flush first. They throw
/// Error, the same on all ranks and before anything has changed (but for groups made on the way):
/// state (read-only, closed), unsupported (a file or an object whose structure Onecast cannot
/// change), invalid_argument. Looking things up is @independent; it throws Error (format,
/// unsupported, io) where the bytes in the file are damaged, not understood or not to be had.
class Object {
 public:
  /// Empty: leads to no object, as one that was moved from. All calls but is_empty() throw Error
  /// (state).
  Object() = default;
  /// @independent
  [[nodiscard]] bool is_empty() const { return node_.is_empty(); }
  /// @independent
  [[nodiscard]] ObjectKind kind() const;
  /// The path by which the object was first reached, from "/". @independent
  [[nodiscard]] std::string path() const;
  /// The file that it lies in. Where an external link led to another file, that one: its close
  /// ends the handles that came by way of links, and it is closed at the latest with the file that
  /// the link is in. @independent
  [[nodiscard]] File file() const;
  /// The same as file().same_file(other.file()). @independent
  [[nodiscard]] bool in_file_of(const Object& other) const;
  /// Equal for two handles of one object. @independent
  [[nodiscard]] bool same_object(const Object& other) const {
    return node_.now() == other.node_.now();
  }

  /// What leads to it, for NewValues::reference. An object that was created since the last flush
  /// gets its place in the file now: of such a one @collective, does not communicate; else
  /// @independent. Throws Error (state) if it was removed.
  [[nodiscard]] Reference reference() const;
  /// What leads to the attribute of that name: a reference of HDF5 1.12, likewise. Throws Error
  /// (not_found).
  [[nodiscard]] Reference attribute_reference(std::string_view name) const;

  /// What somebody noted about the object, if anything. Valid as long as the file is open; of a
  /// file that is open for writing, until the next flush or structural call.
  /// @independent
  [[nodiscard]] std::optional<std::string_view> comment() const;
  /// When its header was last changed, in seconds after 1970-01-01 UTC, if that is stored.
  /// @independent
  [[nodiscard]] std::optional<std::int64_t> modification_time() const;

  /// All attributes. @independent
  [[nodiscard]] std::vector<Attribute> attributes(Order order = Order::stored) const;
  /// Is the order in which attributes are created kept? @independent
  [[nodiscard]] bool tracks_attribute_order() const;
  /// The attribute of that name; absent if there is none. @independent
  [[nodiscard]] std::optional<Attribute> find_attribute(std::string_view name) const;
  /// Throws Error (not_found). @independent
  [[nodiscard]] Attribute attribute(std::string_view name) const;
  [[nodiscard]] bool has_attribute(std::string_view name) const {
    return find_attribute(name).has_value();
  }

  /// Creates or replaces an attribute.
  /// @param name 1 to 32,000 bytes, UTF-8, without NUL
  /// @param bytes the value: space.element_count() elements of `type`, in C order
  /// @collective @same; does not communicate
  /// @param values those that the elements, or parts of them, stand for
  void set_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                     std::span<const std::byte> bytes, const NewValues& values = {});
  /// The same with a committed datatype of the file, to which the attribute then refers. Not inside
  /// independent(). @collective @same
  void set_attribute(std::string_view name, const Object& committed_type, const Dataspace& space,
                     std::span<const std::byte> bytes, const NewValues& values = {});
  /// A string: one element of fixed length, UTF-8, null-padded. @collective @same
  void set_attribute(std::string_view name, std::string_view text);
  void set_attribute(std::string_view name, const char* text) {
    set_attribute(name, std::string_view(text));
  }
  /// One number, or an array of numbers in one dimension. @collective @same
  template <class T>
    requires(OneElement<T> || ContiguousElements<T>)
  void set_attribute(std::string_view name, const T& value) {
    const auto elements = detail::span_of(value);
    const auto space = OneElement<T> ? Dataspace() : Dataspace(Shape{elements.size()});
    set_attribute(name, Datatype::of<detail::ElementOf<const T>>(), space, std::as_bytes(elements));
  }
  /// Throws Error (not_found). @collective @same; does not communicate
  void remove_attribute(std::string_view name);

 protected:
  explicit Object(Settled<Node> node) : node_(std::move(node)) {}
  friend class File;
  friend class Group;
  friend class VariableValues;
  friend struct ObjectAccess;

  Settled<Node> node_;
};

}  // namespace onecast
