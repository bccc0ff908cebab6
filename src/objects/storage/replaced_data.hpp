#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address.hpp"
#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "pages/commit.hpp"

/// New contiguous data in the place of data that was removed since the last flush, by one process
/// without a communicator: it waits in memory, and the flush writes it over the old data, which its
/// journal has, like the old bytes of pages.
namespace onecast::storage {

/// By one flush. Of more, the journal takes far more time than the data itself.
constexpr std::uint64_t kMostReplaced = std::uint64_t{256} << 10U;

/// A place for the contiguous data of a new dataset: where space is free, else where data was
/// removed, else at the end of the file. In the place of removed data it waits from now on.
/// @param fill one element, of `element` bytes; empty: zeros
Address place_contiguous(Node& dataset, std::uint64_t size, std::size_t element, ByteView fill);

/// A dataset was removed: if it waits, others may have its place. It waits on, to be read by those
/// who have a handle, until the flush.
void forget_replacing(Node& removed);

/// Part of a flush: hands what waits to the commit, which is prepared. Throws Error (io).
void write_replacing(FileState& file, Commit& pages);
/// The flush is done: the file has it.
void settle_replacing(FileState& file);

}  // namespace onecast::storage
