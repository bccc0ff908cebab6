#include "space/selection_parts.hpp"

#include <algorithm>

namespace onecast::space {
namespace {

class Parts {
 public:
  Parts(const BoundSelection& selection, std::span<const std::uint64_t> cell, std::uint64_t most,
        const std::function<void(const SelectionPart&)>& each)
      : selection_(selection),
        cell_(selection.rank(), 1),
        most_(most),
        each_(each),
        part_{selection.bounding_box(), 0} {
    for (std::size_t d = 0; d < cell.size(); ++d) cell_[d] = std::max<std::uint64_t>(1, cell[d]);
  }

  /// Halves the box along the slowest dimension that allows it, until a part is small enough.
  void run() {
    part_.count = selection_.element_count_in(part_.box);
    if (part_.count == 0) return;
    const std::size_t d = part_.count > most_ ? first_divisible() : part_.box.size();
    if (d == part_.box.size()) return each_(part_);
    const Interval whole = part_.box[d];
    const std::uint64_t first = whole.first / cell_[d];
    const std::uint64_t last = (whole.end - 1) / cell_[d];
    const std::uint64_t middle = (first + (last - first + 1) / 2) * cell_[d];
    part_.box[d] = {whole.first, middle};
    run();
    part_.box[d] = {middle, whole.end};
    run();
    part_.box[d] = whole;
  }

 private:
  /// The first dimension in which the box touches more than one cell.
  [[nodiscard]] std::size_t first_divisible() const {
    std::size_t d = 0;
    while (d < part_.box.size() &&
           part_.box[d].first / cell_[d] == (part_.box[d].end - 1) / cell_[d])
      ++d;
    return d;
  }

  const BoundSelection& selection_;
  std::vector<std::uint64_t> cell_;
  std::uint64_t most_;
  const std::function<void(const SelectionPart&)>& each_;
  SelectionPart part_;
};

}  // namespace

void for_each_part(const BoundSelection& selection, std::span<const std::uint64_t> cell,
                   std::uint64_t most, const std::function<void(const SelectionPart&)>& each) {
  if (selection.element_count() != 0) Parts(selection, cell, most, each).run();
}

}  // namespace onecast::space
