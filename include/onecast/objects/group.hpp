#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/base/character_set.hpp"
#include "onecast/objects/copy_options.hpp"
#include "onecast/objects/dataset.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/order.hpp"
#include "onecast/objects/reference.hpp"

namespace onecast {

/// The fate of removed objects that still have handles.
enum class HeldObjects : std::uint8_t {
  until_flush,  ///< handles can read until the next flush, which frees the space
  /// Handles keep removed objects alive as anonymous objects, as in HDF5. In a file with a
  /// communicator, and after a call that found the disk full, this means until_flush.
  kept
};

/// The kind of a link: to an object of this file, to a path in it, to a path in another file, or
/// one that only its creator understands.
enum class LinkKind : std::uint8_t { hard, soft, external, user_defined };

/// A link: one name in a group. Names and targets point into the file's memory. In a file open for
/// writing they are valid as long as this link or a copy exists, else as long as any handle of the
/// file exists.
struct Link {
  std::string_view name;
  CharacterSet character_set = CharacterSet::ascii;  ///< of the name
  LinkKind kind = LinkKind::hard;
  /// The number of the class: 0 hard, 1 soft, 64 external, above 64 user-defined.
  std::uint8_t link_class = 0;
  /// The address of the object header to which a hard link leads; absent before the first flush of
  /// that object.
  std::optional<std::uint64_t> address = {};
  std::string_view target = {};       ///< soft: a path; external: the path in `target_file`
  std::string_view target_file = {};  ///< the other file of an external link
  /// The value of a user-defined link, which only its creator understands.
  std::span<const std::byte> value = {};
  std::optional<std::uint64_t> creation_order = {};  ///< absent if the group does not track it
  /// The position in Group::links(). Valid until the first flush after a link of the group was
  /// removed.
  std::size_t position = 0;
  std::shared_ptr<const void> keeps = {};  ///< keeps the names alive
};

/// A group: a set of named links to objects. Paths are relative to the group, or absolute with a
/// leading '/'; "." components are skipped; soft and external links are followed (see
/// FileOptions::follow_external).
///
/// The file to which an external link leads is opened once, for reading or writing like this file,
/// and stays open as long as this file. If the process has it open already, the link leads into
/// that opening. A file that cannot be opened for writing is opened for reading only; with several
/// ranks, so is a file that each rank opens for itself.
///
/// Lookups are @independent. They throw Error: unsupported if a path leads through a user-defined
/// link, not_found if it leads to a file that does not exist, format if it leads through too many
/// links. Functions that create, move or remove are structural: @replicated. They throw as Object
/// says.
class Group : public Object {
 public:
  /// Makes an empty handle: see Object.
  Group() = default;

  /// Lists all links. @independent
  [[nodiscard]] std::vector<Link> links(Order order = Order::stored) const;
  /// Returns the link of this name in the group itself; absent if there is none. @independent
  [[nodiscard]] std::optional<Link> find_link(std::string_view name) const;
  /// True if the group tracks the order in which links are created. @independent
  [[nodiscard]] bool tracks_link_order() const;
  /// Returns the first link at or after `position` (see Link::position); absent at the end.
  /// Iterates over many links without a list of them. @independent
  [[nodiscard]] std::optional<Link> next_link(std::size_t position) const;
  /// Returns link `n` of an order, counted from 0; absent if there are fewer. It costs less than
  /// links(order): names are not sorted, and orders of creation need no search. @independent
  [[nodiscard]] std::optional<Link> nth_link(std::size_t n, Order order = Order::stored) const;
  /// The number of links. @independent
  [[nodiscard]] std::size_t link_count() const;
  /// True if there is a link at `path`, even a dangling one. @independent
  [[nodiscard]] bool contains(std::string_view path) const;

