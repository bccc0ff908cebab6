#include "objects/files/transport_opener.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "objects/files/external_paths.hpp"
#include "objects/files/new_file.hpp"
#include "objects/nodes/open_file.hpp"
#include "onecast/base/error.hpp"
#include "pages/recovery.hpp"
#include "transport/counting_transport.hpp"
#include "transport/lazy_transport.hpp"
#include "transport/path_rules.hpp"

namespace onecast::files {
namespace {

bool creates(OpenMode mode) { return mode == OpenMode::create || mode == OpenMode::replace; }

[[noreturn]] void fail_without_journal(const std::string& journal, int reason) {
  const char* remedy = reason == ENAMETOOLONG ? "choose a shorter name"
                       : reason == ENOSPC     ? "make room"
                                              : "grant the right to make files in that folder";
  throw Error(ErrorCode::io,
              fmt::format("{}: cannot be made: {}; without this journal a flush that is killed "
                          "half-way damages the file ({}, or open it with the option journal off)",
                          journal, std::generic_category().message(reason), remedy),
              reason);
}

}  // namespace

std::unique_ptr<Transport> TransportOpener::open_at_first_use(TransportFactory factory,
                                                              OpenMode mode) {
  mode_ = mode;
  factory_ = factory;
  return std::make_unique<LazyTransport>([this, mode, factory = std::move(factory)] {
    if (file_.comm().rank() == 0) return open_on_first_rank(factory, mode);
    return open_later(factory, creates(mode) ? OpenMode::read_write : mode);
  });
}

std::unique_ptr<Transport> TransportOpener::open_later(const TransportFactory& factory,
                                                       OpenMode mode) {
  const TransportFactory counted = counting_factory(factory, file_.stats());
  std::unique_ptr<Transport> file;
  try {
    file = counted(file_.name().full_path, mode);
    require_same_file(file->identity(), file_.name().identity, file_.name().full_path);
  } catch (const Error& error) {
    const bool is_missing = error.code() == ErrorCode::not_found;
    if (is_missing || error.system_errno() == ESTALE) require_folder_of_first_rank();
    if (is_missing) fail_gone();
    throw;
  }
  return overlaid_ ? recovered(std::move(file), counted) : std::move(file);
}

/// Throws if the path means a different file here than on rank 0.
void TransportOpener::require_folder_of_first_rank() const {
  const FileName& name = file_.name();
  if (name.path.starts_with('/') || name.folder_digest() == name.folder_of_first_rank) return;
  throw Error(ErrorCode::io,
              fmt::format("{}: rank {} opened it in another working directory ({}) than rank 0, so "
                          "that this path leads to another place; an absolute path was expected",
                          name.path, file_.comm().rank(), name.working_folder),
              ENOENT);
}

void TransportOpener::fail_gone() const {
  throw Error(ErrorCode::io,
              fmt::format("{}: does not exist any more: the file was renamed or removed while it "
                          "was open",
                          file_.name().full_path),
              ENOENT);
}

void TransportOpener::require_place() const {
  if (!file_.name().identity.is_known()) return;
  const auto found = FileIdentity::at(file_.name().full_path);
  if (!found) fail_gone();
  require_same_file(*found, file_.name().identity, file_.name().full_path);
}

std::unique_ptr<Transport> TransportOpener::open_temporary() const {
  // Only the part behind the prefix is used of a name that only MPI understands ("ufs:name").
  const std::size_t prefix = file_.options().mpi_io ? file_.name().full_path.find('/') : 0;
  const std::string file =
      prefix == std::string::npos ? file_.name().full_path : file_.name().full_path.substr(prefix);
  return factory_(behind_links(file) + ".onecast-waiting", OpenMode::temporary);
}

/// Prepares the journal beside the file that was opened, wherever its path leads later.
void TransportOpener::prepare_journal(const TransportFactory& counted) {
  const std::string journal = journal_path(file_.name().full_path);
  if (file_.name().identity.is_known()) {
    // An obstacle to the journal of a later flush is reported now, when nothing is lost. The first
    // flush of a new file needs no journal.
    constexpr std::uint64_t kOfSmallestFlush = 4096;
    const int reason = obstacle_to_file(journal, kOfSmallestFlush);
    if (reason == ENAMETOOLONG || (reason != 0 && !creates(mode_)))
      fail_without_journal(journal, reason);
  }
  journal_ = std::make_unique<JournalFile>(counted, file_.name().full_path);
}

std::unique_ptr<Transport> TransportOpener::open_on_first_rank(const TransportFactory& factory,
                                                               OpenMode mode) {
  if (creates(mode)) return create_on_first_rank(factory);
  const TransportFactory counted = counting_factory(factory, file_.stats());
  // A writer that is followed has a lock.
  auto file = file_.options().follow
                  ? counted(file_.name().full_path, mode)
                  : open_locked(counted, file_.name().full_path, mode, file_.options().locking);
  file_.name().identity = file->identity();
  // Symbolic links on the path may have changed since the check.
  if (file_.name().is_external && !may_follow(file_, file->resolved_path()))
    fail_outside(file_, file_.name().full_path);
  if (mode != OpenMode::read_only && file_.options().journal) prepare_journal(counted);
  if (!file_.options().follow) return recovered(std::move(file), counted);
  auto followed = std::make_unique<FollowedTransport>(std::move(file), factory_,
                                                      journal_path(file_.name().full_path));
  followed->look_again();
  followed_ = followed.get();
  return followed;
}

/// Does everything that can fail before the old file is gone.
std::unique_ptr<Transport> TransportOpener::create_on_first_rank(const TransportFactory& factory) {
  const TransportFactory counted = counting_factory(factory, file_.stats());
  // If the path is a symbolic link, the new file lies at the link's target.
  NewFile made(factory, file_.stats(), behind_links(file_.name().full_path), file_.options());
  made.make();
  file_.name().identity = made.transport().identity();
  if (file_.options().journal) prepare_journal(counted);
  Recovery of_old(made.transport(), counted, journal_path(file_.name().full_path));
  auto file = made.stand();
  try {
    if (of_old.state() != JournalState::none) of_old.remove_journal();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): harmless, and overwritten later
  }
  return file;
}

/// Undoes an unfinished flush; of a file that is open for reading, only as this process sees it.
std::unique_ptr<Transport> TransportOpener::recovered(std::unique_ptr<Transport> file,
                                                      const TransportFactory& counted) {
  auto recovery = std::make_shared<Recovery>(*file, counted, journal_path(file_.name().full_path));
  const JournalState found = recovery->state();
  if (found == JournalState::none) return file;
  if (file_.access() == Access::read_only) {
    overlaid_ = found == JournalState::half;
    return overlaid_ ? Recovery::as_undone(std::move(file), recovery) : std::move(file);
  }
  if (found == JournalState::half) recovery->undo(*file);
  // The journal is useless, but the file may turn out not to open without it.
  if (found == JournalState::useless)
    leftover_journal_ = true;
  else
    recovery->remove_journal();
  return file;
}

void TransportOpener::take_over_leftover_journal() {
  if (leftover_journal_ && journal_) journal_->take_over_leftover();
}

void TransportOpener::end_writing() {
  share();
  mode_ = OpenMode::read_only;
}

void TransportOpener::share() {
  end_journal();
  if (file_.comm().rank() != 0) return;
  try {
    lock_transport(file_.transport(), LockKind::shared, file_.options().locking);
  } catch (const Error&) {
    return;  // only other programs are affected: they cannot read the file before it is closed
  }
}

}  // namespace onecast::files
