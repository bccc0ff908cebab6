#include <algorithm>

#include "objects/files/file_state.hpp"
#include "onecast/base/error.hpp"
#include "structures/object_header.hpp"

/// Keeps an open file within the option metadata_budget while it is written: new metadata is
/// flushed before it takes half of the budget, and what a flush leaves in memory is forgotten.
namespace onecast::files {
namespace {

/// Returns a copy that points only into the arena.
ObjectHeader kept(const ObjectHeader& header, Arena& arena) {
  ObjectHeader copy(arena.memory());
  copy.prefix = header.prefix;
  copy.version = header.version;
  copy.reference_count = header.reference_count;
  copy.first = header.first;
  copy.continuations = header.continuations;
  for (HeaderMessage m : header.messages) {
    m.data = arena.keep(m.data);
    copy.messages.push_back(m);
  }
  return copy;
}

}  // namespace

std::uint64_t FileState::memory_bytes() const {
  return arena_.used() + nodes_.bytes() + store_->bytes();
}

void FileState::make_room() {
  // With less room there would be many flushes, and each writes at least some pages.
  constexpr std::uint64_t kLeastRoom = 64 << 10U;
  constexpr std::uint64_t kLeastPages = 4;
  if (local_edits_.is_inside()) return;
  const std::uint64_t room =
      std::max(options_.metadata_budget / 2, kLeastRoom + kLeastPages * options_.page_size);
  if (log_.growth() >= room) rooms_.flush(*this, CallKind::make_room);
}

bool FileState::may_forget() const {
  const bool all_written = !changes_.dirty && !committed_.half &&
                           changes_.released.objects.empty() && changes_.reserved_headers.empty() &&
                           new_blocks().blocks().empty();
  const bool nothing_waits = changes_.edited_datasets.empty() &&
                             changes_.unfilled_datasets.empty() &&
                             changes_.replacing.datasets.empty() && changes_.renewed.empty() &&
                             changes_.compact_writes.all().empty() &&
                             changes_.variable_writes.empty() && local_edits_.empty();
  return all_written && nothing_waits && !changes_.deferred && !closing_ && !calls_->is_left() &&
         comm().progress().is_idle();
}

/// Ranks may forget at different times: they may have looked up different objects.
void FileState::forget_decoded() {
  const std::uint64_t budget = options_.metadata_budget;
  memory_.note_flushed(memory_bytes());
  if (!memory_.is_time_to_forget(budget) || !may_forget()) return;
  // A single rank reads again only what it looks up; several ranks would each read it.
  const bool images = comm().size() == 1 || store_->bytes() > memory_.limit(budget);
  forget_all_but(nodes_.held(changes_.anonymous), images);
  memory_.note_forgotten(memory_bytes(), images);
}

void FileState::decode_anew(const std::vector<Node*>& held) {
  const ObjectHeader root_header = read_object_header(structures(), root_->address);
  const auto before = forget_decoded_metadata();
  nodes_.keep_only(held);
  root_->recall(kept(root_header, arena_));
}

void FileState::forget_all_but(const std::vector<Node*>& held, bool images) {
  decode_anew(held);
  // New pages begin behind the end of another program's file, which may not extend that far yet.
  const std::uint64_t end = std::min(committed_.end, changes_.file_end);
  if (images)
    store_->forget(end);
  else
    store_->forget_read_on_demand(end);
}

}  // namespace onecast::files
