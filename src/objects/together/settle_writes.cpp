#include "objects/together/settle_writes.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "comm/agreement.hpp"
#include "objects/any_layout/selected_elements.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/together/settle_chunks.hpp"
#include "objects/values/settle_waiting_writes.hpp"

namespace onecast::together {
namespace {

void merge_compact_writes(FileState& file) {
  const auto gathered = file.comm().all_gather(serialize(file.changes().compact_writes.all()));
  agree(file.comm(), [&] {
    std::vector<CompactWrite> all;
    for (const auto& bytes : gathered)
      for (CompactWrite& w : deserialize_compact_writes(bytes)) all.push_back(std::move(w));
    // Sort by time, and at equal times by rank.
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all[a].epoch != all[b].epoch ? all[a].epoch < all[b].epoch : a < b;
    });
    for (const std::size_t i : order)
      if (Node& node = file.nodes().of(all[i].dataset); !node.removed)
        write_compact(node, all[i].part, all[i].bytes);
  });
  file.changes().compact_writes.clear();
}

}  // namespace

UnsettledWrites unsettled_writes(const FileState& file, const Node* only) {
  const auto any_of = [only](const auto& writes) {
    return std::any_of(writes.begin(), writes.end(), [only](const auto& w) {
      return only == nullptr ||
             (w.dataset.identity == only->identity() && w.dataset.is_new == only->is_new());
    });
  };
  const EditedChunks* const edited = only == nullptr ? nullptr : known_edited_chunks(*only);
  const bool chunks = only == nullptr ? file.has_unsettled_chunks()
                                      : edited != nullptr && !edited->pending().empty();
  return {any_of(file.changes().compact_writes.all()), chunks,
          any_of(file.changes().variable_writes)};
}

std::exception_ptr settle_writes(FileState& file, UnsettledWrites kinds) {
  if (kinds.values) {
    settle_waiting_writes(file);
    kinds.compact = kinds.chunks = true;  // any rank may have elements of these
  }
  if (kinds.compact) merge_compact_writes(file);
  return kinds.chunks ? settle_chunks(file) : nullptr;
}

}  // namespace onecast::together
