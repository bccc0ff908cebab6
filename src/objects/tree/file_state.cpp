#include "objects/tree/file_state.hpp"

#include "objects/memory/limits.hpp"
#include "onecast/base/error.hpp"
#include "pages/boot_page.hpp"

namespace onecast::tree {

Node& FileState::new_node(Node* parent, std::string_view name, ObjectKind kind) {
  log_.grow(kMemoryOfNewObject + name.size());
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
  // The file that shares its own may be gone before the handles of objects here.
  auto files = shared_files_.lock();
  return files ? files : own_files_;
}

void FileState::begin_pages() {
  if (allocator_->is_paged()) return;
  const std::vector<FileRange> unused = allocator_->unused_space();
  allocator_ = PageAllocator::behind(allocator_->page_size(), allocator_->end());
  set_placement();
  for (const FileRange& r : unused) allocator_->free_raw_data(r.address, r.size);
  committed_.boot =
      Boot::of(store_->superblock(), store_->extension(), store_->base(), store_->file());
}

std::uint64_t FileState::metadata_until() const {
  if (const std::uint64_t asked = transfers_.options.stripes.front; asked != 0) return asked;
  // As it was asked for when the file was created.
  const StripeLayout::Front& front = transfers_.layout.fronts.front();
  return front.stripe_count == 1 && transfers_.layout.stripe_count != 1 ? front.end : 0;
}

void FileState::set_placement() {
  allocator_->set_placement(
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
  try {
    if (flushes) comm().require_running();
    if (flushes && !calls_->is_left()) flush();
  } catch (...) {
    failure = std::current_exception();
  }
  if (const auto untold_one = untold_.take(true); !failure) failure = untold_one;
  // Closed in any case: a file that cannot be flushed must not stay open for ever.
  try {
    shut();
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (!writes && communicator_.is_the_only_one()) comm().calls().part("it has closed the file");
  if (failure) std::rethrow_exception(failure);
}

void FileState::abandon(std::string_view reason) {
  if (!is_open()) return;
  calls_->leave(reason);
  untold_.take(true);
  shut();
}

/// One rank speaks for all.
void FileState::watch_for_close() {
  if (comm().rank() != 0) return;
  unclosed_.emplace(path(), [this] { return is_open() && has_changes(); });
}

/// A new file is none before its first flush.
bool FileState::has_changes() const {
  return changes_.dirty || committed_.end == 0 || log_.size() != 0 || !local_edits_.empty() ||
         rooms_.has_unsettled_writes(*this);
}

IoStats FileState::io_stats() const {
  IoStats now = stats_;
  if (is_open()) now.collectives = comm().collectives() - collectives_before_;
  return now;
}

}  // namespace onecast::tree
