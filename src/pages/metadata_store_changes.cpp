#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/per_thread.hpp"
#include "pages/boot_page.hpp"
#include "pages/load.hpp"
#include "pages/metadata_store.hpp"

/// What a flush or another program has changed: bytes that are taken in, forgotten or read again.
namespace onecast::pages {

/// Ranks of the node may have the new bytes already, in memory that they share. Writing would make
/// a copy.
template <class F>
void MetadataStore::take_in_parts(Address address, std::span<std::byte> bytes, F&& add) {
  const bool may_be_there = shared_ != 0 || !for_node_.extents().empty();
  const auto overwrite = [&](std::byte* known, ByteView part) {
    if (!may_be_there || std::memcmp(known, part.data(), part.size()) != 0)
      std::memcpy(known, part.data(), part.size());
  };
  loaded_.for_each_part(address, bytes, overwrite, add);
}

/// Returns a function that adds a copy of bytes.
auto MetadataStore::copies() {
  return [this](Address at, ByteView part) {
    Buffer copy(part.size());
    std::memcpy(copy.data(), part.data(), part.size());
    loaded_.add(at, copy.span());
    hold(NodeBuffer(std::move(copy)), part.size());
  };
}

void MetadataStore::take_in(Address address, Buffer image) {
  was_changed_ = true;
  const std::uint64_t size = image.size();
  const Address next_known = loaded_.next_after(address);
  if (loaded_.holding(address) == nullptr &&
      (!next_known.is_defined() || next_known.value - address.value >= size)) {
    loaded_.add(address, image.span());
    hold(NodeBuffer(std::move(image)), size);
  } else {
    take_in_parts(address, image.span(), copies());
  }
  renew_stitched(address, size);
}

void MetadataStore::take_in(NodeBuffer memory, std::span<const Image> images, Address new_from) {
  was_changed_ = true;
  std::uint64_t used = 0;
  std::vector<std::span<const std::byte>> unused;
  for (const auto& [address, bytes] : images) {
    const std::uint64_t before = std::max(address, new_from).value - address.value;
    const auto old =
        bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(before, bytes.size())));
    take_in_parts(address, old, copies());
    take_in_parts(address + old.size(), bytes.subspan(old.size()),
                  [&](Address at, std::span<std::byte> part) {
                    used += part.size();
                    loaded_.add(at, part);
                    add_for_node(at, part, memory);
                  });
    unused.emplace_back(old);
    renew_stitched(address, bytes.size());
  }
  if (used == 0) return;
  const bool made_here = !memory.of_all_ranks().empty();
  hold(std::move(memory), used);
  if (!made_here) return;
  unused_ = std::move(unused);
  unused_of_ = &buffers_.back();
}

void MetadataStore::free_unused() {
  for (const auto part : unused_)
    unused_of_->free_part(static_cast<std::size_t>(part.data() - unused_of_->data()), part.size());
  unused_.clear();
  forgotten_.clear();
}

void MetadataStore::note_kept_for_node(Address address, ByteView image,
                                       std::vector<KeptForNode>& all) const {
  if (for_node_.extents().empty()) return;
  const auto note = [&](std::byte* place, ByteView now) {
    KeptForNode& kept = all.emplace_back(KeptForNode{{place, now.size()}, now, Buffer(now.size())});
    std::memcpy(kept.old.data(), place, now.size());
  };
  for_node_.for_each_part(address, image, note, [](Address, ByteView) {});
}

void MetadataStore::renew_stitched(Address address, std::uint64_t size) {
  for (auto& [stretch, bytes] : stitched_) {
    const auto [start, length] = stretch;
    if (start >= address.value + size || address.value >= start + length) continue;
    const Buffer now = gather(Address{start}, length, "metadata");
    std::memcpy(bytes.data(), now.data(), now.size());
  }
}

void MetadataStore::forget(std::uint64_t end) {
  Buffer superblock;
  if (!is_for_readers_)
    if (const auto known = loaded_.find(Address{0}, Boot::superblock_size(file_))) {
      superblock = Buffer(known->size());
      std::memcpy(superblock.data(), known->data(), known->size());
    }
  forget_all(end);
  if (superblock.empty()) return;
  const std::uint64_t size = superblock.size();
  loaded_.add(Address{0}, superblock.span());
  hold(NodeBuffer(std::move(superblock)), size);
}

void MetadataStore::forget_all(std::uint64_t end) {
  // Other ranks may keep the memory: the part that nobody uses is still to be freed.
  if (!unused_.empty())
    if (const auto of = std::find_if(buffers_.begin(), buffers_.end(),
                                     [&](const NodeBuffer& b) { return &b == unused_of_; });
        of != buffers_.end())
      forgotten_.splice(forgotten_.end(), buffers_, of);
  loaded_ = {};
  sealed_ = {};
  buffers_.clear();
  for_node_ = {};
  held_ = 0;
  shared_ = 0;
  small_data_ = 0;
  complete_ = false;
  earlier_.clear();
  forget_read_on_demand(end);
}

void MetadataStore::forget_read_on_demand(std::uint64_t end) {
  stitched_.clear();
  checked_ = {};  // what is read later may be newer
  blocks_ = std::make_unique<BlockCache>(file_, transport_, base_, end);
  blocks_->read_at_most(read_at_most_);
  if (is_for_readers_) blocks_->read_exactly();
}

void MetadataStore::load_again(const LoadOptions& options) {
  std::unique_ptr<BlockCache> blocks;
  NodeBuffer payload = read_for_all(transport_, file_, options, 1, blocks);
  is_for_readers_ = options.for_readers;
  Earlier before{std::move(buffers_), held_, std::move(stitched_), std::move(blocks_)};
  std::list<Earlier> all = std::move(earlier_);
  all.push_back(std::move(before));
  forget_all(0);
  earlier_ = std::move(all);
  blocks_ = std::move(blocks);
  take_payload(std::move(payload));
}

void MetadataStore::look_again() {
  read_anew();
  read_soundly([&] { take_boot(std::min<std::uint64_t>(kMaxSuperblockSize, blocks_->end())); });
}

/// What was read before stays in memory, since decoded objects refer to it. Other threads may view
/// meanwhile.
void MetadataStore::read_anew() {
  if (!blocks_) return;
  const std::uint64_t size = transport_.size();
  file_size_ = size;
  blocks_->read_again(size - std::min(base_, size));
}

namespace {

unsigned& sound_readings() { return per_thread<unsigned, struct SoundReadings>(); }

}  // namespace

MetadataStore::SoundReading::SoundReading() : is_inner_(sound_readings()++ != 0) {}
MetadataStore::SoundReading::~SoundReading() { --sound_readings(); }

bool MetadataStore::may_try_again(unsigned attempt) {
  // About a second in all. Structures are written within microseconds, unless the writer is stopped
  // meanwhile.
  constexpr unsigned kMostTries = 40;
  constexpr unsigned kLongest = 5;
  if (!is_for_readers_ || attempt == kMostTries) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds((1U << std::min(attempt, kLongest)) - 1));
  read_anew();
  return true;
}

}  // namespace onecast::pages
