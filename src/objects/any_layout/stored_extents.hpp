#pragma once

#include <optional>

#include "base/namespaces.hpp"
#include "collective/collective_file.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::any_layout {

/// The extents of elements in the file, and their positions among the packed elements.
struct StoredExtents {
  ExtentList extents;
  bool has_gaps = false;  ///< true if other elements were never written: these have the fill value
};

/// Returns the extents of directly stored elements: contiguous data, and chunks without filters
/// that have their places. Returns nothing for any other data, which is transferred otherwise.
/// Throws Error (format) if an extent leaves the file. Does not communicate.
std::optional<StoredExtents> extents_to_read(Node& dataset, const BoundSelection& selection);
/// Does what extents_to_read() does, for elements that can all be written there.
std::optional<ExtentList> extents_to_write(Node& dataset, const BoundSelection& selection);

CollectiveOptions collective_options(const FileState& file);

/// Returns the file for collective transfers.
CollectiveFile& collective_file(FileState& file);

/// Notes that a collective transfer went as planned; of a transfer in rounds, the last round
/// counts. `bytes` is the number of stored bytes of this rank.
void note_transfer(FileState& file, const TransferPlan& plan, std::uint64_t bytes);

/// Returns the request of a collective transfer.
AskedTransfer asked_transfer(const FileState& file, TransferDirection direction, Sharing sharing);

/// Sends the first message of a `call`: all ranks tell each other `mine` and what each wants, or
/// the `failure` of one rank. @collective
CallSummary summarize_call(FileState& file, const CollectiveCall& call, CallSummary mine,
                           TransferDirection direction, const ExtentList& extents,
                           const std::exception_ptr& failure);

}  // namespace onecast::any_layout
