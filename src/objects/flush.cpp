#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "comm/agreement.hpp"
#include "objects/file_state.hpp"
#include "objects/flush_plan.hpp"
#include "objects/raw_data.hpp"
#include "objects/settle_chunks.hpp"
#include "objects/variable_write.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"

namespace onecast {

/// Steps: agree that all ranks made the same calls; give values of variable length their places;
/// exchange what they wrote to compact datasets; give pending chunks their places; lay out, encode,
/// write and adopt the dirty objects.
void FileState::flush() {
  require_writable();
  heap.finish();
  if (options.durable) sync_external_files();
  std::uint64_t news[] = {compact_writes_.empty() ? 0U : 1U, deferred ? 1U : 0U, written_end,
                          has_unsettled_chunks(*this) ? 1U : 0U, variable_writes.empty() ? 0U : 1U};
  const bool same_calls = compare_digest(comm(), log.digest(), news);
  if (!same_calls) log.throw_difference(comm(), path);
  if (news[1] != 0)
    agree(comm(), [&] {
      if (deferred) std::rethrow_exception(deferred);
    });
  file_end = std::max(file_end, news[2]);
  if (news[4] != 0) {
    settle_variable_writes(*this);
    news[0] = news[3] = 1;  // their elements may be there, on any rank
  }
  if (news[0] != 0) merge_compact_writes();
  const std::exception_ptr conflict = news[3] != 0 ? settle_chunks(*this) : nullptr;
  if (dirty)
    commit();
  else if (options.durable && (news[2] != 0 || news[3] != 0))
    agree(comm(), [&] { transport->sync(); });
  written_end = 0;
  first_rank_writes = false;
  heap.forget();
  log.clear();
  if (conflict) std::rethrow_exception(conflict);
}

void FileState::sync_external_files() {
  try {
    external_files()->sync();
  } catch (const Error&) {
    if (!deferred) deferred = std::current_exception();
  }
}

void FileState::remember(CompactWrite write) {
  if (comm().size() == 1) return;
  write.epoch = 2 * clock_;
  compact_writes_.push_back(std::move(write));
}

void FileState::overwrite(CompactWrite write) {
  ++clock_;
  write.epoch = 2 * clock_ - 1;
  const bool wins = std::any_of(
      compact_writes_.begin(), compact_writes_.end(),
      [&](const CompactWrite& w) { return w.dataset.identity == write.dataset.identity; });
  if (wins) compact_writes_.push_back(std::move(write));
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
      if (Node& node = node_of(all[i].dataset); !node.removed)
        write_compact(node, all[i].part, all[i].bytes);
  });
  compact_writes_.clear();
}

void FileState::commit() {
  if (half_flushed_) {
    if (!half_flushed_->put_back(comm(), *transport))
      throw Error(
          ErrorCode::io,
          fmt::format("{}: a flush failed, and what was there before cannot be put back", path));
    half_flushed_.reset();
    if (journal_) journal_->keep(false);
  }
  PageAllocator next = *allocator;
  std::optional<FlushPlan> plan;
  std::uint64_t next_generation = generation;
  auto commit = std::make_unique<Commit>(
      *store, next.page_size(),
      CommitOptions{options.stripe_size, options.single_writer_stripes, options.durable});
  Commit& pages = *commit;
  try {
    agree(comm(), [&] {
      plan.emplace(*this, next);
      const auto list_place = place_page_list(next);
      pages.touch(Address{0}, kBootSize);
      plan->touch(pages);
      if (list_place) pages.touch(list_place->address, list_place->length);
      pages.prepare(committed_end_);
      plan->encode(pages);
      const auto encode_pages = [&] {
        if (list_place)
          encode_page_list(pages.at(list_place->address, list_place->length), store->file(), next,
                           next_generation);
        encode_boot(pages.at(Address{0}, kBootSize), store->file(),
                    {options.profile == Profile::latest ? kLatestSuperblock : kCompatibleSuperblock,
                     root->address, next_generation},
                    next, list_place);
      };
      encode_pages();
      // A new generation would change page 0, if nothing else does.
      if (committed_end_ == 0 || pages.changes(Address{0}, kBootSize)) {
        ++next_generation;
        encode_pages();
      }
      pages.seal();
      if (journal_) pages.protect(comm(), *transport, *journal_);
    });
    pages.write(comm(), *transport, file_end, next.end());
  } catch (const Error&) {
    if (!pages.put_back(comm(), *transport)) half_flushed_ = std::move(commit);
    if (journal_) journal_->keep(half_flushed_ != nullptr);
    throw;
  }
  pages.adopt();
  plan->adopt();
  generation = next_generation;
  file_end = std::max(file_end, next.end());
  allocator = std::move(next);
  for (Node* node : released.objects) node->gone = true;
  for (const FileRange& r : released.raw_data) allocator->free_raw_data(r.address, r.size);
  for (const FileRange& r : released.metadata) allocator->free_metadata(r.address, r.size);
  released = {};
  committed_end_ = allocator->end();
  dirty = false;
}

}  // namespace onecast
