#include "objects/together/read_extents.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collective/choose_method.hpp"
#include "comm/agreement.hpp"
#include "comm/try_to.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::together {
namespace {

bool has_small_pieces(const ExtentList& extents) {
  return !is_worth_its_calls(TransferDirection::reading, extents.stretches(), extents.bytes());
}

bool have_common_elements(const ExtentList& a, const ExtentList& b) {
  return a.begin() < b.end() && b.begin() < a.end();
}

}  // namespace

MergedExtents merge_extents(std::deque<SharedRead>& reads, InBuffers& buffers) {
  MergedExtents merged;
  std::vector<ExtentList> lists;
  std::vector<std::uint64_t> positions;
  std::unordered_map<const Node*, std::vector<const SharedRead*>> of_dataset;
  for (SharedRead& read : reads) {
    if (read.extents() == nullptr) continue;
    if (read.by_parts()) {
      merged.any_by_parts = true;
      merged.small_pieces |= has_small_pieces(*read.extents());
      continue;
    }
    std::vector<const SharedRead*>& others = of_dataset[&read.dataset()];
    if (std::ranges::any_of(others, [&](const SharedRead* other) {
          return have_common_elements(*other->extents(), *read.extents());
        })) {
      read.forget_extents();
      continue;
    }
    others.push_back(&read);
    lists.push_back(*read.extents());
    positions.push_back(buffers.add(read.room_for_extents()));
  }
  merged.extents =
      lists.size() == 1 ? std::move(lists.front()) : ExtentList::merge(lists, positions);
  if (!merged.extents.empty()) merged.small_pieces |= has_small_pieces(merged.extents);
  return merged;
}

void read_in_rounds(FileState& file, std::span<SharedRead* const> reads, Method method,
                    std::exception_ptr failure) {
  Rounds<SharedRead> mine(file);
  for (SharedRead* read : reads)
    mine.add(*read, static_cast<std::size_t>(read->bytes()), read->dataset().dataset().type.size());
  for (const auto& [read, first, end] : mine.of_all_ranks()) {
    ExtentList extents;
    std::span<std::byte> bytes;
    if (read != nullptr)
      comm::try_to(failure, [&] {
        bytes = read->room_for_part(end - first);
        extents = read->extents()->at_positions(first, end);
      });
    collective_file(file).read(extents, bytes, failure, method);
    if (read != nullptr)
      comm::try_to(failure,
                   [&] { read->take(first / read->dataset().dataset().type.size(), bytes); });
  }
  comm::raise_any(file.comm(), failure);
}

}  // namespace onecast::together