  /// The kind of the object at `path`; absent if there is none. @independent
  [[nodiscard]] std::optional<ObjectKind> kind_of(std::string_view path) const;
  /// The kind of the object to which a link leads. Throws Error (not_found) if it is dangling.
  /// @independent
  [[nodiscard]] ObjectKind kind_of(const Link& link) const;
  /// Opens the object at `path`. Throws Error: not_found, invalid_argument if the object is of
  /// another kind (open_object takes any). @independent
  [[nodiscard]] Group open_group(std::string_view path) const;
  [[nodiscard]] Dataset open_dataset(std::string_view path) const;
  [[nodiscard]] Object open_object(std::string_view path) const;
  /// Opens the object to which a link of links() leads, without a search. Throws as for a path.
  /// @independent
  [[nodiscard]] Group open_group(const Link& link) const;
  [[nodiscard]] Dataset open_dataset(const Link& link) const;
  [[nodiscard]] Object open_object(const Link& link) const;
  /// Return the kind of the object to which a reference leads, anywhere in the file, or open it.
  /// The opened object gets a path that leads to it, which Onecast finds by a search of all
  /// objects; the path is empty if there is none. Throws Error: not_found (a reference that was
  /// never set), unsupported (an object in another file), format (no object at that address).
  /// @independent
  [[nodiscard]] ObjectKind kind_of(const Reference& reference) const;
  [[nodiscard]] Group open_group(const Reference& reference) const;
  [[nodiscard]] Dataset open_dataset(const Reference& reference) const;
  [[nodiscard]] Object open_object(const Reference& reference) const;

  /// Creates a group and missing groups on its path. Throws Error: already_exists, invalid_argument
  /// (an invalid name, or an object on the path that is not a group), not_found (a soft link on the
  /// path is dangling). @replicated
  Group create_group(std::string_view path, const GroupOptions& options = {});
  /// Creates a group without a link: see create_anonymous_dataset. @replicated
  Group create_anonymous_group(const GroupOptions& options = {});
  /// Opens the group at `path`, and creates it if it is missing. If several ranks require one path
  /// in an independent section, they get one group. Throws as create_group does. @replicated
  Group require_group(std::string_view path);

  /// Creates a dataset and missing groups on its path:
  ///
  ///     group.create_dataset("x", {Datatype::of<double>(), Shape{100, 3}});
  ///
  /// Throws Error: already_exists, invalid_argument, unsupported (a type that cannot be written, or
  /// no conversion from the memory type). @replicated
  Dataset create_dataset(std::string_view path, const DatasetDescription& described);
  /// Creates a dataset of numbers with their native type, and writes its value: any contiguous
  /// range with as many numbers as `shape` has elements. @replicated
  template <ContiguousElements Values>
  Dataset create_dataset(std::string_view path, Shape shape, const Values& values,
                         DatasetOptions options = {}) {
    return create_dataset(path, described_by(std::move(shape), values, std::move(options)));
  }

  template <class T>
  Dataset create_dataset(std::string_view path, Shape shape, std::initializer_list<T> values,
                         DatasetOptions options = {}) {
    return create_dataset(path, std::move(shape), std::span(values), std::move(options));
  }

  /// Creates a dataset without a link: an anonymous object of this group's file. An anonymous
  /// object can be used like other objects, but it has no path, and only handles and references
  /// lead to it. create_hard_link gives it a link, and thereby a path. The first link of an
  /// anonymous group must lie outside of the group.
  ///
  /// An anonymous object without a link ends, with everything that only it led to, at the first
  /// flush at which no rank has a handle of it or of something in it, and at the latest when the
  /// file is closed. Its space is then free. A flush before that writes it to the file; if the
  /// process is killed afterwards, its space stays taken. An object that is created in an
  /// independent section needs a link before the next flush; otherwise it ends with that flush. In
  /// a section, anonymous objects that were created outside cannot get their first link. Throws
  /// Error: invalid_argument, unsupported. @replicated
  Dataset create_anonymous_dataset(const DatasetDescription& described);
  template <ContiguousElements Values>
  Dataset create_anonymous_dataset(Shape shape, const Values& values, DatasetOptions options = {}) {
    return create_anonymous_dataset(described_by(std::move(shape), values, std::move(options)));
  }

