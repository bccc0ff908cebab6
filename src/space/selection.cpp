#include "space/selection.hpp"

#include <fmt/format.h>

#include "onecast/base/error.hpp"

namespace onecast {
namespace {

[[noreturn]] void reject(const std::string& where, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, fmt::format("{}: selection: {}", where, what));
}

}  // namespace

Selection::Selection(const Dataspace& space) : rank_(space.rank()), count_(space.element_count()) {
  if (rank_ > Dataspace::kMaxRank)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("selection: {} dimensions, at most 32 can be", rank_));
  std::uint64_t neighbours = 1;
  for (std::size_t d = rank_; d-- > 0;) {
    const std::uint64_t n = space.shape()[d];
    shape_[d] = n;
    dims_[d] = {0, 1, n, n};
    stride_elements_[d] = neighbours;
    neighbours *= n;
  }
}

Selection::Selection(const Dataspace& space, const std::optional<Hyperslab>& part,
                     const std::string& where)
    : Selection(space) {
  if (!part) return;
  const std::size_t rank = rank_;
  count_ = 1;
  const auto has_rank = [&](const Shape& s) { return s.size() == rank; };
  if (!has_rank(part->start) || !has_rank(part->count) ||
      (!part->stride.empty() && !has_rank(part->stride)) ||
      (!part->block.empty() && !has_rank(part->block)))
    reject(where, fmt::format("must have {} dimensions", rank));
  for (std::size_t d = 0; d < rank; ++d) {
    Dimension x{part->start[d], part->count[d], part->stride.empty() ? 1 : part->stride[d],
                part->block.empty() ? 1 : part->block[d]};
    if (x.count == 0 || x.block == 0) {
      count_ = 0;
    } else {
      if (x.count > 1 && x.stride < x.block)
        reject(where, fmt::format("dimension {}: stride {} below block {}: blocks overlap", d,
                                  x.stride, x.block));
      if (x.count == 1) x.stride = x.block;
      // start + (count - 1) * stride + block <= size, without overflow
      std::uint64_t end = 0;
      if (__builtin_mul_overflow(x.count - 1, x.stride, &end) ||
          __builtin_add_overflow(end, x.block, &end) ||
          __builtin_add_overflow(end, x.start, &end) || end > shape_[d])
        reject(where,
               fmt::format("dimension {}: start {}, count {}, stride {}, block {} leaves the "
                           "size {}",
                           d, part->start[d], part->count[d],
                           part->stride.empty() ? 1 : part->stride[d],
                           part->block.empty() ? 1 : part->block[d], shape_[d]));
      if (x.stride == x.block) x = {x.start, 1, x.count * x.block, x.count * x.block};
      count_ *= x.block * x.count;
    }
    dims_[d] = x;
  }
  if (space.kind() == Dataspace::Kind::null) count_ = 0;
}

std::uint64_t Selection::first_at_least(std::size_t d, std::uint64_t at) const {
  const Dimension& x = dims_[d];
  if (at <= x.start || coordinates(d) == 0) return 0;
  const std::uint64_t block = (at - x.start) / x.stride;
  const std::uint64_t inside = (at - x.start) % x.stride;
  const std::uint64_t k = inside < x.block ? block * x.block + inside : (block + 1) * x.block;
  return k < coordinates(d) ? k : coordinates(d);
}

std::size_t Selection::run_dimension(std::uint64_t& run) const {
  run = 1;
  std::size_t d = rank();
  while (d > 0) {
    const Dimension& x = dims_[d - 1];
    if (x.count != 1) return d;
    run *= x.block;
    --d;
    // A dimension that is not taken whole ends the run: its neighbours are apart.
    if (x.block != shape_[d]) return d;
  }
  return d;
}

std::uint64_t Selection::first_element(std::size_t d) const {
  std::uint64_t at = 0;
  for (std::size_t i = d; i < rank(); ++i) at += dims_[i].start * stride_elements_[i];
  return at;
}

}  // namespace onecast
