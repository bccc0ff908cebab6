#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "base/address.hpp"
#include "base/namespaces.hpp"

namespace onecast::tree {
class FileState;
class Node;
}  // namespace onecast::tree

namespace onecast::storage {

/// What one rank wrote for all, and could not: it must not throw where the others go on. The next
/// flush takes back what the call created, on all ranks, saves the rest, and throws.
struct LostWrite {
  std::exception_ptr error;
  Node* dataset = nullptr;   ///< whose data it is; null: not of one
  Node* created = nullptr;   ///< what the call created
  std::uint64_t groups = 0;  ///< that it made on the way
  /// Without this data the file would be damaged: nothing is flushed as long as the dataset, if it
  /// is one's, is there.
  bool is_needed = false;
  /// What is needed may still be written: there, these bytes.
  Address address{};
  std::vector<std::byte> bytes{};
};

/// Of this rank; the next flush hears of it.
void lose(FileState& file, LostWrite lost);
/// What this rank could not write ends at `address`: behind it something else is going to be.
void cut_lost(FileState& file, Address address);
/// Fails each flush from now on.
void lose_for_good(FileState& file, const std::exception_ptr& error);

/// Those of this rank that do not fail each flush.
[[nodiscard]] std::vector<LostWrite> lost_writes(const FileState& file);
/// How many losses this rank has.
[[nodiscard]] std::size_t count_lost(const FileState& file);
/// Those from `first` on are of a call that created an object, and groups on the way.
void set_created(FileState& file, std::size_t first, Node& created, std::uint64_t groups);

/// Without those from `first` on their datasets would be damaged.
void set_needed(FileState& file, std::size_t first);

/// What this rank has lost, for the reduction of a flush. What is needed is tried again.
enum class Loss : std::uint8_t { none, told_after_flush, prevents_flush };
[[nodiscard]] Loss loss_of_this_rank(FileState& file);
/// Throws if that prevents a flush.
void require_no_needed_loss(FileState& file);

/// All ranks throw the Error of the lowest rank that lost something, if any has; each forgets it.
/// @collective
void tell_lost(FileState& file);

}  // namespace onecast::storage
