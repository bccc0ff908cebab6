#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "objects/tree/external_places.hpp"
#include "objects/tree/file_state.hpp"
#include "onecast/base/error.hpp"
#include "pages/recovery.hpp"
#include "transport/counting_transport.hpp"
#include "transport/file_lock.hpp"
#include "transport/lazy_transport.hpp"
#include "transport/path_rules.hpp"

namespace onecast {
namespace {

bool creates(OpenMode mode) { return mode == OpenMode::create || mode == OpenMode::replace; }

/// As in HDF5, the environment wins.
FileLocking chosen_locking(FileLocking option) {
  const char* variable = std::getenv("HDF5_USE_FILE_LOCKING");
  const std::string_view value = variable != nullptr ? variable : "";
  if (value == "FALSE" || value == "0") return FileLocking::off;
  if (value == "TRUE" || value == "1") return FileLocking::on;
  if (value == "BEST_EFFORT") return FileLocking::best_effort;
  return option;
}

}  // namespace

void lock_transport(Transport& file, LockKind kind, FileLocking option) {
  const FileLocking locking = chosen_locking(option);
  if (locking == FileLocking::off) return;
  try {
    file.lock(kind);
  } catch (const Error& error) {
    if (locking != FileLocking::best_effort || !is_without_locks(error.system_errno())) throw;
  }
}

namespace {

/// A file in the way of a new one, locked; null if there is none, or none that could be locked.
std::unique_ptr<Transport> locked_file_in_the_way(const TransportFactory& factory,
                                                  const std::string& path, FileLocking locking) {
  if (chosen_locking(locking) == FileLocking::off) return nullptr;
  std::unique_ptr<Transport> file;
  try {
    file = factory(path, OpenMode::read_write);
  } catch (const Error&) {
    return nullptr;  // creating will tell
  }
  lock_transport(*file, LockKind::exclusive, locking);
  return file;
}

}  // namespace

/// Rank 0 opens the file at its first use, which is now; the others when they touch raw data, by
/// when rank 0 has created it, or recovered it.
void FileState::open_transport(TransportFactory factory, OpenMode mode) {
  mode_ = mode;
  factory_ = factory;
  transport_ = std::make_unique<LazyTransport>([this, mode, factory = std::move(factory)] {
    if (comm().rank() == 0) return open_on_first_rank(factory, mode);
    return open_later(factory, creates(mode) ? OpenMode::read_write : mode);
  });
}

std::unique_ptr<Transport> FileState::open_later(const TransportFactory& factory, OpenMode mode) {
  const TransportFactory counted = counting_factory(factory, stats_);
  std::unique_ptr<Transport> file;
  try {
    file = counted(name_.place, mode);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_found) throw;
    throw Error(ErrorCode::io,
                fmt::format("{}: does not exist any more: the file was renamed or removed while it "
                            "was open",
                            name_.place),
                ENOENT);
  }
  require_same_file(file->identity(), name_.identity, name_.place);
  return overlaid_ ? recovered(std::move(file), counted) : std::move(file);
}

/// In the folder of the file itself, whatever links lead there: where there is room for its data.
std::unique_ptr<Transport> FileState::open_temporary() const {
  // Of what only MPI understands ("ufs:name") the part behind the prefix.
  const std::size_t prefix = options_.mpi_io ? name_.place.find('/') : 0;
  const std::string file = prefix == std::string::npos ? name_.place : name_.place.substr(prefix);
  return factory_(behind_links(file) + ".onecast-waiting", OpenMode::temporary);
}

/// The journal lies beside the file that was opened, wherever its path leads later.
void FileState::prepare_journal(const TransportFactory& counted) {
  const std::string journal = journal_path(name_.place);
  if (name_.identity.is_known() && !creates(mode_))
    require_writable_folder_of(
        journal,
        "without this journal a flush that is killed half-way damages the file (grant the right to "
        "make files in that folder, or open it with the option journal off)");
  journal_ = std::make_unique<JournalFile>(counted, journal, [this] {
    if (!name_.identity.is_known()) return;
    const auto found = FileIdentity::at(name_.place);
    if (!found)
      throw Error(
          ErrorCode::io,
          fmt::format("{}: does not exist any more: the file was renamed or removed while it "
                      "was open, and a journal beside it would not be found",
                      name_.place),
          ENOENT);
    require_same_file(*found, name_.identity, name_.place);
  });
}

std::unique_ptr<Transport> FileState::open_on_first_rank(const TransportFactory& factory,
                                                         OpenMode mode) {
  const TransportFactory counted = counting_factory(factory, stats_);
  // Held until the new file has its own: whoever writes the old one keeps it.
  const auto in_the_way =
      creates(mode) ? locked_file_in_the_way(factory, name_.place, options_.locking) : nullptr;
  auto file = counted(name_.place, mode);
  lock_transport(*file, mode == OpenMode::read_only ? LockKind::shared : LockKind::exclusive,
                 options_.locking);
  name_.identity = file->identity();
  // Links on the way may have changed since it was looked for.
  if (is_external_ && !may_follow(*this, file->resolved_path())) fail_outside(*this, name_.place);
  if (mode != OpenMode::read_only && options_.journal) prepare_journal(counted);
  return recovered(std::move(file), counted);
}

/// Undoes a flush that was not finished, in a file that is open for reading only for us alone.
std::unique_ptr<Transport> FileState::recovered(std::unique_ptr<Transport> file,
                                                const TransportFactory& counted) {
  auto recovery = std::make_shared<Recovery>(*file, counted, journal_path(name_.place));
  const JournalState found = recovery->state();
  if (found == JournalState::none) return file;
  if (access_ == Access::read_only) {
    overlaid_ = found == JournalState::half;
    return overlaid_ ? Recovery::as_undone(std::move(file), recovery) : std::move(file);
  }
  if (found == JournalState::half) recovery->undo(*file);
  // Of no use, but perhaps the file cannot be opened without it.
  if (found == JournalState::useless && !creates(mode_))
    leftover_journal_ = true;
  else
    recovery->remove_journal();
  return file;
}

}  // namespace onecast
