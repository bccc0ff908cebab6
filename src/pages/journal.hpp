#pragma once

#include <unistd.h>

#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "format/boot/journal.hpp"
#include "transport/factory.hpp"

namespace onecast::pages {

/// Where the journal of a file lies: beside the file itself, whatever links lead there.
std::string journal_path(const std::string& file);

/// Writes the journals of a file that is open for writing, one over the other: that of a flush that
/// is done does no harm (see Recovery). The journal goes when the file is closed.
class JournalFile {
 public:
  /// @param file whose journal it is: who may not read that, may not read this
  JournalFile(TransportFactory factory, std::string file)
      : factory_(std::move(factory)), file_(std::move(file)), path_(journal_path(file_)) {}
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  ~JournalFile();

  /// One write. `durable`: returns when it is on stable storage. Throws Error (io).
  void write(const Journal& journal, bool durable);

  /// A journal that is of no use was found: it goes, too.
  void take_over_leftover() { exists_ = true; }
  /// Is it needed after the file was closed?
  void keep(bool needed) { keep_ = needed; }

 private:
  TransportFactory factory_;
  std::string file_, path_;
  std::unique_ptr<Transport> transport_;
  bool exists_ = false;
  pid_t process_ = getpid();  ///< whose journal it is: not that of a fork, unless that flushes
  bool keep_ = false;
};

}  // namespace onecast::pages
