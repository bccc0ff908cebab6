#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "comm/agreement.hpp"
#include "objects/edited_chunks.hpp"
#include "objects/file_state.hpp"
#include "objects/flush_plan.hpp"
#include "objects/lost_writes.hpp"
#include "objects/merge_local_edits.hpp"
#include "objects/raw_data.hpp"
#include "objects/settle_chunks.hpp"
#include "objects/unfilled.hpp"
#include "objects/variable_write.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"
#include "pages/draft_allocator.hpp"

namespace onecast {

/// Steps: agree that all ranks made the same calls; merge what each made for itself; give values of
/// variable length their places; exchange what they wrote to compact datasets; give pending chunks
/// their places; lay out, encode, write and adopt the dirty objects.
void FileState::flush(CallKind kind) {
  require_writable();
  PackedLocalEdits mine;
  std::exception_ptr failure;
  try {
    heap.finish();  // see CollectiveCalls::Preparation: it comes before the header
    if (options.durable) sync_external_files();
    mine = pack_local_edits(*this);
  } catch (...) {
    failure = std::current_exception();
  }
  const UnsettledWrites unsettled = unsettled_writes();
  std::uint64_t news[] = {unsettled.compact ? 1U : 0U,
                          static_cast<std::uint64_t>(loss_of_this_rank(*this)),
                          written_end,
                          unsettled.chunks ? 1U : 0U,
                          unsettled.values ? 1U : 0U,
                          mine.bytes.size(),
                          ~mine.bytes.size(),
                          untold.any(closing_) ? 1U : 0U,
                          compact_bytes_of(mine),
                          communicator.is_the_only_one() ? 0U : 1U};
  const CollectiveCall call{closing_ ? CallKind::close : kind};
  calls->meet(call, 0, news, failure);
  // No rank makes a call after this one: so nobody has to be told.
  if (closing_ && news[9] == 0) comm().calls().conclude();
  if (news[1] == static_cast<std::uint64_t>(Loss::prevents_flush))
    agree(comm(), [&] { require_no_needed_loss(*this); });
  if (news[1] != 0) take_back_lost(*this);
  file_end = std::max(file_end, news[2]);
  std::exception_ptr names;
  if (news[5] != 0) names = merge_local_edits(*this, std::move(mine), {news[5], ~news[6], news[8]});
  const std::exception_ptr conflict = settle_writes({news[0] != 0, news[3] != 0, news[4] != 0});
  if (!unfilled_datasets.empty()) fill_unwritten(*this);
  if (dirty)
    commit();
  else if (options.durable && (news[2] != 0 || news[3] != 0 || news[4] != 0))
    agree(comm(), [&] { transport->sync(); });
  written_end = 0;
  first_rank_writes = false;
  heap.forget();
  heard_heaps.forget();
  std::erase_if(edited_datasets, [](Node* node) { return node->edited_chunks->is_settled(); });
  log.clear();
  own_files_->flush();
  if (news[1] != 0) tell_lost(*this);
  for (const std::exception_ptr& error : {names, conflict})
    if (error) std::rethrow_exception(error);
  if (news[7] != 0)
    agree(comm(), [&] {
      if (const auto error = untold.take(closing_)) std::rethrow_exception(error);
    });
  forget_decoded();
}

void FileState::sync_external_files() {
  try {
    external_files()->sync();
  } catch (const Error&) {
    LostWrite lost;
    lost.error = std::current_exception();
    lose(*this, std::move(lost));
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

UnsettledWrites FileState::unsettled_writes(const Node* only) const {
  const auto any_of = [only](const auto& writes) {
    return std::any_of(writes.begin(), writes.end(), [only](const auto& w) {
      return only == nullptr ||
             (w.dataset.identity == only->identity() && w.dataset.is_new == only->is_new());
    });
  };
  const bool chunks =
      only == nullptr ? has_unsettled_chunks(*this)
                      : only->edited_chunks != nullptr && !only->edited_chunks->pending().empty();
  return {any_of(compact_writes_), chunks, any_of(variable_writes)};
}

std::exception_ptr FileState::settle_writes(UnsettledWrites kinds) {
  if (kinds.values) {
    settle_variable_writes(*this);
    kinds.compact = kinds.chunks = true;  // their elements may be there, on any rank
  }
  if (kinds.compact) merge_compact_writes();
  return kinds.chunks ? settle_chunks(*this) : nullptr;
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

/// The first change of a file without a page list: what is metadata there?
void FileState::find_extents() {
  if (has_page_list_ || extents_ || !allocator->is_paged()) return;
  extents_ = store->metadata_extents(comm());
}

void FileState::adopt() {
  require_editable();
  require_together(*this, "adopt");
  if (has_page_list_) return;
  if (!allocator->is_paged()) {
    allocator = PageAllocator::behind(allocator->page_size(), allocator->end());
    set_placement();
    boot = Boot::of(store->superblock(), store->extension(), store->base(), store->file());
  }
  log.add("adopt", *root, "");
  dirty = true;
}

/// Collective if nothing asked for the nodes before.
const OwnerMap& FileState::stripe_owners() {
  if (!owners_) owners_.emplace(layout, comm().nodes(), OwnerOptions{transfers.aggregators});
  return *owners_;
}

int FileState::writer_at(Address address) {
  const bool knows_nodes = owners_ || (collective && collective->aggregators() != 0);
  if (!layout.is_known() || comm().size() == 1 || !knows_nodes) return 0;
  const OwnerMap& owners = stripe_owners();
  return owners.rank_of(owners.owner((store->base() + address.value) / owners.stripe_size()));
}

/// Where the file system says nothing about stripes, the ranks write them in turn.
CommitOptions FileState::commit_options() {
  CommitOptions all;
  all.stripe_size = layout.stripe_size;
  all.durable = options.durable;
  if (comm().size() > 1 && layout.is_known()) {
    all.owners = &stripe_owners();
    all.stripe_size = all.owners->stripe_size();
    const std::vector<int>& nodes = comm().nodes();
    // A target that several nodes write to is a place of contention, however little they write.
    if (*std::max_element(nodes.begin(), nodes.end()) > 0) all.single_writer_stripes = 0;
  }
  if (options.single_writer_stripes) all.single_writer_stripes = *options.single_writer_stripes;
  return all;
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
  find_extents();
  DraftAllocator draft(*allocator);
  PageAllocator& next = *draft;
  Boot next_boot = boot;
  std::optional<FlushPlan> plan;
  std::uint64_t next_generation = generation;
  auto commit =
      std::make_unique<Commit>(*store, next.page_size(), commit_options(), next.pages_start());
  Commit& pages = *commit;
  try {
    agree(comm(), [&] {
      // Of this flush: what merging local edits met.
      require_no_needed_loss(*this);
      write_merged_data(*this);
      plan.emplace(*this, next);
      const FileContext& file = store->file();
      const bool lists = next.is_paged();
      if (lists) place_extension(next_boot, next, file);
      if (extents_) {
        next_boot.extents.length = MetadataExtentsBlock::size(extents_->size());
        next_boot.extents.address = next.metadata(next_boot.extents.length);
        pages.touch(next_boot.extents.address, next_boot.extents.length);
      }
      GivenBack given_back{released.raw_data, plan->replaced()};
      given_back.metadata.insert(given_back.metadata.end(), released.metadata.begin(),
                                 released.metadata.end());
      place_page_list(next_boot, next, given_back, file);
      const BlockPlace& list = next_boot.list;
      const HeaderChunk superblock{Address{0}, Boot::superblock_size(file)};
      const HeaderChunk& extension = next_boot.extension;
      pages.touch(superblock.address, superblock.size);
      if (lists) pages.touch(extension.address, extension.size);
      plan->touch(pages);
      // All of it: the list may grow there.
      if (list.address.is_defined()) pages.touch(list.address, list.room);
      pages.prepare(committed_end_, next.reused_pages());
      plan->encode(pages);
      if (extents_)
        encode_extents(pages.at(next_boot.extents.address, next_boot.extents.length), file,
                       *extents_);
      // An old superblock tells where the root group's links are, and where the file ends.
      const bool same_superblock = !lists && next.end() == committed_end_ && !root->dirty &&
                                   !has_modern_form(pages.at(superblock.address, superblock.size));
      const auto encode_boot = [&] {
        if (lists)
          encode_extension(pages.at(extension.address, extension.size), file, next_boot, next,
                           next_generation);
        if (same_superblock) return;
        encode_superblock(pages.at(superblock.address, superblock.size), file, next_boot,
                          root->address, next);
      };
      encode_boot();
      // A new generation would change the extension, if nothing else does.
      const bool is_there = has_page_list_ && committed_end_ != 0;
      if (lists && (!is_there || pages.changes(superblock.address, superblock.size) ||
                    pages.changes(extension.address, extension.size))) {
        ++next_generation;
        encode_boot();
      }
      if (list.address.is_defined())
        encode_page_list(pages.at(list.address, list.length), file, next, next_generation);
      pages.seal();
      if (has_page_list_) pages.guard(extension.address, extension.size);
      if (journal_) pages.protect(comm(), *transport, *journal_);
    });
    pages.write(comm(), *transport, file_end, next.end());
  } catch (const Error&) {
    if (!pages.put_back(comm(), *transport)) half_flushed_ = std::move(commit);
    if (journal_) journal_->keep(half_flushed_ != nullptr);
    throw;
  }
  note_memory(pages.bytes());
  pages.adopt();
  plan->adopt();
  generation = next_generation;
  boot = std::move(next_boot);
  has_page_list_ = next.is_paged();
  extents_.reset();
  file_end = std::max(file_end, next.end());
  next.forget_reused_pages();
  draft.adopt();
  for (Node* node : released.objects) node->be_gone();
  released = {};
  renewed.clear();
  committed_end_ = allocator->end();
  forget_changes();
  dirty = false;
}

}  // namespace onecast
