#include "objects/files/file_state.hpp"

#include <algorithm>
#include <utility>

#include "comm/try_to.hpp"
#include "objects/memory/limits.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"
#include "structures/object_header.hpp"

namespace onecast::files {
namespace {

bool is_diverged(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.code() == ErrorCode::diverged;
  } catch (...) {
    return false;
  }
  return false;
}

GroupOptions options_of_root(const FileOptions& options) {
  const TrackOrder order = options.track_order;
  return {.link_order = order != TrackOrder::nothing,
          .attribute_order = order == TrackOrder::links_and_attributes,
          .times = options.track_times};
}

}  // namespace

Node& FileState::new_node(Node* parent, std::string_view name, ObjectKind kind) {
  log_.grow(kMemoryOfNewObject, name.size());
  return nodes_.add_new(parent, name, kind);
}

void FileState::note_dirty(Node& node) {
  nodes_.note_dirty(node);
  changes_.dirty = true;
}

void FileState::reserve(Node& node) {
  nodes_.enter(node);
  changes_.reserved_headers.push_back(node.header.first);
  changes_.dirty = true;
}

std::shared_ptr<ExternalFiles> FileState::external_files() const {
  // The file that shares its external files may be gone before the handles of objects here.
  auto files = shared_files_.lock();
  return files ? files : own_files_;
}

void FileState::begin_pages() {
  if (allocator_->is_paged()) return;
  const std::vector<FileRange> unused = allocator_->unused_space();
  allocator_ = PageAllocator::behind(allocator_->page_size(), allocator_->end());
  set_allocation_rules();
  for (const FileRange& r : unused) allocator_->free_raw_data(r.address, r.size);
  committed_.allocated.emplace(allocator_->mark());
  committed_.boot =
      Boot::of(store_->superblock(), store_->extension(), store_->base(), store_->file());
}

std::uint64_t FileState::metadata_until() const {
  if (const std::uint64_t asked = transfers_.options.stripes.front; asked != 0) return asked;
  // The options of the file's creation decide.
  const StripeLayout::Front& front = transfers_.layout.fronts.front();
  return front.stripe_count == 1 && transfers_.layout.stripe_count != 1 ? front.end : 0;
}

void FileState::set_allocation_rules() {
  allocator_->set_allocation_rules(
      {store_->base(), transfers_.layout.is_known() ? transfers_.layout.stripe_size : 0,
       options_.alignment_interval, options_.alignment_threshold, metadata_until()});
}

FileState::~FileState() {
  if (!is_open() || exceptions_at_open_ < 0 || std::uncaught_exceptions() <= exceptions_at_open_)
    return;
  try {
    abandon("an exception ended its use of the file");
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is an exception already
  }
}

void FileState::close() { close(access_ == Access::read_write); }

