#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/file_context.hpp"
#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "comm/node/node_buffer.hpp"
#include "pages/block_cache.hpp"
#include "pages/load_options.hpp"
#include "stripes/stripe_layout.hpp"
#include "transport/transport.hpp"

namespace onecast::pages {

/// The header that rank 0 broadcasts before the bytes.
struct LoadHeader {
  std::uint64_t base = 0;
  std::uint64_t file_size = 0;
  std::uint64_t superblock_size = 0;  ///< an upper limit; bytes from address 0 on
  std::uint64_t reads = 0;
  std::uint64_t small_data_bytes = 0;
  std::uint64_t complete = 0;
  std::uint64_t overlaid = 0;
  FileIdentity identity;
  FileStamp stamp;
  std::uint64_t number = 0;    ///< the number that rank 0 gave the open file
  std::uint64_t is_open = 0;   ///< the file was open with that number before: nothing follows
  std::uint64_t is_empty = 0;  ///< the file has no bytes, and is to be written: nothing follows
  std::uint64_t folder = 0;    ///< a digest of rank 0's working directory
  StripeLayout stripes;
  std::uint64_t page_size = 0;    ///< 0: no pages are marked
  std::uint64_t page_marks = 0;   ///< bytes: 1 for each sealed page of the ranges, else 0
  std::uint64_t range_count = 0;  ///< ranges follow, then their bytes, then the marks
};

/// Calls each(address) for the pages that a range touches; an empty range touches none.
template <class F>
void for_each_page(const FileRange& range, std::uint64_t page_size, F&& each) {
  if (page_size == 0) return;
  for (std::uint64_t page = range.address.value / page_size * page_size;
       page < range.address.value + range.size; page += page_size)
    each(Address{page});
}

/// Does the work of one process for all ranks at an open: finds the superblock, reads the pages of
/// the page list or walks the metadata, and packs header, ranges and bytes for the broadcast.
/// `file` and `blocks` keep what it found and read, for later use by rank 0.
NodeBuffer read_for_all(Transport& transport, FileContext& file, const LoadOptions& options,
                        int ranks, std::unique_ptr<BlockCache>& blocks);

/// The broadcast for a file that is open already.
NodeBuffer pack_open(std::uint64_t number);

/// Allocates a header (whose range_count it sets), the ranges, and room for their bytes from
/// `bytes_at` on, which `ranks` ranks will have.
NodeBuffer pack_ranges(LoadHeader& header, const std::vector<FileRange>& ranges, int ranks,
                       std::size_t& bytes_at);
/// Packs the header, the ranges and their bytes, which `ranks` ranks will have.
NodeBuffer pack_from(BlockCache& blocks, LoadHeader& header, const std::vector<FileRange>& ranges,
                     int ranks);

}  // namespace onecast::pages
