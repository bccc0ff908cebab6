#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::tree {

/// Elements written to a compact dataset. It lies in metadata, which every rank has: the other
/// ranks must change theirs alike.
struct CompactWrite {
  NodeId dataset;
  Selection part;
  std::vector<std::byte> bytes;  ///< in the stored type, and the order of the set of elements
  std::uint64_t epoch = 0;       ///< when, by the clock of CompactWrites
};

/// Those that this rank made for itself, as far as the others do not know of them.
class CompactWrites {
 public:
  /// There are no other ranks.
  void keep_nothing() { keeps_ = false; }
  /// An independent write, which other ranks must hear of at the next flush.
  void remember(CompactWrite write);
  /// A collective write, which all ranks made: it wins over independent ones before.
  void overwrite(CompactWrite write);
  [[nodiscard]] const std::vector<CompactWrite>& all() const { return writes_; }
  void clear() { writes_.clear(); }

 private:
  std::vector<CompactWrite> writes_;
  /// Collective writes since open, the same on all ranks. The epoch of one is odd, of an
  /// independent write after it the next even number.
  std::uint64_t clock_ = 0;
  bool keeps_ = true;
};

std::vector<std::byte> serialize(const std::vector<CompactWrite>& writes);
std::vector<CompactWrite> deserialize_compact_writes(const std::vector<std::byte>& bytes);

}  // namespace onecast::tree