void FileState::close(bool flushes) {
  if (!is_open()) return;
  std::exception_ptr failure;
  closing_ = true;
  const bool writes = access_ == Access::read_write;
  changes_.ends_writing = true;
  comm::try_to(failure, [&] {
    if (flushes) comm().require_running();
    if (flushes && !calls_->is_left()) {
      end_swmr();
      flush();
    }
  });
  if (flushes && (calls_->is_left() || is_diverged(failure))) leave_empty();
  if (writes && (failure || !flushes)) drop_unflushed();
  if (const auto untold_one = untold_.take(true); !failure) failure = untold_one;
  // Closed in any case: a file that cannot be flushed must not stay open for ever.
  try {
    shut();
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (!writes && CommunicatorAccess::is_the_only_one(communicator_))
    comm().calls().part("it has closed the file");
  if (failure) std::rethrow_exception(failure);
}

void FileState::abandon(std::string_view reason) {
  if (!is_open()) return;
  calls_->leave(reason);
  untold_.take(true);
  leave_empty();
  drop_unflushed();
  shut();
}

/// Gives up changes that no flush has written. Their space on the disk is free for a later session,
/// and their memory is freed although handles keep the file.
void FileState::drop_unflushed() noexcept {
  if (access_ != Access::read_write || store_ == nullptr) return;
  const bool was_for_readers = committed_.swmr.is_marked();
  unmark();
  for (Node* node : changes_.edited_datasets) node->written.reset();
  for (Node* node : changes_.replacing.datasets) node->set_waiting(nullptr);
  changes_.edited_datasets.clear();
  changes_.replacing.datasets.clear();
  changes_.variable_writes.clear();
  changes_.compact_writes.clear();
  local_edits_.unwritten.clear();
  // A forked process does not know what the process that opened the file has flushed since.
  if (comm().rank() != 0 || committed_.half || is_of_another_process() || !transport_->is_open())
    return;
  // A flush for readers that failed may refer to space behind the end.
  if (was_for_readers) return;
  try {
    const std::uint64_t end = store_->base() + committed_.end;
    transport_->give_back(end, std::max(transport_->size(), end) - end);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the file is whole all the same
  }
}

/// Rank 0 prints the warning for all ranks.
void FileState::watch_for_close() {
  if (comm().rank() != 0) return;
  unclosed_.emplace(path(), [this] { return is_open() && has_changes(); });
}

bool FileState::has_unsettled_chunks() const {
  return std::ranges::any_of(changes_.edited_datasets, [](const Node* node) {
    return node->written && !node->removed && node->written->needs_settling();
  });
}

/// A new file counts as changed until its first flush.
bool FileState::has_changes() const {
  return changes_.dirty || committed_.end == 0 || log_.size() != 0 || !local_edits_.empty() ||
         !changes_.compact_writes.all().empty() || !changes_.variable_writes.empty() ||
         has_unsettled_chunks();
}

IoStats FileState::io_stats() const {
  IoStats now = stats_;
  if (!is_open()) return now;
  now.collectives = comm().collectives() - collectives_before_;
  if (store_) now.shared_bytes = store_->shared_bytes();
  return now;
}

// --- giving up what changed since the last flush ---

void FileState::begin_root() {
  root_->edit();
  const GroupOptions options = options_of_root(options_);
  root_->header.messages.push_back(group_info(options.dense_links));
  root_->set_options(options);
}

void FileState::note_flushed() {
  if (committed_.allocated) allocator_->forget_last_mark();
  committed_.allocated.emplace(allocator_->mark());
  committed_.compact_bytes = changes_.compact_bytes;
  committed_.anonymous = changes_.anonymous;
  changes_.moved.clear();
  equal_attributes().forget();
}

void FileState::begin_changes() {
  const std::uint64_t file_end = changes_.file_end;
  std::destroy_at(&changes_);
  std::construct_at(
      &changes_, [this] { return opener_.open_temporary(); }, [this] { return path(); });
  if (comm().size() == 1) changes_.compact_writes.keep_nothing();
  changes_.file_end = file_end;
  changes_.compact_bytes = committed_.compact_bytes;
  changes_.anonymous = committed_.anonymous;
}

void FileState::roll_back(std::uint64_t used_end) {
  const bool is_new = root_->is_new();
  for (auto moved = changes_.moved.rbegin(); moved != changes_.moved.rend(); ++moved) {
    moved->node->parent = moved->parent;
    moved->node->name = moved->name;
  }
  for (Node* node : changes_.released.objects) node->removed = node->gone = false;
  const std::vector<Node*> held = nodes_.held(committed_.anonymous);
  for (Node* node : held)
    if (auto shape = node->give_up_changes()) former_shapes_.push_back(std::move(shape));
  local_edits_.give_up();
  new_blocks().forget();
  if (is_new) {
    const auto before = forget_decoded_metadata();
    nodes_.keep_only(held);
    root_->recall(ObjectHeader(arena_.memory()));
  } else {
    decode_anew(held);
  }
  nodes_.begin_creations();
  begin_changes();
  heap_.reset();
  log_.clear();
  transfers_.heard_heaps.forget();
  allocator_->undo(std::move(*committed_.allocated));
  committed_.allocated.reset();
  allocator_->note_used(used_end);
  if (is_new) begin_root();
  note_flushed();
}

/// Writes a new file that no rank can flush any more as an empty file, so that there is a valid
/// one. Does not communicate with other ranks.
void FileState::leave_empty() {
  // A forked process does not touch the file of the process that opened it.
  if (comm().rank() != 0 || access_ != Access::read_write || committed_.end != 0 ||
      is_of_another_process())
    return;
  const Communicator ranks = std::exchange(communicator_, Communicator());
  try {
    calls_.emplace(comm(), path());
    roll_back(allocator_->end());
    rooms_.flush(*this, CallKind::close);
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is an error already
  }
  communicator_ = ranks;
}

}  // namespace onecast::files
