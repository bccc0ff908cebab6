#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/dataset.hpp"
#include "onecast/objects/object.hpp"
#include "onecast/objects/reference.hpp"

namespace onecast {

/// What a link leads to: an object of this file, a path in it, a path in another file, or something
/// that only its creator understands.
enum class LinkKind : std::uint8_t { hard, soft, external, user_defined };

/// One name in a group. Names and targets point into the file's memory, which any handle keeps
/// alive.
struct Link {
  std::string_view name;
  LinkKind kind = LinkKind::hard;
  std::string_view target;       ///< soft: a path; external: the path in `target_file`
  std::string_view target_file;  ///< external only
  std::size_t position = 0;      ///< where it stands in Group::links()
};

/// A folder of named links to objects. Paths are relative to the group, or absolute with a leading
/// '/'; "." components are skipped; soft and external links are followed (see
/// FileOptions::follow_external), into objects of a file that is open for reading only, as long as
/// this one is open.
///
/// Looking up is @independent; it throws Error (unsupported) where a path leads through a
/// user-defined link, (not_found) to a file that is not there, and (format) through too many
/// links. create and remove are structural:
/// @collective with the @same arguments, no communication; they throw as Object says.
class Group : public Object {
 public:
  /// All links, in creation order where it is tracked, else by name. @independent
  [[nodiscard]] std::vector<Link> links() const;
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

  /// Creates a dataset of fixed shape, and the groups on the way to it; unwritten elements are
  /// zeros.
  /// @param type integer, float, string of fixed length, or a compound of these
  /// @param space at most 32 dimensions, no max_shape
  /// @param data if not empty: its whole value, element_count() elements of `type` in C order; of a
  ///   contiguous dataset rank 0 writes it at once, and an error is thrown by the next flush
  /// Throws Error: already_exists, invalid_argument, unsupported (a type that cannot be written).
  /// @collective @same; does not communicate
  Dataset create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                         std::span<const std::byte> data = {}, const DatasetOptions& options = {});
  /// The same of numbers, with their native type; as many as `shape` has elements. @collective
  /// @same
  template <class T>
  Dataset create_dataset(std::string_view path, Shape shape, const std::vector<T>& values,
                         const DatasetOptions& options = {}) {
    return create_dataset(path, Datatype::of<T>(), Dataspace(std::move(shape)),
                          std::as_bytes(std::span(values)), options);
  }

  /// Removes a link, and with it all that can be reached no other way; the space in the file is not
  /// used again. Throws Error (not_found). @collective @same; does not communicate
  void remove(std::string_view path);

 private:
  friend class File;
  explicit Group(std::shared_ptr<Node> node) : Object(std::move(node)) {}
};

}  // namespace onecast
