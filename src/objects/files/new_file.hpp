#pragma once

#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/transport/io_stats.hpp"
#include "transport/factory.hpp"
#include "transport/transport.hpp"

namespace onecast::files {

/// Locks the file as the option or the environment says.
void lock_transport(Transport& file, LockKind kind, FileLocking option);

/// Opens the file at `place`, with OpenMode::read_only or read_write, and locks it. If it opens for
/// writing and another program replaced the file while it waited for the lock, it opens the new
/// file instead.
std::unique_ptr<Transport> open_locked(const TransportFactory& factory, const std::string& place,
                                       OpenMode mode, FileLocking option);

/// Returns true if the path leads to the file, or if that cannot be found out.
bool leads_to(const std::string& place, Transport& file);

/// A file that one process creates. Until stand(), the old file at its path, if there is one, is
/// unchanged and locked. Without stand(), no new file is left there.
class NewFile {
 public:
  /// @param place not a symbolic link
  /// @param options those of the file: locking, exclusive
  NewFile(TransportFactory factory, IoStats& stats, std::string place, const FileOptions& options);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Creates and locks the file. Throws Error: already_exists, io; io with EAGAIN if another
  /// process has the old file open, or created or replaced it at the same moment.
  void make();
  [[nodiscard]] Transport& transport() { return *file_; }
  /// Puts the file at its path, in place of the old one.
  std::unique_ptr<Transport> stand();

 private:
  bool try_to_make();
  bool make_where_nothing_is();
  bool lock_untouched(Transport& file, bool is_new);
  [[noreturn]] void fail_beaten() const;

  TransportFactory factory_;
  TransportFactory counted_;
  IoStats& stats_;
  std::string place_;
  FileLocking locking_;
  bool exclusive_;
  std::unique_ptr<Transport> file_;
  std::unique_ptr<Transport> replaced_;  ///< the old file, locked
  bool is_at_place_ = false;             ///< true before stand() if there was no old file
};

}  // namespace onecast::files
