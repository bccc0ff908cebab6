#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "onecast/space/dataspace.hpp"

namespace onecast::test {

/// A model of a hyperslab, element by element.
struct SelectionModel {
  using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

  std::vector<std::vector<std::uint64_t>> coordinates;  ///< for each dimension
  std::vector<std::uint64_t> elements;                  ///< in order

  SelectionModel(const Shape& shape, const std::optional<Hyperslab>& part)
      : coordinates(shape.size()) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (!part) {
        for (std::uint64_t i = 0; i < shape[d]; ++i) coordinates[d].push_back(i);
        continue;
      }
      for (std::uint64_t c = 0; c < part->count[d]; ++c)
        for (std::uint64_t b = 0; b < (part->block.empty() ? 1 : part->block[d]); ++b)
          coordinates[d].push_back(part->start[d] +
                                   c * (part->stride.empty() ? 1 : part->stride[d]) + b);
    }
    add(shape, 0, 0);
  }

  /// Returns runs: the first element and the number of elements.
  [[nodiscard]] Runs runs() const {
    Runs found;
    for (const std::uint64_t e : elements)
      if (!found.empty() && found.back().first + found.back().second == e)
        ++found.back().second;
      else
        found.emplace_back(e, 1);
    return found;
  }

 private:
  void add(const Shape& shape, std::size_t d, std::uint64_t at) {
    if (d == shape.size()) return elements.push_back(at);
    for (const std::uint64_t c : coordinates[d]) add(shape, d + 1, at * shape[d] + c);
  }
};

/// Returns a part of an array without empty dimensions. About one dimension in twenty is empty in
/// the part.
inline Hyperslab random_part(const Shape& shape, std::mt19937& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const std::size_t rank = shape.size();
  Hyperslab part{Shape(rank), Shape(rank), Shape(rank), Shape(rank)};
  for (std::size_t d = 0; d < rank; ++d) {
    const std::uint64_t n = shape[d];
    part.block[d] = 1 + below(n);
    part.start[d] = below(n - part.block[d] + 1);
    const std::uint64_t left = n - part.start[d] - part.block[d];
    part.stride[d] = part.block[d] + below(3);
    part.count[d] = below(20) == 0 ? 0 : 1 + below(left / part.stride[d] + 1);
  }
  if (below(4) == 0) part.block.clear();
  if (part.block.empty() && below(2) == 0) {
    part.stride.clear();
    for (std::size_t d = 0; d < rank; ++d) part.count[d] = below(shape[d] - part.start[d] + 1);
  }
  return part;
}

}  // namespace onecast::test
