#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/copy_options.hpp"
#include "onecast/objects/dataset.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/order.hpp"
#include "onecast/objects/reference.hpp"

namespace onecast {

/// What a link leads to: an object of this file, a path in it, a path in another file, or something
/// that only its creator understands.
enum class LinkKind : std::uint8_t { hard, soft, external, user_defined };

/// One name in a group. Names and targets point into the file's memory: of a file that is open for
/// writing, valid as long as this link or a copy is there, else as long as any handle of the file.
struct Link {
  std::string_view name;
  LinkKind kind = LinkKind::hard;
  std::string_view target = {};       ///< soft: a path; external: the path in `target_file`
  std::string_view target_file = {};  ///< external only
  std::optional<std::uint64_t> creation_order = {};  ///< absent unless the group tracks it
  /// Where it stands in Group::links(), until a flush after links of the group were removed.
  std::size_t position = 0;
  std::shared_ptr<const void> keeps = {};  ///< what the names lie in
};

/// A folder of named links to objects. Paths are relative to the group, or absolute with a leading
/// '/'; "." components are skipped; soft and external links are followed (see
/// FileOptions::follow_external). The file that an external link leads to is opened once, as this
/// one is, for reading or writing, and open as long as this one; if this process has it open
/// already, the link leads into that. What cannot be opened for writing, as the files that each of
/// several ranks opens for itself, is open for reading only.
///
/// Looking up is @independent; it throws Error (unsupported) where a path leads through a
/// user-defined link, (not_found) to a file that is not there, and (format) through too many
/// links. create and remove are structural:
/// @collective with the @same arguments, no communication; they throw as Object says.
class Group : public Object {
 public:
  /// Empty, until another is assigned: see Object.
  Group() = default;

  /// All links. @independent
  [[nodiscard]] std::vector<Link> links(Order order = Order::stored) const;
  /// Is the order in which links are created kept? @independent
  [[nodiscard]] bool tracks_link_order() const;
  /// The first link from `position` on, counted as Link::position is; nothing at the end. For going
  /// through many links without a list of them. @independent
  [[nodiscard]] std::optional<Link> next_link(std::size_t position) const;
  /// How many links there are. @independent
  [[nodiscard]] std::size_t link_count() const;
  /// Is there a link of that path, dangling or not? @independent
  [[nodiscard]] bool contains(std::string_view path) const;

  /// What a path leads to; absent if nothing is there. @independent
  [[nodiscard]] std::optional<ObjectKind> kind_of(std::string_view path) const;
  /// Throws Error (not_found) if the link dangles. @independent
  [[nodiscard]] ObjectKind kind_of(const Link& link) const;
  /// What a path leads to. Each throws Error: not_found, or invalid_argument if the object is of
  /// another kind (open_object takes any).
  /// @independent
  [[nodiscard]] Group open_group(std::string_view path) const;
  [[nodiscard]] Dataset open_dataset(std::string_view path) const;
  [[nodiscard]] Object open_object(std::string_view path) const;
  /// The same for a link got from links(), without a search. @independent
  [[nodiscard]] Group open_group(const Link& link) const;
  [[nodiscard]] Dataset open_dataset(const Link& link) const;
  [[nodiscard]] Object open_object(const Link& link) const;
  /// The same for what a reference leads to, anywhere in the file. Its path is looked for among all
  /// objects; one that no path leads to has the path "/". Throws Error: not_found (a reference that
  /// was never set), unsupported (an object in another file), format (nothing is there).
  /// @independent
  [[nodiscard]] ObjectKind kind_of(const Reference& reference) const;
  [[nodiscard]] Group open_group(const Reference& reference) const;
  [[nodiscard]] Dataset open_dataset(const Reference& reference) const;
  [[nodiscard]] Object open_object(const Reference& reference) const;

  /// Creates a group, and those on the way to it. Throws Error: already_exists, invalid_argument (a
  /// name that cannot be; something on the way is no group), not_found (a soft link on the way
  /// dangles). @collective @same; does not communicate
  Group create_group(std::string_view path);
  /// The group of that path, created if it is missing; where several ranks do that inside
  /// File::independent, they mean the same one. Throws as create_group does. @collective @same;
  /// does not communicate
  Group require_group(std::string_view path);

