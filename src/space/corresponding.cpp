#include "space/corresponding.hpp"

#include <algorithm>
#include <exception>

namespace onecast::space {
namespace {

/// Finds common runs cell by cell, in a grid whose cells are whole rows of the array, or parts of
/// one row.
class CommonRuns {
 public:
  CommonRuns(const BoundSelection& first, const BoundSelection& second, const Shape& shape,
             const std::function<bool(const CommonRun&)>& each)
      : first_(first),
        second_(second),
        box_(first.bounding_box()),
        cell_(shape.size(), 1),
        start_(shape.size()),
        extent_(shape.size()),
        each_(each) {
    const std::vector<Interval> other = second.bounding_box();
    for (std::size_t d = 0; d < shape.size(); ++d)
      box_[d] = {std::max(box_[d].first, other[d].first), std::min(box_[d].end, other[d].end)};
    std::uint64_t elements = 1;
    for (std::size_t d = shape.size(); d-- > 0 && elements < kCellElements;) {
      cell_[d] = std::clamp(shape[d], std::uint64_t{1}, kCellElements / elements);
      elements *= cell_[d];
      if (cell_[d] < shape[d]) break;
    }
  }

  void run() {
    const auto cell = [&](std::span<const std::uint64_t> start) { add_cell(start); };
    try {
      if (first_.element_count() <= second_.element_count())
        first_.for_each_cell(cell_, cell);
      else
        second_.for_each_cell(cell_, cell);
      give();
    } catch (const Enough&) {  // NOLINT(bugprone-empty-catch): the caller wants no more
    }
  }

 private:
  static constexpr std::uint64_t kCellElements = std::uint64_t{1} << 16U;
  struct Enough : std::exception {};
  struct Run {
    std::uint64_t at, number, count;
  };

  void add_cell(std::span<const std::uint64_t> cell) {
    for (std::size_t d = 0; d < cell.size(); ++d) {
      start_[d] = std::max(cell[d], box_[d].first);
      const std::uint64_t end = std::min(cell[d] + cell_[d], box_[d].end);
      if (start_[d] >= end) return;
      extent_[d] = end - start_[d];
    }
    list(first_, firsts_);
    if (firsts_.empty()) return;
    list(second_, seconds_);
    auto a = firsts_.begin();
    auto b = seconds_.begin();
    while (a != firsts_.end() && b != seconds_.end()) {
      const std::uint64_t from = std::max(a->at, b->at);
      const std::uint64_t to = std::min(a->at + a->count, b->at + b->count);
      if (from < to) add({a->number + (from - a->at), b->number + (from - b->at), to - from});
      a->at + a->count <= b->at + b->count ? void(++a) : void(++b);
    }
  }

  void list(const BoundSelection& selection, std::vector<Run>& runs) const {
    runs.clear();
    selection.for_each_run_in(start_, extent_,
                              [&](std::uint64_t at, std::uint64_t number, std::uint64_t count) {
                                runs.push_back({at, number, count});
                              });
  }

  void add(const CommonRun& run) {
    if (run.first == last_.first + last_.count && run.second == last_.second + last_.count) {
      last_.count += run.count;
      return;
    }
    give();
    last_ = run;
  }

  void give() {
    if (last_.count != 0 && !each_(last_)) throw Enough{};
    last_ = {0, 0, 0};
  }

