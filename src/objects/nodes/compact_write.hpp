#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::nodes {

/// Elements written to a compact dataset. The dataset lies in metadata, which every rank holds, so
/// all other ranks must change their copies alike.
struct CompactWrite {
  NodeId dataset;
  Selection part;
  std::vector<std::byte> bytes;  ///< the selected elements in C order, in the stored type
  std::uint64_t epoch = 0;       ///< the time of the write, by the clock of CompactWrites
};

/// The compact writes that this rank made independently and that other ranks do not know yet.
class CompactWrites {
 public:
  /// Makes the object keep no writes, as there are no other ranks.
  void keep_nothing() { keeps_ = false; }
  /// Remembers an independent write, which other ranks learn of at the next flush.
  void remember(CompactWrite write);
  /// Notes a collective write, which all ranks made; it overrides earlier independent writes.
  void overwrite(CompactWrite write);
  [[nodiscard]] const std::vector<CompactWrite>& all() const { return writes_; }
  void clear() { writes_.clear(); }

 private:
  std::vector<CompactWrite> writes_;
  /// The clock: it counts collective writes since the open, and is equal on all ranks. A collective
  /// write has an odd epoch; an independent write after it has the next even number.
  std::uint64_t clock_ = 0;
  bool keeps_ = true;
};

std::vector<std::byte> serialize(const std::vector<CompactWrite>& writes);
std::vector<CompactWrite> deserialize_compact_writes(const std::vector<std::byte>& bytes);

}  // namespace onecast::nodes
