#pragma once

#include <memory>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/data_layout_message.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/tree/node.hpp"
#include "pages/file_range.hpp"
#include "structures/pieces.hpp"

/// The index of the chunks of a dataset that is written to, as a flush brings it up to date.
namespace onecast::storage {

/// What is not used any more once the index has changed.
struct ReplacedIndex {
  std::vector<FileRange> stored;     ///< what the file has of it
  std::vector<FileRange> abandoned;  ///< given away for it, and then not needed
};

/// Its pieces; null if there are no chunks, or the layout message alone tells where they are.
/// `take` gives places in the file.
std::shared_ptr<Pieces> make_chunk_index(Node& dataset, const Pieces::Take& take,
                                         ReplacedIndex& replaced);

/// What the index takes in the file.
std::vector<FileRange> chunk_index_blocks(Node& dataset);

/// The Data Layout message `m` as it is with the index at this address.
DataLayoutMessage layout_with_index(Node& dataset, const HeaderMessage& m, Address index);

/// The file has the index now, its pieces at these addresses; what it had before is released.
void adopt_chunk_index(Node& dataset, Pieces* pieces, std::span<const Address> addresses);

}  // namespace onecast::storage
