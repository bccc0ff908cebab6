#include "objects/chunks/chunk_storage.hpp"

#include "objects/chunks/chunk_selection.hpp"
#include "onecast/base/error.hpp"
#include "structures/chunks/chunk_order.hpp"
#include "structures/chunks/open_chunk_index.hpp"

namespace onecast::chunks {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

ChunkStorage::ChunkStorage(MetadataSource& source, const ChunkGrid& grid,
                           const DataLayoutMessage& layout, bool filtered)
    : source_(source),
      grid_(grid),
      layout_(layout),
      filtered_(filtered),
      filters_partial_chunks_(
          (layout.chunk_flags & DataLayoutMessage::kDontFilterPartialBoundChunks) == 0),
      id_(next_id()) {
  layout_.compact_data = {};
}

const ChunkIndex& ChunkStorage::index() {
  if (const ChunkIndex* known = known_index_.load(std::memory_order_acquire)) return *known;
  const std::lock_guard lock(mutex_);
  return opened_index();
}

const ChunkIndex& ChunkStorage::opened_index() {
  if (!index_) index_ = open_chunk_index(source_, grid_, layout_, filtered_);
  known_index_.store(index_.get(), std::memory_order_release);
  return *index_;
}

void ChunkStorage::open_again() {
  const std::lock_guard lock(mutex_);
  if (table_) return;
  known_index_ = nullptr;
  if (index_) former_.push_back(std::move(index_));
}

/// Finding one chunk costs at least as much as reading this many table entries.
constexpr std::uint64_t kEntriesPerSearch = 64;

bool ChunkStorage::pays(std::uint64_t wanted) {
  const std::uint64_t asked = asked_.fetch_add(wanted, std::memory_order_relaxed) + wanted;
  return grid_.total <= kMostInTable && asked >= grid_.total / kEntriesPerSearch &&
         !no_table_.load(std::memory_order_relaxed) && !index().is_computed();
}

const ChunkStorage::Table* ChunkStorage::table(std::uint64_t wanted) {
  if (const Table* known = known_table_.load(std::memory_order_acquire)) return known;
  if (!pays(wanted)) return nullptr;
  const std::lock_guard lock(mutex_);
  if (!table_) build_table();
  return table_.get();
}

void ChunkStorage::build_table() {
  auto table = std::make_unique<Table>(static_cast<std::size_t>(grid_.total));
  try {
    opened_index().for_each([&](const ChunkEntry& entry) {
      if (grid_.contains(entry.at))
        (*table)[static_cast<std::size_t>(grid_.number(entry.at))] = {entry.address, entry.size,
                                                                      entry.filter_mask, true};
    });
  } catch (const Error& error) {
    // Undamaged chunks can still be read, one by one.
    if (error.code() == ErrorCode::io) throw;
    no_table_ = true;
    return;
  }
  table_ = std::move(table);
  known_table_.store(table_.get(), std::memory_order_release);
}

std::uint64_t ChunkStorage::locate(const BoundSelection& selection,
                                   std::vector<ChunkPlace>& found) {
  const std::vector<std::uint64_t> numbers = chunk_numbers(selection, grid_);
  find(numbers, found);
  return numbers.size();
}

void ChunkStorage::find(const std::vector<std::uint64_t>& numbers, std::vector<ChunkPlace>& found) {
  if (const Table* known = table(numbers.size())) {
    found.reserve(numbers.size());
    for (const std::uint64_t number : numbers) {
      const ChunkSlot& slot = (*known)[static_cast<std::size_t>(number)];
      if (slot.address.is_defined())
        found.push_back({number, slot.address, slot.size, slot.filter_mask});
    }
  } else {
    find_chunks(index(), grid_, numbers, found);
  }
}

std::size_t end_of_neighbours(std::span<const ChunkPlace> places, std::size_t first,
                              const ReadLimits& limits) {
  const std::uint64_t start = places[first].address.value;
  for (std::size_t i = first + 1; i < places.size(); ++i) {
    const ChunkPlace& next = places[i];
    const std::uint64_t end = end_of(places[i - 1]);
    if (next.size > limits.chunk || next.address.value < end ||
        next.address.value - end > limits.gap || end_of(next) - start > limits.bytes)
      return i;
  }
  return places.size();
}

namespace {

void find_in(const ChunkIndex& index, const ChunkGrid& grid, const ChunkBox& box,
             std::vector<ChunkPlace>& found) {
  index.for_each_in(box, [&](const ChunkEntry& entry) {
    found.push_back({grid.number(entry.at), entry.address, entry.size, entry.filter_mask});
  });
}

/// Finds the chunks that are adjacent in the fastest dimension together.
void find_rows(const ChunkIndex& index, const ChunkGrid& grid,
               const std::vector<std::uint64_t>& numbers, std::vector<ChunkPlace>& found) {
  const std::uint64_t row = grid.count[grid.rank - 1];
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1 &&
           numbers[end] / row == numbers[i] / row)
      ++end;
    find_in(index, grid, {grid.coordinates(numbers[i]), grid.coordinates(numbers[end - 1])}, found);
    i = end;
  }
}

}  // namespace

void find_chunks(const ChunkIndex& index, const ChunkGrid& grid,
                 const std::vector<std::uint64_t>& numbers, std::vector<ChunkPlace>& found) {
  if (numbers.empty()) return;
  ChunkBox box{grid.coordinates(numbers.front()), grid.coordinates(numbers.front())};
  for (const std::uint64_t number : numbers) {
    const ChunkCoordinates at = grid.coordinates(number);
    for (unsigned d = 0; d < grid.rank; ++d) {
      box.first[d] = std::min(box.first[d], at[d]);
      box.last[d] = std::max(box.last[d], at[d]);
    }
  }
  std::uint64_t inside = 1;
  for (unsigned d = 0; d < grid.rank; ++d) inside *= box.last[d] - box.first[d] + 1;
  inside == numbers.size() ? find_in(index, grid, box, found)
                           : find_rows(index, grid, numbers, found);
}

}  // namespace onecast::chunks