  /// Commits a datatype: gives it a name, and lets it have attributes. Throws as create_group does.
  /// @replicated
  Object create_datatype(std::string_view path, const Datatype& type);
  /// Commits a datatype without a link: see create_anonymous_dataset. A dataset or an attribute of
  /// this type keeps it alive like a link. @replicated
  Object create_anonymous_datatype(const Datatype& type);

  /// Creates a link under an unused name, and missing groups on its path. A soft link leads to a
  /// path: absolute in this group's file, or relative to the link's group. An external link leads
  /// to a path in another file (see FileOptions::follow_external). The targets need not exist.
  /// Names and targets are UTF-8, 1 to 32,000 bytes, without NUL. Throws Error: already_exists,
  /// not_found, invalid_argument. @replicated
  void create_soft_link(std::string_view path, std::string_view target);
  void create_external_link(std::string_view path, std::string_view target_file,
                            std::string_view target);
  /// Creates a link of a class that programs define. Only its creator can follow it.
  /// @param link_class 65 to 255
  /// @param value up to 65,535 bytes @replicated
  void create_user_defined_link(std::string_view path, std::uint8_t link_class,
                                std::span<const std::byte> value);
  /// Creates another name for an object of this file, or the first name of an anonymous object.
  /// Throws as create_soft_link does, and Error: invalid_argument for an object of another file,
  /// state for a removed object. @replicated
  void create_hard_link(std::string_view path, const Object& object);
  /// Gives a link of any kind another name or moves it to another group. Missing groups on the path
  /// are created. The link becomes the newest of its group. Throws Error: not_found,
  /// already_exists, invalid_argument (a group into itself). @replicated
  void move(std::string_view from, std::string_view to);
  /// Moves a link to a path that begins at another group of this file. Throws as above, and Error
  /// (invalid_argument) for a group of another file. @replicated
  void move(std::string_view from, Group& into, std::string_view to);
  /// Removes a link. Removing the last hard link of an object removes the object and all objects
  /// that only it led to. `held` says how long handles of removed objects work. Throws Error
  /// (not_found).
  /// @replicated
  void remove(std::string_view path, HeldObjects held = HeldObjects::until_flush);

  /// Copies an object of this file or of another open file, with its attributes; with a group,
  /// everything below it. An object with several hard links is copied once. Soft, external and
  /// user-defined links are copied as links. Chunked datasets keep chunks and filters unless the
  /// options say otherwise. Other datasets become compact if they fit the file's compact_limit.
  /// Data in other files (external raw data, sources of virtual datasets) is copied into this file.
  /// Copies refer to a committed datatype if it is copied, too.
  ///
  /// Rank 0 copies the elements block by block, without communication; the next flush throws its
  /// errors. Elements that other ranks have written to `source` since its last flush are not
  /// copied; nor are references and values of variable length that any of several ranks has written
  /// independently since then. Throws Error before anything has changed: already_exists,
  /// invalid_argument, unsupported (values that cannot be written; names the object), format, state
  /// (with several ranks, values of variable length that were written since the last flush).
  /// @replicated
  void copy(const Object& source, std::string_view path, const CopyOptions& options = {});
  /// Copies all attributes and members of a group into this group, as copy does. No member may have
  /// the name of an existing link. @replicated
  void copy_members(const Group& source, const CopyOptions& options = {});

 private:
  friend class File;
  explicit Group(detail::WaitingPointer<nodes::Node> node) : Object(std::move(node)) {}
  template <class Values>
  static DatasetDescription described_by(Shape shape, const Values& values,
                                         DatasetOptions&& options) {
    return {.type = Datatype::of<detail::ElementOf<const Values>>(),
            .space = Dataspace(std::move(shape)),
            .data = std::as_bytes(detail::span_of(values)),
            .options = std::move(options)};
  }
  /// @param path absent: the dataset is anonymous
  Dataset make_dataset(std::optional<std::string_view> path, const DatasetDescription& described);
};

}  // namespace onecast
