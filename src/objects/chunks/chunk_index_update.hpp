#pragma once

#include <memory>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "format/objects/data_layout_message.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/nodes/node.hpp"
#include "structures/pieces.hpp"

/// The chunk index of a dataset that is written, as a flush updates it.
namespace onecast::chunks {

/// The space that is no longer used once the index has changed.
struct ReplacedIndex {
  std::vector<FileRange> stored;     ///< blocks of the index in the file
  std::vector<FileRange> abandoned;  ///< places given to the index that it then did not need
};

/// Returns the pieces of the index; null if there are no chunks, or if the layout message alone
/// says where they are. `take` gives places in the file.
std::shared_ptr<Pieces> make_chunk_index(Node& dataset, const Pieces::Take& take,
                                         ReplacedIndex& replaced);

/// Returns the ranges of the file that the index occupies.
std::vector<FileRange> chunk_index_blocks(Node& dataset);

/// Returns the Data Layout message `m` with the index at this address.
DataLayoutMessage layout_with_index(Node& dataset, const HeaderMessage& m, Address index);

/// Notes that the file has the index, its pieces at these addresses, and releases the old index.
void note_chunk_index(Node& dataset, Pieces* pieces, std::span<const Address> addresses);

}  // namespace onecast::chunks
