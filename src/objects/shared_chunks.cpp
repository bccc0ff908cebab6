#include "objects/shared_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "objects/chunk_access.hpp"
#include "objects/file_state.hpp"
#include "objects/raw_data.hpp"
#include "objects/stored_extents.hpp"

namespace onecast {
namespace {

/// Stored chunks in memory, one behind the other.
class Staged {
 public:
  Staged(std::span<const ChunkPlace> places, std::uint64_t base) : places_(places) {
    ExtentListBuilder builder;
    for (const ChunkPlace& place : places) builder.add(base + place.address.value, place.size);
    extents_ = builder.take();
    bytes_ = Buffer(static_cast<std::size_t>(extents_.bytes()));
  }

  [[nodiscard]] const ExtentList& extents() const { return extents_; }
  [[nodiscard]] std::span<std::byte> bytes() { return bytes_.span(); }

  /// What of [address, address + out.size()) belongs to a chunk.
  void copy(Address address, std::span<std::byte> out) const {
    const std::uint64_t end = address.value + out.size();
    std::size_t position = 0;
    for (const ChunkPlace& place : places_) {
      const std::uint64_t from = std::max(place.address.value, address.value);
      const std::uint64_t to = std::min(place.address.value + place.size, end);
      if (from < to)
        std::memcpy(out.data() + (from - address.value),
                    bytes_.data() + position + (from - place.address.value), to - from);
      position += static_cast<std::size_t>(place.size);
    }
  }

 private:
  std::span<const ChunkPlace> places_;
  ExtentList extents_;
  Buffer bytes_;
};

}  // namespace

std::optional<WantedChunks> chunks_to_share(Node& dataset, const BoundSelection& selection) {
  const DatasetInfo& info = dataset.dataset();
  if (info.layout != Layout::chunked || info.filters.empty() || dataset.is_local()) return {};
  require_filters(info.filters, 0, dataset.where());
  std::uint64_t wanted = 0;
  auto places = places_by_address(dataset, selection, wanted);
  if (!places || is_cached(*dataset.file, info.chunks->grid(), wanted)) return {};
  WantedChunks chunks;
  chunks.has_gaps = places->size() < wanted;
  ExtentListBuilder builder;
  for (const ChunkPlace& place : *places)
    builder.add(dataset.file->store->base() + place.address.value, place.size);
  chunks.extents = builder.take();
  chunks.places = std::move(*places);
  return chunks;
}

bool are_shared(const AccessSummary& all) {
  return all.ranks > 1 && all.bytes > all.high - all.low;
}

void read_chunks_together(Node& dataset, const BoundSelection& selection,
                          const WantedChunks* wanted, const AccessSummary& all,
                          std::uint64_t window, std::span<std::byte> packed,
                          std::exception_ptr failure) {
  FileState& file = *dataset.file;
  const std::uint64_t base = file.store->base();
  const std::span<const ChunkPlace> places = wanted != nullptr
                                                 ? std::span<const ChunkPlace>(wanted->places)
                                                 : std::span<const ChunkPlace>();
  const auto begin_at = [&](std::uint64_t offset) {
    return std::partition_point(places.begin(), places.end(), [&](const ChunkPlace& place) {
      return base + place.address.value < offset;
    });
  };
  const auto try_to = [&](auto&& work) {
    if (failure) return;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  if (wanted != nullptr && wanted->has_gaps)
    try_to([&] { fill(packed, dataset.dataset().fill_value); });
  for (std::uint64_t from = all.low; from < all.high; from += std::min(window, all.high - from)) {
    const auto first = begin_at(from);
    const std::span mine(first, begin_at(from + std::min(window, all.high - from)));
    std::optional<Staged> staged;
    try_to([&] { staged.emplace(mine, base); });
    const ExtentList nothing;
    collective_file(file).read(staged ? staged->extents() : nothing,
                               staged ? staged->bytes() : std::span<std::byte>(), failure,
                               Method::collective);
    try_to([&] {
      read_chunks_of(dataset, selection, packed, mine,
                     [&](Address at, std::span<std::byte> out) { staged->copy(at, out); });
    });
  }
  detail::settle(file.comm(), failure);
}

}  // namespace onecast
