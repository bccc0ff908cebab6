#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "base/address.hpp"
#include "base/namespaces.hpp"

namespace onecast::files {
class FileState;
}  // namespace onecast::files

namespace onecast::nodes {
class Node;
}  // namespace onecast::nodes

namespace onecast::elements {

/// Data that one rank could not write for all ranks. The call must not throw on this rank alone;
/// the next flush takes back, on all ranks, what the call created, saves the rest, and throws.
struct LostWrite {
  std::exception_ptr error;
  Node* dataset = nullptr;   ///< the dataset of the data; null: not of a dataset
  Node* created = nullptr;   ///< the object that the call created
  std::uint64_t groups = 0;  ///< the number of groups that the call created on the way
  /// True if the file would be damaged without this data: nothing is flushed as long as the
  /// dataset, if there is one, exists.
  bool is_needed = false;
  /// Needed data may still be written: these bytes, at this address.
  Address address{};
  std::vector<std::byte> bytes{};
};

/// Notes a loss of this rank; the next flush reports it.
void lose(FileState& file, LostWrite lost);
/// Cuts off lost bytes of this rank at `address`, behind which something else will lie.
void cut_lost(FileState& file, Address address);
/// Makes each flush fail from now on.
void lose_for_good(FileState& file, const std::exception_ptr& error);

/// Returns this rank's losses that do not fail every flush.
[[nodiscard]] std::vector<LostWrite> lost_writes(const FileState& file);
/// Returns the number of losses of this rank.
[[nodiscard]] std::size_t count_lost(const FileState& file);
/// Notes that the losses from index `first` on belong to a call that created an object, and groups
/// on the way.
void set_created(FileState& file, std::size_t first, Node& created, std::uint64_t groups);

/// Notes that the datasets of the losses from index `first` on would be damaged without them.
void set_needed(FileState& file, std::size_t first);

/// The losses of this rank, for the reduction of a flush. loss_of_this_rank() tries to write needed
/// data again.
enum class Loss : std::uint8_t { none, told_after_flush, prevents_flush };
[[nodiscard]] Loss loss_of_this_rank(FileState& file);
/// Throws if a loss of needed data prevents a flush.
void require_no_needed_loss(FileState& file);

/// Throws on all ranks the Error of the lowest rank that lost data, if any has; all ranks forget
/// the losses. @collective
void tell_lost(FileState& file);

}  // namespace onecast::elements