  const BoundSelection& first_;
  const BoundSelection& second_;
  std::vector<Interval> box_;  ///< contains all common elements
  Shape cell_;                 ///< the size of a cell
  Shape start_, extent_;       ///< of the part of a cell in the box
  const std::function<bool(const CommonRun&)>& each_;
  std::vector<Run> firsts_, seconds_;
  CommonRun last_{0, 0, 0};
};

/// Appends blocks that together are the `count` elements of the array from `first` on.
void add_blocks(const Shape& shape, std::uint64_t first, std::uint64_t count,
                std::vector<Interval>& blocks) {
  while (count > 0) {
    // The slowest dimension along which the block can take whole slices.
    std::size_t d = shape.size() - 1;
    std::uint64_t slice = 1;
    while (d > 0 && count / shape[d] >= slice && first % (slice * shape[d]) == 0)
      slice *= shape[d--];
    const std::uint64_t n = std::min(count / slice, shape[d] - first / slice % shape[d]);
    const std::size_t block = blocks.size();
    blocks.resize(block + shape.size());
    std::uint64_t rest = first / slice;
    for (std::size_t i = d + 1; i-- > 0; rest /= shape[i])
      blocks[block + i] = {rest % shape[i], rest % shape[i] + 1};
    blocks[block + d].end += n - 1;
    for (std::size_t i = d + 1; i < shape.size(); ++i) blocks[block + i] = {0, shape[i]};
    first += n * slice;
    count -= n * slice;
  }
}

void append(std::vector<Interval>& list, std::uint64_t first, std::uint64_t end) {
  if (!list.empty() && list.back().end == first)
    list.back().end = end;
  else
    list.push_back({first, end});
}

/// The numbers of the coordinates of `mapped` that are also in `wanted`.
std::vector<Interval> common_numbers(const BoundSelection& wanted, const BoundSelection& mapped,
                                     std::size_t d) {
  std::vector<Interval> numbers;
  const std::uint64_t most = mapped.coordinates(d);
  std::uint64_t k = wanted.first_at_least(d, mapped.coordinate(d, 0));
  const std::uint64_t last =
      wanted.first_at_least(d, mapped.coordinate(d, most - 1) + 1);  // after the last one
  if (k < last && wanted.is_dense(d)) {
    const std::uint64_t first = mapped.first_at_least(d, wanted.coordinate(d, k));
    const std::uint64_t end = mapped.first_at_least(d, wanted.coordinate(d, last - 1) + 1);
    if (first < end) numbers.push_back({first, end});
    return numbers;
  }
  for (; k < last; ++k) {
    const std::uint64_t at = wanted.coordinate(d, k);
    const std::uint64_t number = mapped.first_at_least(d, at);
    if (number < most && mapped.coordinate(d, number) == at) append(numbers, number, number + 1);
  }
  return numbers;
}

/// The coordinates with these numbers.
std::vector<Interval> coordinates_of(const BoundSelection& selection, std::size_t d,
                                     const std::vector<Interval>& numbers) {
  std::vector<Interval> coordinates;
  for (const Interval& interval : numbers)
    for (std::uint64_t k = interval.first; k < interval.end;) {
      const std::uint64_t at = selection.coordinate(d, k);
      const std::uint64_t count = selection.is_dense(d) ? interval.end - k : 1;
      append(coordinates, at, at + count);
      k += count;
    }
  return coordinates;
}

}  // namespace

void for_each_common_run(const BoundSelection& first, const BoundSelection& second,
                         const Shape& shape, const std::function<bool(const CommonRun&)>& each) {
  if (first.element_count() == 0 || second.element_count() == 0) return;
  if (shape.empty())
    static_cast<void>(each({0, 0, 1}));
  else
    CommonRuns(first, second, shape, each).run();
}

Selection elements_at(const BoundSelection& selection, const Shape& shape,
                      std::span<const Interval> numbers) {
  if (shape.empty()) return numbers.empty() ? Selection::none() : Selection();
  struct Enough : std::exception {};
  std::vector<Interval> blocks;
  auto wanted = numbers.begin();
  std::uint64_t number = 0;  // of the run's first element
  const auto add = [&](std::uint64_t first, std::uint64_t count) {
    for (; wanted != numbers.end() && wanted->first < number + count; ++wanted) {
      const std::uint64_t from = std::max(wanted->first, number);
      const std::uint64_t to = std::min(wanted->end, number + count);
      if (from < to) add_blocks(shape, first + (from - number), to - from, blocks);
      if (wanted->end > number + count) break;
    }
    number += count;
    if (wanted == numbers.end()) throw Enough{};
  };
  try {
    selection.for_each_run(add);
  } catch (const Enough&) {  // NOLINT(bugprone-empty-catch): all were found
  }
  return Selection::blocks(shape.size(), blocks);
}

std::optional<Selection> corresponding_product(const BoundSelection& wanted,
                                               const BoundSelection& mapped,
                                               const BoundSelection& source) {
  if (!wanted.is_regular() || !mapped.is_regular() || !source.is_regular()) return std::nullopt;
  if (mapped.element_count() == 0 || source.rank() == 0) return std::nullopt;
  std::vector<std::vector<Interval>> sides;
  std::size_t d = 0;  // in `mapped`
  const auto skip_single = [&] {
    while (d < mapped.rank() && mapped.coordinates(d) == 1) ++d;
  };
  for (std::size_t s = 0; s < source.rank(); ++s) {
    if (source.coordinates(s) == 1) {
      sides.push_back({{source.coordinate(s, 0), source.coordinate(s, 0) + 1}});
      continue;
    }
    skip_single();
    if (d == mapped.rank() || mapped.coordinates(d) != source.coordinates(s)) return std::nullopt;
    sides.push_back(coordinates_of(source, s, common_numbers(wanted, mapped, d++)));
  }
  skip_single();
  if (d != mapped.rank()) return std::nullopt;
  return Selection::product(sides);
}

}  // namespace onecast::space
