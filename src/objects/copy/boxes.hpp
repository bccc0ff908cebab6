#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/space/selection.hpp"
#include "space/bound_selection.hpp"
#include "structures/chunks/chunk_index.hpp"

/// The parts of a dataset that are read at a time, and reading them.
namespace onecast::copy {

/// A box of elements.
struct Box {
  Shape start, count;

  [[nodiscard]] Selection selection() const {
    return start.empty() ? Selection() : Selection(Hyperslab{start, count});
  }
};

/// Calls each(box) for boxes that make up an array, in C order. A box consists of adjacent units;
/// it has at most 16 MiB, unless a unit is larger.
template <class F>
void for_each_box(const Shape& shape, const Shape& unit, std::size_t element_size, F&& each) {
  const std::uint64_t most = std::max<std::uint64_t>((std::uint64_t{16} << 20U) / element_size, 1);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  const std::size_t rank = shape.size();
  Shape size(rank);
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    size[d] = std::min(unit[d], shape[d]);
    elements *= size[d];
  }
  for (std::size_t d = rank; d-- > 0;) {
    const std::uint64_t others = elements / size[d];
    const std::uint64_t units = std::max<std::uint64_t>(most / others / unit[d], 1);
    if (units <= (shape[d] - 1) / unit[d]) {
      size[d] = std::min(shape[d], units * unit[d]);
      break;
    }
    size[d] = shape[d];
    elements = others * size[d];
  }
  Box box{Shape(rank, 0), size};
  for (;;) {
    for (std::size_t d = 0; d < rank; ++d)
      box.count[d] = std::min(size[d], shape[d] - box.start[d]);
    each(box);
    std::size_t d = rank;
    while (d > 0 && (box.start[d - 1] += size[d - 1]) >= shape[d - 1]) box.start[--d] = 0;
    if (d == 0) return;
  }
}

/// Calls each(box) for boxes of whole chunks, or of elements, that make up the dataset.
template <class F>
void for_each_box(const DatasetInfo& info, F&& each) {
  const Shape unit =
      info.layout == Layout::chunked ? Shape(info.chunk) : Shape(info.space.rank(), 1);
  for_each_box(info.space.shape(), unit, info.type.size(), each);
}

/// Returns true if all elements are stored, or come from other files.
bool has_all(Node& dataset);
/// Returns the chunks that only this rank has in memory.
std::vector<std::uint64_t> own_chunks(const Node& dataset);
/// Returns the elements of a chunk.
Box box_of(const ChunkGrid& grid, std::uint64_t number);

/// Calls each(box) for boxes that have all stored elements that all ranks know; the other elements
/// have the fill value.
void for_each_stored_box(Node& dataset, const std::function<void(const Box&)>& each);
/// Reads elements as all ranks know them, without what this rank wrote independently to chunks
/// since the last flush. One process without others knows everything.
void read_known_to_all(Node& dataset, const BoundSelection& part, std::span<std::byte> out);

}  // namespace onecast::copy
