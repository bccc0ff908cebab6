#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "objects/file_state.hpp"
#include "onecast/base/error.hpp"
#include "pages/recovery.hpp"
#include "transport/counting_transport.hpp"
#include "transport/file_lock.hpp"
#include "transport/lazy_transport.hpp"

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

void lock(Transport& file, LockKind kind, FileLocking option) {
  const FileLocking locking = chosen_locking(option);
  if (locking == FileLocking::off) return;
  try {
    file.lock(kind);
  } catch (const Error& error) {
    if (locking != FileLocking::best_effort || !is_without_locks(error.system_errno())) throw;
  }
}

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
  lock(*file, LockKind::exclusive, locking);
  return file;
}

}  // namespace

/// Rank 0 opens the file at its first use, which is now; the others when they touch raw data, by
/// when rank 0 has created it, or recovered it.
void FileState::open_transport(TransportFactory factory, OpenMode mode) {
  mode_ = mode;
  const bool first = comm().rank() == 0;
  if (first && mode != OpenMode::read_only && options.journal)
    journal_ = std::make_unique<JournalFile>(counting_factory(factory, stats), path);
  const OpenMode later = creates(mode) && !first ? OpenMode::read_write : mode;
  transport = std::make_unique<LazyTransport>([this, first, later, factory = std::move(factory)] {
    if (first) return open_on_first_rank(factory, later);
    const TransportFactory counted = counting_factory(factory, stats);
    auto file = counted(path, later);
    return overlaid_ ? recovered(std::move(file), counted) : std::move(file);
  });
}

std::unique_ptr<Transport> FileState::open_on_first_rank(const TransportFactory& factory,
                                                         OpenMode mode) {
  const TransportFactory counted = counting_factory(factory, stats);
  // Held until the new file has its own: whoever writes the old one keeps it.
  const auto in_the_way =
      creates(mode) ? locked_file_in_the_way(factory, path, options.locking) : nullptr;
  auto file = counted(path, mode);
  lock(*file, mode == OpenMode::read_only ? LockKind::shared : LockKind::exclusive,
       options.locking);
  return recovered(std::move(file), counted);
}

/// Undoes a flush that was not finished, in a file that is open for reading only for us alone.
std::unique_ptr<Transport> FileState::recovered(std::unique_ptr<Transport> file,
                                                const TransportFactory& counted) {
  auto recovery = std::make_shared<Recovery>(*file, counted, path);
  const JournalState found = recovery->state();
  if (found == JournalState::none) return file;
  if (access == Access::read_only) {
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

Recovered File::recover(const std::string& path, FileLocking locking) {
  const TransportFactory factory = posix_factory();
  const auto file = factory(path, OpenMode::read_write);
  lock(*file, LockKind::exclusive, locking);
  Recovery recovery(*file, factory, path);
  const JournalState found = recovery.state();
  if (found == JournalState::half) recovery.undo(*file);
  // Throws if it cannot be opened; then the journal is kept.
  FileOptions look;
  look.locking = FileLocking::off;
  look.load_policy = LoadPolicy::lazy;
  open(path, Access::read_only, look).close();
  if (found != JournalState::none) recovery.remove_journal();
  switch (found) {
    case JournalState::none:
    case JournalState::useless:
      return Recovered::nothing;
    case JournalState::before:
    case JournalState::complete:
      return Recovered::complete;
    case JournalState::half:
      break;
  }
  return Recovered::undone;
}

}  // namespace onecast
