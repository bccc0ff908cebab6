#pragma once

#include <unistd.h>

#include <memory>
#include <string>

#include "base/namespaces.hpp"
#include "format/boot/journal.hpp"
#include "transport/factory.hpp"

namespace onecast::pages {

/// The path of the journal: beside the file itself, whatever links lead to the file.
std::string journal_path(const std::string& file);

/// Writes the journals of a file that is open for writing, each over the previous one. The journal
/// of a complete flush does no harm (see Recovery). It is removed when the file is closed.
class JournalFile {
 public:
  /// @param file the file of this journal; only those who may read the file may read the journal
  JournalFile(TransportFactory factory, std::string file)
      : factory_(std::move(factory)), file_(std::move(file)), path_(journal_path(file_)) {}
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  ~JournalFile();

  /// Writes the journal with one write. `durable`: returns when it is on stable storage. Throws
  /// Error (io).
  void write(const Journal& journal, bool durable);

  /// Notes that a useless journal was found, so that it is removed, too.
  void take_over_leftover() { exists_ = true; }
  /// Says whether the journal is needed after the file was closed.
  void keep(bool needed) { keep_ = needed; }

 private:
  TransportFactory factory_;
  std::string file_, path_;
  std::unique_ptr<Transport> transport_;
  bool exists_ = false;
  pid_t process_ = getpid();  ///< the process that owns the journal; a fork owns it only once it
                              ///< flushes
  bool keep_ = false;
};

}  // namespace onecast::pages
