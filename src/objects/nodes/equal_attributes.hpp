#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/attribute_table.hpp"

namespace onecast::nodes {

/// Attributes that the next flush writes and that several objects have alike: many meshes give all
/// their zones the same label. One entry in memory serves all of these objects. Every rank of a
/// node holds all new objects, so this counts once for each rank. Few are remembered.
class EqualAttributes {
 public:
  /// Longer messages are not compared.
  static constexpr std::size_t kMostBytes = 256;

  /// Returns the known attribute with this message, or another or null. The caller looks whether
  /// they are equal, and may put a new one in its place.
  const AttributeEntry*& like(ByteView message, std::uint32_t creation_order) {
    if (entries_.empty()) entries_.resize(kSlots);
    const std::string_view text(reinterpret_cast<const char*>(message.data()), message.size());
    return entries_[(std::hash<std::string_view>()(text) + creation_order) % kSlots];
  }
  /// Must be called when the file has the attributes, and when it forgets them.
  void forget() { entries_.clear(); }

 private:
  static constexpr std::size_t kSlots = 512;

  std::vector<const AttributeEntry*> entries_;
};

}  // namespace onecast::nodes
