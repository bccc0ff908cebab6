#include "transfer/box.hpp"

#include <string>

#include "grammar/failure.hpp"

namespace onecast::cgns {

bool Box::is_all_of(const Dims& dims) const {
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (start[i] != 0 || end[i] != dims[i]) return false;
  return true;
}

Dims Box::shape() const {
  Dims extents(start.size());
  for (std::size_t i = 0; i < extents.size(); ++i) extents[i] = end[i] - start[i];
  return extents;
}

Box all_of(const Dims& dims) { return {Dims(dims.size(), 0), dims}; }

Box detail::checked_box(const Dims& dims, const Rind& rind, Counting counting,
                        std::span<const std::int64_t> first, std::span<const std::int64_t> last) {
  if (first.empty()) throw Failure("a range is NULL");
  Box box{Dims(dims.size()), Dims(dims.size())};
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto extent = static_cast<std::int64_t>(dims[i]);
    const std::int64_t below =
        counting == Counting::from_core && 2 * i < rind.size() ? rind[2 * i] : 0;
    const std::int64_t lowest = 1 - below;
    if (first[i] < lowest || last[i] < first[i] || last[i] > extent - below)
      throw failure("the range ", first[i], "..", last[i], " of dimension ", i + 1,
                    " is not within ", lowest, "..", extent - below);
    box.start[i] = static_cast<std::uint64_t>(first[i] - lowest);
    box.end[i] = static_cast<std::uint64_t>(last[i] - lowest) + 1;
  }
  return box;
}

Shape shape_of(const Dims& dims, bool reversed) {
  return reversed ? Shape(dims.rbegin(), dims.rend()) : Shape(dims.begin(), dims.end());
}

Selection selection_of(const Box& box, bool reversed) {
  return Hyperslab{shape_of(box.start, reversed), shape_of(box.shape(), reversed)};
}

}  // namespace onecast::cgns
