#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "pages/commit.hpp"

/// New contiguous data in the place of data that was removed since the last flush, of one process
/// without a communicator. The new data waits in memory; the flush writes it over the old data,
/// which goes into its journal like the old bytes of pages.
namespace onecast::contiguous {

/// The largest number of bytes that one flush replaces. For more, the journal takes far longer than
/// the data itself.
constexpr std::uint64_t kMostReplaced = std::uint64_t{256} << 10U;

/// Returns a place for the contiguous data of a new dataset: in free space, else in the place of
/// removed data, else at the end of the file. In the place of removed data the new data waits from
/// now on.
/// @param fill one element, of `element` bytes; empty: zeros
Address allocate_contiguous(Node& dataset, std::uint64_t size, std::size_t element, ByteView fill);

/// Makes the place of a removed dataset available if its data waits. The data stays in memory until
/// the flush, for handles that still read it.
void forget_replacing(Node& removed);

/// Part of a flush: passes the waiting data to the commit, which is prepared. Throws Error (io).
void write_replacing(FileState& file, Commit& pages);
/// Forgets the waiting data after the flush has written it.
void forget_all_replacing(FileState& file);

}  // namespace onecast::contiguous
