#include "objects/copy/copy_data.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/buffer.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/any_layout/write_stored.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/chunk_write.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/chunks/new_chunks.hpp"
#include "objects/copy/boxes.hpp"
#include "objects/elements/first_rank.hpp"
#include "objects/elements/piece_writer.hpp"
#include "objects/elements/raw_data.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::copy {
namespace {

using Advance = std::function<void(std::uint64_t)>;
using Translate = std::function<void(std::span<std::byte>)>;
using Slots = std::map<std::uint64_t, ChunkSlot>;

/// Memory that is used again and again.
class Room {
 public:
  std::span<std::byte> of(std::size_t size) {
    if (buffer_.size() < size) buffer_ = Buffer(size);
    return buffer_.span().first(size);
  }

 private:
  Buffer buffer_;
};

/// Copies chunks in their stored form.
class ChunkCopy {
 public:
  ChunkCopy(Node& source, Node& target, const Advance& advance)
      : source_(source),
        target_(target),
        from_(source.dataset()),
        to_(edited_chunks(target)),
        slots_(allocated_chunks(source)),
        advance_(advance) {}

  void run() {
    FileState& file = file_of(target_);
    std::vector<ChunkPlace> stored;
    std::vector<Address> places;
    for (const auto& [number, slot] : slots_) {
      const ChunkSlot place =
          allocate_chunk(file, target_.dataset(), slot.size, mask(number, slot));
      stored.push_back({number, slot.address, slot.size, slot.filter_mask});
      places.push_back(place.address);
      to_.set(number, place);
    }
    on_first_rank(target_, [&] {
      copy(stored, places);
      copy_own();
    });
  }

 private:
  /// Returns the filter mask. A chunk that extends beyond the extent may have been stored without
  /// filters.
  [[nodiscard]] std::uint32_t mask(std::uint64_t number, const ChunkSlot& slot) const {
    if (from_.filters.empty() || is_filtered(from_, number)) return slot.filter_mask;
    return static_cast<std::uint32_t>((std::uint64_t{1} << from_.filters.size()) - 1);
  }

  /// Copies chunks; adjacent ones are read together.
  void copy(const std::vector<ChunkPlace>& stored, const std::vector<Address>& places) {
    constexpr ReadLimits kLimits{.gap = std::uint64_t{4} << 10U, .bytes = std::uint64_t{4} << 20U};
    PieceWriter writer(file_of(target_));
    for (std::size_t i = 0; i < stored.size();) {
      const std::size_t end = end_of_neighbours(stored, i, kLimits);
      const Address start = stored[i].address;
      const auto bytes = room_.of(static_cast<std::size_t>(end_of(stored[end - 1]) - start.value));
      read_file(file_of(source_), start, bytes);
      for (; i < end; ++i) {
        writer.add(places[i],
                   bytes.subspan(static_cast<std::size_t>(stored[i].address.value - start.value),
                                 static_cast<std::size_t>(stored[i].size)));
        advance_(to_.table().grid().bytes);
      }
    }
    writer.finish();
  }

  void copy_own() {
    const ChunkGrid& grid = to_.table().grid();
    for (const std::uint64_t number : own_chunks(source_)) {
      const Buffer image = known_edited_chunks(source_)->image(number);
      const EncodedChunk encoded = to_.encode(number, image.span());
      if (file_of(target_).comm().is_self())
        allocate_encoded(to_, {&number, 1}, {&encoded, 1});
      else
        to_.keep(number, to_.waiting(encoded), true);
      advance_(grid.bytes);
    }
  }

  Node& source_;
  Node& target_;
  const DatasetInfo& from_;
  EditedChunks& to_;
  Slots slots_;
  Room room_;
  const Advance& advance_;
};

/// Copies elements, decoding and encoding them.
class ElementCopy {
 public:
  ElementCopy(Node& source, Node& target, const Translate& translate, const Advance& advance)
      : source_(source),
        target_(target),
        from_(source.dataset()),
        to_(target.dataset()),
        translate_(translate),
        advance_(advance) {}

