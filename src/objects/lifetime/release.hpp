#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::lifetime {

/// Returns the object to which a hard link leads; null for other links, and if the object is
/// damaged, so that the link can be removed.
Node* sound_target(Node& group, LinkEntry& entry);

/// Removes one hard link to an object. If it was the last, the space of the object, and of
/// everything that only it led to, is free once a flush has succeeded; until then handles to them
/// work.
class Unlinking {
 public:
  /// Looks up what ends with the link. Throws before anything has changed.
  explicit Unlinking(Node& node);
  void carry_out();
  /// Returns true if handles lead to objects that would end.
  [[nodiscard]] bool takes_held_objects() const;

 private:
  void release_data(Node& dataset);
  void release_space(Node& node);

  FileState& file_;
  /// The nodes that lose links, with the number of links that are left.
  std::vector<std::pair<Node*, std::uint32_t>> fewer_links_;
  std::vector<Node*> objects_;       ///< the objects to which no link is left
  std::vector<Node*> replacing_;     ///< those whose data waits in the place of removed data
  std::vector<FileRange> raw_data_;  ///< the raw data of the removed objects
  std::vector<FileRange> unseen_;    ///< the part of it that no flush has seen
  std::vector<FileRange> metadata_;
  std::uint64_t compact_bytes_ = 0;
};

inline void unlink(Node& node) { Unlinking(node).carry_out(); }

/// Returns where the object's links, or its attributes, lie in the file outside its header: dense,
/// or in a symbol table. Returns nothing for a new or damaged object.
std::vector<FileRange> stored_links(const Node& node);
std::vector<FileRange> stored_attributes(const Node& node);

}  // namespace onecast::lifetime
