#include <fmt/format.h>

#include <array>
#include <cerrno>

#include "base/make_error.hpp"
#include "comm/agreement.hpp"
#include "objects/files/external_files.hpp"
#include "objects/files/file_option_rules.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/open_files.hpp"

/// A file is open once in a process, however often it is opened.
namespace onecast::files {
namespace {

const char* words_for(Access access) {
  return access == Access::read_write ? "writing" : "reading only";
}

[[noreturn]] void fail_open_already(const FileState& wanted, const FileState& open,
                                    const std::string& what) {
  throw Error(
      ErrorCode::io,
      fmt::format("{}: this process has it open for {} already{}: {}", wanted.path(),
                  words_for(open.access()),
                  open.path() == wanted.path() ? "" : fmt::format(", as {}", open.path()), what),
      EAGAIN);
}

}  // namespace

std::uint64_t FileState::number_if_open() const {
  for (const auto& open : OpenFiles::of_this_process().at(name_.full_path, comm())) {
    if (opener_.mode() == OpenMode::create || opener_.mode() == OpenMode::replace)
      fail_open_already(*this, *open, "it cannot be replaced before it is closed");
    const bool writes = opener_.mode() == OpenMode::read_write;
    const bool same_ranks = open->comm().has_ranks_of(comm());
    if (!writes && open->access() == Access::read_only) {
      // The state in memory is as old as the opening: another program may have written since.
      const bool as_then = FileStamp::at(name_.full_path) == open->name().stamp;
      // The refresh of one opening must not change what another one sees.
      const bool may_share = same_ranks && as_then && !asked_.follow;
      if (may_share && open->asked() == asked_) return open->name().number;
      continue;
    }
    // A reader without a lock sees the state of the last flush, as another process does.
    if (!same_ranks && !writes && options_.locking == FileLocking::off) continue;
    if (!same_ranks)
      fail_open_already(*this, *open,
                        "a file open for writing can be open on one communicator only");
    if (writes && open->access() == Access::read_only)
      fail_open_already(*this, *open, "close it first, or open it for writing first");
    if (const auto found = contradiction(asked_, open->asked()))
      throw argument_error("{}: option {}", path(), *found);
    return open->name().number;
  }
  return 0;
}

std::shared_ptr<FileState> FileState::open_once(const std::string& path, Access access,
                                                const Communicator& communicator,
                                                const FileOptions& options,
                                                const RoomsAbove& rooms) {
  std::uint64_t known = 0;
  if (auto opened = open_new(path, access, communicator, options, rooms, {.shares = true}, known))
    return opened;
  CommunicatorBackend& comm = backend_of(communicator);
  auto open = OpenFiles::of_this_process().numbered(known, comm);
  std::array<std::uint64_t, 2> every{open ? 1U : 0U,
                                     open && open->access() == Access::read_write ? 0U : 1U};
  comm.all_reduce_min(every);
  if (every[0] != 0) {
    open->comm().progress().wait_for_all();
    return open;
  }
  // Each rank closes files that are open for reading on its own.
  if (every[1] != 0) return open_new(path, access, communicator, options, rooms, {}, known);
  return agree(comm, [&]() -> std::shared_ptr<FileState> {
    if (open) return open;
    throw diverged_error("{}: is still open for writing on other ranks, but not here", path);
  });
}

std::shared_ptr<FileState> FileState::open_external(const std::string& path, Access access,
                                                    const FileOptions& options,
                                                    const FileState& from) {
  std::uint64_t known = 0;
  return open_new(path, access, {}, options, from.rooms(), {.named_by = &from}, known);
}

void FileState::become_external_of(const FileState& from) {
  if (!name_.is_external) name_.trusted_folder = from.name().trusted_folder;
  name_.is_external = true;
  const auto files = shared_files_.lock();
  if (!files || files == own_files_) shared_files_ = from.external_files();
}

void FileState::begin_opening(Access how) {
  require_open();
  openings_.begin(how);
}

void FileState::drop_opening(Access how) { openings_.end(how); }

void FileState::end_opening(Access how) {
  drop_opening(how);
  if (!is_open()) return;
  const bool writes = how == Access::read_write;
  if (!openings_.any()) return close(writes);
  if (!writes) return;
  changes_.ends_writing = !openings_.any_for_writing();
  try {
    if (!openings_.any_for_writing()) end_swmr();
    flush();
  } catch (...) {
    // Changes that are not written are lost for readers, too.
    if (!openings_.any_for_writing()) close(false);
    throw;
  }
  if (!openings_.any_for_writing()) become_read_only();
}

/// Turns the file into one that was opened for reading, as nobody can change it any more.
void FileState::become_read_only() {
  access_ = Access::read_only;
  // Blocks of metadata that were read on demand may contain outdated raw data.
  options_.small_data_limit = 0;
  opener_.end_writing();
  if (comm().rank() == 0) name_.stamp = transport_->stamp();
}

}  // namespace onecast::files
