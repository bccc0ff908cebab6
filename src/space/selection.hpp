#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onecast/space/dataspace.hpp"

namespace onecast {

/// A checked hyperslab of an array. In each dimension it is a sequence of coordinates; the
/// selection is their product, in C order.
class Selection {
 public:
  /// `part` absent: everything. Throws Error (invalid_argument), after `where`, if it has another
  /// rank, leaves the array or its blocks overlap.
  Selection(const Dataspace& space, const std::optional<Hyperslab>& part, const std::string& where);

  /// Everything. Allocates nothing.
  explicit Selection(const Dataspace& space);

  [[nodiscard]] std::uint64_t element_count() const { return count_; }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  /// How many coordinates there are in a dimension.
  [[nodiscard]] std::uint64_t coordinates(std::size_t d) const {
    return dims_[d].count * dims_[d].block;
  }
  /// The k-th coordinate of a dimension.
  [[nodiscard]] std::uint64_t coordinate(std::size_t d, std::uint64_t k) const {
    const Dimension& x = dims_[d];
    return x.start + k / x.block * x.stride + k % x.block;
  }
  /// The first k whose coordinate is at least `at`; coordinates(d) if there is none.
  [[nodiscard]] std::uint64_t first_at_least(std::size_t d, std::uint64_t at) const;
  /// Coordinates of this dimension follow each other without gaps.
  [[nodiscard]] bool is_dense(std::size_t d) const { return dims_[d].stride == dims_[d].block; }

  /// Calls each(first element of the array, number of elements) for runs of adjacent elements, in
  /// order: as long as they can be.
  template <class F>
  void for_each_run(F&& each) const {
    if (count_ == 0) return;
    std::uint64_t run = 1;
    std::size_t d = run_dimension(run);
    if (d == 0) return each(first_element(0), run);
    // Dimensions before d are walked coordinate by coordinate. Neighbours there, in a block or from
    // one row to the next, are one run.
    std::vector<std::uint64_t> k(d, 0);
    std::uint64_t start = 0;
    std::uint64_t size = 0;
    for (;;) {
      std::uint64_t at = first_element(d);
      for (std::size_t i = 0; i < d; ++i) at += coordinate(i, k[i]) * stride_elements_[i];
      if (size != 0 && at == start + size) {
        size += run;
      } else {
        if (size != 0) each(start, size);
        start = at;
        size = run;
      }
      std::size_t i = d;
      while (i > 0 && ++k[i - 1] == coordinates(i - 1)) k[--i] = 0;
      if (i == 0) return each(start, size);
    }
  }

 private:
  struct Dimension {
    std::uint64_t start, count, stride, block;
  };

  /// The first dimension whose coordinates are part of one run, and the run's length in elements.
  std::size_t run_dimension(std::uint64_t& run) const;
  /// The element at the starts of dimensions d and up, 0 in those before.
  [[nodiscard]] std::uint64_t first_element(std::size_t d) const;

  // Arrays, of which the first rank_ are set: small reads should not allocate.
  std::size_t rank_;
  std::array<std::uint64_t, Dataspace::kMaxRank> shape_;
  std::array<Dimension, Dataspace::kMaxRank> dims_;
  std::array<std::uint64_t, Dataspace::kMaxRank> stride_elements_;  ///< between neighbours
  std::uint64_t count_;
};

}  // namespace onecast
