#pragma once

#include "cgio/cgio_guard.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::cgns::cgio {

/// Makes a value of the arguments of a program. With null data it has only a type and dimensions.
Value given_value(const char* data_type, int num_dims, const cgsize_t* dims, const void* data);

/// A slab: start, end (both counted from 1) and stride in each dimension, the fastest first.
struct Slab {
  const cgsize_t* start;
  const cgsize_t* end;
  const cgsize_t* stride;
};
/// A slab of an array in memory.
struct MemorySlab {
  int num_dims;
  const cgsize_t* dims;
  Slab slab;
};

/// The elements of a node's value that a call transfers.
class NodeData {
 public:
  /// All elements.
  explicit NodeData(Node& node);
  NodeData(Node& node, const Slab& stored, const MemorySlab& memory);
  /// The elements `first` to `last`, counted from 1, in the order in which they are stored.
  NodeData(Node& node, cgsize_t first, cgsize_t last);

  /// @param type the type of the elements in memory
  void read(ValueType type, void* out) const;
  void write(ValueType type, const void* elements);
  [[nodiscard]] ValueType stored_type() const { return node_->type(); }

 private:
  [[nodiscard]] TransferRequest request(ValueType type) const;

  Node* node_;
  Dataset data_;
  Selection part_;
  std::optional<MemoryLayout> memory_;
  std::uint64_t elements_;  ///< the number of elements that the memory holds
};

}  // namespace onecast::cgns::cgio
