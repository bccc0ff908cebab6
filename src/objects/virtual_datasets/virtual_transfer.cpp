#include "objects/virtual_datasets/virtual_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::virtual_datasets {

VirtualTransfer::VirtualTransfer(const VirtualStorage& storage, const BoundSelection& wanted)
    : storage_(storage),
      dataset_(storage.dataset_),
      info_(dataset_.dataset()),
      wanted_(wanted),
      element_(info_.type.size()) {}

bool VirtualTransfer::touches(const BoundSelection& mapped) const {
  bool touches = false;
  for_each_common_run(wanted_, mapped, info_.space.shape(), [&](const CommonRun&) {
    touches = true;
    return false;
  });
  return touches;
}

std::optional<VirtualTransfer::Source> VirtualTransfer::open(const Piece& piece, For use) {
  auto source = storage_.open(*piece.mapping, piece.block, missing_file_, use);
  if (!source) return source;
  const DatasetInfo& theirs = source->node->dataset();
  if (source->file.get() != &file_of(dataset_) && info_.type.points_elsewhere())
    throw unsupported_error(
        "{}: not supported: values of variable length, or references, that "
        "lie in another file, {}",
        dataset_.where(), source->node->where());
  if (theirs.type.size() > kMostBytes && converts(*source))
    throw unsupported_error("{}: not supported: converting elements of {} bytes of {}",
                            dataset_.where(), theirs.type.size(), source->node->where());
  const Selection& part = *piece.source;
  if (part.rank() != theirs.space.rank() && part.rank() != 0)
    fail(*source,
         fmt::format("{} dimensions are selected of {}", part.rank(), theirs.space.rank()));
  return source;
}

void VirtualTransfer::fail(const Source& source, const std::string& what) const {
  throw format_error("{}: source {}: {}", dataset_.where(), source.node->where(), what);
}

void VirtualTransfer::require_equal(const Source& source, const BoundSelection& part,
                                    const BoundSelection& mapped) const {
  if (part.element_count() != mapped.element_count())
    fail(source, fmt::format("{} elements are selected for {}", part.element_count(),
                             mapped.element_count()));
}

bool VirtualTransfer::reaches_out(const Selection& part, const Dataspace& space) {
  if (part.rank() == 0) return false;
  const Shape end = part.bounding_box().end;
  return !std::ranges::equal(end, space.shape(), std::less_equal<>());
}

void VirtualTransfer::for_each_batch(
    const Source& source, const Selection& part, const BoundSelection& bound,
    const BoundSelection& mapped, std::uint64_t longest,
    const std::function<void(const Batch&, const Selection&)>& each) const {
  Batch batch;
  const auto finish = [&](bool last) {
    if (!batch.runs.empty()) {
      VirtualNesting::spend(dataset_, batch.elements);
      each(batch, select(source, part, bound, mapped, batch, last));
    }
    batch = {{}, 0, false};
  };
  const std::uint64_t widest = std::max(element_, source.node->dataset().type.size());
  for_each_common_run(wanted_, mapped, info_.space.shape(), [&](CommonRun run) {
    while (run.count != 0) {
      const std::uint64_t count = std::min(run.count, longest);
      if (batch.runs.size() == kMostRuns ||
          (!batch.runs.empty() && batch.elements + count > kMostBytes / widest))
        finish(false);
      batch.runs.push_back({run.first, run.second, count});
      batch.elements += count;
      run = {run.first + count, run.second + count, run.count - count};
    }
    return true;
  });
  finish(true);
}

Selection VirtualTransfer::select(const Source& source, const Selection& part,
                                  const BoundSelection& bound, const BoundSelection& mapped,
                                  const Batch& batch, bool last) const {
  if (batch.elements == mapped.element_count()) return part;
  if (batch.is_all && last)
    if (auto product = corresponding_product(wanted_, mapped, bound)) return *product;
  std::vector<Interval> numbers;
  for (const CommonRun& run : batch.runs) {
    if (!numbers.empty() && numbers.back().end == run.second)
      numbers.back().end += run.count;
    else
      numbers.push_back({run.second, run.second + run.count});
  }
  return elements_at(bound, source.node->dataset().space.shape(), numbers);
}

}  // namespace onecast::virtual_datasets
