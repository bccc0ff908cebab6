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

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "objects/nodes/compact_write.hpp"
#include "objects/nodes/dataset_storage.hpp"
#include "objects/nodes/swmr_writing.hpp"
#include "objects/nodes/variable_write.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"
#include "pages/free_space.hpp"
#include "pages/waiting_bytes.hpp"
#include "structures/heaps/heap_room.hpp"

namespace onecast::nodes {
class Node;

/// Space that the file on disk still uses, and that is free after the next flush.
struct ReleasedSpace {
  std::vector<Node*> objects;
  FreeSpace raw_data;
  FreeSpace unseen;  ///< raw data of objects that no flush has seen; raw_data has it, too
  std::vector<FileRange> metadata;
  std::vector<HeapRoom> heap_rooms;
};

/// New contiguous datasets that take the place of removed data (contiguous/replaced_data).
struct ReplacingData {
  std::vector<Node*> datasets;
  std::uint64_t bytes = 0;
};

/// The pending chunks that are decoded (chunks/edited_chunks).
struct DecodedChunks {
  std::uint64_t bytes = 0;
  std::unordered_set<WrittenStorage*> datasets;
};

/// The changes that calls have made since the last flush, or left for the next flush.
struct Changes {
  Changes(WaitingSpace::Open open, std::function<std::string()> where)
      : waiting(std::move(open), std::move(where)) {}

  bool dirty = false;             ///< true if any node is dirty
  std::uint64_t written_end = 0;  ///< the end of the raw data that this rank has written
  std::uint64_t file_end = 0;     ///< the file is at least this long, as all ranks know
  bool lacks_room = false;        ///< a flush, or a later call, failed because the disk was full
  std::exception_ptr deferred;    ///< data was lost: a flush reports it on all ranks
  /// True if rank 0 wrote for all ranks and no collective call has followed yet. Equal on all
  /// ranks.
  bool first_rank_writes = false;
  /// True if rank 0 wrote for all ranks since the last flush: it may keep chunks of these elements
  /// until the next one. Equal on all ranks.
  bool first_rank_keeps = false;
  ReleasedSpace released;  ///< equal on all ranks
  /// The datasets with edited chunks that the next flush may have to write.
  std::vector<Node*> edited_datasets;
  std::unordered_set<const Node*> renewed;  ///< datasets whose contiguous data has a new place
  /// An object to which a different link leads now, and its former parent and name.
  struct Moved {
    Node* node;
    Node* parent;
    std::string_view name;
  };
  std::vector<Moved> moved;
  std::vector<Node*> unfilled_datasets;  ///< equal on all ranks
  ReplacingData replacing;
  std::vector<FileRange> reserved_headers;
  WaitingSpace waiting;  ///< raw data of this rank that gets its place at the next flush
  CompactWrites compact_writes;
  std::vector<VariableWrite> variable_writes;  ///< those of this rank
  DecodedChunks decoded_chunks;
  /// The bytes of compact datasets that were created, and not removed, since the file was opened.
  /// Equal on all ranks.
  std::uint64_t compact_bytes = 0;
  /// The objects that were created without a link and that no lasting link has led to since. Local
  /// ones belong to this rank; the others are equal on all ranks.
  std::vector<Node*> anonymous;
  bool ends_writing = false;  ///< the next flush is the last one
};

/// The state that the last flush left.
struct Committed {
  Boot boot;  ///< only of a file that is open for writing
  std::uint64_t generation = 0;
  std::uint64_t encoded_bytes = 0;  ///< those of all images that this rank encoded
  std::uint64_t end = 0;            ///< metadata pages below this address are in the file
  bool has_page_list = false;       ///< true if the page list is valid or the file is new
  /// The extents of the metadata in a file without a page list, until its first flush.
  std::optional<std::vector<FileRange>> extents;
  /// The commit of a failed flush that left some of its pages in the file.
  std::unique_ptr<Commit> half;
  SwmrWriting swmr;
  // A rollback of a file that is open for writing leads back to these:
  std::optional<PageAllocator::Mark> allocated;
  std::uint64_t compact_bytes = 0;
  std::vector<Node*> anonymous;
};

}  // namespace onecast::nodes
