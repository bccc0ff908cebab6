#include "space/selection_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace onecast::space {
namespace {

std::string side_text(std::uint64_t first, std::uint64_t end) {
  return end == first + 1 ? fmt::format("{}", first) : fmt::format("{}:{}", first, end);
}

std::string hyperslab_text(const Hyperslab& part) {
  std::vector<std::string> sides;
  for (std::size_t d = 0; d < part.start.size(); ++d) {
    const std::uint64_t stride = part.stride.empty() ? 1 : part.stride[d];
    const std::uint64_t block = part.block.empty() ? 1 : part.block[d];
    const std::uint64_t count = part.count[d];
    if (count <= 1 || stride == block)
      sides.push_back(side_text(part.start[d], part.start[d] + count * block));
    else
      sides.push_back(
          fmt::format("{} blocks of {} from {} on, {} apart", count, block, part.start[d], stride));
  }
  return fmt::format("elements [{}]", fmt::join(sides, ", "));
}

}  // namespace

std::string selection_text(const Selection& selection) {
  if (selection.kind() == Selection::Kind::all) return "all elements";
  if (selection.is_unlimited()) return "elements without limit";
  const std::uint64_t count = selection.element_count();
  if (count == 0) return "no elements";
  if (selection.kind() == Selection::Kind::hyperslab) return hyperslab_text(selection.hyperslab());
  const Selection::Box box = selection.bounding_box();
  std::vector<std::string> sides;
  sides.reserve(box.start.size());
  for (std::size_t d = 0; d < box.start.size(); ++d)
    sides.push_back(side_text(box.start[d], box.end[d]));
  return fmt::format("{} {} within [{}]", count, count == 1 ? "element" : "elements",
                     fmt::join(sides, ", "));
}

}  // namespace onecast::space
