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

/// What the journal beside a file says about it.
enum class JournalState : std::uint8_t {
  none,      ///< there is no journal
  useless,   ///< it is not whole, or of another file, or another program wrote the file since
  before,    ///< the file is as before the flush
  complete,  ///< the flush was done
  half,      ///< neither: some blocks must be put back
};

/// Undoes a flush whose writer was killed in the middle.
class Recovery {
 public:
  /// Reads the file's journal at `path`, if there is one, and compares. Throws Error (io).
  Recovery(Transport& file, const TransportFactory& factory, const std::string& path);

  [[nodiscard]] JournalState state() const { return state_; }
  /// What undo() writes.
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const JournalBlock& block : journal_.blocks) sum += block.old_bytes.size();
    return sum;
  }

  /// The file becomes what it was before the flush, on stable storage. Killed half-way, it can be
  /// done again: the superblock is last. If the state is half.
  void undo(Transport& file) const;
  /// Removes the journal.
  void remove_journal() { transport_->remove(); }

  /// The file as undo() would leave it; if the state is half.
  static std::unique_ptr<Transport> as_undone(std::unique_ptr<Transport> file,
                                              std::shared_ptr<const Recovery> recovery);
  /// Puts what undo() would write into bytes that were read at `offset` of the file.
  void patch(std::uint64_t offset, std::span<std::byte> bytes) const;

 private:
  [[nodiscard]] bool read_journal(std::uint64_t file_size);
  [[nodiscard]] JournalState compare(Transport& file) const;

  std::unique_ptr<Transport> transport_;
  FileContext context_;
  Buffer bytes_;     ///< of the journal
  Journal journal_;  ///< looks into them
  JournalState state_ = JournalState::none;
};

}  // namespace onecast::pages
