#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "onecast/base/error.hpp"

namespace onecast {

/// Bytes that a program keeps by other means than a file of the system: in memory, in a store of
/// objects, in a part of something larger. Derive from it, and File::create and File::open take it
/// in place of a path.
///
/// - One call at a time for each file that is open; perhaps not always on one thread. An object
///   that threads of one process share as ranks is called by each of them.
/// - A function that cannot do its work throws, and what it did is as if a write to a file had
///   failed. The call of Onecast throws Error (io), which names the object, the function and what
///   was thrown; of an Error or a std::system_error it keeps the errno.
/// - Functions must not use the file that they are called for.
class RandomAccessFile {
 public:
  RandomAccessFile() = default;
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;
  virtual ~RandomAccessFile() = default;

  /// What errors and File::path call it. Other files that the HDF5 file names are looked for as if
  /// it lay at this path, seen from the working folder. @same
  [[nodiscard]] virtual std::string name() const { return "<RandomAccessFile>"; }

  /// Reads bytes from `offset` on into `out`, and returns how many: fewer than there is room for
  /// are asked for again, none means the end.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Writes all of `bytes`; behind the end, what lies between becomes zeros.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    static_cast<void>(offset);
    static_cast<void>(bytes);
    throw Error(ErrorCode::io, "it is for reading only");
  }

  /// How many bytes there are.
  virtual std::uint64_t size() = 0;

  /// Makes it that many bytes; File::create and the journal need 0.
  virtual void truncate(std::uint64_t size) {
    static_cast<void>(size);
    throw Error(ErrorCode::io, "it is for reading only");
  }

  /// With the option `durable`: returns when what was written is safe.
  virtual void sync() {}

  /// Where a flush saves what it overwrites, so that the next opening undoes a flush whose process
  /// was killed half-way. Empty means that there is nothing to undo: it is truncated to 0 when the
  /// file is closed. Null: no journal, as with the option `journal` off; then such a file is
  /// damaged. Asked for once for each opening. All ranks have one, or none has.
  virtual std::shared_ptr<RandomAccessFile> journal() { return nullptr; }
};

}  // namespace onecast
