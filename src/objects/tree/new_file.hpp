#pragma once

#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/transport/io_stats.hpp"
#include "transport/factory.hpp"
#include "transport/transport.hpp"

namespace onecast::tree {

/// Locks it as the option, or the environment, says.
void lock_transport(Transport& file, LockKind kind, FileLocking option);

/// Opens the file at `place`, with OpenMode::read_only or read_write, and locks it. One that
/// another program replaced while this one waited for the lock is not written: the other one is
/// opened.
std::unique_ptr<Transport> open_locked(const TransportFactory& factory, const std::string& place,
                                       OpenMode mode, FileLocking option);

/// Does the path lead to the file? Yes where that cannot be asked.
bool leads_to(const std::string& place, Transport& file);

/// A file that one process creates. Until it stands, the old file at its path, if there is one, is
/// as it was, and locked; if it never stands, no new one is left there.
class NewFile {
 public:
  /// @param place not a symbolic link
  /// @param options those of the file: locking, exclusive
  NewFile(TransportFactory factory, IoStats& stats, std::string place, const FileOptions& options);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Makes and locks it. Throws Error: already_exists, io; with EAGAIN if another has the old file
  /// open, or made or replaced it at the same moment.
  void make();
  [[nodiscard]] Transport& transport() { return *file_; }
  /// It is at its path from now on, and the old one gone.
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
  std::unique_ptr<Transport> replaced_;  ///< whoever writes the old one keeps it
  bool is_at_place_ = false;             ///< before it stands: nothing was there
};

}  // namespace onecast::tree
