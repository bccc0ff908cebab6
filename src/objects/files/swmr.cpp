#include <fmt/format.h>

#include "base/make_error.hpp"
#include "objects/files/file_state.hpp"
#include "pages/boot_page.hpp"

/// Writing for readers that look at the file meanwhile: how it begins and ends. How a flush writes
/// then is in flush/flush.cpp and pages/commit.cpp.
namespace onecast::files {

void FileState::require_swmr_can_begin() {
  require_writable();
  require_editable();
  const auto refuse = [&](ErrorCode code, const char* why) {
    throw Error(code, fmt::format("{}: writing for readers (SWMR): {}", path(), why));
  };
  if (!committed_.swmr.is_off()) refuse(ErrorCode::state, "has begun already");
  if (local_edits_.is_inside()) refuse(ErrorCode::state, "inside independent()");
  if (comm().size() > 1)
    refuse(ErrorCode::unsupported,
           "not supported with several ranks: readers follow each flush with the option follow");
  if (options_.profile != Profile::latest)
    refuse(ErrorCode::unsupported,
           "a file of profile \"latest\" (superblock version 3) was expected; `onecast repack "
           "--profile latest` makes one");
}

void FileState::begin_swmr() {
  committed_.swmr.start();
  changes_.dirty = true;
}

void FileState::note_swmr_begun() {
  committed_.swmr.note_started();
  // Readers could take the journal of this flush for the state of a later one.
  opener_.share();
}

void FileState::throw_structure_fixed() const {
  throw state_error(
      "{}: written for readers (SWMR): objects and links cannot be created, "
      "moved or removed before the file is closed and opened again",
      path());
}

void FileState::end_swmr() {
  if (!committed_.swmr.is_on()) return;
  flush();
  committed_.swmr.finish();
  changes_.dirty = true;
}

void FileState::unmark() noexcept {
  if (!committed_.swmr.is_marked() || committed_.half || is_of_another_process() ||
      !transport_->is_open())
    return;
  try {
    write_consistency_flags(*transport_, store_->base(), 0, store_->file());
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the mark stays, and recover()
                                     // clears it
  }
  committed_.swmr.stop();
}

}  // namespace onecast::files
