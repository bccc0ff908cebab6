#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hdf5/checked_reads.hpp"
#include "onecast/events/identity.hpp"

namespace onecast::events::hdf5 {

/// Finds entries by identity, in the stored order, or in an order made here if the writer was
/// interrupted. Rows are read in blocks, and a search begins where the last one ended, so that
/// searches in ascending order read each block once.
class IdentityIndex {
 public:
  IdentityIndex() = default;
  IdentityIndex(Group group, Dataset identities);

  [[nodiscard]] std::optional<std::uint64_t> find(const Identity& identity);

 private:
  void read_order();
  /// Returns the first position whose identity is not lower. The search begins at `from`, which may
  /// be the end.
  [[nodiscard]] std::uint64_t lower_bound(const Identity& identity, std::uint64_t from);
  [[nodiscard]] std::uint64_t entry_at(std::uint64_t position);
  [[nodiscard]] Identity identity_at(std::uint64_t position);

  /// Consecutive rows of a dataset.
  template <class Row>
  struct Block {
    std::uint64_t first = 0;
    std::vector<Row> rows;
  };

  Group group_;
  Dataset identities_;
  std::uint64_t size_ = 0;
  bool is_known_ = false;     ///< true if the order is known
  NumberTable stored_order_;  ///< the stored order; without rows, entries ascend or order_ has it
  std::vector<std::uint64_t> order_;
  Block<Identity> some_identities_;
  Block<std::uint64_t> some_order_;
  std::uint64_t last_ = 0;  ///< the position found last
};

}  // namespace onecast::events::hdf5
