#include "objects/together/chunk_sharing.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/any_layout/stored_extents.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunked_read.hpp"

namespace onecast::together {
namespace {

bool is_before(const ChunkPlace& a, const ChunkPlace& b) { return a.address < b.address; }

/// Stored chunks in memory, in sequence, each once.
class Staged {
 public:
  Staged(std::vector<ChunkPlace> places, std::uint64_t base) : places_(std::move(places)) {
    std::sort(places_.begin(), places_.end(), is_before);
    const auto same = [](const ChunkPlace& a, const ChunkPlace& b) {
      return a.address == b.address;
    };
    places_.erase(std::unique(places_.begin(), places_.end(), same), places_.end());
    ExtentListBuilder builder;
    std::uint64_t position = 0;
    for (const ChunkPlace& place : places_) {
      builder.add(base + place.address.value, place.size);
      positions_.push_back(position);
      position += place.size;
    }
    extents_ = builder.take();
    bytes_ = Buffer(static_cast<std::size_t>(position));
  }

  [[nodiscard]] const ExtentList& extents() const { return extents_; }
  [[nodiscard]] std::span<std::byte> bytes() { return bytes_.span(); }

  /// Copies the parts of [address, address + out.size()) that belong to a chunk.
  void copy(Address address, std::span<std::byte> out) const {
    const std::uint64_t end = address.value + out.size();
    auto place = std::partition_point(places_.begin(), places_.end(), [&](const ChunkPlace& p) {
      return p.address.value + p.size <= address.value;
    });
    for (; place != places_.end() && place->address.value < end; ++place) {
      const std::uint64_t from = std::max(place->address.value, address.value);
      const std::uint64_t to = std::min(place->address.value + place->size, end);
      const std::uint64_t position = positions_[static_cast<std::size_t>(place - places_.begin())] +
                                     from - place->address.value;
      std::memcpy(out.data() + (from - address.value), bytes_.data() + position, to - from);
    }
  }

 private:
  std::vector<ChunkPlace> places_;
  std::vector<std::uint64_t> positions_;  ///< the position of each chunk in `bytes_`
  ExtentList extents_;
  Buffer bytes_;
};

}  // namespace

void ChunkSharing::look_for(SharedRead& read, std::size_t entry, std::size_t dataset) {
  Node& node = read.dataset();
  require_decoders(node);
  Wanted wanted{&read, entry, dataset, {}, 0};
  auto places = places_by_address(node, read.selection(), wanted.count);
  if (!places || places->empty()) return;
  wanted.places = std::move(*places);
  std::sort(wanted.places.begin(), wanted.places.end(),
            [](const ChunkPlace& a, const ChunkPlace& b) { return a.number < b.number; });
  wanted_.push_back(std::move(wanted));
}

void ChunkSharing::weigh() {
  if (are_cached()) return wanted_.clear();
  if (wanted_.size() < 2) return;
  std::vector<ChunkPlace> all;
  for (const Wanted& wanted : wanted_)
    all.insert(all.end(), wanted.places.begin(), wanted.places.end());
  std::sort(all.begin(), all.end(), is_before);
  const auto clash = [](const ChunkPlace& a, const ChunkPlace& b) {
    const bool same = a.address == b.address && a.size == b.size;
    return !same && b.address.value - a.address.value < a.size;
  };
  if (std::adjacent_find(all.begin(), all.end(), clash) != all.end()) wanted_.clear();
}

bool ChunkSharing::are_cached() const {
  std::uint64_t left = file_.transfers().chunk_cache.limit() / 2;
  for (const Wanted& wanted : wanted_) {
    const std::uint64_t chunk = chunks_of(wanted.read->dataset().dataset()).grid().bytes;
    if (wanted.count > left / chunk) return false;
    left -= wanted.count * chunk;
  }
  return true;
}

std::vector<WantedChunks> ChunkSharing::wanted(std::size_t datasets) const {
  std::vector<WantedChunks> all(datasets);
  for (const Wanted& wanted : wanted_)
    for (const ChunkPlace& place : wanted.places)
      all[wanted.dataset].add(place.address.value, place.size, place.number);
  return all;
}

bool ChunkSharing::has(std::size_t entry) const {
  const auto at = std::partition_point(wanted_.begin(), wanted_.end(),
                                       [&](const Wanted& w) { return w.entry < entry; });
  return at != wanted_.end() && at->entry == entry && positions_.has(at->dataset);
}

std::vector<ChunkPlace>::const_iterator ChunkSharing::place_at(const Wanted& wanted,
                                                               std::uint64_t position) const {
  return std::partition_point(wanted.places.begin(), wanted.places.end(),
                              [&](const ChunkPlace& place) {
                                return positions_.of(wanted.dataset, place.number) < position;
                              });
}

/// Returns the position of the first chunk from there on that any rank wants.
std::uint64_t ChunkSharing::next_position(std::uint64_t from) const {
  std::uint64_t next = positions_.end();
  for (const Wanted& wanted : wanted_)
    if (const auto place = place_at(wanted, from); place != wanted.places.end())
      next = std::min(next, positions_.of(wanted.dataset, place->number));
  file_.comm().all_reduce_min({&next, 1});
  return next;
}

void ChunkSharing::read(std::exception_ptr failure) {
  std::erase_if(wanted_, [&](const Wanted& wanted) { return !positions_.has(wanted.dataset); });
  for (const Wanted& wanted : wanted_)
    if (wanted.places.size() < wanted.count)
      try_to(failure, [&] {
        const DatasetInfo& info = wanted.read->dataset().dataset();
        wanted.read->target().fill(wanted.read->selection().element_count(), info.fill_value,
                                   info.type.size());
      });
  // The transfer of a round has buffers of its own.
  const std::uint64_t window = file_.transfers().options.collective_buffer / 4;
  for (std::uint64_t from = 0; from < positions_.end();) {
    const std::uint64_t to = from + window;
    read_round(from, to, failure);
    from = to < positions_.end() ? next_position(to) : to;
  }
  comm::raise_any(file_.comm(), failure);
  for (const Wanted& wanted : wanted_) wanted.read->unpack();
}

void ChunkSharing::read_round(std::uint64_t from, std::uint64_t to, std::exception_ptr& failure) {
  std::vector<std::vector<ChunkPlace>> parts;  // one for each of wanted_, by address
  std::optional<Staged> staged;
  try_to(failure, [&] {
    std::vector<ChunkPlace> all;
    for (const Wanted& wanted : wanted_) {
      auto& part = parts.emplace_back(place_at(wanted, from), place_at(wanted, to));
      std::sort(part.begin(), part.end(), is_before);
      all.insert(all.end(), part.begin(), part.end());
    }
    staged.emplace(std::move(all), file_.store().base());
  });
  const ExtentList nothing;
  collective_file(file_).read(staged ? staged->extents() : nothing,
                              staged ? staged->bytes() : std::span<std::byte>(), failure,
                              Method::collective);
  try_to(failure, [&] {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      SharedRead& read = *wanted_[i].read;
      read_chunks_of(read.dataset(), read.selection(), read.target(), parts[i],
                     [&](Address at, std::span<std::byte> out) { staged->copy(at, out); });
    }
  });
}

}  // namespace onecast::together
