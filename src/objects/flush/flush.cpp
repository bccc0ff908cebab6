#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>

#include "comm/agreement.hpp"
#include "objects/flush/flush_plan.hpp"
#include "objects/independent/merge_local_edits.hpp"
#include "objects/storage/edited_chunks.hpp"
#include "objects/storage/lost_writes.hpp"
#include "objects/storage/raw_data.hpp"
#include "objects/storage/unfilled.hpp"
#include "objects/together/settle_chunks.hpp"
#include "objects/tree/file_state.hpp"
#include "objects/values/variable_write.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "pages/commit.hpp"
#include "pages/draft_allocator.hpp"

namespace onecast {
namespace {

/// What each rank tells at the start of a flush. All hear, of each number, the largest.
struct FlushNews {
  std::uint64_t compact = 0;  ///< 1: wrote to compact data, as the next two
  std::uint64_t chunks = 0;
  std::uint64_t values = 0;                                ///< of variable length
  std::uint64_t loss = 0;                                  ///< a Loss
  std::uint64_t written_end = 0;                           ///< of raw data; 0: wrote none
  std::uint64_t part_size = 0;                             ///< bytes of its packed local edits
  std::uint64_t part_size_complement = ~std::uint64_t{0};  ///< tells the smallest size
  std::uint64_t part_compact = 0;                          ///< bytes of compact data in that part
  std::uint64_t untold = 0;   ///< 1: an error that others have not heard of
  std::uint64_t goes_on = 0;  ///< 1: calls may follow on the communicator after this file

  [[nodiscard]] LargestPart parts() const {
    return {part_size, ~part_size_complement, part_compact};
  }
  [[nodiscard]] UnsettledWrites unsettled() const {
    return {compact != 0, chunks != 0, values != 0};
  }
  [[nodiscard]] bool wrote_raw_data() const {
    return written_end != 0 || chunks != 0 || values != 0;
  }
};

/// What of all ranks' news each hears. @collective
FlushNews meet(FileCalls& calls, const CollectiveCall& call, const FlushNews& mine,
               const std::exception_ptr& failure) {
  using Words = std::array<std::uint64_t, sizeof(FlushNews) / sizeof(std::uint64_t)>;
  auto words = std::bit_cast<Words>(mine);
  calls.meet(call, 0, words, failure);
  return std::bit_cast<FlushNews>(words);
}

}  // namespace

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
  FlushNews told;
  told.compact = unsettled.compact ? 1 : 0;
  told.chunks = unsettled.chunks ? 1 : 0;
  told.values = unsettled.values ? 1 : 0;
  told.loss = static_cast<std::uint64_t>(loss_of_this_rank(*this));
  told.written_end = written_end;
  told.part_size = mine.bytes.size();
  told.part_size_complement = ~told.part_size;
  told.part_compact = compact_bytes_of(mine);
  told.untold = untold.any(closing_) ? 1 : 0;
  told.goes_on = communicator.is_the_only_one() ? 0 : 1;
  const CollectiveCall call{closing_ ? CallKind::close : kind};
  const FlushNews news = meet(*calls, call, told, failure);
  // No rank makes a call after this one: so nobody has to be told.
  if (closing_ && news.goes_on == 0) comm().calls().conclude();
  if (news.loss == static_cast<std::uint64_t>(Loss::prevents_flush))
    agree(comm(), [&] { require_no_needed_loss(*this); });
  if (news.loss != 0) take_back_lost(*this);
  file_end = std::max(file_end, news.written_end);
  std::exception_ptr names;
  if (news.part_size != 0) names = merge_local_edits(*this, std::move(mine), news.parts());
  const std::exception_ptr conflict = settle_writes(news.unsettled());
  if (!unfilled_datasets.empty()) fill_unwritten(*this);
  if (dirty)
    commit();
  else if (options.durable && news.wrote_raw_data())
    agree(comm(), [&] { transport->sync(); });
  written_end = 0;
  first_rank_writes = false;
  heap.forget();
  heard_heaps.forget();
  std::erase_if(edited_datasets, [](Node* node) { return node->edited_chunks->is_settled(); });
  log.clear();
  own_files_->flush();
  if (news.loss != 0) tell_lost(*this);
  for (const std::exception_ptr& error : {names, conflict})
    if (error) std::rethrow_exception(error);
  if (news.untold != 0)
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

namespace {

/// What the file has from the last commit.
struct CommittedFile {
  bool has_page_list;
  std::uint64_t end;  ///< of its metadata pages
  const std::optional<std::vector<FileRange>>& extents;
};

/// The next state of a file's metadata: where everything lies, then its bytes in the pages of a
/// commit.
class NextState {
 public:
  NextState(FileState& file, const CommittedFile& before, PageAllocator& allocator, Commit& pages)
      : file_(file),
        before_(before),
        allocator_(allocator),
        pages_(pages),
        boot_(file.boot),
        generation_(file.generation),
        superblock_{Address{0}, Boot::superblock_size(context())} {}

