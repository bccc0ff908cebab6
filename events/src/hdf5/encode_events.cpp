#include "hdf5/encode_events.hpp"

#include <algorithm>

#include "onecast/base/error.hpp"

namespace onecast::events::hdf5 {
namespace {

constexpr Compression kNone;

void append(std::vector<std::byte>& out, Bytes bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Returns a product of the result of encode_event().
Bytes product_of(const EncodedEvent& event, std::size_t product) {
  if (!event.parts.empty()) return event.parts[product];
  const std::uint64_t start = product == 0 ? 0 : event.ends[product - 1];
  return Bytes(event.bytes)
      .subspan(static_cast<std::size_t>(start),
               static_cast<std::size_t>(event.ends[product] - start));
}

/// Returns all bytes of a column, in `room` if they lie in several parts.
Bytes joined(const Column& column, std::vector<std::byte>& room) {
  if (column.parts.size() == 1) return column.parts.front();
  room.reserve(static_cast<std::size_t>(column.size));
  for (const Bytes part : column.parts) append(room, part);
  return room;
}

/// Joins the parts unless they may stay and are large on average.
void join(Column& column, Parts parts) {
  constexpr std::size_t kLarge =
      1024;  // smaller parts are cheaper to copy than to write separately
  if (column.parts.size() < 2) return;
  if (parts == Parts::may_stay && column.size / column.parts.size() >= kLarge) return;
  column.bytes.reserve(static_cast<std::size_t>(column.size));
  for (const Bytes part : column.parts) append(column.bytes, part);
  column.parts.assign(1, column.bytes);
}

/// Encodes one dataset for each product.
void encode_columns(std::size_t products, const Batch& batch, Parts parts, ColumnBatch& encoded) {
  encoded.columns.resize(products);
  encoded.offsets.resize(batch.events.size() * products);
  for (std::size_t p = 0; p < products; ++p) {
    Column& column = encoded.columns[p];
    column.parts.reserve(batch.events.size());
    for (std::size_t i = 0; i < batch.events.size(); ++i) {
      column.parts.push_back(product_of(batch.events[i], p));
      column.size += column.parts.back().size();
      encoded.offsets[i * products + p] = column.size;
    }
    join(column, parts);
  }
}

/// Encodes one dataset with all events in order.
void encode_blobs(const EventLayout& layout, std::size_t products, const Batch& batch, Parts parts,
                  ColumnBatch& encoded) {
  Column& column = encoded.columns.emplace_back();
  column.parts.reserve(batch.events.size());
  encoded.offsets.reserve(batch.events.size() * (products + 2));
  for (const EncodedEvent& event : batch.events) {
    encoded.offsets.push_back(column.size);
    if (event.parts.empty()) column.parts.emplace_back(event.bytes);
    column.parts.insert(column.parts.end(), event.parts.begin(), event.parts.end());
    column.size += event.parts.empty() ? event.bytes.size() : event.ends.back();
    encoded.offsets.push_back(column.size);
    encoded.offsets.insert(encoded.offsets.end(), event.ends.begin(), event.ends.end());
  }
  if (layout.codec_of(Unit::batch) == Codec::none) return join(column, parts);
  std::vector<std::byte> room;
  add_piece(layout.compression, joined(column, room), column.bytes);
  column.size = column.bytes.size();
  column.parts.assign(1, column.bytes);
}

void append_big_endian(std::vector<std::byte>& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = bytes; i-- > 0;) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

}  // namespace

EncodedEvent encode_event(const EventLayout& layout, const Event& event) {
  EncodedEvent encoded{event.identity, {}, {}};
  const Compression& of_product =
      layout.codec_of(Unit::product) == Codec::none ? kNone : layout.compression;
  encoded.ends.reserve(event.products.size());
  if (event.can_stay() && !of_product.is_on() && layout.codec_of(Unit::event) == Codec::none) {
    std::uint64_t end = 0;
    for (const Bytes& product : event.products) encoded.ends.push_back(end += product.size());
    encoded.parts = event.products;
    encoded.keeper = event.keeper;
    return encoded;
  }
  encoded.bytes.reserve(event.total_bytes());
  for (const Bytes& product : event.products) {
    add_piece(of_product, product, encoded.bytes);
    encoded.ends.push_back(encoded.bytes.size());
  }
  if (layout.codec_of(Unit::event) != Codec::none) {
    std::vector<std::byte> packed;
    add_piece(layout.compression, encoded.bytes, packed);
    encoded.bytes = std::move(packed);
  }
  return encoded;
}

std::unique_ptr<ColumnBatch> encode_batch(const EventLayout& layout, std::size_t products,
                                          const Batch& batch,
                                          const std::vector<std::uint64_t>& chunk_bytes,
                                          Parts parts) {
  auto encoded = std::make_unique<ColumnBatch>();
  for (const EncodedEvent& event : batch.events) encoded->identities.push_back(event.identity);
  if (layout.kind == LayoutKind::product)
    encode_columns(products, batch, parts, *encoded);
  else
    encode_blobs(layout, products, batch, parts, *encoded);
  if (layout.codec_of(Unit::chunk) == Codec::none) return encoded;
  for (std::size_t i = 0; i < encoded->columns.size(); ++i) {
    Column& column = encoded->columns[i];
    std::vector<std::byte> room;
    column.chunks = encode_chunks(layout.compression, joined(column, room), chunk_bytes[i]);
    column.parts.clear();
    column.bytes = {};
  }
  return encoded;
}

std::vector<Filter> filters_of(const Compression& compression, std::size_t element_bytes) {
  if (!compression.is_on()) return {};
  std::vector<Filter> filters;
  if (element_bytes > 1) filters.push_back(Filter::shuffle());
  filters.push_back(compression.codec == Codec::zstd
                        ? Filter::zstd(static_cast<std::uint32_t>(compression.level))
                        : Filter::lz4());
  return filters;
}

std::vector<std::vector<std::byte>> encode_chunks(const Compression& compression, Bytes column,
                                                  std::uint64_t chunk_bytes) {
  const auto size = static_cast<std::size_t>(chunk_bytes);
  std::vector<std::vector<std::byte>> chunks;
  std::vector<std::byte> last;
  while (!column.empty()) {
    Bytes chunk = column.first(std::min(size, column.size()));
    column = column.subspan(chunk.size());
    if (chunk.size() < size) {
      last.assign(chunk.begin(), chunk.end());
      last.resize(size);
      chunk = last;
    }
    std::vector<std::byte>& out = chunks.emplace_back();
    if (compression.codec == Codec::lz4) {
      // The filter's header: total size, block size, and the compressed size before each block.
      append_big_endian(out, size, 8);
      append_big_endian(out, size, 4);
      append_big_endian(out, 0, 4);
      const std::size_t head = out.size();
      compress(compression, chunk, out);
      // A block that does not shrink is stored as it is.
      if (out.size() - head >= size) {
        out.resize(head);
        append(out, chunk);
      }
      std::vector<std::byte> block_size;
      append_big_endian(block_size, out.size() - head, 4);
      std::copy(block_size.begin(), block_size.end(),
                out.begin() + static_cast<std::ptrdiff_t>(head) - 4);
    } else {
      compress(compression, chunk, out);
    }
  }
  return chunks;
}

void add_bases(const EventLayout& layout, std::size_t products,
               const std::vector<std::uint64_t>& bases, std::vector<std::uint64_t>& offsets) {
  if (layout.kind == LayoutKind::batch) return;  // offsets count within the batch
  const std::size_t width = layout.offsets(products);
  for (std::size_t row = 0; row < offsets.size(); row += width) {
    if (layout.kind == LayoutKind::product) {
      for (std::size_t p = 0; p < products; ++p) offsets[row + p] += bases[p];
    } else {
      offsets[row] += bases[0];
      offsets[row + 1] += bases[0];
    }
  }
}

}  // namespace onecast::events::hdf5
