#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/tree/file_state.hpp"

/// Calls in which each rank names its own datasets (Datasets::own).
namespace onecast::together {

/// Beside the values of Sharing.
inline constexpr std::uint8_t kOwnDatasets = 0x80;

/// The ranks agree that they do so, not on which datasets.
inline void name_own_datasets(CollectiveCall& call) {
  call.object = 0;
  call.how |= kOwnDatasets;
}

/// A dataset that some rank names.
struct NamedDataset {
  Node* dataset;
  std::optional<std::size_t> number;  ///< in this rank's list; absent: it is not there
};

/// What any rank names, the same on all, in an order that does not depend on who names what. What a
/// rank names several times is there as many times. @collective
std::vector<NamedDataset> named_by_any(FileState& file, std::span<Node* const> mine);

}  // namespace onecast::together