  /// Creates a dataset, and the groups on the way to it; unwritten elements are zeros, or as the
  /// options say.
  /// @param space at most 32 dimensions; a max_shape only of chunked datasets
  /// @param data if not empty: its whole value, element_count() elements of `type` in C order; of a
  ///   dataset that is not compact rank 0 writes it, and an error is thrown by the next flush
  /// @param values those that elements of `data`, and the fill value, stand for
  /// Throws Error: already_exists, invalid_argument, unsupported (a type that cannot be written).
  /// @collective @same; does not communicate
  Dataset create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                         std::span<const std::byte> data = {}, const DatasetOptions& options = {},
                         const NewValues& values = {});
  /// Creates a dataset of numbers, with their native type, and gives it its value: any contiguous
  /// range of as many as `shape` has elements. @collective @same; does not communicate
  template <ContiguousElements Values>
  Dataset create_dataset(std::string_view path, Shape shape, const Values& values,
                         const DatasetOptions& options = {}) {
    return create_dataset(path, Datatype::of<detail::ElementOf<const Values>>(),
                          Dataspace(std::move(shape)), std::as_bytes(detail::span_of(values)),
                          options);
  }

  template <class T>
  Dataset create_dataset(std::string_view path, Shape shape, std::initializer_list<T> values,
                         const DatasetOptions& options = {}) {
    return create_dataset(path, std::move(shape), std::span(values), options);
  }

  /// Commits a datatype: gives it a name, and a place for attributes. Throws as create_group does.
  /// @collective @same; does not communicate
  Object create_datatype(std::string_view path, const Datatype& type);

  /// Creates a link, and the groups on the way to it, under a name that is free. A soft link leads
  /// to a path, from this group's file root or relative to the link's group, an external one to a
  /// path in another file (see FileOptions::follow_external); neither need be there. Texts are
  /// UTF-8, 1 to 32,000 bytes, without NUL. Throws Error: already_exists, not_found,
  /// invalid_argument. @collective @same; does not communicate, as the next three
  void create_soft_link(std::string_view path, std::string_view target);
  void create_external_link(std::string_view path, std::string_view target_file,
                            std::string_view target);
  /// One more name of an object of this file. Throws as above, and Error (invalid_argument) for an
  /// object of another file.
  void create_hard_link(std::string_view path, const Object& object);
  /// Gives a link, of whatever kind, another name or group; groups on the way are made. It becomes
  /// the newest of its group. Throws Error: not_found, already_exists, invalid_argument (a group
  /// into itself). @collective @same; does not communicate
  void move(std::string_view from, std::string_view to);
  /// Removes a link. With the last hard link an object goes, and with it all that only it led to:
  /// handles of them work until the next flush, which frees their space. Throws Error (not_found).
  /// @collective @same; does not communicate
  void remove(std::string_view path);

  /// Copies an object, of this or of any other open file, with its attributes and, of a group, all
  /// below it. What several hard links lead to is copied once; soft, external and user-defined
  /// links are copied as they are. Datasets keep chunks and filters, unless the options say
  /// otherwise; others become compact if they fit the file's compact_limit, what lies in other
  /// files is taken over. A committed datatype of the copied objects is the type of their copies.
  ///
  /// Rank 0 copies the elements, some at a time, without communication; of an error then the next
  /// flush tells. What other ranks wrote to `source` since its last flush is not copied. Throws
  /// Error: already_exists, invalid_argument, unsupported (values that cannot be written; naming
  /// the object), format, state (values of variable length, on several ranks, that were written
  /// since the last flush); before anything has changed. @collective @same; does not communicate
  void copy(const Object& source, std::string_view path, const CopyOptions& options = {});
  /// The same of all attributes and members of a group, into this one. None of its links may have a
  /// name that is there already. @collective @same; does not communicate
  void copy_members(const Group& source, const CopyOptions& options = {});

 private:
  friend class File;
  explicit Group(Settled<Node> node) : Object(std::move(node)) {}
};

}  // namespace onecast
