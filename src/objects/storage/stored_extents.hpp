#pragma once

#include <optional>

#include "base/namespaces.hpp"
#include "collective/collective_file.hpp"
#include "objects/tree/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::storage {

/// Where in the file elements lie, and at which positions of the packed elements.
struct StoredExtents {
  ExtentList extents;
  bool has_gaps = false;  ///< there are others, which nobody wrote: they are the fill value
};

/// Of elements that are in the file as they are in memory: contiguous ones, and chunks without
/// filters that have their place. Else nothing: they go another way. Throws Error (format) if they
/// leave the file. Do not communicate.
std::optional<StoredExtents> extents_to_read(Node& dataset, const BoundSelection& selection);
/// The same of elements that can be written there, all of them.
std::optional<ExtentList> extents_to_write(Node& dataset, const BoundSelection& selection);

CollectiveOptions collective_options(const FileState& file);

/// The file, for all ranks together, which know its layout.
CollectiveFile& collective_file(FileState& file);

/// A transfer of all ranks went as planned, or, of extents in rounds, as the last of them did.
/// `bytes`: of this rank, as they are stored.
void note_transfer(FileState& file, const TransferPlan& plan, std::uint64_t bytes);

/// What is asked for in a transfer of all ranks.
AskedTransfer asked_transfer(const FileState& file, TransferDirection direction, Sharing sharing);

/// The first message of a `call`: all ranks tell each other `mine`, and what each wants; or the
/// `failure` of one. @collective
CallSummary summarize_call(FileState& file, const CollectiveCall& call, CallSummary mine,
                           TransferDirection direction, const ExtentList& extents,
                           const std::exception_ptr& failure);

}  // namespace onecast::storage
