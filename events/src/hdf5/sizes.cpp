#include "hdf5/sizes.hpp"

#include <algorithm>
#include <bit>

namespace onecast::events::hdf5 {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = kKiB * kKiB;
constexpr std::uint64_t kMostBatchEvents = 16384;
constexpr std::uint64_t kManyEvents = std::uint64_t{1} << 40U;
constexpr std::uint64_t kLeastChunk = kKiB;
constexpr std::uint64_t kMostChunk = kMiB;
constexpr std::uint64_t kTableBytes = 64 * kKiB;  // of a chunk of a table

/// Large writes, and little memory: to one dataset, or to one for each product. What is compressed
/// is read back by one thread beside the next.
std::uint64_t bytes_of_batch(const EventLayout& layout, std::size_t products) {
  if (layout.codec_of(Unit::batch) != Codec::none) return 2 * kMiB;
  if (layout.kind != LayoutKind::product || layout.codec_of(Unit::chunk) != Codec::none)
    return 4 * kMiB;
  return std::clamp(products * kMiB, 4 * kMiB, 16 * kMiB);
}

/// Rows of a chunk that takes `bytes` each.
std::uint64_t table_rows(std::uint64_t bytes, std::uint64_t expected_rows) {
  const std::uint64_t most =
      std::max<std::uint64_t>(kTableBytes / std::max<std::uint64_t>(bytes, 1), 1);
  return std::clamp<std::uint64_t>(std::bit_floor(most), 1,
                                   std::max<std::uint64_t>(expected_rows, 1));
}

}  // namespace

Sizes Sizes::choose(const EventLayout& layout, const Expectation& expected, std::uint64_t batch,
                    std::uint64_t chunk) {
  Sizes sizes;
  const std::uint64_t event = expected.event_bytes();
  const std::size_t products = expected.product_bytes.size();
  sizes.batch_events =
      batch != 0 ? batch
                 : std::clamp<std::uint64_t>(bytes_of_batch(layout, products) / (event + 64), 1,
                                             kMostBatchEvents);
  const std::uint64_t all = expected.events.value_or(~std::uint64_t{0});
  const std::uint64_t together = std::max<std::uint64_t>(std::min(sizes.batch_events, all), 1);
  const auto chunk_for = [&](std::uint64_t bytes_of_event) {
    if (chunk != 0) return chunk;
    // Little of the dataset, which may be compressed, since the last chunk is half empty. Of a
    // batch a quarter; of compressed chunks less: an event alone takes whole ones, of all products.
    const std::uint64_t chunks = layout.kind == LayoutKind::product ? 64 : 512;
    const std::uint64_t parts = layout.codec_of(Unit::chunk) == Codec::none ? 4 : 8;
    const std::uint64_t of_event = std::min(bytes_of_event, kMostChunk);
    const std::uint64_t of_dataset = std::min(all, kManyEvents) * of_event;
    const std::uint64_t bytes = std::min(together * of_event / parts, of_dataset / chunks);
    return std::bit_ceil(std::clamp(bytes, kLeastChunk, kMostChunk));
  };
  if (layout.kind == LayoutKind::product) {
    // What the first event lacks, others may have.
    const std::uint64_t least = products == 0 ? 0 : event / (8 * products);
    for (const std::uint64_t bytes : expected.product_bytes)
      sizes.chunk_bytes.push_back(chunk_for(std::max(bytes, least)));
  } else {
    sizes.chunk_bytes.push_back(chunk_for(event));
  }
  sizes.identity_rows = table_rows(sizeof(Identity), all);
  sizes.offset_rows = table_rows(layout.offsets(products) * sizeof(std::uint64_t), all);
  const std::uint64_t batches = all == ~std::uint64_t{0} ? all : all / sizes.batch_events + 1;
  sizes.batch_rows = table_rows(layout.batch_numbers(products) * sizeof(std::uint64_t), batches);
  return sizes;
}

}  // namespace onecast::events::hdf5
