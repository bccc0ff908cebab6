#include "onecast/capi/chunk.h"

#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "capi/returned_memory.hpp"
#include "onecast/objects/stored_chunks.hpp"

using namespace onecast;
using namespace onecast::capi;

namespace {

Shape start_of(const Dataset& dataset, const uint64_t* start) {
  return shape_of(start, dataset.dataspace().rank(), "start");
}

onecast_stored_chunk described(const StoredChunk& chunk) {
  onecast_stored_chunk told = {};
  std::copy(chunk.start.begin(), chunk.start.end(), told.start);
  told.size = chunk.size;
  told.address = chunk.address.value_or(ONECAST_NOT_IN_FILE);
  told.filter_mask = chunk.filter_mask;
  return told;
}

}  // namespace

onecast_status onecast_dataset_list_chunks(const onecast_object* dataset, size_t* count,
                                           onecast_stored_chunk** chunks) {
  return guard_listing(chunks, count, [&] {
    required(count, "count");
    required(chunks, "chunks");
    const auto found = stored_chunks(as_dataset(dataset));
    ReturnedBlock block(found.size(), sizeof(onecast_stored_chunk), 0);
    std::ranges::transform(found, block.entries<onecast_stored_chunk>(), described);
    *chunks = static_cast<onecast_stored_chunk*>(block.release());
    *count = found.size();
  });
}

onecast_status onecast_dataset_find_chunk(const onecast_object* dataset, const uint64_t* start,
                                          int* exists, onecast_stored_chunk* chunk) {
  return guard([&] {
    required(exists, "exists");
    required(chunk, "chunk");
    const Dataset& in = as_dataset(dataset);
    const auto found = find_stored_chunk(in, start_of(in, start));
    *exists = found ? 1 : 0;
    if (found) *chunk = described(*found);
  });
}

onecast_status onecast_dataset_read_chunk(const onecast_object* dataset, const uint64_t* start,
                                          size_t* size, void** data, uint32_t* filter_mask) {
  return guard_listing(data, size, [&] {
    required(size, "size");
    required(data, "data");
    required(filter_mask, "filter_mask");
    const Dataset& from = as_dataset(dataset);
    const StoredBytes stored = read_stored_chunk(from, start_of(from, start));
    ReturnedBlock block(0, 0, ReturnedBlock::padded(stored.bytes.size()));
    block.put(stored.bytes);
    *data = block.release();
    *size = stored.bytes.size();
    *filter_mask = stored.filter_mask;
  });
}

onecast_status onecast_dataset_write_chunk(onecast_object* dataset, const uint64_t* start,
                                           const void* data, size_t size, uint32_t filter_mask) {
  return guard([&] {
    Dataset& to = as_dataset(dataset);
    write_stored_chunk(to, start_of(to, start), bytes(data, size), filter_mask);
  });
}
