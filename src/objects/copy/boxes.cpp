#include "objects/copy/boxes.hpp"

#include <set>

#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/allocated_chunks.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::copy {

bool has_all(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  if (info.layout == Layout::contiguous && !info.is_external()) return info.address.is_defined();
  if (info.layout != Layout::chunked) return true;
  return allocated_chunks(dataset).size() == chunks_of(info).grid().total;
}

std::vector<std::uint64_t> own_chunks(const Node& dataset) {
  std::set<std::uint64_t> numbers;
  if (const EditedChunks* edited = known_edited_chunks(dataset)) {
    for (const auto& [number, chunk] : edited->pending()) numbers.insert(number);
    for (const auto& [number, extent] : edited->table().valid_extents()) numbers.insert(number);
  }
  return {numbers.begin(), numbers.end()};
}

Box box_of(const ChunkGrid& grid, std::uint64_t number) {
  const ChunkCoordinates first = first_element(grid, number);
  Box box;
  for (unsigned d = 0; d < grid.rank; ++d) {
    box.start.push_back(first[d]);
    box.count.push_back(std::min(grid.chunk[d], grid.extent[d] - first[d]));
  }
  return box;
}

void for_each_stored_box(Node& dataset, const std::function<void(const Box&)>& each) {
  const DatasetInfo& info = dataset.dataset();
  if (info.space.element_count() == 0) return;
  if (has_all(dataset)) return for_each_box(info, each);
  if (info.layout != Layout::chunked) return;
  std::set<std::uint64_t> numbers;
  for (const auto& [number, slot] : allocated_chunks(dataset)) numbers.insert(number);
  if (file_of(dataset).comm().size() == 1)
    for (const std::uint64_t number : own_chunks(dataset)) numbers.insert(number);
  for (const std::uint64_t number : numbers) each(box_of(chunks_of(info).grid(), number));
}

void read_known_to_all(Node& dataset, const BoundSelection& part, std::span<std::byte> out) {
  EditedChunks* edited = known_edited_chunks(dataset);
  if (edited == nullptr || file_of(dataset).comm().size() == 1)
    return any_layout::read_selected(dataset, part, out);
  edited->without_pending([&] { any_layout::read_selected(dataset, part, out); });
}

}  // namespace onecast::copy
