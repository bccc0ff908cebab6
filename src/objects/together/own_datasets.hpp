#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/files/file_state.hpp"

/// Calls in which each rank names its own datasets (Datasets::own).
namespace onecast::together {

/// A value beside those of Sharing.
inline constexpr std::uint8_t kOwnDatasets = 0x80;

/// Makes the ranks agree on naming their own datasets, not on which datasets.
inline void name_own_datasets(CollectiveCall& call) {
  call.object = 0;
  call.how |= kOwnDatasets;
}

/// A dataset that any rank names.
struct NamedDataset {
  Node* dataset;
  /// Its index in this rank's list; absent if the list does not name it.
  std::optional<std::size_t> number;
};

/// Returns all datasets that any rank names, in an order that does not depend on which rank names
/// what; equal on all ranks. A dataset that a rank names several times occurs as often. @collective
std::vector<NamedDataset> named_by_any(FileState& file, std::span<Node* const> mine);

}  // namespace onecast::together
