#include "calls/chunks.hpp"

#include <algorithm>
#include <onecast/objects/details.hpp>
#include <onecast/objects/stored_chunks.hpp>

#include "handles/hand_over.hpp"
#include "handles/locate.hpp"
#include "handles/opening.hpp"

namespace onecast_hdf5 {
namespace {

enum Op : int {
  convert_format,
  index_type,
  chunk_storage_size,
  chunk_count,
  chunk_by_index,
  chunk_by_start,
  read_chunk,
  write_chunk,
  size_in_memory,
  offset,
  iterate_chunks
};

struct SizeOfChunk {
  const h5::Size* start;
  h5::Size* size;
};
struct CountOfChunks {
  h5::Id space;
  h5::Size* count;
};
struct ChunkByIndex {
  h5::Id space;
  h5::Size index;
  h5::Size* start;
  unsigned* filter_mask;
  h5::Address* address;
  h5::Size* size;
};
struct ChunkByStart {
  const h5::Size* start;
  unsigned* filter_mask;
  h5::Address* address;
  h5::Size* size;
};
struct ReadChunk {
  const h5::Size* start;
  std::uint32_t filter_mask;
  void* bytes;
  std::size_t* size;  ///< only since 2.0
};
struct WriteChunk {
  const h5::Size* start;
  std::uint32_t filter_mask;
  std::uint32_t size;
  const void* bytes;
};
/// HDF5 passes this since 2.0.
struct WriteLargeChunk {
  const h5::Size* start;
  std::uint32_t filter_mask;
  std::size_t size;
  const void* bytes;
};
struct EachChunk {
  h5::IterateChunks each;
  void* data;
};

template <class T>
void set(T* out, T value) {
  if (out != nullptr) *out = value;
}

h5::Address place(const onecast::StoredChunk& chunk) {
  return chunk.address.value_or(h5::kNoAddress);
}

/// Returns the first element of the chunk that contains a place; nothing if the dataset has no such
/// place.
std::optional<onecast::Shape> start_of(const onecast::Dataset& dataset, const h5::Size* at) {
  onecast::Shape start = dataset.chunk_shape();
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (at[i] >= dataset.shape()[i]) return std::nullopt;
    start[i] *= at[i] / start[i];
  }
  return start;
}

NotServed by_start(Handle& on, const ChunkByStart& args) {
  const auto start = start_of(*on.dataset, args.start);
  if (!start) return "no such chunk";
  const auto chunk = onecast::find_stored_chunk(*on.dataset, *start);
  set(args.filter_mask, chunk ? chunk->filter_mask : 0U);
  set(args.address, chunk ? place(*chunk) : h5::kNoAddress);
  set(args.size, chunk ? chunk->size : h5::Size{0});
  return kDone;
}

NotServed by_index(Handle& on, const ChunkByIndex& args) {
  const auto all = onecast::stored_chunks(*on.dataset);
  if (args.index >= all.size()) return "no such chunk";
  const auto& chunk = all[args.index];
  if (args.start != nullptr) std::ranges::copy(chunk.start, args.start);
  set(args.filter_mask, chunk.filter_mask);
  set(args.address, place(chunk));
  set(args.size, chunk.size);
  return kDone;
}

/// Reads the stored bytes of a chunk. Since 2.0 the program says how much memory it has, and gets
/// the size in any case.
NotServed read_stored(Handle& on, ReadChunk& args) {
  const auto start = start_of(*on.dataset, args.start);
  if (!start || !std::equal(start->begin(), start->end(), args.start)) return "no such chunk";
  const auto chunk = onecast::find_stored_chunk(*on.dataset, *start);
  if (!chunk) return "a chunk that was never written";
  std::size_t* const size = on.library.is_at_least(2, 0) ? args.size : nullptr;
  if (args.bytes != nullptr && (size == nullptr || *size >= chunk->size)) {
    const auto stored = onecast::read_stored_chunk(*on.dataset, *start);
    std::ranges::copy(stored.bytes, static_cast<std::byte*>(args.bytes));
  }
  set(size, static_cast<std::size_t>(chunk->size));
  args.filter_mask = chunk->filter_mask;
  return kDone;
}

template <class Chunk>
NotServed write_stored(Handle& on, const Chunk& chunk) {
  const std::size_t rank = on.dataset->chunk_shape().size();
  const onecast::Shape start(chunk.start, chunk.start + rank);
  try {
    onecast::write_stored_chunk(*on.dataset, start,
                                std::span(static_cast<const std::byte*>(chunk.bytes), chunk.size),
                                chunk.filter_mask);
  } catch (const onecast::Error& error) {
    // The native library writes any number of bytes, and any mask.
    if (error.code() == onecast::ErrorCode::invalid_argument &&
        start_of(*on.dataset, chunk.start) == start)
      throw NeedsNative{"a chunk of a wrong size or filter mask"};
    throw;
  }
  return kDone;
}

NotServed each_chunk(Handle& on, const EachChunk& args, h5::Status& status) {
  for (const auto& chunk : onecast::stored_chunks(*on.dataset)) {
    status = args.each(chunk.start.data(), chunk.filter_mask, place(chunk), chunk.size, args.data);
    if (status != 0) break;
  }
  return kDone;
}

}  // namespace

