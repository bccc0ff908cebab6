#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/dataset.hpp"
#include "onecast/objects/object.hpp"

namespace onecast {

enum class LinkKind : std::uint8_t { hard, soft, external, user_defined };

/// One name in a group. Names point into the open file's memory.
struct Link {
  std::string_view name;
  LinkKind kind = LinkKind::hard;
  std::string_view target;       ///< soft: a path; external: the path in `target_file`
  std::string_view target_file;  ///< external only
  std::size_t position = 0;      ///< where it stands in Group::links()
};

/// A folder of named links to objects. Paths are relative to the group, or absolute with a leading
/// '/'; "." components are skipped; soft links are followed, external ones are refused by name.
///
/// create and remove are structural: @collective with the @same arguments, no communication.
class Group : public Object {
 public:
  /// All links, in creation order where it is tracked, else by name. @independent
  [[nodiscard]] std::vector<Link> links() const;
  [[nodiscard]] std::size_t link_count() const;
  /// Is there a link of that path, dangling or not? @independent
  [[nodiscard]] bool contains(std::string_view path) const;

  /// What a path leads to; absent if nothing is there. @independent
  [[nodiscard]] std::optional<ObjectKind> kind_of(std::string_view path) const;
  [[nodiscard]] ObjectKind kind_of(const Link& link) const;
  /// Each throws Error: not_found, or invalid_argument if the object is of another kind.
  /// @independent
  [[nodiscard]] Group open_group(std::string_view path) const;
  [[nodiscard]] Dataset open_dataset(std::string_view path) const;
  [[nodiscard]] Object open_object(std::string_view path) const;
  /// The same for a link got from links(), without a search.
  [[nodiscard]] Group open_group(const Link& link) const;
  [[nodiscard]] Dataset open_dataset(const Link& link) const;
  [[nodiscard]] Object open_object(const Link& link) const;

  /// Creates a group, and those on the way to it. Throws already_exists. @collective @same
  Group create_group(std::string_view path);

  /// Creates a dataset of fixed shape (and the groups on the way). `data`, if not empty, is its whole
  /// value, the same on all ranks. Throws already_exists, invalid_argument. @collective @same; does
  /// not communicate
  Dataset create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                         std::span<const std::byte> data = {}, const DatasetOptions& options = {});
  template <class T>
  Dataset create_dataset(std::string_view path, Shape shape, const std::vector<T>& values,
                         const DatasetOptions& options = {}) {
    return create_dataset(path, Datatype::of<T>(), Dataspace(std::move(shape)),
                          std::as_bytes(std::span(values)), options);
  }

  /// Removes a link; the object with it if that was the last. Throws not_found. @collective @same
  void remove(std::string_view path);

 private:
  friend class File;
  explicit Group(std::shared_ptr<Node> node) : Object(std::move(node)) {}
};

}  // namespace onecast
