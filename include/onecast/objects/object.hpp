#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "onecast/objects/waiting_pointer.hpp"

namespace onecast {

namespace files {
struct ObjectAccess;
}

class File;

enum class ObjectKind : std::uint8_t { group, dataset, datatype };

/// The times at which an object was created and changed, in seconds since 1970-01-01 UTC. A change
/// is a flush that rewrites the object header, because of attributes, links of a group, the shape
/// of a dataset, values of a compact dataset or the first chunks of another dataset.
struct ObjectTimes {
  std::int64_t access = 0;        ///< the last change, as the HDF5 library sets it
  std::int64_t modification = 0;  ///< the creation, as the HDF5 library sets it
  std::int64_t change = 0;        ///< the last change; the only time in headers of version 1
  std::int64_t birth = 0;         ///< the creation

  friend bool operator==(const ObjectTimes&, const ObjectTimes&) = default;
};

/// The base class of groups, datasets and committed datatypes. It is a handle: copies refer to one
/// object and keep the file's memory alive. After the file is closed, calls that need it throw
/// Error (state).
///
/// Structural calls (set, remove, create) are @replicated: all ranks of the file's communicator
/// make them, in one order, with equal arguments. They send no message: each rank changes its own
/// copy, and the next collective call compares what the ranks called. (A structural call may flush
/// first; see FileOptions::metadata_budget.) Structural calls throw equal Errors on all ranks,
/// before they change anything except for creating groups on the path: state (read-only, closed),
/// unsupported (a file or an object whose structure Onecast cannot change), invalid_argument.
///
/// Lookups are @independent. They throw Error (format, unsupported, io) if the bytes in the file
/// are damaged, unknown or cannot be read.
class Object {
 public:
  /// Makes an empty handle, which refers to no object, like a handle that was moved from. All calls
  /// except is_empty() throw Error (state).
  Object() = default;
  /// @independent
  [[nodiscard]] bool is_empty() const { return node_.is_empty(); }
  /// @independent
  [[nodiscard]] ObjectKind kind() const;
  /// An absolute path by which the object was reached, the same while a handle exists; empty if no
  /// path is known, as for an anonymous object and what it contains. @independent
  [[nodiscard]] std::string path() const;
  /// The file that holds the object: another file if an external link led to it. Closing that file
  /// invalidates the handles that were reached through links. It is closed at the latest with the
  /// file of the link. @independent
  [[nodiscard]] File file() const;
  /// True if both objects are in one file: file().same_file(other.file()). @independent
  [[nodiscard]] bool in_file_of(const Object& other) const;
  /// True if both handles refer to one object. @independent
  [[nodiscard]] bool same_object(const Object& other) const {
    return node_.now() == other.node_.now();
  }
  /// A hash that is equal for all handles of one object, for tables of objects. @independent
  [[nodiscard]] std::size_t hash() const {
    return std::hash<const nodes::Node*>()(node_.now().get());
  }

  /// Returns a reference to the object, for NewValues::reference. If the object was created since
  /// the last flush, this call gives it an address: the call is then @replicated; else it is
  /// @independent. Throws Error (state) if the object was removed.
  [[nodiscard]] Reference reference() const;
  /// Returns a reference of HDF5 1.12 to the attribute of that name; @replicated or @independent
  /// like reference(). Throws Error (not_found).
  [[nodiscard]] Reference attribute_reference(std::string_view name) const;

  /// Sees what another program has written to this object since the file was opened with the option
  /// follow, or since the last refresh: see File::refresh. It costs the object header; parts of the
  /// index of a dataset's chunks are read again when elements are. @independent
  void refresh();

