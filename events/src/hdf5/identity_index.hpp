#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hdf5/checked_reads.hpp"
#include "onecast/events/identity.hpp"

namespace onecast::events::hdf5 {

/// Finds entries by their identity, in the order that the file stores, or that is made where its
/// writer was interrupted. Rows come in blocks, and a search begins where the last one ended: who
/// asks in ascending order reads each block once.
class IdentityIndex {
 public:
  IdentityIndex() = default;
  IdentityIndex(Group group, Dataset identities);

  [[nodiscard]] std::optional<std::uint64_t> find(const Identity& identity);

 private:
  void read_order();
  /// The first position from which on no identity is lower. The search begins at `from`, or at
  /// the end.
  [[nodiscard]] std::uint64_t lower_bound(const Identity& identity, std::uint64_t from);
  [[nodiscard]] std::uint64_t entry_at(std::uint64_t position);
  [[nodiscard]] Identity identity_at(std::uint64_t position);

  /// Neighbouring rows of a dataset.
  template <class Row>
  struct Block {
    std::uint64_t first = 0;
    std::vector<Row> rows;
  };

  Group group_;
  Dataset identities_;
  std::uint64_t size_ = 0;
  bool is_known_ = false;     ///< is the order?
  NumberTable stored_order_;  ///< of entries; without rows they ascend, or order_ has it
  std::vector<std::uint64_t> order_;
  Block<Identity> some_identities_;
  Block<std::uint64_t> some_order_;
  std::uint64_t last_ = 0;  ///< position that was found
};

}  // namespace onecast::events::hdf5
