#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "pages/file_range.hpp"

namespace onecast::storage {

/// What a hard link leads to; null of other links, and where the object is damaged: that is no
/// reason to keep the link.
Node* sound_target(Node& group, LinkEntry& entry);

/// One hard link less leads to an object. With the last its space, and that of all that only it led
/// to, is free once a flush has succeeded; until then handles of it work.
class Unlinking {
 public:
  /// Looks up what goes with the link. Throws before anything has changed.
  explicit Unlinking(Node& node);
  void carry_out();
  /// Do handles lead to objects that would go?
  [[nodiscard]] bool takes_held_objects() const;

 private:
  void release_data(Node& dataset);
  void release_space(Node& node);

  FileState& file_;
  std::vector<std::pair<Node*, std::uint32_t>> fewer_links_;  ///< how many are left
  std::vector<Node*> objects_;                                ///< to which no link is left
  std::vector<Node*> replacing_;     ///< those whose data waits in the place of removed data
  std::vector<FileRange> raw_data_;  ///< what was theirs
  std::vector<FileRange> metadata_;
  std::uint64_t compact_bytes_ = 0;
};

inline void unlink(Node& node) { Unlinking(node).carry_out(); }

/// Where the object's links, or its attributes, lie in the file beside its header: dense, or in a
/// symbol table. Nothing of a new object, nor of what is damaged.
std::vector<FileRange> stored_links(const Node& node);
std::vector<FileRange> stored_attributes(const Node& node);

}  // namespace onecast::storage
