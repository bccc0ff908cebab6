#include "objects/flush/flush.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ctime>
#include <optional>
#include <span>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/node/node_memory.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/contiguous/replaced_data.hpp"
#include "objects/contiguous/unfilled.hpp"
#include "objects/elements/lost_writes.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/local_rules.hpp"
#include "objects/flush/flush_news.hpp"
#include "objects/flush/freed_space.hpp"
#include "objects/flush/next_state.hpp"
#include "objects/independent/merge_local_edits.hpp"
#include "objects/lifetime/anonymous.hpp"
#include "objects/lifetime/take_back.hpp"
#include "objects/together/settle_writes.hpp"
#include "objects/values/heap_writer.hpp"
#include "onecast/base/error.hpp"
#include "pages/commit.hpp"
#include "pages/draft_allocator.hpp"
#include "structures/object_header.hpp"
#include "transport/system_error.hpp"

namespace onecast::flush {
namespace {

/// Exchanges the numbers of all ranks. @collective
FlushNews meet(FileCalls& calls, const CollectiveCall& call, const FlushNews& mine,
               const std::exception_ptr& failure) {
  using Words = std::array<std::uint64_t, sizeof(FlushNews) / sizeof(std::uint64_t)>;
  auto words = std::bit_cast<Words>(mine);
  calls.meet(call, 0, words, failure);
  return std::bit_cast<FlushNews>(words);
}

void sync_external_files(FileState& file) {
  try {
    file.external_files()->sync();
  } catch (const Error&) {
    LostWrite lost;
    lost.error = std::current_exception();
    lose(file, std::move(lost));
  }
}

/// Finds the metadata of a file without a page list before its first change.
void find_extents(FileState& file) {
  if (file.committed().has_page_list || file.committed().extents || !file.allocator().is_paged())
    return;
  file.committed().extents = file.store().metadata_extents(file.comm());
}

/// Returns the options of the commit. If the file system does not report stripes, the ranks write
/// them in turn.
CommitOptions commit_options(FileState& file) {
  CommitOptions all;
  all.stripe_size = file.transfers().layout.stripe_size;
  all.durable = file.options().durable;
  if (file.comm().size() > 1 && file.transfers().layout.is_known()) {
    all.owners = &file.transfers().stripe_owners(file.comm());
    all.stripe_size = all.owners->stripe_size();
    const std::vector<int>& nodes = file.comm().nodes();
    // A target to which several nodes (machines) write is a place of contention, however little
    // they write.
    if (*std::max_element(nodes.begin(), nodes.end()) > 0) all.single_writer_stripes = 0;
  }
  if (file.options().single_writer_stripes)
    all.single_writer_stripes = *file.options().single_writer_stripes;
  return all;
}

/// Puts back what a failed flush left half done. @collective
void put_back_half(FileState& file) {
  std::unique_ptr<Commit>& half = file.committed().half;
  if (!half) return;
  if (!half->put_back(file.comm(), file.transport()))
    throw Error(ErrorCode::io,
                fmt::format("{}: a flush failed, and what was there before cannot be put back",
                            file.path()));
  half.reset();
  if (JournalFile* const journal = file.journal()) journal->keep(false);
}

void end_removed_objects(FileState& file) {
  for (Node* node : file.changes().released.objects) node->be_gone();
}

/// Offers memory for the pages of a flush in which the ranks of a node may share them. Ranks on
/// several nodes make calls to find each other, so the offer of rank 0 must be worth that.
OfferedFile memory_to_share(const FileState& file, std::uint64_t local_bytes) {
  const CommunicatorBackend& comm = file.comm();
  if (comm.size() < NodeBuffer::kSharingRanks) return {};
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const std::uint64_t expected = file.log().expected_pages() + local_bytes * ranks;
  return offer_node_file(comm, expected >= NodeBuffer::share_from());
}

/// Lays out and encodes the next state; one rank of a node encodes in the `memory` that its ranks
/// share, if they do. @collective
void prepare(FileState& file, NextState& next, Commit& pages, std::uint32_t now, NodeFile memory,
             bool shares) {
  std::uint64_t missing = 0;  // 1: a rank was to encode for others, but lacks the memory
  agree(
      file.comm(),
      [&] {
        file.require_place();
        // Losses of this flush, from the merge of local edits.
        require_no_needed_loss(file);
        write_merged_data(file);
        next.allocate(now, std::move(memory));
        next.encode();
        pages.look_at_old(file.comm());
        if (JournalFile* const journal = file.journal())
          pages.protect(file.comm(), file.transport(), *journal);
        missing = pages.lacks_shared_memory() ? 1 : 0;
      },
      std::span(&missing, shares ? 1 : 0));
  if (missing == 0 || !shares) return;
  agree(file.comm(), [&] {
    if (pages.take_over_encoding()) next.encode();
  });
}

/// Notes that the file has all changes, and ends at `end`.
void note_written(FileState& file, std::uint64_t end) {
  file.changes().file_end = std::max(file.changes().file_end, end);
  file.committed().end = end;
  file.note_flushed();
  file.nodes().forget_changes();
  file.changes().dirty = false;
}

/// Writes the next state while readers look at the file. Space that becomes unused stays as it is
/// until the last flush. If a write fails, the file is sound, and may have a part of the changes.
void commit_in_order(FileState& file, std::uint32_t now) {
  DraftAllocator draft(file.allocator());
  Commit pages(file.store(), draft->page_size(), commit_options(file), draft->pages_start());
  NextState next(file, *draft, pages);
  agree(file.comm(), [&] {
    file.require_place();
    require_no_needed_loss(file);
    next.allocate(now, {});
    next.encode();
    // What a failed flush has written may be in use: its space is not given again.
    draft.keep();
    const bool all = std::exchange(file.committed().swmr.is_partly_written, true);
    try {
      pages.write_in_order(file.transport(), next.in_order(), draft->end(), all);
    } catch (...) {
      pages.keep_new_pages();
      draft->forget_reused_pages();
      file.committed().end = draft->end();
      // Readers may see what is new since the last flush: it gets another place when it changes.
      file.changes().renewed.clear();
      throw;
    }
    file.committed().swmr.is_partly_written = false;
  });
  file.note_memory(pages.bytes());
  const std::vector<FileRange> replaced = next.replaced();
  next.apply();
  draft->forget_reused_pages();
  file.changes().released.metadata.insert(file.changes().released.metadata.end(), replaced.begin(),
                                          replaced.end());
  file.changes().renewed.clear();
  note_written(file, draft->end());
}

/// `memory` is this rank's, if ranks of the node share the new pages; `shares` is true if any do.
void commit(FileState& file, std::uint32_t now, NodeFile memory, bool shares) {
  if (file.is_swmr()) return commit_in_order(file, now);
  JournalFile* const journal = file.journal();
  put_back_half(file);
  file.store().free_unused();
  list_if_freed_space_adds_up(file);
  find_extents(file);
  DraftAllocator draft(file.allocator());
  auto pages = std::make_unique<Commit>(file.store(), draft->page_size(), commit_options(file),
                                        draft->pages_start());
  NextState next(file, *draft, *pages);
  try {
    prepare(file, next, *pages, now, std::move(memory), shares);
    pages->write(file.comm(), file.transport(), file.changes().file_end, draft->end());
  } catch (const Error& error) {
    file.changes().lacks_room = is_lack_of_room(error);
    if (!pages->put_back(file.comm(), file.transport())) {
      pages->end_offer();
      file.committed().half = std::move(pages);
      // Other data may lie in the place of these datasets now.
      if (!file.changes().replacing.datasets.empty()) end_removed_objects(file);
    }
    if (journal) journal->keep(file.committed().half != nullptr);
    throw;
  }
  file.note_memory(pages->bytes());
  file.committed().encoded_bytes += pages->encoded_bytes();
  next.apply();
  file.committed().has_page_list = draft->is_paged();
  file.committed().extents.reset();
  draft->forget_reused_pages();
  draft.keep();
  end_removed_objects(file);
  file.changes().released = {};
  forget_all_replacing(file);
  file.changes().renewed.clear();
  note_written(file, draft->end());
  if (file.committed().swmr.starts()) file.note_swmr_begun();
  if (file.committed().swmr.finishes()) file.committed().swmr.stop();
}

}  // namespace

void adopt(FileState& file) {
  file.require_editable();
  file.require_structure_may_change();
  require_together(file, "adopt");
  if (file.committed().has_page_list) return;
  file.begin_pages();
  file.log().add("adopt", file.root(), "");
  file.changes().dirty = true;
}

void roll_back(FileState& file) {
  file.require_writable();
  std::exception_ptr failure;
  if (file.local_edits().is_inside())
    failure = std::make_exception_ptr(
        Error(ErrorCode::state, fmt::format("{}: rollback: inside independent()", file.path())));
  if (file.committed().swmr.is_partly_written)
    failure = std::make_exception_ptr(Error(
        ErrorCode::state,
        fmt::format("{}: rollback: a flush for readers (SWMR) failed after it had written a part; "
                    "flush can be tried again",
                    file.path())));
  // Ranks may have made different calls, and so have written to different places.
  std::uint64_t used_end = file.allocator().end();
  file.calls().meet({CallKind::rollback}, 0, {&used_end, 1}, failure);
  put_back_half(file);
  agree(file.comm(), [&] {
    if (!file.root().is_new()) read_object_header(file.structures(), file.root().address);
  });
  file.roll_back(used_end);
}

/// Errors of earlier calls, which the first flush throws, begin nothing.
void start_swmr(FileState& file) {
  file.require_swmr_can_begin();
  flush_file(file, CallKind::flush);
  file.begin_swmr();
  try {
    flush_file(file, CallKind::flush);
  } catch (...) {
    if (!file.is_swmr()) file.give_up_swmr();
    throw;
  }
}

/// The steps: the ranks agree that all made the same calls; merge local objects; drop unneeded
/// anonymous objects; place values of variable length; exchange writes to compact datasets; place
/// pending chunks; lay out, encode, write and apply the dirty objects.
void flush_file(FileState& file, CallKind kind) {
  file.require_writable();
  PackedLocalEdits mine;
  std::exception_ptr failure;
  try {
    heap_of(file).finish();  // it comes before the header: see CollectiveCalls::Preparation
    if (file.options().durable) sync_external_files(file);
    mine = pack_local_edits(file);
    // If a commit follows, it checks the place.
    if (!file.changes().dirty && file.changes().written_end != 0) file.require_place();
  } catch (...) {
    failure = std::current_exception();
  }
  const UnsettledWrites unsettled = unsettled_writes(file);
  FlushNews told;
  told.compact = unsettled.compact ? 1 : 0;
  told.chunks = unsettled.chunks ? 1 : 0;
  told.values = unsettled.values ? 1 : 0;
  told.loss = static_cast<std::uint64_t>(loss_of_this_rank(file));
  told.written_end = file.changes().written_end;
  told.part_size = mine.bytes.size();
  told.part_size_complement = ~told.part_size;
  told.part_compact = compact_bytes_of(mine);
  told.untold = file.untold().any(file.is_closing()) ? 1 : 0;
  // A rank that does not close the file may take part in this flush because other ranks close it.
  // It may make further calls.
  told.goes_on =
      file.is_closing() && CommunicatorAccess::is_the_only_one(file.communicator()) ? 0 : 1;
  const bool lacks_room = std::exchange(file.changes().lacks_room, false);
  told.lacks_room = file.transport().take_lack_of_room() || lacks_room ? 1 : 0;
  told.dropped = heap_of(file).has_dropped() ? 1 : 0;
  told.time = static_cast<std::uint64_t>(std::time(nullptr));
  OfferedFile memory = memory_to_share(file, mine.bytes.size());
  if (file.comm().rank() == 0 && memory.made.is_open()) told.offer(memory.made.offer());
  if (file.comm().size() >= NodeBuffer::kSharingRanks) told.nodes.be_on(file.comm().node_hint());
  const CollectiveCall call{file.is_closing() ? CallKind::close : kind};
  const FlushNews news = meet(file.calls(), call, told, failure);
  // No rank makes a call after this one, so there is nobody to tell.
  if (file.is_closing() && news.goes_on == 0) file.comm().calls().conclude();
  const bool prevented = news.loss == static_cast<std::uint64_t>(Loss::prevents_flush);
  if (news.loss != 0 && !prevented) take_back_lost(file);
  if (news.lacks_room != 0) give_back_unused_space(file);
  if (prevented) agree(file.comm(), [&] { require_no_needed_loss(file); });
  file.changes().file_end = std::max(file.changes().file_end, news.written_end);
  std::exception_ptr names;
  if (news.part_size != 0) names = merge_local_edits(file, std::move(mine), news.parts());
  drop_anonymous(file);
  const std::exception_ptr conflict = settle_writes(file, news.unsettled());
  if (news.dropped != 0 || news.values != 0) heap_of(file).release_dropped();
  if (!file.changes().unfilled_datasets.empty()) fill_unwritten(file);
  if (file.changes().dirty)
    commit(file, static_cast<std::uint32_t>(news.time),
           find_node_file(file.comm(), news.memory(), std::move(memory),
                          news.nodes.may_be_on_one_node()),
           news.memory().is_made());
  else if (file.options().durable && news.wrote_raw_data())
    agree(file.comm(), [&] { file.transport().sync(); });
  file.changes().written_end = 0;
  file.changes().first_rank_writes = file.changes().first_rank_keeps = false;
  heap_of(file).forget();
  file.transfers().heard_heaps.forget();
  std::erase_if(file.changes().edited_datasets,
                [](Node* node) { return known_edited_chunks(*node)->is_settled(); });
  file.log().clear();
  file.own_files().flush();
  if (news.loss != 0) tell_lost(file);
  for (const std::exception_ptr& error : {names, conflict})
    if (error) std::rethrow_exception(error);
  if (news.untold != 0)
    agree(file.comm(), [&] {
      if (const auto error = file.untold().take(file.is_closing())) std::rethrow_exception(error);
    });
  file.forget_decoded();
}

}  // namespace onecast::flush
