#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "onecast/base/error.hpp"

namespace onecast {

/// Bytes that a program keeps in something other than a file: in memory, in an object store, in a
/// part of a larger file. A program derives a class from this one; File::create and File::open take
/// an object of that class in place of a path.
///
/// - Onecast makes one call at a time for each open file, possibly on different threads. If threads
///   of one process are ranks and share an object, each of them calls it.
/// - A function that fails throws, which has the effect of a failed file operation: the call of
///   Onecast throws Error (io), which names the object, the function and what was thrown, and keeps
///   the errno of an Error or a std::system_error.
/// - The functions must not use the HDF5 file for which they are called.
/// - Each rank calls its functions by itself: all functions are @independent.
class RandomAccessFile {
 public:
  RandomAccessFile() = default;
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;
  virtual ~RandomAccessFile() = default;

  /// The name in errors and in File::path. Onecast looks for other files that the HDF5 file names
  /// as if the HDF5 file lay at this path, relative to the working directory. @same
  [[nodiscard]] virtual std::string name() const { return "<RandomAccessFile>"; }

  /// Reads bytes from `offset` on into `out` and returns their number. If there are fewer than
  /// `out` has room for, Onecast calls again for the rest; 0 means the end.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) = 0;

  /// Writes all of `bytes`. If `offset` is behind the end, the bytes between become zeros.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    static_cast<void>(offset);
    static_cast<void>(bytes);
    throw Error(ErrorCode::io, "it is for reading only");
  }

  /// The number of bytes.
  virtual std::uint64_t size() = 0;

  /// Sets the number of bytes. File::create and the journal call it with 0.
  virtual void truncate(std::uint64_t size) {
    static_cast<void>(size);
    throw Error(ErrorCode::io, "it is for reading only");
  }

  /// Called with the option `durable`: returns when all written bytes are on stable storage.
  virtual void sync() {}

  /// Returns the object in which a flush saves the bytes that it overwrites, so that the next open
  /// can undo a flush whose process was killed. If the object is empty, there is nothing to undo;
  /// closing the file truncates it to 0. Null: no journal, as with the option `journal` off; a
  /// killed flush then damages the file. Called once for each open. All ranks return an object, or
  /// none does.
  virtual std::shared_ptr<RandomAccessFile> journal() { return nullptr; }
};

}  // namespace onecast
