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

/// Rounds up to a power of two, or to three quarters of one if chunks need not fit pages and
/// stripes.
std::uint64_t rounded(std::uint64_t bytes, bool to_quarters) {
  const std::uint64_t power = std::bit_ceil(bytes);
  return to_quarters && bytes <= power / 4 * 3 ? power / 4 * 3 : power;
}

/// The number of compressed chunks of each product in a batch. Larger chunks would be decoded
/// faster, but an event that is read alone needs whole chunks of all products.
constexpr std::uint64_t kCodedChunks = 3;

/// Returns the size of a batch in which an average product fills these chunks, each with some
/// events.
std::uint64_t bytes_of_coded_batch(std::uint64_t event, std::uint64_t products) {
  constexpr std::uint64_t kEventsOfChunk = 6;
  const std::uint64_t wanted = kEventsOfChunk * event / products;
  const std::uint64_t chunk = rounded(std::clamp(wanted, 16 * kKiB, kMostChunk), true);
  return std::min(kCodedChunks * chunk * products / 20 * 19, 4 * kMiB);
}

/// Returns a size that gives large writes and takes little memory, for one dataset or one for each
/// product. Data that is decoded as a whole should still be in the cache when its last event is
/// read; it is also decoded for a single event.
std::uint64_t bytes_of_batch(const EventLayout& layout, std::uint64_t event,
                             std::uint64_t products) {
  if (layout.codec_of(Unit::batch) != Codec::none) return kMiB;
  if (layout.kind != LayoutKind::product || products == 0) return 4 * kMiB;
  if (layout.codec_of(Unit::chunk) != Codec::none) return bytes_of_coded_batch(event, products);
  return std::clamp(products * 2 * kMiB, 4 * kMiB, 32 * kMiB);
}

/// Returns the rows of a chunk if each row takes `bytes`.
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
                 : std::clamp<std::uint64_t>(bytes_of_batch(layout, event, products) / (event + 64),
                                             1, kMostBatchEvents);
  const std::uint64_t all = expected.events.value_or(~std::uint64_t{0});
  const std::uint64_t together = std::max<std::uint64_t>(std::min(sizes.batch_events, all), 1);
  const auto chunk_for = [&](std::uint64_t bytes_of_event) {
    if (chunk != 0) return chunk;
    // A chunk is a small part of the dataset, which may be compressed, since the last one is half
    // empty.
    const bool is_product = layout.kind == LayoutKind::product;
    const bool is_coded = layout.codec_of(Unit::chunk) != Codec::none;
    const std::uint64_t chunks = is_product ? 64 : 512;
    const std::uint64_t parts = !is_coded ? 4 : is_product ? kCodedChunks : 8;
    const std::uint64_t of_event = std::min(bytes_of_event, kMostChunk);
    const std::uint64_t of_dataset = std::min(all, kManyEvents) * of_event;
    const std::uint64_t bytes = std::min(together * of_event / parts, of_dataset / chunks);
    return rounded(std::clamp(bytes, kLeastChunk, kMostChunk), is_coded);
  };
  if (layout.kind == LayoutKind::product) {
    // Products that the first events lack may occur in others.
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
