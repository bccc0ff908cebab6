#include "objects/together/overlapping_parts.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/make_error.hpp"
#include "collective/extent_list.hpp"

namespace onecast::together {
namespace {

/// Returns the numbers of the elements as extents, as if each took one byte.
ExtentList elements_of(const BoundSelection& selection) {
  ExtentListBuilder builder;
  selection.for_each_series(
      [&](std::uint64_t at, std::uint64_t count, std::uint64_t stride, std::uint64_t runs) {
        builder.add_series(at, count, stride, runs);
      });
  return builder.take();
}

void require_disjoint_in_one(std::span<const PartOfDataset> parts, const char* call) {
  std::vector<ExtentList> elements;
  elements.reserve(parts.size());
  for (const PartOfDataset& part : parts) elements.push_back(elements_of(*part.part));
  try {
    ExtentList::merge(elements, std::vector<std::uint64_t>(parts.size()));
  } catch (const Error&) {
    throw argument_error("{}: {}: parts of the dataset in one list overlap",
                         parts.front().dataset->where(), call);
  }
}

}  // namespace

void require_disjoint(std::vector<PartOfDataset> parts, const char* call) {
  std::erase_if(parts, [](const PartOfDataset& p) { return p.part->element_count() == 0; });
  // Sort in an order that is equal on all ranks, so that all name the same dataset of several.
  std::sort(parts.begin(), parts.end(), [](const PartOfDataset& a, const PartOfDataset& b) {
    const NodeId x = a.dataset->id();
    const NodeId y = b.dataset->id();
    return std::pair(x.is_new, x.identity) < std::pair(y.is_new, y.identity);
  });
  for (auto first = parts.begin(); first != parts.end();) {
    const auto end = std::find_if(
        first, parts.end(), [&](const PartOfDataset& p) { return p.dataset != first->dataset; });
    if (end - first > 1) require_disjoint_in_one({first, end}, call);
    first = end;
  }
}

}  // namespace onecast::together
