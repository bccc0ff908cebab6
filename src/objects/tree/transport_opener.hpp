#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "pages/journal.hpp"
#include "transport/factory.hpp"
#include "transport/transport.hpp"

namespace onecast::tree {

class OpenFile;

/// Opens the bytes of a file on this rank, with its lock, and looks after the journal beside it.
class TransportOpener {
 public:
  explicit TransportOpener(OpenFile& file) : file_(file) {}

  /// Rank 0 opens the file at its first use, which is now; the others when they touch raw data, by
  /// when rank 0 has created it, or recovered it.
  std::unique_ptr<Transport> open_at_first_use(TransportFactory factory, OpenMode mode);
  /// In the folder of the file itself, whatever links lead there: where there is room for its data.
  [[nodiscard]] std::unique_ptr<Transport> open_temporary() const;

  [[nodiscard]] OpenMode mode() const { return mode_; }
  /// Open for reading, and a flush was not finished: a journal is needed. Rank 0 finds it out, and
  /// tells the others.
  [[nodiscard]] const bool& is_overlaid() const { return overlaid_; }
  void set_overlaid(bool overlaid) { overlaid_ = overlaid; }

  /// On rank 0: throws Error (io), with ENOENT or ESTALE, if the path of the file does not lead to
  /// it any more: whatever is written to it then is lost, or another looks for it in vain.
  void require_place() const;

  /// On rank 0 of a file that is open for writing, if a journal is wanted; else null.
  [[nodiscard]] JournalFile* journal() const { return journal_.get(); }
  /// If one of no use was found.
  void take_over_leftover_journal();
  /// As long as the file is locked.
  void end_journal() { journal_.reset(); }
  /// Nobody writes any more: other programs may read.
  void end_writing();

 private:
  std::unique_ptr<Transport> open_on_first_rank(const TransportFactory& factory, OpenMode mode);
  std::unique_ptr<Transport> create_on_first_rank(const TransportFactory& factory);
  std::unique_ptr<Transport> open_later(const TransportFactory& factory, OpenMode mode);
  void require_folder_of_first_rank() const;
  [[noreturn]] void fail_gone() const;
  void prepare_journal(const TransportFactory& counted);
  std::unique_ptr<Transport> recovered(std::unique_ptr<Transport> file,
                                       const TransportFactory& counted);

  OpenFile& file_;
  OpenMode mode_ = OpenMode::read_only;
  TransportFactory factory_;  ///< as it was given: counts nothing
  std::unique_ptr<JournalFile> journal_;
  bool leftover_journal_ = false;  ///< one of no use was found
  bool overlaid_ = false;
};

}  // namespace onecast::tree