const char* name_of_chunk_call(int op) {
  constexpr const char* kNames[] = {
      "dataset: convert format",   "dataset: kind of chunk index", "dataset: size of a chunk",
      "dataset: number of chunks", "dataset: chunk by index",      "dataset: chunk by coordinates",
      "dataset: read a chunk",     "dataset: write a chunk",       "dataset: size in memory",
      "dataset: offset",           "dataset: each chunk"};
  return op >= 0 && op < static_cast<int>(std::size(kNames)) ? kNames[op] : "dataset: other";
}

bool changes_chunks(int op) { return op == write_chunk; }

NotServed serve_chunk_call(Handle& on, h5::Optional& args, h5::Status& status) {
  const bool is_chunked = on.dataset->layout() == onecast::Layout::chunked;
  // Chunks have their places and sizes then.
  if (args.op != write_chunk && on.opening->may_change()) on.opening->flush_alone();
  switch (args.op) {
    case chunk_storage_size:
    case chunk_count:
    case chunk_by_index:
    case chunk_by_start:
    case read_chunk:
    case write_chunk:
    case iterate_chunks:
      if (!is_chunked) return "a dataset without chunks";
      // Versions of the library differ in the address from which they count.
      if (args.op != read_chunk && args.op != write_chunk &&
          on.opening->file().userblock_size() > 0)
        return "a file with a user block";
      break;
    default:
      return "only the native library does this";
  }
  switch (args.op) {
    case chunk_storage_size: {
      const auto& wanted = *static_cast<SizeOfChunk*>(args.args);
      const auto start = start_of(*on.dataset, wanted.start);
      if (!start) return "no such chunk";
      const auto chunk = onecast::find_stored_chunk(*on.dataset, *start);
      if (!chunk) return "a chunk that was never written";
      *wanted.size = chunk->size;
      return kDone;
    }
    case chunk_count: {
      const auto& wanted = *static_cast<CountOfChunks*>(args.args);
      *wanted.count = onecast::stored_chunks(*on.dataset).size();
      return kDone;
    }
    case read_chunk:
      return read_stored(on, *static_cast<ReadChunk*>(args.args));
    case write_chunk:
      return on.library.is_at_least(2, 0)
                 ? write_stored(on, *static_cast<WriteLargeChunk*>(args.args))
                 : write_stored(on, *static_cast<WriteChunk*>(args.args));
    case chunk_by_index:
      return by_index(on, *static_cast<ChunkByIndex*>(args.args));
    case chunk_by_start:
      return by_start(on, *static_cast<ChunkByStart*>(args.args));
    default:
      return each_chunk(on, *static_cast<EachChunk*>(args.args), status);
  }
}

}  // namespace onecast_hdf5
