#include "objects/small_pieces.hpp"

#include <algorithm>
#include <memory>

#include "objects/file_state.hpp"
#include "objects/raw_data.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

/// Fewer calls, and larger ones, take less time than an agreement on who makes them.
constexpr std::uint64_t kFew = 8;
constexpr std::uint64_t kSmall = std::uint64_t{64} << 10U;

}  // namespace

CollectiveFile& collective_file(FileState& file) {
  if (!file.collective) {
    const TransferOptions& wanted = file.transfers;
    CollectiveOptions options;
    options.collective_buffer = wanted.collective_buffer;
    options.owners.most_aggregators = wanted.aggregators;
    file.collective =
        std::make_unique<CollectiveFile>(file.comm(), *file.transport, file.layout, options);
  }
  return *file.collective;
}

bool is_stored_contiguously(Node& dataset) {
  const DatasetInfo& info = dataset.dataset();
  return info.layout == Layout::contiguous && info.address.is_defined() && !dataset.is_local();
}

ExtentList contiguous_extents(Node& dataset, const BoundSelection& selection) {
  require_contiguous(dataset);
  const DatasetInfo& info = dataset.dataset();
  const std::uint64_t element = info.type.size();
  const std::uint64_t first = dataset.file->store->base() + info.address.value;
  ExtentListBuilder builder;
  selection.for_each_run([&](std::uint64_t at, std::uint64_t count) {
    builder.add(first + at * element, count * element);
  });
  return builder.take();
}

bool are_small_pieces(std::uint64_t pieces, std::uint64_t bytes) {
  return pieces >= kFew && bytes / pieces < kSmall;
}

bool has_small_pieces(Node& dataset, const BoundSelection& selection) {
  std::uint64_t pieces = 0;
  selection.for_each_run([&](std::uint64_t, std::uint64_t) { ++pieces; });
  return are_small_pieces(pieces, selection.element_count() * dataset.dataset().type.size());
}

std::optional<ExtentList> pieces_to_exchange(Node& dataset, const BoundSelection& selection) {
  const FileState& file = *dataset.file;
  const TransferMethod method = file.transfers.writing;
  if (file.comm().size() == 1 || method == TransferMethod::plain ||
      !is_stored_contiguously(dataset) ||
      (method == TransferMethod::automatic && !has_small_pieces(dataset, selection)))
    return {};
  return contiguous_extents(dataset, selection);
}

void write_pieces(FileState& file, const std::optional<ExtentList>& pieces,
                  std::span<const std::byte> packed) {
  collective_file(file).write(pieces.value_or(ExtentList()), packed, {},
                              method_of(file.transfers.writing));
  file.last_transfer.took(*file.collective);
  if (pieces && !pieces->empty())
    file.written_end = std::max(file.written_end, pieces->end() - file.store->base());
}

}  // namespace onecast
