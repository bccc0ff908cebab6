#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/buffer.hpp"
#include "base/file_context.hpp"
#include "base/namespaces.hpp"
#include "format/boot/journal.hpp"
#include "transport/factory.hpp"

namespace onecast::pages {

/// The state of a file according to the journal beside it.
enum class JournalState : std::uint8_t {
  none,      ///< there is no journal
  useless,   ///< it is incomplete, of another file, or another program has written the file since
  before,    ///< the file is as it was before the flush
  complete,  ///< the flush is complete
  half,      ///< some blocks must be put back
};

/// Undoes a flush whose process was killed.
class Recovery {
 public:
  /// Reads the file's journal at `path`, if there is one, and compares it with the file. Throws
  /// Error (io).
  Recovery(Transport& file, const TransportFactory& factory, const std::string& path);

  [[nodiscard]] JournalState state() const { return state_; }
  /// The number of bytes that undo() writes.
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const JournalBlock& block : journal_.blocks) sum += block.old_bytes.size();
    return sum;
  }

  /// Restores the file as it was before the flush, on stable storage. If this is interrupted, it
  /// can be repeated, since the superblock is written last. The state must be `half`.
  void undo(Transport& file) const;
  /// Removes the journal.
  void remove_journal() { transport_->remove(); }

  /// The file as undo() would leave it. The state must be `half`.
  static std::unique_ptr<Transport> as_undone(std::unique_ptr<Transport> file,
                                              std::shared_ptr<const Recovery> recovery);
  /// Overlays the bytes that undo() would write on bytes that were read at `offset` of the file.
  void patch(std::uint64_t offset, std::span<std::byte> bytes) const;

 private:
  [[nodiscard]] bool read_journal(std::uint64_t file_size);
  [[nodiscard]] JournalState compare(Transport& file) const;

  std::unique_ptr<Transport> transport_;
  FileContext context_;
  Buffer bytes_;     ///< the bytes of the journal
  Journal journal_;  ///< views into bytes_
  JournalState state_ = JournalState::none;
};

}  // namespace onecast::pages