  void run() {
    if (from_.space.element_count() == 0) return;
    to_.layout == Layout::chunked ? to_chunks() : to_one_piece();
  }

 private:
  void copy(const Box& box, Allocation allocation) {
    const BoundSelection part(from_.space, box.selection(), source_);
    const auto bytes = room_.of(static_cast<std::size_t>(part.element_count()) * from_.type.size());
    if (translate_)
      read_known_to_all(source_, part, bytes);
    else
      read_selected(source_, part, bytes);
    if (translate_) translate_(bytes);
    if (file_of(target_).comm().rank() != 0) return;
    if (to_.layout == Layout::chunked)
      write_chunked(target_, part, bytes, allocation);
    else
      write_contiguous(target_, part, bytes);
    advance_(bytes.size());
  }

  /// If elements are translated, all ranks do so.
  template <class F>
  void on_copying_ranks(F&& work) {
    if (!translate_) return on_first_rank(target_, work);
    on_every_rank(target_, work);
  }

  void to_one_piece() {
    if (!to_.address.is_defined()) return;
    on_copying_ranks(
        [&] { for_each_box(from_, [&](const Box& box) { copy(box, Allocation::at_once); }); });
  }

  void to_chunks() {
    FileState& file = file_of(target_);
    const Allocation own = allocation_of_equal(target_);
    Allocation allocation = own;
    EditedChunks& edited = edited_chunks(target_);
    const ChunkGrid& grid = edited.table().grid();
    const bool all = has_all(source_);
    const std::set<std::uint64_t> numbers = all ? std::set<std::uint64_t>() : needed(grid);
    if (to_.filters.empty() && own != Allocation::at_once) {
      // All ranks know the sizes: rank 0 need not keep the chunks until the flush.
      if (all) allocate_all_chunks(target_);
      for (const std::uint64_t n : numbers) edited.set(n, allocate_chunk(file, to_, grid.bytes));
      allocation = Allocation::given;
    }
    on_copying_ranks([&] {
      if (all)
        for_each_box(from_.space.shape(), to_.chunk, from_.type.size(),
                     [&](const Box& box) { copy(box, allocation); });
      for (const std::uint64_t n : numbers) copy(box_of(grid, n), allocation);
      // Other ranks cannot translate elements that they do not know.
      if (translate_ && own != Allocation::at_once) return;
      for (const std::uint64_t n : own_chunks(source_))
        copy(box_of(known_edited_chunks(source_)->table().grid(), n), own);
    });
  }

  /// Returns the chunks of the target that have elements of stored chunks of the source.
  [[nodiscard]] std::set<std::uint64_t> needed(const ChunkGrid& grid) const {
    std::set<std::uint64_t> numbers;
    if (from_.layout != Layout::chunked) return numbers;
    const ChunkGrid& source = chunks_of(from_).grid();
    for (const auto& [number, slot] : allocated_chunks(source_)) {
      const Box box = box_of(source, number);
      ChunkCoordinates first{}, last{};
      for (unsigned d = 0; d < grid.rank; ++d) {
        first[d] = box.start[d] / grid.chunk[d];
        last[d] = (box.start[d] + box.count[d] - 1) / grid.chunk[d];
      }
      for (ChunkCoordinates at = first;;) {
        numbers.insert(grid.number(at));
        unsigned d = grid.rank;
        while (d > 0 && at[d - 1]++ == last[d - 1]) {
          --d;
          at[d] = first[d];
        }
        if (d == 0) break;
      }
    }
    return numbers;
  }

  Node& source_;
  Node& target_;
  const DatasetInfo& from_;
  const DatasetInfo& to_;
  Room room_;
  const Translate& translate_;
  const Advance& advance_;
};

}  // namespace

void copy_elements(Node& source, Node& target, bool keeps_chunks, const Translate& translate,
                   const Advance& advance) {
  if (keeps_chunks)
    ChunkCopy(source, target, advance).run();
  else
    ElementCopy(source, target, translate, advance).run();
}

}  // namespace onecast::copy