  /// Gives everything its place, and tells the pages.
  void place() {
    plan_.emplace(file_, allocator_);
    if (lists()) place_extension(boot_, allocator_, context());
    place_extents();
    GivenBack given_back{file_.released.raw_data, plan_->replaced()};
    given_back.metadata.insert(given_back.metadata.end(), file_.released.metadata.begin(),
                               file_.released.metadata.end());
    place_page_list(boot_, allocator_, given_back, context());
    pages_.touch(superblock_.address, superblock_.size);
    if (lists()) pages_.touch(boot_.extension.address, boot_.extension.size);
    plan_->touch(pages_);
    // All of it: the list may grow there.
    if (boot_.list.address.is_defined()) pages_.touch(boot_.list.address, boot_.list.room);
    pages_.prepare(before_.end, allocator_.reused_pages());
  }

  void encode() {
    plan_->encode(pages_);
    if (before_.extents)
      encode_extents(pages_.at(boot_.extents.address, boot_.extents.length), context(),
                     *before_.extents);
    const bool keeps_superblock = may_keep_superblock();
    encode_boot(keeps_superblock);
    if (needs_generation()) {
      ++generation_;
      encode_boot(keeps_superblock);
    }
    const BlockPlace& list = boot_.list;
    if (list.address.is_defined())
      encode_page_list(pages_.at(list.address, list.length), context(), allocator_, generation_);
    pages_.seal();
    if (before_.has_page_list) pages_.guard(boot_.extension.address, boot_.extension.size);
  }

  /// It is in the file: what the file has in memory is that now.
  void adopt() {
    pages_.adopt();
    plan_->adopt();
    file_.generation = generation_;
    file_.boot = std::move(boot_);
  }

 private:
  [[nodiscard]] const FileContext& context() const { return file_.store->file(); }
  [[nodiscard]] bool lists() const { return allocator_.is_paged(); }

  void place_extents() {
    if (!before_.extents) return;
    boot_.extents.length = MetadataExtentsBlock::size(before_.extents->size());
    boot_.extents.address = allocator_.metadata(boot_.extents.length);
    pages_.touch(boot_.extents.address, boot_.extents.length);
  }

  /// An old superblock tells where the root group's links are, and where the file ends.
  [[nodiscard]] bool may_keep_superblock() {
    return !lists() && allocator_.end() == before_.end && !file_.root->dirty &&
           !has_modern_form(pages_.at(superblock_.address, superblock_.size));
  }

  void encode_boot(bool keeps_superblock) {
    if (lists())
      encode_extension(pages_.at(boot_.extension.address, boot_.extension.size), context(), boot_,
                       allocator_, generation_);
    if (keeps_superblock) return;
    encode_superblock(pages_.at(superblock_.address, superblock_.size), context(), boot_,
                      file_.root->address, allocator_);
  }

  /// A new generation would change the extension, if nothing else does.
  [[nodiscard]] bool needs_generation() {
    if (!lists()) return false;
    const bool is_there = before_.has_page_list && before_.end != 0;
    return !is_there || pages_.changes(superblock_.address, superblock_.size) ||
           pages_.changes(boot_.extension.address, boot_.extension.size);
  }

  FileState& file_;
  CommittedFile before_;
  PageAllocator& allocator_;
  Commit& pages_;
  Boot boot_;
  std::uint64_t generation_;
  HeaderChunk superblock_;
  std::optional<FlushPlan> plan_;
};

/// What a flush that failed left half done is put back first. @collective
void put_back(Commit& half_flushed, FileState& file) {
  if (!half_flushed.put_back(file.comm(), *file.transport))
    throw Error(
        ErrorCode::io,
        fmt::format("{}: a flush failed, and what was there before cannot be put back", file.path));
}

}  // namespace

void FileState::commit() {
  if (half_flushed_) {
    put_back(*half_flushed_, *this);
    half_flushed_.reset();
    if (journal_) journal_->keep(false);
  }
  find_extents();
  DraftAllocator draft(*allocator);
  auto pages =
      std::make_unique<Commit>(*store, draft->page_size(), commit_options(), draft->pages_start());
  NextState next(*this, {has_page_list_, committed_end_, extents_}, *draft, *pages);
  try {
    agree(comm(), [&] {
      // Of this flush: what merging local edits met.
      require_no_needed_loss(*this);
      write_merged_data(*this);
      next.place();
      next.encode();
      if (journal_) pages->protect(comm(), *transport, *journal_);
    });
    pages->write(comm(), *transport, file_end, draft->end());
  } catch (const Error&) {
    if (!pages->put_back(comm(), *transport)) half_flushed_ = std::move(pages);
    if (journal_) journal_->keep(half_flushed_ != nullptr);
    throw;
  }
  note_memory(pages->bytes());
  next.adopt();
  has_page_list_ = draft->is_paged();
  extents_.reset();
  file_end = std::max(file_end, draft->end());
  draft->forget_reused_pages();
  draft.adopt();
  for (Node* node : released.objects) node->be_gone();
  released = {};
  renewed.clear();
  committed_end_ = allocator->end();
  forget_changes();
  dirty = false;
}

}  // namespace onecast
