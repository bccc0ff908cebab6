#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "pages/followed_transport.hpp"
#include "pages/journal.hpp"
#include "transport/factory.hpp"
#include "transport/transport.hpp"

namespace onecast::nodes {
class OpenFile;
}  // namespace onecast::nodes

namespace onecast::files {

/// Opens the bytes of a file on this rank, locks the file, and manages the journal beside it.
class TransportOpener {
 public:
  explicit TransportOpener(OpenFile& file) : file_(file) {}

  /// Rank 0 opens the file now. The other ranks open it when they first touch raw data, when rank 0
  /// has created or recovered it.
  std::unique_ptr<Transport> open_at_first_use(TransportFactory factory, OpenMode mode);
  /// Opens a temporary file in the folder of the file's own location, after symbolic links, where
  /// there is room for its data.
  [[nodiscard]] std::unique_ptr<Transport> open_temporary() const;

  [[nodiscard]] OpenMode mode() const { return mode_; }
  /// True if the file is open for reading and a flush was not finished, so that the journal is
  /// needed. Rank 0 finds this out and tells the others.
  [[nodiscard]] const bool& is_overlaid() const { return overlaid_; }
  void set_overlaid(bool overlaid) { overlaid_ = overlaid; }

  /// On rank 0, throws Error (io), with ENOENT or ESTALE, if the path of the file does not lead to
  /// it any more: what is written to it then is lost, or other programs do not find it.
  void require_place() const;

  /// Returns the journal on rank 0 of a file that is open for writing, if one is wanted; else null.
  [[nodiscard]] JournalFile* journal() const { return journal_.get(); }
  /// Takes over a useless journal if one was found.
  void take_over_leftover_journal();
  /// Ends the journal. Call it while the file is still locked.
  void end_journal() { journal_.reset(); }
  /// The file as it is followed; null if it is not, or was not opened yet.
  [[nodiscard]] FollowedTransport* followed() const { return followed_; }

  /// Lets other programs read the file, and ends the journal.
  void share();
  /// Does the same when nobody writes the file any more.
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
  TransportFactory factory_;  ///< the given factory, without counting
  std::unique_ptr<JournalFile> journal_;
  bool leftover_journal_ = false;  ///< a useless journal was found
  bool overlaid_ = false;
  FollowedTransport* followed_ = nullptr;  ///< part of the transport
};

}  // namespace onecast::files
