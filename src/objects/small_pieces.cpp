#include "objects/small_pieces.hpp"

#include <algorithm>
#include <memory>

#include "collective/collective_file.hpp"
#include "objects/file_state.hpp"
#include "objects/raw_data.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

/// Fewer calls, and larger ones, take less time than an agreement on who makes them.
constexpr std::uint64_t kFew = 8;
constexpr std::uint64_t kSmall = std::uint64_t{64} << 10U;

/// @collective
CollectiveFile& collective_file(FileState& file) {
  if (!file.collective)
    file.collective = std::make_unique<CollectiveFile>(file.comm(), *file.transport,
                                                       share_stripe_layout(file.comm(), file.path));
  return *file.collective;
}

}  // namespace

std::optional<ExtentList> small_pieces(Node& dataset, const BoundSelection& selection) {
  const DatasetInfo& info = dataset.dataset();
  const FileState& file = *dataset.file;
  if (file.comm().size() == 1 || info.layout != Layout::contiguous || dataset.is_local() ||
      !info.address.is_defined() || selection.element_count() == 0)
    return {};
  const std::uint64_t element = info.type.size();
  require_contiguous(dataset);
  const std::uint64_t first = file.store->base() + info.address.value;
  ExtentListBuilder builder;
  std::uint64_t pieces = 0;
  std::uint64_t end = 0;
  bool ascends = true;
  selection.for_each_run([&](std::uint64_t at, std::uint64_t count) {
    // Points come in any order, some of them twice.
    ascends = ascends && at >= end;
    if (!ascends) return;
    end = at + count;
    ++pieces;
    builder.add(first + at * element, count * element);
  });
  if (!ascends || pieces < kFew || selection.element_count() * element / pieces >= kSmall)
    return {};
  return builder.take();
}

void write_small_pieces(FileState& file, const std::optional<ExtentList>& pieces,
                        std::span<const std::byte> packed) {
  collective_file(file).write(pieces.value_or(ExtentList()), packed);
  if (pieces) file.written_end = std::max(file.written_end, pieces->end() - file.store->base());
}

}  // namespace onecast
