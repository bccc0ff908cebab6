#include "objects/tree/transport_opener.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "objects/tree/external_places.hpp"
#include "objects/tree/open_file.hpp"
#include "onecast/base/error.hpp"
#include "pages/recovery.hpp"
#include "transport/counting_transport.hpp"
#include "transport/file_lock.hpp"
#include "transport/lazy_transport.hpp"
#include "transport/path_rules.hpp"

namespace onecast::tree {
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
    file = counted(file_.name().place, mode);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_found) throw;
    throw Error(ErrorCode::io,
                fmt::format("{}: does not exist any more: the file was renamed or removed while it "
                            "was open",
                            file_.name().place),
                ENOENT);
  }
  require_same_file(file->identity(), file_.name().identity, file_.name().place);
  return overlaid_ ? recovered(std::move(file), counted) : std::move(file);
}

std::unique_ptr<Transport> TransportOpener::open_temporary() const {
  // Of what only MPI understands ("ufs:name") the part behind the prefix.
  const std::size_t prefix = file_.options().mpi_io ? file_.name().place.find('/') : 0;
  const std::string file =
      prefix == std::string::npos ? file_.name().place : file_.name().place.substr(prefix);
  return factory_(behind_links(file) + ".onecast-waiting", OpenMode::temporary);
}

/// The journal lies beside the file that was opened, wherever its path leads later.
void TransportOpener::prepare_journal(const TransportFactory& counted) {
  const std::string journal = journal_path(file_.name().place);
  if (file_.name().identity.is_known() && !creates(mode_))
    require_writable_folder_of(
        journal,
        "without this journal a flush that is killed half-way damages the file (grant the right to "
        "make files in that folder, or open it with the option journal off)");
  journal_ = std::make_unique<JournalFile>(counted, file_.name().place, [this] {
    if (!file_.name().identity.is_known()) return;
    const auto found = FileIdentity::at(file_.name().place);
    if (!found)
      throw Error(
          ErrorCode::io,
          fmt::format("{}: does not exist any more: the file was renamed or removed while it "
                      "was open, and a journal beside it would not be found",
                      file_.name().place),
          ENOENT);
    require_same_file(*found, file_.name().identity, file_.name().place);
  });
}

std::unique_ptr<Transport> TransportOpener::open_on_first_rank(const TransportFactory& factory,
                                                               OpenMode mode) {
  const TransportFactory counted = counting_factory(factory, file_.stats());
  // A new file lies where a symbolic link leads, if there is one.
  const std::string place = creates(mode) ? behind_links(file_.name().place) : file_.name().place;
  // Held until the new file has its own: whoever writes the old one keeps it.
  auto in_the_way =
      creates(mode) ? locked_file_in_the_way(factory, place, file_.options().locking) : nullptr;
  // An empty file is written itself: whoever made it may have it open, or chose its stripes.
  const bool is_made =
      mode == OpenMode::replace && in_the_way != nullptr && in_the_way->size() == 0;
  if (is_made) in_the_way.reset();
  auto file = counted(place, is_made ? OpenMode::read_write : mode);
  lock_transport(*file, mode == OpenMode::read_only ? LockKind::shared : LockKind::exclusive,
                 file_.options().locking);
  file_.name().identity = file->identity();
  // Links on the way may have changed since it was looked for.
  if (file_.name().is_external && !may_follow(file_, file->resolved_path()))
    fail_outside(file_, file_.name().place);
  if (mode != OpenMode::read_only && file_.options().journal) prepare_journal(counted);
  return recovered(std::move(file), counted);
}

/// Undoes a flush that was not finished, in a file that is open for reading only for us alone.
std::unique_ptr<Transport> TransportOpener::recovered(std::unique_ptr<Transport> file,
                                                      const TransportFactory& counted) {
  auto recovery = std::make_shared<Recovery>(*file, counted, journal_path(file_.name().place));
  const JournalState found = recovery->state();
  if (found == JournalState::none) return file;
  if (file_.access() == Access::read_only) {
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

void TransportOpener::take_over_leftover_journal() {
  if (leftover_journal_ && journal_) journal_->take_over_leftover();
}

void TransportOpener::end_writing() {
  end_journal();
  mode_ = OpenMode::read_only;
  if (file_.comm().rank() != 0) return;
  try {
    lock_transport(file_.transport(), LockKind::shared, file_.options().locking);
  } catch (const Error&) {
    return;  // only other programs miss something: they cannot read it before it is closed
  }
}

}  // namespace onecast::tree
