#include "objects/chunks/chunk_elements.hpp"

#include "objects/elements/raw_data.hpp"

namespace onecast::chunks {

void ChunkElements::copy(std::uint64_t number, std::span<std::byte> image) const {
  const std::size_t size = element_size();
  for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
    elements_.copy(first, image.subspan(at * size, count * size), size);
  });
}

Buffer ChunkElements::image(std::uint64_t number) const {
  Buffer chunk(static_cast<std::size_t>(grid_->bytes));
  if (is_partial(number)) fill(chunk.span(), fill_value());
  copy(number, chunk.span());
  return chunk;
}

std::optional<std::span<const std::byte>> ChunkElements::in_memory(std::uint64_t number) const {
  std::optional<std::span<const std::byte>> whole;
  if (!elements_.are_there()) return whole;
  const std::size_t size = element_size();
  for_each_run(number, [&](std::uint64_t at, std::uint64_t first, std::uint64_t count) {
    if (at == 0 && count * size == grid_->bytes)
      whole = elements_.bytes().subspan(first * size, count * size);
  });
  return whole;
}

bool ChunkElements::is_whole(std::uint64_t number) const {
  std::uint64_t selected = 0;
  for_each_run(number, [&](std::uint64_t, std::uint64_t, std::uint64_t n) { selected += n; });
  return selected == elements_inside(*grid_, number);
}

}  // namespace onecast::chunks
