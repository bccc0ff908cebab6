#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "comm/agreement.hpp"
#include "objects/file_state.hpp"
#include "objects/flush_plan.hpp"
#include "objects/raw_data.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"

namespace onecast {

/// Steps: agree that all ranks made the same calls; exchange what they wrote to compact datasets;
/// lay out, encode, write and adopt the dirty objects.
void FileState::flush() {
  require_writable();
  std::uint64_t news[] = {compact_writes_.empty() ? 0U : 1U, deferred ? 1U : 0U, written_end};
  const bool same_calls = compare_digest(comm(), log.digest(), news);
  if (!same_calls) log.throw_difference(comm(), path);
  if (news[1] != 0)
    agree(comm(), [&] {
      if (deferred) std::rethrow_exception(deferred);
    });
  file_end = std::max(file_end, news[2]);
  if (news[0] != 0) merge_compact_writes();
  if (dirty)
    commit();
  else if (options.durable && news[2] != 0)
    agree(comm(), [&] { transport->sync(); });
  written_end = 0;
  log.clear();
}

void FileState::remember(CompactWrite write) {
  if (comm().size() == 1) return;
  write.epoch = 2 * clock_;
  compact_writes_.push_back(std::move(write));
}

void FileState::overwrite(CompactWrite write) {
  ++clock_;
  write.epoch = 2 * clock_ - 1;
  const bool wins = std::any_of(compact_writes_.begin(), compact_writes_.end(),
                                [&](const CompactWrite& w) { return w.path == write.path; });
  if (wins) compact_writes_.push_back(std::move(write));
}

void FileState::forget_compact_writes(std::string_view removed) {
  std::erase_if(compact_writes_, [&](const CompactWrite& w) {
    return w.path.starts_with(removed) &&
           (w.path.size() == removed.size() || w.path[removed.size()] == '/');
  });
}

void FileState::merge_compact_writes() {
  const auto gathered = comm().all_gather(serialize(compact_writes_));
  agree(comm(), [&] {
    std::vector<CompactWrite> all;
    for (const auto& bytes : gathered)
      for (CompactWrite& w : deserialize_compact_writes(bytes)) all.push_back(std::move(w));
    // In the order of time, and where there is none, of ranks.
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all[a].epoch != all[b].epoch ? all[a].epoch < all[b].epoch : a < b;
    });
    for (const std::size_t i : order)
      if (Node* node = find(*root, all[i].path)) write_compact(*node, all[i].part, all[i].bytes);
  });
  compact_writes_.clear();
}

void FileState::commit() {
  PageAllocator next = *allocator;
  std::optional<FlushPlan> plan;
  Commit pages(*store, next.page_size());
  agree(comm(), [&] {
    plan.emplace(*this, next);
    const auto list_place = place_page_list(next);
    pages.touch(Address{0}, kBootSize);
    plan->touch(pages);
    if (list_place) pages.touch(list_place->address, list_place->length);
    pages.prepare(committed_end_);
    plan->encode(pages);
    if (list_place)
      encode_page_list(pages.at(list_place->address, list_place->length), store->file(), next,
                       generation + 1);
    encode_boot(pages.at(Address{0}, kBootSize), store->file(), root->address, next, generation + 1,
                list_place);
  });
  pages.write(comm(), *transport,
              {options.stripe_size, options.single_writer_stripes, options.durable}, file_end,
              next.end());
  pages.adopt();
  plan->adopt();
  ++generation;
  file_end = std::max(file_end, next.end());
  allocator = std::move(next);
  committed_end_ = allocator->end();
  dirty = false;
}

}  // namespace onecast
