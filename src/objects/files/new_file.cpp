#include "objects/files/new_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "onecast/base/error.hpp"
#include "transport/counting_transport.hpp"
#include "transport/file_lock.hpp"
#include "transport/path_rules.hpp"
#include "transport/system_error.hpp"

namespace onecast::files {
namespace {

/// The environment takes precedence over the option, as in HDF5.
FileLocking chosen_locking(FileLocking option) {
  const char* variable = std::getenv("HDF5_USE_FILE_LOCKING");
  const std::string_view value = variable != nullptr ? variable : "";
  if (value == "FALSE" || value == "0") return FileLocking::off;
  if (value == "TRUE" || value == "1") return FileLocking::on;
  if (value == "BEST_EFFORT") return FileLocking::best_effort;
  return option;
}

/// A new file that could never be written is not made at all.
void require_room(const std::string& place, Transport& file) {
  constexpr std::uint64_t kOfSmallestFile = 4096;
  if (file.identity().is_known() && obstacle_to_file(place, kOfSmallestFile) == ENOSPC)
    fail_open(place, ENOSPC);
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

std::unique_ptr<Transport> open_locked(const TransportFactory& factory, const std::string& place,
                                       OpenMode mode, FileLocking option) {
  constexpr int kMostTries = 100;
  for (int tries = 1;; ++tries) {
    auto file = factory(place, mode);
    lock_transport(*file, mode == OpenMode::read_only ? LockKind::shared : LockKind::exclusive,
                   option);
    // A reader may use the file that was at the path when it was opened.
    if (mode == OpenMode::read_only || leads_to(place, *file) || tries == kMostTries) return file;
  }
}

bool leads_to(const std::string& place, Transport& file) {
  const FileIdentity identity = file.identity();
  return !identity.is_known() || FileIdentity::at(place) == identity;
}

NewFile::NewFile(TransportFactory factory, IoStats& stats, std::string place,
                 const FileOptions& options)
    : factory_(std::move(factory)),
      counted_(counting_factory(factory_, stats)),
      stats_(stats),
      place_(std::move(place)),
      locking_(options.locking),
      exclusive_(options.exclusive) {}

NewFile::~NewFile() {
  if (!file_ || !is_at_place_) return;
  try {
    if (leads_to(place_, *file_)) file_->remove();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): there is an error already
  }
}

void NewFile::make() {
  // Other processes may create and remove files of this name at the same time: retry this often.
  constexpr int kMostTries = 100;
  for (int tries = 0; !try_to_make(); ++tries)
    if (tries == kMostTries) fail_open(place_, EEXIST);
}

bool NewFile::try_to_make() {
  if (exclusive_) {
    if (!make_where_nothing_is()) fail_open(place_, EEXIST);
    return true;
  }
  std::unique_ptr<Transport> there;
  try {
    there = factory_(place_, OpenMode::read_write);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_found) throw;
  }
  if (!there) return make_where_nothing_is();
  if (!lock_untouched(*there, false)) return false;
  if (there->size() == 0) {
    // An empty file is written in place: its creator may have it open, or have chosen its stripes.
    ++stats_.opens;
    file_ = std::make_unique<CountingTransport>(std::move(there), stats_);
    return true;
  }
  replaced_ = std::move(there);
  file_ = counted_(place_, OpenMode::replace);
  lock_transport(*file_, LockKind::exclusive, locking_);
  return true;
}

bool NewFile::make_where_nothing_is() {
  std::unique_ptr<Transport> file;
  try {
    file = counted_(place_, OpenMode::create);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::already_exists) throw;
    return false;
  }
  bool is_ours = true;
  try {
    is_ours = lock_untouched(*file, true);
    if (is_ours) require_room(place_, *file);
  } catch (const Error& error) {
    // If another process locked the file first, the file belongs to it.
    if (error.system_errno() != EAGAIN && leads_to(place_, *file)) file->remove();
    throw;
  }
  if (!is_ours) return false;
  file_ = std::move(file);
  is_at_place_ = true;
  return true;
}

/// Returns false if the file was removed meanwhile. Throws if another process has created or
/// replaced it first: replacing it would lose what that process wrote.
bool NewFile::lock_untouched(Transport& file, bool is_new) {
  // Some file systems report the final time of a new file late, so only its size is compared.
  const FileStamp before = is_new ? FileStamp() : file.stamp();
  lock_transport(file, LockKind::exclusive, locking_);
  const FileIdentity mine = file.identity();
  if (mine.is_known()) {
    const auto found = FileIdentity::at(place_);
    if (!found) return false;
    if (*found != mine) fail_beaten();
  }
  const FileStamp now = is_new ? FileStamp{file.size()} : file.stamp();
  if (now != before) fail_beaten();
  return true;
}

void NewFile::fail_beaten() const {
  throw Error(ErrorCode::io,
              fmt::format("{}: locked: it was open elsewhere, where it was made or written at the "
                          "same moment",
                          place_),
              EAGAIN);
}

std::unique_ptr<Transport> NewFile::stand() {
  file_->take_place();
  is_at_place_ = false;
  replaced_.reset();
  return std::move(file_);
}

}  // namespace onecast::files
