#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/tree/compact_write.hpp"
#include "objects/tree/variable_write.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"
#include "pages/waiting_bytes.hpp"

namespace onecast::storage {
class EditedChunks;
}  // namespace onecast::storage

namespace onecast::tree {
class Node;

/// What calls have changed since the last flush, or left for the next one.
struct Changes {
  Changes(WaitingSpace::Open open, std::function<std::string()> where)
      : waiting(std::move(open), std::move(where)) {}

  bool dirty = false;             ///< some node is
  std::uint64_t written_end = 0;  ///< this rank wrote raw data up to here
  std::uint64_t file_end = 0;     ///< the file is known to be so long, on all ranks
  bool lacks_room = false;        ///< a flush, or a call since, failed for want of it
  std::exception_ptr deferred;    ///< data was lost: all ranks hear of it at every flush
  /// Rank 0 wrote for all, and no collective call came after it yet; the same on all ranks.
  bool first_rank_writes = false;
  ReleasedSpace released;  ///< the same on all ranks
  /// Those with edited chunks that the next flush may have to look at.
  std::vector<Node*> edited_datasets;
  std::unordered_set<const Node*> renewed;  ///< contiguous data has a new place
  /// Objects to which another link leads now, and where they were.
  struct Moved {
    Node* node;
    Node* parent;
    std::string_view name;
  };
  std::vector<Moved> moved;
  std::vector<Node*> unfilled_datasets;  ///< the same on all ranks
  /// New contiguous datasets that take the place of removed data, and their bytes.
  std::vector<Node*> replacing_datasets;
  std::uint64_t replacing_bytes = 0;
  std::vector<HeaderChunk> reserved_headers;
  WaitingSpace waiting;  ///< raw data of this rank that gets its place at the next flush
  CompactWrites compact_writes;
  std::vector<VariableWrite> variable_writes;                 ///< of this rank
  std::uint64_t decoded_chunk_bytes = 0;                      ///< of pending chunks, of all of them
  std::unordered_set<storage::EditedChunks*> decoded_chunks;  ///< that have some of these
  /// Of compact datasets, made and not removed since the file was opened; the same on all ranks.
  std::uint64_t compact_bytes = 0;
  /// Created without a link, and no link has led to them since, or not for long. Local ones are of
  /// this rank, the others the same on all ranks.
  std::vector<Node*> anonymous;
  bool ends_writing = false;  ///< the next flush is the last one
};

/// What the last flush left.
struct Committed {
  Boot boot;  ///< of a file that is open for writing
  std::uint64_t generation = 0;
  std::uint64_t end = 0;       ///< metadata pages below it are in the file
  bool has_page_list = false;  ///< it is valid, or the file is new
  /// Until the first flush of a file without one: where its metadata lies.
  std::optional<std::vector<FileRange>> extents;
  std::unique_ptr<Commit> half;  ///< of a flush that failed, and left some of its pages in the file
  // Of a file that is open for writing, what a rollback leads back to:
  std::optional<PageAllocator::Mark> allocated;
  std::uint64_t compact_bytes = 0;
  std::vector<Node*> anonymous;
};

}  // namespace onecast::tree