  /// The comment stored with the object, if any. Valid as long as the file is open; in a file open
  /// for writing, until the next flush or structural call. @independent
  [[nodiscard]] std::optional<std::string_view> comment() const;
  /// True if the object has times: it was created with `times` (DatasetOptions, GroupOptions).
  /// @independent
  [[nodiscard]] bool tracks_times() const;
  /// The times of the object; absent if it has none, and before its first flush. @independent
  [[nodiscard]] std::optional<ObjectTimes> times() const;
  /// The time of the last change, ObjectTimes::change. @independent
  [[nodiscard]] std::optional<std::int64_t> modification_time() const;

  /// Lists all attributes. @independent
  [[nodiscard]] std::vector<Attribute> attributes(Order order = Order::stored) const;
  /// The number of attributes. @independent
  [[nodiscard]] std::size_t attribute_count() const;
  /// Returns attribute `n` of an order, counted from 0, without sorting all; absent if there are
  /// fewer. @independent
  [[nodiscard]] std::optional<Attribute> nth_attribute(std::size_t n,
                                                       Order order = Order::stored) const;
  /// True if the object tracks the order in which its attributes are created. @independent
  [[nodiscard]] bool tracks_attribute_order() const;
  /// Returns the attribute of that name; absent if there is none. @independent
  [[nodiscard]] std::optional<Attribute> find_attribute(std::string_view name) const;
  /// Returns the attribute of that name. Throws Error (not_found). @independent
  [[nodiscard]] Attribute attribute(std::string_view name) const;
  [[nodiscard]] bool has_attribute(std::string_view name) const {
    return find_attribute(name).has_value();
  }

  /// Creates or replaces an attribute.
  /// @param name 1 to 32,000 bytes, UTF-8, without NUL
  /// @param bytes the value: space.element_count() elements of `type`, in C order
  /// @param values the values for which elements, or parts of them, stand @replicated
  void set_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                     std::span<const std::byte> bytes, const NewValues& values = {});
  /// Creates or replaces an attribute whose datatype is a committed datatype of the file. The
  /// attribute refers to that datatype. Not allowed in an independent section. @replicated
  void set_attribute(std::string_view name, const Object& committed_type, const Dataspace& space,
                     std::span<const std::byte> bytes, const NewValues& values = {});
  /// Creates or replaces an attribute: one UTF-8 string of fixed length, null-padded. @replicated
  void set_attribute(std::string_view name, std::string_view text);
  void set_attribute(std::string_view name, const char* text) {
    set_attribute(name, std::string_view(text));
  }
  /// Creates or replaces an attribute: one number, or a one-dimensional array of numbers.
  /// @replicated
  template <class T>
    requires(OneElement<T> || ContiguousElements<T>)
  void set_attribute(std::string_view name, const T& value) {
    const auto elements = detail::span_of(value);
    const auto space = OneElement<T> ? Dataspace() : Dataspace(Shape{elements.size()});
    set_attribute(name, Datatype::of<detail::ElementOf<const T>>(), space, std::as_bytes(elements));
  }
  /// Removes an attribute. Throws Error (not_found). @replicated
  void remove_attribute(std::string_view name);
  /// Renames an attribute. Its value, its type and its position among the others stay. Throws
  /// Error: not_found, already_exists, invalid_argument (an invalid name). @replicated
  void rename_attribute(std::string_view from, std::string_view to);
  /// Sets the comment of the object, or removes it. HDF5 keeps comments for old programs; new
  /// programs use attributes.
  /// @param text up to 63,999 bytes without NUL; empty: no comment @replicated
  void set_comment(std::string_view text);
  /// Adds `by` to the number of links that the object header counts, for links that HDF5 does not
  /// know. An object is removed with the last of the counted links, so an object with a higher
  /// count outlives its links. Throws Error (invalid_argument) if the count would become less than
  /// 1 or more than 2^32 - 1. @replicated
  void change_link_count(std::int64_t by);

 protected:
  explicit Object(detail::WaitingPointer<nodes::Node> node) : node_(std::move(node)) {}
  friend class File;
  friend class Group;
  friend class VariableValues;
  friend struct files::ObjectAccess;

  detail::WaitingPointer<nodes::Node> node_;
};

}  // namespace onecast
